"""Rows of the op catalogue: which operation runs on which operands. A family's run.py defines the operations."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from runner.model import Case

# A shape and a domain of inputs.py, and a type if it differs from the case's.
Operand = tuple[Sequence[int], str] | tuple[Sequence[int], str, str]

FEATURES = {"float16": "fp16", "float64": "fp64"}

F32, F32_HALF, F32_ALL = ("float32",), ("float32", "float16"), ("float32", "float16", "float64")
BOTH = ("", "backward")
LINE = (1031,)  # prime: no work-group size divides it, so there are several work-groups and a remainder
SHEET = (67, 129)


@dataclass(frozen=True, slots=True)
class Row:
    """One operation of a family's OPS on one set of operands, in each of `dtypes` and of `variants`.

    Variants: "" (forward), "backward" (the gradients), and these with tinygrad's kernel optimiser off, so that every
    operation is a separate kernel: "noopt", "noopt_backward".
    """

    area: str
    op: str
    operands: Sequence[Operand]
    dtypes: Sequence[str] = F32
    variants: Sequence[str] = ("", "noopt")
    args: Mapping[str, Any] = field(default_factory=dict)
    name: str = ""  # distinguishes this row from others of the operation


def op_cases(family: str, rows: Iterable[Row]) -> Iterator[Case]:
    """The cases of the rows, `tinygrad/<area>/<op>.<dtype>[.<name>][.<variant>]`, for the family's OPS."""
    for row in rows:
        for dtype in row.dtypes:
            for variant in row.variants:
                operands = [(list(shape), domain, *(own or (dtype,))) for shape, domain, *own in row.operands]
                used = {kind for _, _, kind in operands} | {row.args.get("dtype", dtype)}
                parts = [f"tinygrad/{row.area}/{row.op}.{dtype}", row.name, variant]
                yield Case(
                    id=".".join(filter(None, parts)),
                    kind=f"{family}.op",
                    params={"op": row.op, "operands": operands, "args": dict(row.args), "variant": variant},
                    requires=tuple(sorted(FEATURES[kind] for kind in used if kind in FEATURES)),
                )
