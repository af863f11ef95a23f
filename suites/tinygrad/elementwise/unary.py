"""The rows of operations of one operand."""

from collections.abc import Iterator
from itertools import chain

from ..rows import F32_ALL, F32_HALF, SHEET, Row
from .axes import GRADIENT, GRADIENT_ONCE, INTEGERS, LINE, ONCE, SHORT, SOME_INTEGERS, typed

SPECIAL = [(LINE, "special")]


def rows() -> Iterator[Row]:
    """Every row of the table: operations of one operand."""
    return chain(_floats(), _gradients(), _integers(), _activations(), _clips(), _powers())


def _floats() -> Iterator[Row]:
    for op in ("neg", "abs", "trunc", "floor", "ceil", "round", "relu", "isnan", "isinf", "isfinite"):
        dtypes = F32_ALL if op in ("abs", "floor", "round", "isnan") else F32_HALF
        yield from typed("unary", op, SPECIAL, dtypes)
    for one, other in (("positive", "negative"), ("negative", "positive")):
        yield Row("unary", "isinf", SPECIAL, args={f"detect_{other}": False}, name=one, variants=ONCE)
    yield from typed("unary", "sign", [(LINE, "finite")], F32_ALL)
    for op in ("exp", "exp2", "sqrt", "reciprocal", "sin", "log2", "square"):
        yield from typed("unary", op, SPECIAL, F32_ALL)
    yield Row("unary", "sin", [(LINE, "unit")], ("float64",), name="small")
    for op in ("log", "rsqrt", "tanh", "sigmoid", "gelu", "erf"):
        yield from typed("unary", op, SPECIAL, F32_HALF)
    yield from typed("unary", "cos", [(SHEET, "angle")], F32_HALF)
    for op in ("log10", "atanh", "sinh", "cosh"):
        yield Row("unary", op, SPECIAL)
    for op, domain in (("tan", "angle"), ("atan", "angle"), ("asinh", "angle"), ("acosh", "positive")):
        yield Row("unary", op, [(SHEET, domain)])
    for op in ("asin", "acos"):
        yield Row("unary", op, [(LINE, "inner")])
        yield Row("unary", op, [(LINE, "normal")], name="beyond", variants=ONCE)  # NaN where |x| > 1
    for op in ("sqrt", "rsqrt", "reciprocal", "log2"):
        yield Row("unary", op, [(LINE, "tiny")], name="tiny", variants=ONCE)


def _gradients() -> Iterator[Row]:
    for op in ("exp", "sin", "tanh", "sigmoid", "relu"):
        yield Row("unary", op, [((33, 65), "normal")], variants=GRADIENT)
    for op in ("sqrt", "log"):
        yield Row("unary", op, [((33, 65), "positive")], variants=GRADIENT)
    for domain, ops in (
        ("unit", ("neg", "abs", "exp2", "square", "cos", "tan", "reciprocal", "atan", "sinh", "cosh", "erf", "gelu")),
        ("inner", ("asin", "acos", "atanh")),
        ("positive", ("log2", "log10", "rsqrt", "asinh")),
        ("outer", ("acosh",)),
    ):
        for op in ops:
            yield Row("unary", op, [(SHORT, domain)], variants=GRADIENT_ONCE)
    for op in ("detach", "contiguous", "contiguous_backward"):
        yield Row("unary", op, [(SHORT, "normal")], variants=("", "noopt", "backward"))


def _integers() -> Iterator[Row]:
    full = [(LINE, "full")]
    for op in ("neg", "abs", "bitwise_not"):
        yield from typed("unary", op, full, INTEGERS)
    for op in ("sign", "relu", "square"):
        yield from typed("unary", op, full, SOME_INTEGERS)
    for op in ("logical_not", "bitwise_not", "neg"):
        yield Row("unary", op, [(LINE, "")], ("bool",), variants=ONCE)
    yield from typed("unary", "logical_not", [(LINE, "small")], ("float32", "int32", "uint8"))
    for op in ("exp", "exp2", "sqrt", "log2", "reciprocal"):  # integers become float32
        yield Row("unary", op, [(LINE, "small")], ("int32",), variants=ONCE)


def _activations() -> Iterator[Row]:
    for op in (
        *("relu6", "hardswish", "hardsigmoid", "hardtanh", "leaky_relu", "elu", "celu", "selu"),
        *("softplus", "logsigmoid", "mish", "swish", "silu", "quick_gelu", "softsign"),
    ):
        yield Row("activation", op, SPECIAL)
        if op in ("hardswish", "elu", "softplus", "leaky_relu", "silu"):
            yield Row("activation", op, [(LINE, "angle")], ("float16",), variants=ONCE)
        yield Row("activation", op, [(SHORT, "normal")], variants=GRADIENT_ONCE)
    for op, args in (
        ("hardsigmoid", {"alpha": 0.25, "beta": -0.5}),
        ("hardtanh", {"min_val": -0.25, "max_val": 2.5}),
        ("leaky_relu", {"neg_slope": 0.42}),
        ("elu", {"alpha": 0.5}),
        ("celu", {"alpha": 2.0}),
        ("selu", {"alpha": 1.5, "gamma": 2.0}),
        ("softplus", {"beta": 3.0}),
    ):
        yield Row("activation", op, [(LINE, "angle")], args=args, name="args", variants=ONCE)
    exact = {"approximate": "none"}
    yield from typed("activation", "gelu", [(LINE, "angle")], F32_HALF, args=exact, name="exact")
    yield Row("activation", "gelu", [(SHORT, "normal")], args=exact, name="exact", variants=GRADIENT_ONCE)


def _clips() -> Iterator[Row]:
    both = {"min_": -0.5, "max_": 1.5}
    yield from typed("activation", "clip", SPECIAL, F32_ALL, args=both)
    yield Row("activation", "clip", [(SHORT, "normal")], args=both, variants=GRADIENT_ONCE)
    yield Row("activation", "clip", SPECIAL, F32_HALF, args={"min_": 0.25}, name="low", variants=ONCE)
    yield Row("activation", "clip", SPECIAL, F32_HALF, args={"max_": -0.25}, name="high", variants=ONCE)
    yield Row("activation", "clamp", SPECIAL, args=both)
    for dtype, low, high in (
        ("int32", -1000, 2**30),
        ("int8", -7, 100),
        ("uint8", 3, 200),
        ("int16", -300, 300),
        ("uint16", 300, 40000),
        ("int64", -(2**40), 2**40),
    ):
        limits = {"min_": low, "max_": high}
        yield Row("activation", "clip", [(LINE, "full")], (dtype,), args=limits, variants=ONCE)


def _powers() -> Iterator[Row]:
    op = "power_of_constant"
    for exponent in (3, 0.3):
        yield Row("power", op, SPECIAL, args={"exponent": exponent}, name=_name(exponent))
    for exponent in (1, 2, 5, -1, -3, 0.5, -0.5, 1.5):
        yield Row("power", op, SPECIAL, args={"exponent": exponent}, name=_name(exponent), variants=ONCE)
    for exponent in (2, -1, 0.5, 1.5, 0.3):
        args, name = {"exponent": exponent}, _name(exponent)
        yield Row("power", op, [(SHORT, "positive")], args=args, name=name, variants=GRADIENT_ONCE)
    for exponent in (1, 2, 3, 7):
        args, name = {"exponent": exponent}, _name(exponent)
        yield Row(
            "power",
            "integer_power",
            [(LINE, "full")],
            ("int32", "uint8"),
            ("", "noopt") if exponent == 3 else ONCE,
            args,
            name,
        )
    for base in (2.0, 0.5, 10.0):
        yield Row("power", "constant_to_power", SPECIAL, args={"base": base}, name=str(base))
    yield Row("power", "constant_to_power", [(SHORT, "normal")], args={"base": 10.0}, variants=GRADIENT_ONCE)


def _name(exponent: float) -> str:
    return str(exponent).replace("-", "minus_")
