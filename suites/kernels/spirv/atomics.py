"""Atomic instructions by the 64 items of one group on one word (SPIR-V 1.6, 3.52.18)."""

from collections.abc import Callable

import numpy as np

from runner import check
from runner.device import Device

from ..kit import spirv
from ..kit.chains import unreached
from ..kit.spirv import kernel_text

ITEMS = 64
START = 0x7FFFFFF0  # next to the sign bit, so that signed and unsigned minima differ

# Scope Workgroup (2) and Relaxed order, which every OpenCL 3.0 device has. %p is the word.
_OPERATION = {
    "Load": "%y = OpAtomicLoad %uint %p %uint_2 %uint_0",
    "Store": "OpAtomicStore %p %uint_2 %uint_0 %x\n%y = OpCopyObject %uint %x",
    "CompareExchange": f"%y = OpAtomicCompareExchange %uint %p %uint_2 %uint_0 %uint_0 %x %uint_{START}",
    **{op: f"%y = OpAtomic{op} %uint %p %uint_2 %uint_0" for op in ("IIncrement", "IDecrement")},
}
_LOCAL = """
%p = OpVariable %local_uint Workgroup
%far = OpInBoundsPtrAccessChain %global_uint %p_x %size_64
%first = OpIEqual %bool %i %size_0
OpBranchConditional %first %set %ready
%set = OpLabel
%start = OpLoad %uint %far Aligned 4
OpStore %p %start
OpBranch %ready
%ready = OpLabel
OpControlBarrier %uint_2 %uint_2 %uint_272
{operation}
OpControlBarrier %uint_2 %uint_2 %uint_272
OpBranchConditional %first %give %done
%give = OpLabel
%end = OpLoad %uint %p
OpStore %far %end Aligned 4
OpBranch %done
%done = OpLabel
"""
_GLOBAL = "%p = OpInBoundsPtrAccessChain %global_uint %p_x %size_64\n{operation}\n"

_FOLD: dict[str, Callable[[int, int], int]] = {
    "IIncrement": lambda a, b: a + 1,
    "IDecrement": lambda a, b: a - 1,
    "IAdd": lambda a, b: a + b,
    "ISub": lambda a, b: a - b,
    "SMin": lambda a, b: min(a, b, key=_signed),
    "SMax": lambda a, b: max(a, b, key=_signed),
    "UMin": min,
    "UMax": max,
    "And": lambda a, b: a & b,
    "Or": lambda a, b: a | b,
    "Xor": lambda a, b: a ^ b,
    "Load": lambda a, b: a,
}


def _signed(word: int) -> int:
    return word - 2**32 if word >> 31 else word


def check_atomic(device: Device, *, op: str, local: bool) -> None:
    """The word's final value and the items' results agree with some order of the operations."""
    default = f"%y = OpAtomic{op} %uint %p %uint_2 %uint_0 %x"
    frame = _LOCAL if local else _GLOBAL
    text = kernel_text("uint", {"x": "uint"}, frame.format(operation=_OPERATION.get(op, default)))
    x = device.rng.integers(0, 2**32, ITEMS + 1, dtype=np.uint32)
    if op in ("Exchange", "CompareExchange"):  # all operands differ, and none is START
        x = np.arange(ITEMS + 1, dtype=np.uint32) + np.uint32(1000)
    if op in ("And", "Or"):  # each item changes a bit of its own
        bits = np.uint32(1) << (np.arange(ITEMS + 1, dtype=np.uint32) % np.uint32(24))
        x = ~bits if op == "And" else bits
    x[ITEMS] = START
    words, target = device.buffer(x), device.buffer(np.zeros(ITEMS, np.uint32))
    device.launch(spirv.build(device, text).f, [ITEMS], [ITEMS], target, words)
    end = int(device.read(words, np.uint32, ITEMS + 1)[ITEMS])
    got = [int(v) for v in device.read(target, np.uint32, ITEMS)]
    operands = [int(v) for v in x[:ITEMS]]
    if op == "Store":
        check.true(f"the word {end} is one of those that were stored", end in operands)
        check.equal("what the items had to store", got, operands)
    elif op == "Exchange":
        check.equal("all old values, and the end", sorted([*got, end]), sorted([START, *operands]))
    elif op == "CompareExchange":
        check.equal("items that got the start", got.count(START), 1)
        winner = got.index(START)
        check.equal("the word, and the old values of the others", {end, *got} - {START}, {operands[winner]})
    else:
        want = START
        for operand in operands:
            want = _FOLD[op](want, operand) % 2**32
        check.equal("the word", end, want)
        if op in ("IIncrement", "IDecrement"):
            steps = [START + k if op == "IIncrement" else START - k for k in range(ITEMS)]
            check.equal("what the items got", sorted(got), sorted(steps))
        elif op == "Load":
            check.equal("what the items got", set(got), {START})
        else:
            # In some order, each item gets the result of the one before, and leaves its own.
            left = [_FOLD[op](a, b) % 2**32 for a, b in zip(got, operands, strict=True)]
            check.equal("old values and results", sorted([*got, end]), sorted([*left, START]))
            check.equal("old values that nothing led to", unreached(START, zip(got, left, strict=True)), [])
