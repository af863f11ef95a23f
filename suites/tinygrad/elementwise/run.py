"""The operations of the family: elementwise operations, comparisons and where."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ..bounded import Array, Bounded
from ..derivative import derived
from ..movement.views import viewed
from ..ops import Op, binary, exactly, unary
from ..references import unbroadcast
from . import functions as f
from .operators import operators
from .threefry import threefry


def composed(name: str, reference: Callable[..., Bounded], gradient: Any = None) -> Op:
    """A method with further arguments by name, whose gradient is derived from its reference. Integers become float32."""

    def of_floats(*operands: Bounded, **args: Any) -> Bounded:
        return reference(*(x if x.dtype.kind == "f" else x.cast(np.float32) for x in operands), **args)

    return Op(lambda x, *y, **args: getattr(x, name)(*y, **args), of_floats, gradient or derived(reference))


def by_method(name: str, reference: Callable[..., Any], bits: bool = False) -> Op:
    """A method with further arguments by name, which numpy computes exactly."""
    return Op(lambda x, *y, **args: getattr(x, name)(*y, **args), exactly(reference), bits=bits)


def _truncated(x: Array, y: Array) -> Array:
    """Integer division towards zero: numpy's rounds down."""
    down = np.floor_divide(x, y)
    return (down + ((down < 0) & (down * y != x))).astype(x.dtype)


def _lerp_of_bytes(x: Array, end: Array, weight: Array) -> Array:
    """In fixed point of 7 bits; the distance and the product wrap, as in tinygrad."""
    share = (weight * np.float32(128) + np.float32(0.5)).astype(np.int16)
    step = ((end - x).astype(np.int8) * share + np.int16(64)).astype(np.uint16)
    return (x + (step >> np.uint16(7))).astype(np.uint8)


def _divided(x: Bounded, y: Bounded, rounding_mode: str = "") -> Bounded:
    if x.dtype.kind == "f" or not rounding_mode:
        return f.divided(*(a if a.dtype.kind == "f" else a.cast(np.float32) for a in (x, y)), rounding_mode)  # type: ignore[call-arg, arg-type]
    return exactly(_truncated if rounding_mode == "trunc" else np.floor_divide)(x, y)


def _remainder(rounding_mode: str) -> Callable[[Bounded, Bounded], Bounded]:
    whole = exactly(np.mod if rounding_mode == "floor" else np.fmod)
    return lambda x, y: f.remainder(x, y, rounding_mode) if x.dtype.kind == "f" else whole(x, y)


def _choose(g: Bounded, mask: Array) -> Bounded:
    return g.moved(lambda a: a * mask)


def _isinf(x: Array, detect_positive: bool = True, detect_negative: bool = True) -> Array:
    return (np.isposinf(x) & detect_positive) | (np.isneginf(x) & detect_negative)


def _flushing(op: Op) -> Op:
    """Denormal operands may count as zero (OpenCL C 3.0, 7.5.3), except in double."""

    def reference(*operands: Bounded, **args: Any) -> Any:
        return op.reference(*(_flushed(x) for x in operands), **args)

    return replace(op, reference=reference)


def _flushed(x: Bounded) -> Bounded:
    if x.dtype.kind != "f" or x.dtype == np.float64:
        return x
    denormal = np.abs(x.value) < float(np.finfo(x.dtype).tiny)
    return Bounded(x.value, np.where(denormal, np.abs(x.value), x.error), x.dtype)


PRIMITIVE = ("exp", "exp2", "log", "log2", "sqrt", "reciprocal")
COMPOSED = (
    *("asin", "acos", "atan", "sinh", "cosh", "asinh", "acosh", "atanh", "erf"),
    *("gelu", "quick_gelu", "relu6", "hardswish", "hardsigmoid", "hardtanh", "leaky_relu", "elu", "celu"),
    *("selu", "softplus", "logsigmoid", "mish", "swish", "softsign"),
)

OPS: dict[str, Op] = {
    "neg": unary("neg", exactly(lambda x: ~x if x.dtype == bool else -x), lambda g, x: [-g], bits=True),
    "abs": unary("abs", exactly(np.abs), lambda g, x: [_choose(g, np.sign(x.value))]),
    "sign": unary("sign", exactly(np.sign)),
    "trunc": unary("trunc", exactly(np.trunc), bits=True),
    "floor": unary("floor", exactly(np.floor)),
    "ceil": unary("ceil", exactly(np.ceil)),
    "round": unary("round", exactly(np.rint)),
    "isnan": unary("isnan", exactly(np.isnan)),
    "isinf": by_method("isinf", _isinf),
    "isfinite": unary("isfinite", exactly(np.isfinite)),
    "bitwise_not": unary("bitwise_not", exactly(np.invert)),
    "logical_not": unary("logical_not", exactly(np.logical_not)),
    "relu": unary("relu", exactly(lambda x: np.where(x > 0, x, 0).astype(x.dtype)), lambda g, x: [_choose(g, x.value > 0)]),
    "sin": unary("sin", lambda x: x.sin(), lambda g, x: [g * x.cos()]),
    "cos": unary("cos", lambda x: x.cos(), lambda g, x: [-(g * x.sin())]),
    "tan": unary("tan", f.tan, lambda g, x: [g * (f.tan(x) * f.tan(x) + 1.0)]),
    **{name: composed(name, lambda x, name=name: getattr(x, name)()) for name in PRIMITIVE},
    **{name: composed(name, getattr(f, name)) for name in COMPOSED},
    "tanh": composed("tanh", lambda x: x.tanh(), lambda g, x: [g * (1.0 - x.tanh() * x.tanh())]),
    "sigmoid": composed("sigmoid", lambda x: x.sigmoid(), lambda g, x: [g * x.sigmoid() * (1.0 - x.sigmoid())]),
    "silu": composed("silu", f.swish),
    "log10": composed("log10", f.log10_),
    "rsqrt": composed("rsqrt", lambda x: x.sqrt().reciprocal()),
    "square": unary("square", lambda x: x * x, lambda g, x: [g * x * 2.0]),
    "clamp": Op(lambda x, **ends: x.clamp(**ends), f.clip, derived(f.clip)),
    "clip": Op(lambda x, **ends: x.clip(**ends), f.clip, derived(f.clip)),
    "detach": Op(lambda x: x.detach() * x, lambda x: x * x, lambda g, x: [g * x]),
    "contiguous": Op(lambda x: (x + 1.0).contiguous() * x, lambda x: (x + 1.0) * x, lambda g, x: [g * (x * 2.0 + 1.0)]),
    "contiguous_backward": Op(
        lambda x: (x * 4.0).contiguous_backward() * x, lambda x: x * 4.0 * x, lambda g, x: [g * (x * 8.0)]
    ),
    "add": binary("add", lambda x, y: x + y, lambda g, x, y: [unbroadcast(g, x), unbroadcast(g, y)]),
    "sub": binary("sub", lambda x, y: x - y, lambda g, x, y: [unbroadcast(g, x), unbroadcast(-g, y)]),
    "mul": binary("mul", lambda x, y: x * y, lambda g, x, y: [unbroadcast(g * y, x), unbroadcast(g * x, y)]),
    "div": Op(lambda x, y, **mode: x.div(y, **mode), _divided, derived(f.divided)),
    "pow": composed("pow", f.power),
    "power_of_constant": Op(lambda x, exponent: x.pow(exponent), f.power_of_constant, derived(f.power_of_constant)),
    "integer_power": Op(lambda x, exponent: x.pow(exponent), exactly(lambda x, exponent: x**exponent)),
    "constant_to_power": Op(lambda x, base: x.pow(base, reverse=True), f.constant_to_power, derived(f.constant_to_power)),
    # The first operand if one is NaN: tinygrad's code is `x < y ? y : x`, not OpenCL's fmax.
    "maximum": binary(
        "maximum",
        exactly(lambda x, y: np.where(x < y, y, x)),  # type: ignore[arg-type, return-value]
        lambda g, x, y: [_choose(g, x.value > y.value), _choose(g, x.value < y.value)],
    ),
    "minimum": binary(
        "minimum",
        exactly(lambda x, y: np.where(x > y, y, x)),  # type: ignore[arg-type, return-value]
        lambda g, x, y: [_choose(g, x.value < y.value), _choose(g, x.value > y.value)],
    ),
    "logaddexp": composed("logaddexp", f.log_add_exp),
    "lerp": composed("lerp", lambda x, end, weight: x + (end - x) * weight),
    "lerp_of_bytes": Op(lambda x, end, weight: x.lerp(end, weight), exactly(_lerp_of_bytes)),
    "copysign": binary(
        "copysign", exactly(np.copysign), lambda g, x, y: [_choose(g, np.sign(x.value) * np.copysign(1, y.value)), None]
    ),
    "floordiv": Op(lambda x, y: x // y, lambda x, y: _divided(x, y, "floor")),
    "mod": Op(lambda x, y: x % y, _remainder("floor")),
    "fmod": binary("fmod", _remainder("trunc")),
    "bitwise_and": binary("bitwise_and", exactly(np.bitwise_and)),
    "bitwise_or": binary("bitwise_or", exactly(np.bitwise_or)),
    "bitwise_xor": binary("bitwise_xor", exactly(np.bitwise_xor)),
    "lshift": binary("lshift", exactly(np.left_shift)),
    "rshift": binary("rshift", exactly(np.right_shift)),
    "usum": Op(lambda x, *y: x.usum(*y), lambda x, *y: sum(y, x), derived(lambda x, *y: sum(y, x))),
    "uprod": Op(lambda x, y, z: x.uprod(y, z), lambda x, y, z: x * y * z, derived(lambda x, y, z: x * y * z)),
    "threefry": binary("threefry", exactly(threefry)),
    "lt": Op(lambda x, y: x < y, exactly(np.less)),
    "le": Op(lambda x, y: x <= y, exactly(lambda x, y: ~(x > y))),
    "gt": Op(lambda x, y: x > y, exactly(np.greater)),
    "ge": Op(lambda x, y: x >= y, exactly(lambda x, y: ~(x < y))),
    "eq": Op(lambda x, y: x.eq(y), exactly(np.equal)),
    "ne": Op(lambda x, y: x.ne(y), exactly(np.not_equal)),
    "isclose": by_method("isclose", np.isclose),
    "allclose": by_method("allclose", np.allclose),
    "where": Op(
        lambda c, x, y: c.where(x, y),
        exactly(np.where),
        lambda g, c, x, y: [None, unbroadcast(_choose(g, c.value), x), unbroadcast(_choose(g, ~c.value), y)],
        bits=True,
    ),
    "where_constant": Op(
        lambda c, x, no: c.where(x, float(no)),
        exactly(lambda c, x, no: np.where(c, x, x.dtype.type(no))),
        lambda g, c, x, no: [None, _choose(g, c.value)],
    ),
    "where_constants": Op(
        lambda c, yes, no: c.where(yes, no).cast("int32"),
        exactly(lambda c, yes, no: np.where(c, np.int32(yes), np.int32(no))),
    ),
    "masked_fill": Op(
        lambda x, mask, *value, **constant: x.masked_fill(mask, *value, **constant),
        exactly(lambda x, mask, value: np.where(mask, np.asarray(value, x.dtype), x)),
        lambda g, x, mask, value: [_choose(g, ~mask.value), None, _choose(g, mask.value)],
        bits=True,
    ),
}
OPS |= operators(OPS)
# A result without elements, concatenated with one that has some: tinygrad's result for a shape with 0.
OPS["beside_nothing"] = Op(
    lambda *x, of: OPS[of].apply(*(t[:0] for t in x)).cat(OPS[of].apply(*x)), lambda *x, of: OPS[of].reference(*x)
)
OPS = {name: viewed(_flushing(op)) for name, op in OPS.items()}
