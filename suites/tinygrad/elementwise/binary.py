"""The rows of arithmetic with two or more operands, and of the operators."""

from collections.abc import Iterator
from itertools import chain

from ..rows import F32_ALL, F32_HALF, SHEET, Operand, Row
from .axes import GRADIENT, GRADIENT_ONCE, INTEGERS, LINE, ONCE, SHORT, SOME_INTEGERS, typed

GRID = [((16, 1), "edges"), ((1, 16), "edges")]  # every edge against every edge, by broadcasting
ORDERED = [((15, 1), "ordered"), ((1, 15), "ordered")]
FULL = [(LINE, "full"), (LINE, "full")]


def rows() -> Iterator[Row]:
    """Every row of the table: arithmetic with two or more operands."""
    return chain(_floats(), _shapes(), _integers(), _divisions(), _gradients(), _operators())


def _floats() -> Iterator[Row]:
    for op in ("add", "mul", "sub", "div"):
        yield from typed("binary", op, GRID, F32_ALL)
    for op in ("maximum", "minimum"):
        yield from typed("binary", op, ORDERED, F32_ALL)
        yield from typed("binary", op, GRID, F32_HALF, name="nan")
    for op, other in (("add", "tiny"), ("sub", "tiny"), ("mul", "outer")):
        yield Row("binary", op, [(LINE, "tiny"), (LINE, other)], name="tiny", variants=ONCE)
    yield from typed("binary", "copysign", ORDERED, F32_ALL)
    yield Row("binary", "logaddexp", GRID)
    yield from typed("binary", "logaddexp", [(LINE, "angle"), (LINE, "angle")], F32_HALF, name="near")
    yield Row("binary", "pow", [(SHEET, "positive"), (SHEET, "normal")])
    yield from typed("binary", "pow", [((19, 1), "small"), ((1, 23), "small")], F32_HALF, name="whole")
    yield Row("binary", "pow", [(LINE, "unit"), (LINE, "normal")], name="root_of_negative", variants=ONCE)
    ends = [(LINE, "normal"), (LINE, "normal"), (LINE, "inner")]
    yield from typed("binary", "lerp", ends, F32_ALL)
    for mode in ("trunc", "floor"):
        operands = [(LINE, "angle"), (LINE, "unit")]
        yield from typed("binary", "div", operands, F32_HALF, args={"rounding_mode": mode}, name=mode)
    for op in ("mod", "fmod"):
        yield from typed("binary", op, [(LINE, "angle"), (LINE, "unit")], F32_HALF)
    for op in ("usum", "uprod"):
        yield from typed("binary", op, [(LINE, "normal")] * 3, F32_HALF)


def _shapes() -> Iterator[Row]:
    """The plain shape is LINE; selection.py has the views of operands."""
    yield Row("binary", "mul", [((1031,), "normal"), ((1031,), "normal")], name="prime", variants=ONCE)
    yield Row("binary", "add", [((67, 1), "normal"), ((1, 129), "normal")], name="broadcast")
    yield Row("binary", "add", [((), "normal"), ((1, 5, 1), "normal")], name="of_rank_0")
    yield Row("binary", "mul", [((3, 1, 5, 1), "full"), ((7, 1, 11), "full")], ("int32",), name="broadcast")
    yield Row("binary", "add", [((1,), "normal"), ((1,), "normal")], name="of_one")
    yield Row("binary", "sub", [((1031, 1013), "normal"), ((1013,), "normal")], name="large")


def _integers() -> Iterator[Row]:
    for op in ("add", "sub", "mul", "maximum", "minimum"):
        yield from typed("binary", op, FULL, INTEGERS)
    for op in ("bitwise_and", "bitwise_or", "bitwise_xor"):
        yield from typed("binary", op, FULL, (*SOME_INTEGERS, "uint16"))
    for op in ("lshift", "rshift"):
        yield from typed("binary", op, [(LINE, "full"), (LINE, "shift")], ("uint32", *INTEGERS[:5], *INTEGERS[6:]))
    for op in ("add", "mul", "maximum", "minimum", "bitwise_and", "bitwise_or", "bitwise_xor"):
        yield Row("binary", op, [(LINE, ""), (LINE, "")], ("bool",), ONCE)
    for op in ("usum", "uprod"):
        yield Row("binary", op, [(LINE, "full")] * 3, ("int16", "uint64"), ONCE)
    bytes_of: list[Operand] = [(LINE, "full"), (LINE, "full"), (LINE, "inner", "float32")]
    yield Row("binary", "lerp_of_bytes", bytes_of, ("uint8",))
    yield Row("binary", "threefry", FULL, ("uint64",))


def _divisions() -> Iterator[Row]:
    for dtype in INTEGERS:
        # Without the least number, which overflows if it is divided by -1.
        whole = "full" if dtype.startswith("u") else str(1 - 2 ** (int(dtype[3:]) - 1))
        short, wide = [(LINE, whole), (LINE, "nonzero")], [(LINE, whole), (LINE, "odd")]
        both = ("", "noopt") if dtype in SOME_INTEGERS else ONCE
        for op in ("floordiv", "mod", "fmod") if dtype in SOME_INTEGERS else ("floordiv", "mod"):
            yield Row("binary", op, short, (dtype,), both)
        yield Row("binary", "div", short, (dtype,), both, {"rounding_mode": "trunc"}, "trunc")
        for op in ("floordiv", "mod") if dtype in ("int32", "uint64", "int64") else ():
            yield Row("binary", op, wide, (dtype,), ONCE, name="wide")
    yield Row("binary", "div", [(LINE, "small"), (LINE, "nonzero")], ("int32", "uint8"), ONCE, name="true")


def _gradients() -> Iterator[Row]:
    yield Row("binary", "mul", [((33, 65), "normal"), ((65,), "normal")], variants=GRADIENT)
    yield Row("binary", "div", [((33, 65), "normal"), ((33, 65), "unit")], variants=GRADIENT)
    for op in ("add", "sub"):
        yield Row("binary", op, [((7, 1), "normal"), ((1, 9), "normal")], variants=GRADIENT_ONCE)
    for op in ("maximum", "minimum", "logaddexp", "copysign"):
        yield Row("binary", op, [(SHORT, "normal"), (SHORT, "normal")], variants=GRADIENT_ONCE)
    yield Row("binary", "pow", [(SHORT, "positive"), (SHORT, "normal")], variants=GRADIENT)
    for op in ("lerp", "uprod"):
        yield Row("binary", op, [(SHORT, "normal")] * 3, variants=GRADIENT_ONCE)


def _operators() -> Iterator[Row]:
    """Each operator as Python calls it: on two tensors, on a tensor and a number, and in place."""
    for op, dtype, first, second, number in (
        *((op, "int32", "full", "nonzero", 5) for op in ("add", "sub", "mul", "and", "or", "xor")),
        *((op, "int32", "-32768", "nonzero", 5) for op in ("floordiv", "mod")),
        *((op, "float32", "positive", "normal", 2.5) for op in ("truediv", "pow")),
        *((op, "uint32", "full", "shift", 5) for op in ("lshift", "rshift")),
    ):
        two, scalar = [(LINE, first), (LINE, second)], {"number": number}
        yield Row("operator", f"__{op}__", two, (dtype,), ONCE)
        yield Row("operator", f"__{op}__", two[:1], (dtype,), args=scalar, name="scalar", variants=ONCE)
        if op != "mod":  # tinygrad has no __imod__: Python calls __mod__
            yield Row("operator", f"__i{op}__", two, (dtype,), ONCE)
        if op in ("lshift", "rshift"):  # tinygrad 0.14 cannot shift a number by a tensor
            yield Row("operator", f"__r{op}__", two[::-1], (dtype,), ONCE)
        else:
            yield Row("operator", f"__r{op}__", two[1:], (dtype,), args=scalar, name="scalar", variants=ONCE)
    for op in ("lt", "le", "gt", "ge", "eq", "ne"):
        yield Row("operator", f"__{op}__", [(LINE, "small"), (LINE, "small")], ("int32",), ONCE)
        yield Row("operator", f"__{op}__", [(LINE, "small")], ("float32",), ONCE, {"number": 3}, "scalar")
    for op in ("neg", "invert"):
        yield Row("operator", f"__{op}__", [(LINE, "full")], ("int32",), ONCE)
