"""Quotients and remainders by constants, for which compilers have special rules.

C has no OpSMod, and no division of scalars of 8 and 16 bits.
"""

from collections.abc import Iterator

import numpy as np

from runner import check
from runner.device import Device

from ..kit import spirv
from ..kit.assembler import WIDTHS
from ..kit.spirv import DTYPES, kernel_text, stored_rows
from . import operators
from .operators import integers

_ITEMS = 64


def _lines(bits: int) -> Iterator[tuple[str, int]]:
    """Instructions and constants (words): powers of two of either sign, the least number, and other numbers."""
    powers = (1, 4, 1 << bits // 2, 1 << bits - 2)
    both = [*powers, *(2**bits - n for n in powers)]
    for op in ("UDiv", "UMod", "SDiv", "SRem") if bits < 32 else ():
        yield from ((op, n) for n in (*both, 1 << bits - 1, 3, 2**bits - 10))
    yield from (("SMod", n) for n in both)  # other constants are bug 114, which `integer/SMod` shows


def check_constants(device: Device, *, type: str) -> None:
    """All instructions on one type in one kernel; each result has a row of its own."""
    bits = WIDTHS[type]
    lines = list(_lines(bits))
    body = [f"%y{k} = Op{op} %{type} %x %{type}_{constant}" for k, (op, constant) in enumerate(lines)]
    data = integers(device, type, _ITEMS)
    out = device.buffer(np.zeros((len(lines), _ITEMS), DTYPES[type]))
    kernel = spirv.build(device, kernel_text(type, {"x": type}, stored_rows(body, type, _ITEMS))).f
    device.launch(kernel, [_ITEMS], None, out, device.buffer(data))
    for (op, constant), got in zip(lines, device.read(out, DTYPES[type], (len(lines), _ITEMS)), strict=True):
        overflows = op[0] == "S" and constant == 2**bits - 1
        kept = data[data != 1 << bits - 1] if overflows else data
        want = np.array([operators.INTEGER[op](int(x), constant, bits) % 2**bits for x in kept], DTYPES[type])
        results = got[data != 1 << bits - 1] if overflows else got
        check.equal(f"Op{op} of {type} by {constant:#x}", results, want, [kept])
