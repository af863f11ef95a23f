"""What each operation is: elementwise operations, comparisons and where."""

from __future__ import annotations

import numpy as np

from ..ops import Op, binary, exactly, unary
from ..references import gelu, unbroadcast

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
}
