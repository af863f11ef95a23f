"""The rows of comparisons and selections, and of operands that are views."""

from collections.abc import Iterator
from itertools import chain

from ..rows import F32_ALL, F32_HALF, SHEET, Operand, Row
from .axes import GRADIENT, GRADIENT_ONCE, INTEGERS, LINE, ONCE, SHORT, typed
from .binary import GRID


def rows() -> Iterator[Row]:
    """Every row of the table: comparisons, selections, operands that are views."""
    return chain(_comparisons(), _closeness(), _selections(), _views())


def _comparisons() -> Iterator[Row]:
    for op in ("lt", "eq", "ne", "gt", "le", "ge"):  # tinygrad's <= is "not >", so true for NaN
        yield from typed("compare", op, GRID, F32_ALL if op in ("lt", "eq") else F32_HALF)
        dtypes = INTEGERS if op in ("lt", "eq") else ("int32",)
        yield from typed("compare", op, [((31, 1), "full"), ((1, 37), "small")], dtypes)
        yield Row("compare", op, [((5, 1), ""), ((1, 7), "")], ("bool",), ONCE)


def _closeness() -> Iterator[Row]:
    yield from typed("compare", "isclose", GRID, F32_HALF)
    yield Row("compare", "isclose", GRID, args={"equal_nan": True}, name="equal_nan")
    near = [((61, 1), "small"), ((1, 67), "small")]
    yield Row("compare", "isclose", near, args={"rtol": 0.25, "atol": 0.5}, name="wide", variants=ONCE)
    sheets = [(SHEET, "unit"), (SHEET, "unit")]
    yield Row("compare", "allclose", sheets, args={"atol": 2.0}, name="not")
    yield Row("compare", "allclose", sheets, args={"atol": 4.0})  # elements of the domain differ by 3 at most


def _selections() -> Iterator[Row]:
    mask = (LINE, "", "bool")
    yield from typed("compare", "where", [mask, (LINE, "special"), (LINE, "special")], F32_ALL)
    yield from typed("compare", "where", [mask, (LINE, "full"), ((1,), "full")], INTEGERS)
    broadcast: list[Operand] = [((9, 1), "", "bool"), ((9, 65), "normal"), ((65,), "normal")]
    yield Row("compare", "where", broadcast, variants=GRADIENT)
    for no in ("2.5", "inf", "nan"):
        args = {"no": no}
        yield from typed("compare", "where_constant", [mask, (LINE, "finite")], F32_HALF, args=args, name=no)
    yield Row("compare", "where_constants", [mask], ("bool",), args={"yes": 3, "no": -(2**20)})
    yield Row("compare", "masked_fill", [(LINE, "special"), mask, (LINE, "special")])
    yield Row("compare", "masked_fill", [(LINE, "full"), mask, (LINE, "full")], ("int64", "uint8"), ONCE)
    yield Row("compare", "masked_fill", [(LINE, "finite"), mask], args={"value": -12.5}, name="constant")
    short: list[Operand] = [(SHORT, "normal"), (SHORT, "", "bool"), (SHORT, "normal")]
    yield Row("compare", "masked_fill", short, variants=GRADIENT_ONCE)


def _views() -> Iterator[Row]:
    """Operands that are permuted, strided, shrunk, reversed or padded: views that the kernel indexes."""
    floats, integers = [((13, 15), "normal")] * 2, [((13, 15), "full")] * 2
    for view in ("transposed", "reversed", "shrunk", "strided", "padded", "expanded", "chained"):
        yield Row("view", "add", floats, args={"view": view}, name=view)
        yield Row("view", "mul", integers, ("int16",), ONCE, {"view": view}, view)
    for first, second, widths in (
        ("transposed", "", (13, 13)),
        ("strided", "shrunk", (23, 15)),
        ("reversed", "", (13, 13)),
        ("padded", "strided", (13, 36)),
    ):
        operands = [((13, width), "full") for width in widths]
        name = "_".join(filter(None, (first, second)))
        yield Row("view", "sub", operands, ("int32", "uint8"), ONCE, {"view": [first, second]}, name)
    mixed: list[Operand] = [((15, 15), "", "bool"), ((15, 15), "special"), ((15, 15), "special")]
    yield Row("view", "where", mixed, args={"view": ["transposed", "reversed", ""]})
    for op, count in (("neg", 1), ("exp", 1), ("add", 2), ("lt", 2), ("pow", 2)):
        yield Row("view", "beside_nothing", [((5, 7), "positive")] * count, args={"of": op}, name=op, variants=ONCE)
