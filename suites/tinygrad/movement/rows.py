"""Rows of one operand that is moved: plainly, or in every way in which a movement gets into a kernel."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..rows import F32, Row

TYPES = (
    *("float32", "float16", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    "bool",
)
GRADIENTS = ("backward", "noopt_backward")
ONCE = ("",)
CUBE = (5, 7, 33)


def row(op: str, shape: Sequence[int], args: Mapping[str, Any], domain: str = "small", **more: Any) -> Row:
    """A row of one operand of this shape, moved by an operation with these arguments."""
    return Row("movement", op, [(shape, domain)], args=args, **more)


def every_way(op: str, shape: Sequence[int], args: Mapping[str, Any], name: str = "", dtype: str = "int32") -> Iterator[Row]:
    """The movement between arithmetic and of a permuted operand, and its gradient."""
    swapped = [*shape[:-2], shape[-1], shape[-2]] if len(shape) > 1 else shape
    kind = "small" if dtype.startswith("float") else "full"
    around = {"view": "transposed" if len(shape) > 1 else "reversed", "fold": "around"}
    yield row(op, swapped, {**args, **around}, kind, dtypes=(dtype,), name=name)
    yield row(op, shape, {**args, "fold": "around"}, dtypes=F32, name=name, variants=("backward",))
