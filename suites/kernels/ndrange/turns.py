"""Launches in turn, without waits: each needs other resources (memory, threads, an offset) than the one before."""

from itertools import product

import numpy as np

from runner import check
from runner.device import Device

_SIZES = ((64, 64), (60, 20), (33, 11), (8, 8), (7, 1), (96, 32), (128, 128))  # of the range and of a group
_PRIVATE = (64, 500, 2000)  # words of an item, too many for registers
_ROOM, _ROUNDS = 128, 16
_SOURCE = """
uint sum_of(uint x) {{ uint s = 0; for (uint k = {rounds}; k-- > 0;) s = s * 3 + x + k * k; return s; }}
__kernel void plain(__global uint *r, uint key) {{
    uint i = (uint)(get_global_id(0) - get_global_offset(0));
    r[i] = sum_of(key + (uint)get_global_id(0));
}}
__kernel void shared(__global uint *r, uint key) {{
    __local uint t[{room}];
    uint i = (uint)(get_global_id(0) - get_global_offset(0)), n = (uint)get_local_size(0), own = (uint)get_local_id(0);
    t[n - 1 - own] = key + (uint)get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    r[i - own + n - 1 - own] = sum_of(t[own]);
}}
"""
_WITH_ARRAY = """
__kernel void private_{n}(__global uint *r, uint key) {{
    uint i = (uint)(get_global_id(0) - get_global_offset(0)), x = key + (uint)get_global_id(0), a[{n}], s = 0;
    for (uint k = 0; k < {rounds}; k++) a[(x * 37 + k * 101) % {n}] = x + k * k;
    for (uint k = {rounds}; k-- > 0;) s = s * 3 + a[(x * 37 + k * 101) % {n}];
    r[i] = s;
}}
"""


def check_in_turns(device: Device) -> None:
    """Every kernel with every size, in random order; each launch has a buffer of its own."""
    source = _SOURCE.format(rounds=_ROUNDS, room=_ROOM)
    program = device.build(source + "".join(_WITH_ARRAY.format(n=n, rounds=_ROUNDS) for n in _PRIVATE))
    names = ["plain", "shared", *(f"private_{n}" for n in _PRIVATE)]
    pairs = list(product(names, _SIZES))
    turns = [(*pairs[k], (0, 5, 1000)[k % 3]) for k in device.rng.permutation(len(pairs))]
    results = []
    for key, (name, (size, local), offset) in enumerate(turns):
        out = device.buffer(np.zeros(_ROOM, np.uint32))
        device.launch(getattr(program, name), [size], [local], out, np.uint32(key << 20), offset=[offset])
        results.append(out)
    for key, (out, (name, (size, local), offset)) in enumerate(zip(results, turns, strict=True)):
        x = np.arange(size, dtype=np.uint32) + np.uint32((key << 20) + offset)
        want = np.zeros(_ROOM, np.uint32)
        for k in reversed(range(_ROUNDS)):
            want[:size] = want[:size] * np.uint32(3) + x + np.uint32(k * k)
        got = device.read(out, np.uint32, _ROOM)
        check.equal(f"launch {key}, {name} of {size} items in groups of {local} from {offset}", got, want)
