"""What each operation of the catalogue is: tinygrad's call, its meaning over `Bounded`, its gradient.

References take the operands as `Bounded` and the case's `args`. A gradient takes the cotangent first and
gives one `Bounded` for each operand, None for one that has none. `bits`: the result is compared bit
by bit, the sign of zero included, since IEEE 754 leaves nothing open and no sum is involved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .bounded import Array, Bounded
from .networks import (
    avg_pool2d,
    conv2d,
    conv2d_gradient,
    layernorm,
    layernorm_gradient,
    log_softmax,
    logsumexp,
    matmul,
    matmul_gradient,
    max_pool2d,
    softmax,
)
from .references import (
    cumsum,
    gather,
    gather_gradient,
    gelu,
    in_order,
    max_gradient,
    prod,
    scatter_add,
    spread,
    std,
    strided,
    unbroadcast,
)

Gradients = Sequence[Bounded | None]


@dataclass(frozen=True)
class Op:
    """`apply` takes tensors, `reference` and `gradient` take `Bounded`; all take the args by name."""

    apply: Callable[..., Any]
    reference: Callable[..., Bounded]
    gradient: Callable[..., Gradients] | None = None
    bits: bool = False


def exactly(function: Callable[..., Array]) -> Callable[..., Bounded]:
    """A reference that numpy computes exactly in the operands' own types: integers, choices, movements."""

    def reference(*operands: Bounded, **args: Any) -> Bounded:
        return Bounded.exact(np.asarray(function(*(x.value.astype(x.dtype) for x in operands), **args)))

    return reference


def unary(name: str, reference: Callable[..., Bounded], gradient: Any = None, bits: bool = False) -> Op:
    return Op(lambda x: getattr(x, name)(), reference, gradient, bits)


def binary(name: str, reference: Callable[..., Bounded], gradient: Any = None, bits: bool = False) -> Op:
    return Op(lambda x, y: getattr(x, name)(y), reference, gradient, bits)


OPS: dict[str, Op] = {
    "neg": unary("neg", exactly(np.negative), bits=True),
    "abs": unary("abs", exactly(np.abs)),
    "sign": unary("sign", exactly(np.sign)),
    "trunc": unary("trunc", exactly(np.trunc), bits=True),
    "floor": unary("floor", exactly(np.floor)),
    "ceil": unary("ceil", exactly(np.ceil)),
    "round": unary("round", exactly(np.rint)),
    "isnan": unary("isnan", exactly(np.isnan)),
    "isinf": unary("isinf", exactly(np.isinf)),
    "bitwise_not": unary("bitwise_not", exactly(np.invert)),
    "logical_not": unary("logical_not", exactly(np.logical_not)),
    "relu": unary(
        "relu",
        exactly(lambda x: np.where(x > 0, x, 0).astype(x.dtype)),
        lambda g, x: [g.moved(lambda a: a * (x.value > 0))],
    ),
    "exp": unary("exp", lambda x: x.exp(), lambda g, x: [g * x.exp()]),
    "exp2": unary("exp2", lambda x: x.exp2()),
    "log": unary("log", lambda x: x.log(), lambda g, x: [g / x]),
    "log2": unary("log2", lambda x: x.log2()),
    "sqrt": unary("sqrt", lambda x: x.sqrt(), lambda g, x: [g / (x.sqrt() * 2.0)]),
    "rsqrt": unary("rsqrt", lambda x: x.sqrt().reciprocal()),
    "reciprocal": unary("reciprocal", lambda x: x.reciprocal()),
    "sin": unary("sin", lambda x: x.sin(), lambda g, x: [g * x.cos()]),
    "cos": unary("cos", lambda x: x.cos()),
    "tanh": unary("tanh", lambda x: x.tanh(), lambda g, x: [g * (1.0 - x.tanh() * x.tanh())]),
    "sigmoid": unary("sigmoid", lambda x: x.sigmoid(), lambda g, x: [g * x.sigmoid() * (1.0 - x.sigmoid())]),
    "gelu": unary("gelu", gelu),
    "erf": unary("erf", lambda x: x.erf()),
    "add": binary("add", lambda x, y: x + y),
    "sub": binary("sub", lambda x, y: x - y),
    "mul": binary("mul", lambda x, y: x * y, lambda g, x, y: [unbroadcast(g * y, x), unbroadcast(g * x, y)]),
    "div": binary("div", lambda x, y: x / y, lambda g, x, y: [g / y, -(g * (x / y) / y)]),
    "pow": binary("pow", lambda x, y: (x.log2() * y).exp2().means(np.power(x.value, y.value))),
    "maximum": binary("maximum", exactly(np.maximum)),
    "minimum": binary("minimum", exactly(np.minimum)),
    "floordiv": Op(lambda x, y: x // y, exactly(np.floor_divide)),
    "mod": Op(lambda x, y: x % y, exactly(np.mod)),
    "bitwise_and": binary("bitwise_and", exactly(np.bitwise_and)),
    "bitwise_or": binary("bitwise_or", exactly(np.bitwise_or)),
    "bitwise_xor": binary("bitwise_xor", exactly(np.bitwise_xor)),
    "lshift": binary("lshift", exactly(np.left_shift)),
    "rshift": binary("rshift", exactly(np.right_shift)),
    "lt": Op(lambda x, y: x < y, exactly(np.less)),
    "le": Op(lambda x, y: x <= y, exactly(np.less_equal)),
    "eq": Op(lambda x, y: x.eq(y), exactly(np.equal)),
    "ne": Op(lambda x, y: x.ne(y), exactly(np.not_equal)),
    "where": Op(
        lambda c, x, y: c.where(x, y),
        exactly(np.where),
        lambda g, c, x, y: [
            None,
            unbroadcast(g.moved(lambda a: a * c.value), x),
            unbroadcast(g.moved(lambda a: a * ~c.value), y),
        ],
        bits=True,
    ),
    "cast": Op(lambda x, dtype: x.cast(dtype), exactly(lambda x, dtype: x.astype(dtype)), bits=True),
    "bitcast": Op(lambda x, dtype: x.bitcast(dtype), exactly(lambda x, dtype: x.view(dtype)), bits=True),
    "cast_clip": Op(
        lambda x: x.cast("float32").clip(0.5, 77.25),
        exactly(lambda x: np.clip(x.astype(np.float32), 0.5, 77.25)),
    ),
    "cast_where": Op(
        lambda x: (x < 10).where(x.cast("float32"), 2.5),
        exactly(lambda x: np.where(x < 10, x, 2.5).astype(np.float32)),
    ),
    "sum": Op(
        lambda x, axis=None: x.sum(axis),
        lambda x, axis=None: x.sum(axis),
        lambda g, x, axis: [spread(g, x, axis)],
    ),
    "prod": Op(
        lambda x, axis: x.prod(axis), prod, lambda g, x, axis: [spread(g * prod(x, axis), x, axis) / x]
    ),
    "max": Op(lambda x, axis: x.max(axis), exactly(np.max), max_gradient),
    "min": Op(lambda x, axis: x.min(axis), exactly(np.min)),
    "argmax": Op(
        lambda x, axis: x.argmax(axis), exactly(lambda x, axis: np.argmax(x, axis).astype(np.int32))
    ),
    "any": Op(lambda x, axis: x.any(axis), exactly(np.any)),
    "all": Op(lambda x, axis: x.all(axis), exactly(np.all)),
    "mean": Op(
        lambda x, axis: x.mean(axis),
        lambda x, axis: x.mean(axis),
        lambda g, x, axis: [spread(g * (1 / x.value.shape[axis]), x, axis)],
    ),
    "std": Op(lambda x, axis: x.std(axis), std),
    "logsumexp": Op(
        lambda x, axis: x.logsumexp(axis), logsumexp, lambda g, x, axis: [spread(g, x, axis) * softmax(x)]
    ),
    "cumsum": Op(lambda x, axis: x.cumsum(axis), cumsum),
    "permute": Op(lambda x, order: x.permute(order), exactly(lambda x, order: x.transpose(order)), bits=True),
    "pad": Op(
        lambda x, padding: x.pad([tuple(p) for p in padding]),
        exactly(lambda x, padding: np.pad(x, padding)),
        lambda g, x, padding: [
            g.moved(
                lambda a: a[tuple(slice(p, p + n) for (p, _), n in zip(padding, x.value.shape, strict=True))]
            )
        ],
        bits=True,
    ),
    "shrink": Op(
        lambda x, bounds: x.shrink([tuple(b) for b in bounds]),
        exactly(lambda x, bounds: x[tuple(slice(*b) for b in bounds)]),
        bits=True,
    ),
    "flip": Op(lambda x, axes: x.flip(axes), exactly(lambda x, axes: np.flip(x, axes)), bits=True),
    "expand": Op(
        lambda x, shape: x.expand(shape), exactly(lambda x, shape: np.broadcast_to(x, shape)), bits=True
    ),
    "cat": Op(
        lambda *x, axis: x[0].cat(*x[1:], dim=axis), exactly(lambda *x, axis: np.concatenate(x, axis=axis))
    ),
    "strided": Op(strided, exactly(strided), bits=True),
    "triu": Op(lambda x: x.triu(), exactly(np.triu)),
    "matmul": Op(lambda x, y: x @ y, matmul, matmul_gradient),
    "conv2d": Op(lambda x, w, **args: x.conv2d(w, **args), conv2d, conv2d_gradient),
    "max_pool2d": Op(lambda x, size, stride: x.max_pool2d(size, stride), max_pool2d),
    "avg_pool2d": Op(lambda x, size, stride: x.avg_pool2d(size, stride), avg_pool2d),
    "softmax": Op(
        lambda x: x.softmax(),
        softmax,
        lambda g, x: [softmax(x) * (g - (g * softmax(x)).sum(-1, keepdims=True))],
    ),
    "log_softmax": Op(lambda x: x.log_softmax(), log_softmax),
    "layernorm": Op(lambda x: x.layernorm(), layernorm, layernorm_gradient),
    "gather": Op(lambda x, index, axis: x.gather(axis, index), gather, gather_gradient),
    "scatter_add": Op(lambda x, index, y: x.scatter_reduce(0, index, y, "sum"), scatter_add),
    "take": Op(lambda x, index: x[index], exactly(lambda x, index: x[index])),
    "take_pairs": Op(lambda x, i, j: x[i, j], exactly(lambda x, i, j: x[i, j])),
    "one_hot": Op(
        lambda x, classes: x.one_hot(classes).cast("int32"),  # it has no type of its own
        exactly(lambda x, classes: (x[:, None] == np.arange(classes)).astype(np.int32)),
    ),
    "masked_fill": Op(
        lambda x, mask: x.masked_fill(mask, 2.5),
        exactly(lambda x, mask: np.where(mask, x.dtype.type(2.5), x)),
        bits=True,
    ),
    "sort": Op(lambda x, descending: x.sort(descending=descending)[0], exactly(in_order)),
    "topk": Op(lambda x, k: x.topk(k)[0], exactly(lambda x, k: in_order(x, True)[..., :k])),
}
