"""Dot products of four bytes, with results of every width (SPV_KHR_integer_dot_product).

OpenCL C's builtins have only 32-bit results; the instructions allow every width that is at least that of a component.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from runner import check
from runner.device import Device

from ..kit.spirv import DTYPES, alignment, build, kernel_text
from .modules_table import DOTS

_ITEMS = 64
_HEAD = """OpCapability DotProduct
OpCapability DotProductInput4x8Bit
OpCapability DotProductInput4x8BitPacked
OpExtension "SPV_KHR_integer_dot_product"
"""
# The largest component with which no product or sum overflows the result, which would be undefined before an accumulation.
_MAX_OPERAND = {8: 5, 16: 90}


def _components(words: Any, *, signed: bool) -> list[list[int]]:
    """The four components of each word."""
    rows = np.asarray(words, np.uint32).view(np.int8 if signed else np.uint8).reshape(-1, 4)
    return [[int(c) for c in row] for row in rows]


def _wanted(op: str, x: Any, z: Any, accumulators: list[int], bits: int) -> Iterator[int]:
    signed = not op.startswith("U")
    left, right = _components(x, signed=signed), _components(z, signed=op.startswith("SDot"))
    least, most = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    for a, b, accumulator in zip(left, right, accumulators, strict=True):
        total = sum(p * q for p, q in zip(a, b, strict=True))
        if op.endswith("AccSat"):
            start = accumulator - 2**bits if signed and accumulator >> (bits - 1) else accumulator
            total = min(max(total + start, least), most)
        yield total % 2**bits


def check_dot(device: Device, *, type: str, packed: bool) -> None:
    """All instructions in one kernel. `type`: of the result; `packed`: the operands are words, else vectors of four."""
    operand, bits = "uint" if packed else "v4uchar", np.dtype(DTYPES[type]).itemsize * 8
    body = "\n".join(
        f"""%d{k} = Op{op} %{type} %x %z{" %acc" * op.endswith("AccSat")}{" 0" * packed}
%to{k} = OpIAdd %size %i %size_{k * _ITEMS}
%at{k} = OpInBoundsPtrAccessChain %global_{type} %r %to{k}
OpStore %at{k} %d{k} Aligned {alignment(type)}"""
        for k, op in enumerate(DOTS)
    )
    text = _HEAD + kernel_text(type, {"x": operand, "z": operand, "acc": type}, body)
    most = _MAX_OPERAND.get(bits, 127)
    x = device.rng.integers(-most, most + 1, _ITEMS * 4).astype(np.int8)
    z = device.rng.integers(-most, most + 1, _ITEMS * 4).astype(np.int8)
    edge = np.where(np.arange(_ITEMS * 4) % 8 < 4, 128, 127).astype(np.uint8).view(np.int8)
    if bits > 16:  # the smallest component times itself, and times the largest
        x[:32], z[:32], z[8:16] = edge[:32], edge[:32], 127
    small = np.abs(x), np.abs(z)
    ends = [
        0,
        1,
        2 ** (bits - 1) - 1,
        2 ** (bits - 1),
        2**bits - 1,
        2 ** (bits - 1) - 40,
        2 ** (bits - 1) + 40,
        2**bits - 40,
    ]
    accumulators = [ends[n % len(ends)] for n in range(_ITEMS)]
    acc = device.buffer(np.array(accumulators, np.uint64).astype(DTYPES[type]))
    kernel = build(device, text).f
    for what, (a, b) in (("any signs", (x, z)), ("no signs", small)):
        out = device.buffer(np.zeros(_ITEMS * len(DOTS), DTYPES[type]))
        device.launch(kernel, [_ITEMS], None, out, device.buffer(a), device.buffer(b), acc)
        got = device.read(out, DTYPES[type], (len(DOTS), _ITEMS))
        for k, op in enumerate(DOTS):
            if what == "any signs" and bits < 32 and op in ("UDotAccSat", "SUDotAccSat"):
                continue  # negative bytes are large if they are read as unsigned, and their products overflow the result
            want = list(_wanted(op, a.view(np.uint32), b.view(np.uint32), accumulators, bits))
            check.equal(f"Op{op} to {type}, {what}", [int(v) for v in got[k]], want)
