"""The axes of the elementwise operations: types, and with and without tinygrad's kernel optimiser."""

from collections.abc import Iterator, Sequence
from typing import Any

from ..rows import Operand, Row

INTEGERS = ("int32", "uint8", "int8", "uint16", "int16", "uint32", "int64", "uint64")
SOME_INTEGERS = ("int32", "uint8", "int64")
# 11 groups of 32 items of 4 elements, loaded and computed as vectors. (For a prime number of elements tinygrad makes the
# same plain kernel with and without its optimiser.)
LINE = (1408,)
SHORT = (7, 9)

# Variants. ONCE and GRADIENT_ONCE are for operations that other rows run both ways.
ONCE = ("",)
GRADIENT, GRADIENT_ONCE = ("backward", "noopt_backward"), ("backward",)


def typed(area: str, op: str, operands: Sequence[Operand], dtypes: Sequence[str], **more: Any) -> Iterator[Row]:
    """A row for each type: the first both ways, the others only with the optimiser."""
    yield Row(area, op, operands, dtypes[:1], **more)
    yield Row(area, op, operands, dtypes[1:], **{**more, "variants": ONCE})
