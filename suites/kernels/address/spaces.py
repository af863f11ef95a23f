"""Address spaces: pointers into each of them, private arrays, constants and program-scope variables (OpenCL C 3.0, 6.7)."""

from collections.abc import Sequence

import numpy as np

from runner import check
from runner.device import Device

from ..kit.scalar import np_type, pragmas
from .forms import FORMS

GROUPS = 2
# Distances in bytes, close to the limits of 8 to 14 bits; written places are 64 elements of 8 bytes apart.
READ_AT = (0, 248, 256, 504, 512, 1016, 1024, 2040, 2048, 4088, 4096, 8184, 8192, 16376, 16384)
WRITTEN_AT = (0, 512, 1024, 2040, 4096, 8184, 16384)


def check_turn(device: Device, *, table: str, form: str, options: str) -> None:
    """A form of forms.py; those of `writable` are launched twice, on one group."""
    outside, inside = FORMS[table][form]
    shared = "__local uint m[64];" if table == "generic" else ""
    kernel = device.build(
        f"""
{outside}
__kernel void f(__global uint *a, __global uint *r, uint run) {{
    {shared}
    uint l = get_local_id(0);
    a += get_group_id(0) * 64; r += get_group_id(0) * 64;
    {inside}
}}
// {device.case_id}: programs with variables are not shared between cases
""",
        options,
    ).f
    groups = 1 if table == "writable" else GROUPS
    data = device.rng.integers(0, 2**32, (groups, 64)).astype(np.uint32)
    for run in range(2 if table == "writable" else 1):
        out = device.buffer(np.zeros_like(data))
        device.launch(kernel, [groups * 64], [64], device.buffer(data), out, np.uint32(run))
        what = f"reversed{', second launch' if run else ''}"
        check.equal(what, device.read(out, np.uint32, data.shape), data[:, ::-1])


def check_passed(device: Device, *, type: str, space: str) -> None:
    """A pointer into an address space is passed through two functions, read and written."""
    scalar = type.rstrip("0123456789")
    width = int(type[len(scalar) :] or 1)
    shared = {
        "global": "__global T *p = g + get_group_id(0) * 64; p[l] = a[i]; barrier(CLK_GLOBAL_MEM_FENCE);",
        "local": "__local T p[64]; p[l] = a[i]; barrier(CLK_LOCAL_MEM_FENCE);",
        "constant": "__constant T *p = c + get_group_id(0) * 64;",
        "private": "T p[64]; for (uint k = 0; k < 64; k++) p[k] = a[i - l + k];",
    }[space]
    # Other items read what this one writes to shared memory.
    barrier = "" if space == "private" else "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"
    write = "" if space == "constant" else f"{barrier} put(p, l, x); x = deep(p + l, 0);"
    put = "" if space == "constant" else f"void put(__{space} T *p, uint k, T x) {{ p[k] = x; }}"
    kernel = device.build(
        f"""{pragmas(scalar)}
typedef {type} T;
T deep(__{space} const T *p, int k) {{ return p[-k]; }}
T take(__{space} const T *end, int back) {{ return deep(end - 1, back - 1); }}
{put}
__kernel void f(__global const T *a, __constant T *c, __global T *g, __global T *r) {{
    uint i = get_global_id(0), l = get_local_id(0);
    {shared}
    T x = take(p + 63, l);
    {write}
    r[i] = x;
}}
"""
    ).f
    room = 4 if width == 3 else width
    kind = np_type(scalar)
    count = GROUPS * 64
    bits = device.rng.integers(0, 256, (count, room * kind.itemsize)).astype(np.uint8).view(kind)
    data = np.where(np.isfinite(bits), bits, kind.type(1)) if kind.kind == "f" else bits
    out = device.buffer(np.zeros_like(data))
    source = device.buffer(data)
    device.launch(kernel, [count], [64], source, device.buffer(data), device.buffer(np.zeros_like(data)), out)
    got = device.read(out, kind, data.shape)
    want = data.reshape(GROUPS, 64, room)[:, ::-1]
    check.exact(f"{type} by a {space} pointer", got[:, :width], [want.reshape(data.shape)[:, :width]])


def check_single(device: Device, *, type: str, space: str) -> None:
    """A vector at an address that all items share, in groups of one: stored, also in part, and read by index and as a whole.

    `space`: local, global.
    """
    scalar = type.rstrip("0123456789")
    width = int(type[len(scalar) :])
    room = 4 if width == 3 else width
    where = "__local T v;" if space == "local" else "#define v (*g)"
    kernel = device.build(
        f"""{pragmas(scalar)}
typedef {type} T;
typedef {scalar} S;
__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void f(__global const T *a, __global S *r, __global T *g, uint turn) {{
    {where}
    v = a[0];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (uint k = 0; k < {width}; k++) r[k] = ((__{space} S *)&v)[(k + turn) % {width}];
    v.s{width - 1:x} = a[1].s0;
    v.s0 = a[1].s1;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (uint k = 0; k < {width}; k++) r[{width} + k] = ((__{space} S *)&v)[(k + turn) % {width}];
    T whole = v;
    for (uint k = 0; k < {width}; k++) r[{2 * width} + k] = ((S *)&whole)[k];
}}
"""
    ).f
    kind = np_type(scalar)
    data = device.rng.permutation(np.arange(1, 2 * room + 1)).astype(kind).reshape(2, room)
    out = device.buffer(np.zeros((3, width), kind))
    device.launch(kernel, [1], [1], device.buffer(data), out, device.buffer(np.zeros(room, kind)), np.uint32(1))
    whole = data[0, :width]
    parts = np.concatenate([data[1, 1:2], whole[1:-1], data[1, :1]])
    got = device.read(out, kind, (3, width))
    check.equal(f"{type} in {space} memory", got[0], np.roll(whole, -1))
    check.equal(f"{type} in {space} memory, only the last and the first component stored", got[1], np.roll(parts, -1))
    check.equal(f"{type} in {space} memory, read whole", got[2], parts)


def check_aligned(device: Device, *, space: str) -> None:
    """Variables with a raised alignment, each behind one of a byte, have aligned addresses and do not overlap.

    `space`: local, private, constant. The host divides, because a compiler would assume the alignment.
    """
    alignments = (2, 4, 8, 16, 32, 64, 128)
    names = [(f"p{n}", f"q{n}", n) for n in alignments]

    def declare(name: str, n: int) -> str:
        return f"__{space} uchar {name}{f' = {n}' if space == 'constant' else ''};\n"

    declared = "".join(declare(p, n) + declare(f"{q} __attribute__((aligned({n})))", n + 1) for p, q, n in names)
    outside, inside = (declared, "") if space == "constant" else ("", declared)
    written = "" if space == "constant" else "".join(f"{p} = a[{n}]; {q} = a[{n + 1}];\n" for p, q, n in names)
    stored = "".join(
        f"r[{3 * k}] = (size_t)&{q}; r[{3 * k + 1}] = *(&{p} + a[0]); r[{3 * k + 2}] = *(&{q} + a[0]);\n"
        for k, (p, q, _) in enumerate(names)
    )
    kernel = device.build(
        f"{outside}__kernel void f(__global const uchar *a, __global ulong *r) {{\n{inside}{written}"
        f"barrier(CLK_LOCAL_MEM_FENCE);\n{stored}}}\n"
    ).f
    out = device.buffer(np.zeros((len(alignments), 3), np.uint64))
    device.launch(kernel, [1], [1], device.buffer(np.arange(256, dtype=np.uint8)), out)
    got = device.read(out, np.uint64, (len(alignments), 3))
    boundaries = np.array(alignments, np.uint64)
    check.equal(f"addresses in {space} memory modulo their alignment", got[:, 0] % boundaries, 0 * boundaries)
    check.equal(f"{space} variables of a byte", got[:, 1], boundaries)
    check.equal(f"aligned {space} variables", got[:, 2], boundaries + np.uint64(1))


def check_far(device: Device, *, type: str, space: str, back: bool) -> None:
    """Elements at constant distances from an index that is known only at run time, read and written.

    A distance that does not fit into an instruction's offset must be added to the address. `type`: unsigned; `space`: local,
    global, private; `back`: the elements are in front of the index.
    """
    kind = np_type(type)
    most = 4096 if space == "private" else READ_AT[-1]  # lavapipe takes minutes for large private arrays
    near, far = ([n // kind.itemsize for n in sizes if n <= most] for sizes in (READ_AT, WRITTEN_AT))
    room = near[-1] + 64
    own = {"local": f"__local T p[{room}];", "global": "", "private": f"T p[{room}];"}[space]
    first, step = ("0", "1") if space == "private" else ("i", "64")
    element, base = ("(p + at)[-{}]", near[-1]) if back else ("p[at + {}]", 0)
    barrier = "" if space == "private" else "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"
    buffer = "p" if space == "global" else "unused"
    reads = "\n    ".join(f"r[{64 * n} + i] = {element.format(d)};" for n, d in enumerate(near))
    writes = "\n    ".join(f"{element.format(d)} = a[i] + (T){n};" for n, d in enumerate(far))
    rest = "\n    ".join(f"r[{64 * (len(near) + n)} + i] = {element.format(d)};" for n, d in enumerate(far))
    kernel = device.build(
        f"""
typedef {type} T;
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void f(__global const T *a, __global T *r, __global T *{buffer}, __global const uint *index) {{
    {own}
    uint i = get_local_id(0), at = index[i];
    for (uint k = {first}; k < {room}; k += {step}) p[k] = a[k];
    {barrier}
    {reads}
    {barrier}
    {writes}
    {barrier}
    {rest}
}}
"""
    ).f
    data = device.rng.integers(0, 256, room * kind.itemsize).astype(np.uint8).view(kind)
    index = (base + device.rng.permutation(64)).astype(np.uint32)
    out = device.buffer(np.zeros((len(near) + len(far), 64), kind))
    device.launch(kernel, [64], [64], device.buffer(data), out, device.buffer(np.zeros_like(data)), device.buffer(index))
    want = np.stack(
        [data[index - d if back else index + d] for d in near] + [data[:64] + kind.type(n) for n in range(len(far))]
    )
    check.equal(f"{type} in {space} memory, at each distance", device.read(out, kind, want.shape), want)


def check_constants(device: Device, *, type: str, values: Sequence[str]) -> None:
    """A table at program scope, indexed at run time. `values`: literals."""
    scalar = type.rstrip("0123456789")
    width = int(type[len(scalar) :] or 1)
    rows = [values[k : k + width] for k in range(0, len(values), width)]
    items = ", ".join(f"({type})({', '.join(row)})" if width > 1 else row[0] for row in rows)
    kernel = device.build(
        f"""{pragmas(scalar)}
__constant {type} table[] = {{{items}}};
__kernel void f(__global const uint *k, __global {type} *r, __global uint *size) {{
    r[get_global_id(0)] = table[k[get_global_id(0)]];
    if (get_global_id(0) == 0) *size = sizeof(table);
}}
"""
    ).f
    kind = np_type(scalar)
    plain = [[v.rstrip("ULfh" if "p" in v else "UL") for v in row] for row in rows]
    table = np.array([[float.fromhex(v) if kind.kind == "f" else int(v, 0) for v in row] for row in plain], kind)
    index = device.rng.integers(0, len(rows), 64).astype(np.uint32)
    out, size = device.buffer(np.zeros((64, width), kind)), device.buffer(np.zeros(1, np.uint32))
    device.launch(kernel, [64], None, device.buffer(index), out, size)
    check.exact(f"table of {type}", device.read(out, kind, (64, width)), [table[index]])
    check.equal("sizeof(table)", int(device.read(size, np.uint32, 1)[0]), table.nbytes)
