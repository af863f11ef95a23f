"""The catalogue of elementwise operations, comparisons and where."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case

from ..rows import F32_ALL, F32_HALF, LINE, SHEET, Row, op_cases


def rows() -> Iterator[Row]:
    special = [(LINE, "special")]
    for op in (
        "neg",
        "abs",
        "trunc",
        "floor",
        "ceil",
        "round",
        "log2",
        "relu",
        "gelu",
        "erf",
        "isnan",
        "isinf",
    ):
        yield Row("unary", op, special)
    for op in ("exp", "exp2", "sqrt", "reciprocal", "sin"):
        yield Row("unary", op, special, F32_ALL)
    yield Row("unary", "sin", [(LINE, "unit")], ("float64",), name="small")
    yield Row("unary", "log", special, F32_HALF)
    yield Row("unary", "rsqrt", special)
    yield Row("unary", "tanh", special, F32_HALF)
    yield Row("unary", "sigmoid", special)
    yield Row("unary", "cos", [(SHEET, "angle")])
    yield Row("unary", "sign", [(LINE, "finite")])
    for op in ("exp", "sin", "tanh", "sigmoid"):
        yield Row("unary", op, [((33, 65), "normal")], variants=("backward",))
    for op in ("sqrt", "log"):
        yield Row("unary", op, [((33, 65), "positive")], variants=("backward",))
    yield Row("unary", "relu", [((33, 65), "normal")], variants=("backward",))
    for op in ("neg", "abs", "sign"):
        yield Row("unary", op, [(LINE, "full")], ("int32",))
    yield Row("unary", "bitwise_not", [(LINE, "full")], ("uint8", "int16", "int64"))
    yield Row("unary", "logical_not", [(LINE, "")], ("bool",))

    grid = [((16, 1), "edges"), ((1, 16), "edges")]  # every edge against every edge, by broadcasting
    ordered = [((15, 1), "ordered"), ((1, 15), "ordered")]
    for op in ("add", "mul"):
        yield Row("binary", op, grid, F32_ALL)
    for op in ("sub", "div"):
        yield Row("binary", op, grid)
    for op in ("maximum", "minimum"):
        yield Row("binary", op, ordered)
        yield Row("binary", op, [(LINE, "full"), (LINE, "full")], ("int32",))
    yield Row("binary", "pow", [(SHEET, "positive"), (SHEET, "normal")])
    yield Row("binary", "mul", [((33, 65), "normal"), ((65,), "normal")], variants=("backward",))
    yield Row("binary", "div", [((33, 65), "normal"), ((33, 65), "unit")], variants=("backward",))
    yield Row("binary", "add", [((67, 1), "normal"), ((1, 129), "normal")], name="broadcast")
    for op in ("add", "sub", "mul"):
        yield Row("binary", op, [(LINE, "full"), (LINE, "full")], ("int32", "uint8", "int64"))
    for op in ("floordiv", "mod"):
        yield Row("binary", op, [(LINE, "-32768"), (LINE, "nonzero")], ("int32",))
    for op in ("bitwise_and", "bitwise_or", "bitwise_xor"):
        yield Row("binary", op, [(LINE, "full"), (LINE, "full")], ("int32",))
    for op in ("lshift", "rshift"):
        yield Row("binary", op, [(LINE, "full"), (LINE, "shift")], ("uint32",))
    for op in ("lt", "eq", "ne"):
        yield Row("compare", op, grid)
    yield Row("compare", "le", ordered)  # tinygrad's <= is not >, and so true of NaN
    for op in ("lt", "eq"):
        yield Row("compare", op, [((31, 1), "full"), ((1, 37), "small")], ("int32", "uint16"))
    yield Row(
        "compare", "where", [(LINE, "", "bool"), (LINE, "special"), (LINE, "special")], ("float32", "float16")
    )
    yield Row("compare", "where", [(LINE, "", "bool"), (LINE, "full"), ((1,), "full")], ("int32", "int8"))
    yield Row(
        "compare",
        "where",
        [((9, 1), "", "bool"), ((9, 65), "normal"), ((65,), "normal")],
        variants=("backward",),
    )


def cases() -> Iterator[Case]:
    yield from op_cases("elementwise", rows())
