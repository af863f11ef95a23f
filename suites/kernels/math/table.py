"""What the specification says of the math builtins: operands, error limits, values at the edges.

Plain Python, because the catalogue reads it too. Limits: OpenCL C 3.0, 7.4 "Relative Error as ULPs",
full profile, single precision. Edges: C99 F.9 and OpenCL C 3.0, 7.5.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, nan


@dataclass(frozen=True, slots=True)
class Builtin:
    """A builtin: one letter an operand (f floating point, i int), and of what it returns.

    `limit` is in ULP of float; 0 means correctly rounded. `pointer` is the type of what a last pointer
    operand receives. `call` is the expression, where it is no plain call of the name.
    """

    operands: str
    limit: float
    result: str = "f"
    pointer: str = ""
    call: str = ""


BUILTINS: dict[str, Builtin] = {
    "add": Builtin("ff", 0, call="a + b"),
    "mul": Builtin("ff", 0, call="a * b"),
    "acos": Builtin("f", 4),
    "acosh": Builtin("f", 4),
    "acospi": Builtin("f", 5),
    "asin": Builtin("f", 4),
    "asinh": Builtin("f", 4),
    "asinpi": Builtin("f", 5),
    "atan": Builtin("f", 5),
    "atan2": Builtin("ff", 6),
    "atan2pi": Builtin("ff", 6),
    "atanh": Builtin("f", 5),
    "atanpi": Builtin("f", 5),
    "cbrt": Builtin("f", 2),
    "ceil": Builtin("f", 0),
    "cos": Builtin("f", 4),
    "cosh": Builtin("f", 4),
    "cospi": Builtin("f", 4),
    "divide": Builtin("ff", 2.5, call="a / b"),
    "erf": Builtin("f", 16),
    "erfc": Builtin("f", 16),
    "exp": Builtin("f", 3),
    "exp10": Builtin("f", 3),
    "exp2": Builtin("f", 3),
    "expm1": Builtin("f", 3),
    "fdim": Builtin("ff", 0),
    "fma": Builtin("fff", 0),
    "fmax": Builtin("ff", 0),
    "fmin": Builtin("ff", 0),
    "fmod": Builtin("ff", 0),
    "fract": Builtin("f", 0, pointer="f"),
    "frexp": Builtin("f", 0, pointer="i"),
    "hypot": Builtin("ff", 4),
    "ilogb": Builtin("f", 0, result="i"),
    "ldexp": Builtin("fi", 0),
    "log": Builtin("f", 3),
    "log10": Builtin("f", 3),
    "log1p": Builtin("f", 2),
    "log2": Builtin("f", 3),
    "mad": Builtin("fff", 0),
    "maxmag": Builtin("ff", 0),
    "modf": Builtin("f", 0, pointer="f"),
    "pow": Builtin("ff", 16),
    "pown": Builtin("fi", 16),
    "powr": Builtin("ff", 16),
    "remainder": Builtin("ff", 0),
    "remquo": Builtin("ff", 0, pointer="i"),
    "rint": Builtin("f", 0),
    "rootn": Builtin("fi", 16),
    "round": Builtin("f", 0),
    "rsqrt": Builtin("f", 2),
    "sin": Builtin("f", 4),
    "sincos": Builtin("f", 4, pointer="f"),
    "sinh": Builtin("f", 4),
    "sinpi": Builtin("f", 4),
    "sqrt": Builtin("f", 3),
    "tan": Builtin("f", 5),
    "tanh": Builtin("f", 5),
    "tanpi": Builtin("f", 6),
    "tgamma": Builtin("f", 16),
    "trunc": Builtin("f", 0),
}

# Of other types, those that have an exact reference: type, builtin, limit in ULP.
OTHER_TYPES: tuple[tuple[str, str, float], ...] = (
    *(
        ("half", name, limit)
        for name, limit in (("add", 0), ("mul", 0), ("divide", 1), ("sqrt", 1.5), ("fma", 0))
    ),
    *(("double", name, 0) for name in ("add", "mul", "divide", "sqrt", "fma")),
)

# Builtin and vector width: scalar kernels miss faults in how vectors are split and padded.
VECTORS: tuple[tuple[str, int], ...] = (("exp", 3), ("fma", 16), ("pow", 3), ("sin", 16))

Edge = tuple[tuple[float, ...], float]


def _odd(*values: tuple[float, float]) -> list[Edge]:
    """Both signs of f(x) where f(-x) == -f(x), the sign of zero included."""
    return [((s * x,), s * y) for x, y in values for s in (1.0, -1.0)]


EDGES: dict[str, list[Edge]] = {
    "acos": [((1.0,), 0.0), ((1.5,), nan), ((-inf,), nan)],
    "atan2": [
        *(((0.0, x), 0.0) for x in (0.0, 1.0, inf)),
        *(((-0.0, x), -0.0) for x in (0.0, 1.0, inf)),
        *(((y, inf), y * 0.0) for y in (1.0, -1.0)),
        ((nan, 1.0), nan),
        ((1.0, nan), nan),
    ],
    "atan2pi": [
        *(((s * 0.0, x), s * 1.0) for x in (-0.0, -1.0, -inf) for s in (1.0, -1.0)),
        *(((s * 0.0, x), s * 0.0) for x in (0.0, 1.0, inf) for s in (1.0, -1.0)),
        *(((s * 1.0, x), s * 0.5) for x in (-0.0, 0.0) for s in (1.0, -1.0)),
        *(((s * inf, 1.0), s * 0.5) for s in (1.0, -1.0)),
        *(((s * inf, inf), s * 0.25) for s in (1.0, -1.0)),
        *(((s * inf, -inf), s * 0.75) for s in (1.0, -1.0)),
    ],
    "cbrt": _odd((0.0, 0.0), (inf, inf)),
    "ceil": [((-0.5,), -0.0), ((-0.0,), -0.0), ((0.0,), 0.0), ((-inf,), -inf)],
    "cospi": [
        *(((n + 0.5,), 0.0) for n in (0, 1, 2, 3, -1, -2, -3, 4194303)),
        *(((x,), 1.0) for x in (0.0, -0.0, 2.0, 16777216.0)),
        ((1.0,), -1.0),
        ((inf,), nan),
    ],
    "exp": [((0.0,), 1.0), ((-0.0,), 1.0), ((-inf,), 0.0), ((inf,), inf), ((nan,), nan)],
    "fdim": [((1.0, 1.0), 0.0), ((1.0, inf), 0.0), ((inf, 1.0), inf), ((nan, 1.0), nan), ((1.0, nan), nan)],
    "fmax": [((nan, 1.0), 1.0), ((1.0, nan), 1.0), ((nan, nan), nan), ((-inf, nan), -inf), ((2.0, inf), inf)],
    "fmin": [((nan, 1.0), 1.0), ((1.0, nan), 1.0), ((nan, nan), nan), ((inf, nan), inf), ((2.0, -inf), -inf)],
    "fmod": [
        ((0.0, 1.0), 0.0),
        ((-0.0, 1.0), -0.0),
        ((-4.0, 2.0), -0.0),
        ((-5.5, inf), -5.5),
        ((1.0, 0.0), nan),
        ((3.0, 2.0), 1.0),
    ],
    "hypot": [((inf, nan), inf), ((nan, -inf), inf), ((-0.0, -0.0), 0.0), ((nan, 1.0), nan)],
    "log": [((1.0,), 0.0), ((0.0,), -inf), ((-0.0,), -inf), ((-1.0,), nan), ((inf,), inf)],
    "pow": [
        *(((x, y), 1.0) for x in (nan, inf, 0.0, -2.0) for y in (0.0, -0.0)),
        *(((1.0, y), 1.0) for y in (nan, inf, -inf)),
        *(((-1.0, y), 1.0) for y in (inf, -inf)),
        *(((s * 0.0, 3.0), s * 0.0) for s in (1.0, -1.0)),
        *(((s * 0.0, -3.0), s * inf) for s in (1.0, -1.0)),
        ((-0.0, -2.0), inf),
        ((-0.0, 0.5), 0.0),
        ((-0.0, -inf), inf),
        ((-inf, 3.0), -inf),
        ((-inf, -3.0), -0.0),
        ((-inf, 2.0), inf),
        ((-8.0, 0.5), nan),
        ((0.5, -inf), inf),
        ((2.0, -inf), 0.0),
    ],
    "pown": [
        ((nan, 0), 1.0),
        ((-0.0, 3), -0.0),
        ((-0.0, 2), 0.0),
        ((-0.0, -3), -inf),
        ((-0.0, -2), inf),
        ((-inf, -3), -0.0),
        ((-2.0, 3), -8.0),
        ((-1.0, 2147483647), -1.0),
    ],
    "powr": [
        ((2.0, 0.0), 1.0),
        ((0.0, -1.0), inf),
        ((-0.0, -3.0), inf),
        ((-0.0, 3.0), 0.0),
        ((0.0, -inf), inf),
        ((1.0, 5.0), 1.0),
        ((1.0, inf), nan),
        ((-1.0, 2.0), nan),
        ((0.0, 0.0), nan),
        ((inf, 0.0), nan),
        ((nan, 0.0), nan),
    ],
    "rint": [*_odd((0.0, 0.0), (0.5, 0.0), (1.5, 2.0), (2.5, 2.0), (8388609.0, 8388609.0), (inf, inf))],
    "rootn": [
        ((-0.0, -3), -inf),
        ((-0.0, -2), inf),
        ((-0.0, 2), 0.0),
        ((-0.0, 3), -0.0),
        ((-1.0, 2), nan),
        ((-1.0, 3), -1.0),
        ((1.0, 0), nan),
    ],
    "round": [*_odd((0.0, 0.0), (0.25, 0.0), (0.5, 1.0), (2.5, 3.0), (8388609.0, 8388609.0), (inf, inf))],
    "sin": [*_odd((0.0, 0.0)), ((inf,), nan), ((-inf,), nan), ((nan,), nan)],
    "sinpi": [*_odd((0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (3.0, 0.0), (8388608.0, 0.0)), ((inf,), nan)],
    "sqrt": [*_odd((0.0, 0.0)), ((-1.0,), nan), ((inf,), inf), ((-inf,), nan)],
    "tanh": _odd((0.0, 0.0), (inf, 1.0)),
    "tanpi": [
        *_odd((0.0, 0.0), (2.0, 0.0), (1.0, -0.0), (3.0, -0.0), (0.5, inf), (1.5, -inf), (2.5, inf)),
        ((inf,), nan),
    ],
    "trunc": _odd((0.0, 0.0), (0.75, 0.0), (1.5, 1.0), (inf, inf)),
}
