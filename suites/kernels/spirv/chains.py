"""Conversions of conversions: each pair of OpUConvert and OpSConvert, through each width.

C has no OpSConvert to a narrower type.
"""

import itertools

import numpy as np

from runner import check
from runner.device import Device

from ..kit import spirv
from ..kit.assembler import WIDTHS
from ..kit.spirv import kernel_text
from .operators import integers, signed
from .table import INTEGERS

_OPS = ("UConvert", "SConvert")
_ITEMS = 64


def _converted(value: int, op: str, source: str, target: str) -> int:
    value = signed(value, WIDTHS[source]) if op == "SConvert" else value
    return int(value % 2 ** WIDTHS[target])


def check_chain(device: Device, *, source: str) -> None:
    """All chains from one type in one kernel; each result has a row of its own, as ulong."""
    chains = [
        (first, middle, second, target)
        for first, middle, second, target in itertools.product(_OPS, INTEGERS, _OPS, INTEGERS)
        if source != middle != target
    ]
    body = [f"%n = OpCopyObject %size %size_{_ITEMS}"]
    for k, (first, middle, second, target) in enumerate(chains):
        body += [f"%m{k} = Op{first} %{middle} %x", f"%t{k} = Op{second} %{target} %m{k}"]
        word = f"%w{k} = OpUConvert %ulong %t{k}" if target != "ulong" else f"%w{k} = OpCopyObject %ulong %t{k}"
        body += [word, f"%o{k} = OpIMul %size %n %size_{k}", f"%j{k} = OpIAdd %size %o{k} %i"]
        body += [f"%q{k} = OpInBoundsPtrAccessChain %global_ulong %r %j{k}", f"OpStore %q{k} %w{k} Aligned 8"]
    data = integers(device, source, _ITEMS)
    out = device.buffer(np.zeros((len(chains), _ITEMS), np.uint64))
    kernel = spirv.build(device, kernel_text("ulong", {"x": source}, "\n".join(body))).f
    device.launch(kernel, [_ITEMS], None, out, device.buffer(data))
    for (first, middle, second, target), got in zip(chains, device.read(out, np.uint64, (len(chains), _ITEMS)), strict=True):
        want = [_converted(_converted(int(x), first, source, middle), second, middle, target) for x in data]
        what = f"Op{second} to {target} of Op{first} of {source} to {middle}"
        check.equal(what, got, np.array(want, np.uint64), [data])
