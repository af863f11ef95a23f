"""The values that the specification prescribes exactly, including the sign of zero, and other simple values.

EDGES has the values of C99 F.9 and of OpenCL C 3.0, 7.5.1 (for a quotient by zero: 6.5.1), and values of functions that
need no rounding. LIMITED has other values, which may be off by the limit of the function (7.4). A row is the operands,
the result and the value that is stored through the pointer (None if there is none, or if it is open). A row is for every
type that can hold its operands. Plain Python.
One file: it is a table, a row for each function.
"""

from math import copysign, inf, nan

from .table import ROUGH

Edge = tuple[tuple[float, ...], float, float | None]
_BIG = 2147483647


def _row(operands: tuple[float, ...], want: float, stored: float | None = None) -> Edge:
    return operands, want, stored


def _unary_edges(*values: tuple[float, float]) -> list[Edge]:
    """Rows (operand, result) of a builtin of one operand; a row from NaN to NaN is added."""
    return [_row((x,), y) for x, y in (*values, (nan, nan))]


def _odd_function_edges(*values: tuple[float, float]) -> list[Edge]:
    """Rows with both signs, for a builtin with f(-x) == -f(x), including the sign of zero."""
    return _unary_edges(*((s * x, s * y) for x, y in values for s in (1.0, -1.0)))


def _rounding_edges() -> list[Edge]:
    """The rows that floor, ceil, rint, round and trunc share."""
    kept = (0.0, 1.0, 2.0, 1023.0, 1025.0, 8388607.0, 8388609.0, 4503599627370497.0, inf)
    return _odd_function_edges(*((x, x) for x in kept))


def _binary_edges(*rows: tuple[float, float, float]) -> list[Edge]:
    return [_row((x, y), want) for x, y, want in rows]


_SIGNS = (1.0, -1.0)
_NANS = _binary_edges((nan, 1.0, nan), (1.0, nan, nan), (nan, nan, nan))
_ODD, _EVEN = (1.0, 3.0, 5.0, 1023.0), (2.0, 4.0, 1022.0)
_HALVES = (0, 1, 2, 3, 510, 511, -1, -2, -3, 4194302, 4194303, 2**51 - 1)
_LOG = _unary_edges((1.0, 0.0), (0.0, -inf), (-0.0, -inf), (-1.0, nan), (-inf, nan), (inf, inf))
_EXP_ENDS = _unary_edges((-inf, 0.0), (inf, inf))
_EXP_ZERO = _unary_edges((0.0, 1.0), (-0.0, 1.0))[:-1]

_ATAN2_ZERO = [
    *_binary_edges(*((s * 0.0, x, s * 0.0) for x in (0.0, 1.0, inf) for s in _SIGNS)),
    *_binary_edges(*((s * 1.0, inf, s * 0.0) for s in _SIGNS)),
    *_NANS,
]
_FMOD = [
    *_binary_edges(*((s * 0.0, y, s * 0.0) for y in (1.0, -3.0, inf) for s in _SIGNS)),
    *_binary_edges(*((x, y, nan) for x in (inf, -inf) for y in (1.0, 0.0, inf, nan))),
    *_binary_edges((1.0, 0.0, nan), (0.0, -0.0, nan), (0.0, nan, nan), (-5.5, inf, -5.5), (1.5, -inf, 1.5)),
    *_NANS,
]
_POWN = [
    *(_row((x, 0), 1.0) for x in (nan, inf, -inf, 0.0, -0.0, 2.5)),
    *(_row((s * 0.0, n), s * 0.0) for n in (1, 3, _BIG) for s in _SIGNS),
    *(_row((s * 0.0, n), 0.0) for n in (2, 1022, _BIG - 1) for s in _SIGNS),
    *(_row((s * 0.0, n), s * inf) for n in (-1, -3, -_BIG) for s in _SIGNS),
    *(_row((s * 0.0, n), inf) for n in (-2, -1022, -_BIG - 1) for s in _SIGNS),
    _row((nan, 1), nan),
]

EDGES: dict[str, list[Edge]] = {
    "acos": _unary_edges((1.0, 0.0), (1.5, nan), (-1.5, nan), (inf, nan), (-inf, nan)),
    "acosh": _unary_edges((1.0, 0.0), (0.5, nan), (-1.0, nan), (-inf, nan), (inf, inf)),
    "acospi": _unary_edges((1.0, 0.0), (1.5, nan), (-1.5, nan), (inf, nan), (-inf, nan)),
    "asin": [*_odd_function_edges((0.0, 0.0)), *_unary_edges((1.5, nan), (-1.5, nan), (inf, nan), (-inf, nan))],
    "asinh": _odd_function_edges((0.0, 0.0), (inf, inf)),
    "asinpi": [*_odd_function_edges((0.0, 0.0)), *_unary_edges((1.5, nan), (-1.5, nan), (inf, nan), (-inf, nan))],
    "atan": _odd_function_edges((0.0, 0.0)),
    "atan2": _ATAN2_ZERO,
    "atan2pi": [
        *_ATAN2_ZERO,
        *_binary_edges(*((s * 0.0, x, s * 1.0) for x in (-0.0, -1.0, -inf) for s in _SIGNS)),
        *_binary_edges(*((s * 1.0, x, s * 0.5) for x in (-0.0, 0.0) for s in _SIGNS)),
        *_binary_edges(*((s * 1.0, -inf, s * 1.0) for s in _SIGNS)),
        *_binary_edges(*((s * inf, x, s * 0.5) for x in (1.0, -1.0, 0.0) for s in _SIGNS)),
        *_binary_edges(*((s * inf, inf, s * 0.25) for s in _SIGNS), *((s * inf, -inf, s * 0.75) for s in _SIGNS)),
    ],
    "atanh": [*_odd_function_edges((0.0, 0.0), (1.0, inf)), *_unary_edges((1.5, nan), (-1.5, nan), (inf, nan))],
    "atanpi": _odd_function_edges((0.0, 0.0), (inf, 0.5)),
    "cbrt": _odd_function_edges((0.0, 0.0), (inf, inf)),
    "ceil": [*_rounding_edges(), *_unary_edges((-0.5, -0.0), (-0.9375, -0.0), (0.5, 1.0), (1.5, 2.0), (-1.5, -1.0))],
    "copysign": _binary_edges(
        (1.0, -0.0, -1.0),
        (-1.0, 0.0, 1.0),
        (0.0, -1.0, -0.0),
        (-0.0, 1.0, 0.0),
        (inf, -2.0, -inf),
        (-inf, inf, inf),
        (1.0, -inf, -1.0),
        (nan, 1.0, nan),
        (nan, -1.0, nan),
    ),
    "cos": _unary_edges((0.0, 1.0), (-0.0, 1.0), (inf, nan), (-inf, nan)),
    "cosh": _unary_edges((0.0, 1.0), (-0.0, 1.0), (inf, inf), (-inf, inf)),
    "cospi": _unary_edges(*((n + 0.5, 0.0) for n in _HALVES), (0.0, 1.0), (-0.0, 1.0), (inf, nan), (-inf, nan)),
    "erf": _odd_function_edges((0.0, 0.0), (inf, 1.0)),
    "erfc": _unary_edges((inf, 0.0), (-inf, 2.0)),
    "exp": [*_EXP_ZERO, *_EXP_ENDS],
    "exp10": _unary_edges(),
    "exp2": [*_EXP_ZERO, *_EXP_ENDS],
    "expm1": [*_odd_function_edges((0.0, 0.0)), *_unary_edges((-inf, -1.0), (inf, inf))],
    "fabs": _unary_edges((0.0, 0.0), (-0.0, 0.0), (-1.5, 1.5), (-inf, inf), (inf, inf)),
    "fdim": [*_binary_edges((1.0, 1.0, 0.0), (1.0, inf, 0.0), (inf, 1.0, inf), (-inf, inf, 0.0), (inf, nan, nan)), *_NANS],
    "floor": [*_rounding_edges(), *_unary_edges((-0.5, -1.0), (0.5, 0.0), (0.9375, 0.0), (1.5, 1.0), (-1.5, -2.0))],
    "fma": [
        *(_row(abc, nan) for abc in ((inf, 0.0, 1.0), (0.0, -inf, 1.0), (inf, 1.0, -inf), (1.0, -inf, inf))),
        *(_row(abc, nan) for abc in ((nan, 1.0, 1.0), (1.0, nan, 1.0), (1.0, 1.0, nan), (inf, 0.0, nan))),
        _row((inf, 2.0, 1.0), inf),
        _row((-inf, 2.0, inf), nan),
        _row((2.0, 3.0, -inf), -inf),
        _row((0.0, -1.0, -0.0), -0.0),
        _row((0.0, 1.0, -0.0), 0.0),
        _row((1.0, 1.0, -1.0), 0.0),
    ],
    "fmax": _binary_edges(
        (nan, 1.0, 1.0),
        (1.0, nan, 1.0),
        (nan, nan, nan),
        (-inf, nan, -inf),
        (nan, -inf, -inf),
        (2.0, inf, inf),
        (-inf, 2.0, 2.0),
        (-2.0, -1.0, -1.0),
    ),
    "fmin": _binary_edges(
        (nan, 1.0, 1.0),
        (1.0, nan, 1.0),
        (nan, nan, nan),
        (inf, nan, inf),
        (nan, inf, inf),
        (2.0, -inf, -inf),
        (inf, 2.0, 2.0),
        (-2.0, -1.0, -2.0),
    ),
    "fmod": [
        *_FMOD,
        *_binary_edges((-4.0, 2.0, -0.0), (4.0, -2.0, 0.0), (3.0, 2.0, 1.0), (-3.0, 2.0, -1.0), (5.5, -2.0, 1.5)),
    ],
    "fract": [
        _row((0.0,), 0.0, 0.0),
        _row((-0.0,), -0.0, -0.0),
        _row((inf,), 0.0, inf),
        _row((-inf,), -0.0, -inf),
        _row((nan,), nan, nan),
        _row((1.5,), 0.5, 1.0),
        _row((-1.5,), 0.5, -2.0),
        _row((-0.25,), 0.75, -1.0),
    ],
    "frexp": [
        _row((0.0,), 0.0, 0),
        _row((-0.0,), -0.0, 0),
        _row((inf,), inf, 0),
        _row((-inf,), -inf, 0),
        _row((nan,), nan, 0),
        _row((1.0,), 0.5, 1),
        _row((-0.75,), -0.75, 0),
        _row((1024.0,), 0.5, 11),
    ],
    "hypot": [
        *_binary_edges(*((x, y, inf) for x in (inf, -inf) for y in (nan, 0.0, 1.0, -inf))),
        *_binary_edges((nan, -inf, inf), (-0.0, -0.0, 0.0), (nan, 1.0, nan), (1.0, nan, nan)),
        *_binary_edges(*((x, y, abs(x)) for x in (3.0, -3.0, 1.5) for y in (0.0, -0.0)), (0.0, -7.0, 7.0)),
    ],
    "ilogb": [_row((inf,), _BIG), _row((-inf,), _BIG), _row((1.0,), 0), _row((-0.75,), -1), _row((1023.0,), 9)],
    "ldexp": [
        *(_row((s * x, n), s * x) for x in (0.0, inf) for n in (0, 1, -1, _BIG, -_BIG - 1) for s in _SIGNS),
        *(_row((s * 1.5, n), s * inf) for n in (2000, _BIG) for s in _SIGNS),
        *(_row((s * 1.5, n), s * 0.0) for n in (-2000, -_BIG - 1) for s in _SIGNS),
        _row((1.5, 0), 1.5),
        _row((nan, 1), nan),
        _row((-0.75, 3), -6.0),
        _row((1023.0, -10), 0.9990234375),
    ],
    "lgamma": _unary_edges((1.0, 0.0), (2.0, 0.0), *((x, inf) for x in (0.0, -0.0, -1.0, -2.0, -1023.0, inf, -inf))),
    "lgamma_r": [
        *(_row((x,), inf, 0) for x in (0.0, -0.0, -1.0, -2.0, -1023.0)),
        _row((1.0,), 0.0, 1),
        _row((2.0,), 0.0, 1),
        _row((inf,), inf),
        _row((-inf,), inf),
        _row((nan,), nan),
    ],
    "log": _LOG,
    "log10": _LOG,
    "log1p": [*_odd_function_edges((0.0, 0.0)), *_unary_edges((-1.0, -inf), (-1.5, nan), (-inf, nan), (inf, inf))],
    "log2": _LOG,
    "logb": _unary_edges((0.0, -inf), (-0.0, -inf), (inf, inf), (-inf, inf), (1.0, 0.0), (-0.75, -1.0), (1023.0, 9.0)),
    "maxmag": _binary_edges(
        (1.0, -2.0, -2.0),
        (-2.0, 1.0, -2.0),
        (-2.0, 2.0, 2.0),
        (2.0, -2.0, 2.0),
        (nan, -1.0, -1.0),
        (-1.0, nan, -1.0),
        (nan, nan, nan),
        (-inf, 5.0, -inf),
        (inf, -inf, inf),
    ),
    "minmag": _binary_edges(
        (1.0, -2.0, 1.0),
        (-2.0, -1.0, -1.0),
        (-2.0, 2.0, -2.0),
        (2.0, -2.0, -2.0),
        (nan, -1.0, -1.0),
        (-1.0, nan, -1.0),
        (nan, nan, nan),
        (-inf, 5.0, 5.0),
        (inf, -inf, -inf),
    ),
    "modf": [
        *(_row((s * inf,), s * 0.0, s * inf) for s in _SIGNS),
        *(_row((s * 0.0,), s * 0.0, s * 0.0) for s in _SIGNS),
        *(_row((s * 2.0,), s * 0.0, s * 2.0) for s in _SIGNS),
        *(_row((s * 2.5,), s * 0.5, s * 2.0) for s in _SIGNS),
        *(_row((s * 0.5,), s * 0.5, s * 0.0) for s in _SIGNS),
        _row((nan,), nan, nan),
    ],
    "neg": _unary_edges((0.0, -0.0), (-0.0, 0.0), (inf, -inf), (-inf, inf), (1.5, -1.5)),
    "pow": [
        *_binary_edges(*((x, y, 1.0) for x in (nan, inf, -inf, 0.0, -0.0, -2.0, 2.5) for y in (0.0, -0.0))),
        *_binary_edges(*((1.0, y, 1.0) for y in (nan, inf, -inf, 5.0, -0.5)), *((-1.0, y, 1.0) for y in (inf, -inf))),
        *_binary_edges(*((s * 0.0, y, s * 0.0) for y in _ODD for s in _SIGNS)),
        *_binary_edges(*((s * 0.0, -y, s * inf) for y in _ODD for s in _SIGNS)),
        *_binary_edges(*((s * 0.0, y, 0.0) for y in (*_EVEN, 0.5, inf) for s in _SIGNS)),
        *_binary_edges(*((s * 0.0, -y, inf) for y in (*_EVEN, 0.5, inf) for s in _SIGNS)),
        *_binary_edges(*((-inf, y, -inf) for y in _ODD), *((-inf, -y, -0.0) for y in _ODD)),
        *_binary_edges(*((-inf, y, inf) for y in (*_EVEN, 0.5)), *((-inf, -y, 0.0) for y in (*_EVEN, 0.5))),
        *_binary_edges((inf, 2.0, inf), (inf, -2.0, 0.0), (-8.0, 0.5, nan), (-2.0, -1.5, nan)),
        *_binary_edges(
            (0.5, -inf, inf), (-0.5, -inf, inf), (2.0, -inf, 0.0), (0.5, inf, 0.0), (-2.0, inf, inf), (2.0, inf, inf)
        ),
        *_binary_edges((nan, 1.0, nan), (2.0, nan, nan)),
    ],
    "pown": _POWN,
    "powr": [
        *_binary_edges((2.0, 0.0, 1.0), (0.5, -0.0, 1.0), *((1.0, y, 1.0) for y in (5.0, -0.5, 0.0))),
        *_binary_edges(*((s * 0.0, y, inf) for y in (-1.0, -3.0, -0.5, -inf) for s in _SIGNS)),
        *_binary_edges(*((s * 0.0, y, 0.0) for y in (1.0, 3.0, 0.5, inf) for s in _SIGNS)),
        *_binary_edges((-1.0, 2.0, nan), (-2.0, 3.0, nan), (-inf, 1.0, nan), (1.0, inf, nan), (1.0, -inf, nan)),
        *_binary_edges(*((x, y, nan) for x in (0.0, -0.0, inf) for y in (0.0, -0.0)), (nan, 0.0, nan)),
        *_binary_edges(*((x, nan, nan) for x in (0.0, 1.0, 2.0, inf))),
    ],
    "remainder": [
        *_FMOD,
        *_binary_edges((-4.0, 2.0, -0.0), (3.0, 2.0, -1.0), (5.0, 2.0, 1.0), (1.0, 2.0, 1.0), (-3.0, 2.0, 1.0)),
    ],
    "rint": [
        *_rounding_edges(),
        *_odd_function_edges((0.25, 0.0), (0.5, 0.0), (0.75, 1.0), (1.5, 2.0), (2.5, 2.0), (3.5, 4.0)),
    ],
    "rootn": [
        *(_row((s * 0.0, n), s * 0.0) for n in (1, 3, _BIG) for s in _SIGNS),
        *(_row((s * 0.0, n), 0.0) for n in (2, 4, 1022) for s in _SIGNS),
        *(_row((s * 0.0, n), s * inf) for n in (-1, -3, -_BIG) for s in _SIGNS),
        *(_row((s * 0.0, n), inf) for n in (-2, -4, -_BIG - 1) for s in _SIGNS),
        *(_row((x, n), nan) for x in (-1.0, -2.5, -inf) for n in (2, -4)),
        *(_row((x, 0), nan) for x in (1.0, 0.0, -0.0, inf, nan, -1.0)),
    ],
    "round": [
        *_rounding_edges(),
        *_odd_function_edges((0.25, 0.0), (0.5, 1.0), (0.75, 1.0), (1.5, 2.0), (2.5, 3.0), (3.5, 4.0)),
    ],
    "sin": [*_odd_function_edges((0.0, 0.0)), *_unary_edges((inf, nan), (-inf, nan))],
    "sincos": [
        *(_row((s * 0.0,), s * 0.0, 1.0) for s in _SIGNS),
        *(_row((s * inf,), nan, nan) for s in _SIGNS),
        _row((nan,), nan, nan),
    ],
    "sinh": _odd_function_edges((0.0, 0.0), (inf, inf)),
    "sinpi": [
        *_odd_function_edges(*((float(n), 0.0) for n in (0, 1, 2, 3, 4, 1023, 8388607, 8388608, 16777216))),
        *_unary_edges((inf, nan), (-inf, nan)),
    ],
    "sqrt": [*_odd_function_edges((0.0, 0.0)), *_unary_edges((-1.0, nan), (inf, inf), (-inf, nan))],
    "tan": [*_odd_function_edges((0.0, 0.0)), *_unary_edges((inf, nan), (-inf, nan))],
    "tanh": _odd_function_edges((0.0, 0.0), (inf, 1.0)),
    "tanpi": [
        *_odd_function_edges(
            (0.0, 0.0), *((float(n), copysign(0.0, 1 - 2 * (n % 2))) for n in (1, 2, 3, 4, 1022, 1023, 8388607))
        ),
        *_unary_edges(*((n + 0.5, inf if n % 2 == 0 else -inf) for n in _HALVES), (inf, nan), (-inf, nan)),
    ],
    "tgamma": [
        *_odd_function_edges((0.0, inf)),
        *_unary_edges((-1.0, nan), (-2.0, nan), (-1023.0, nan), (-inf, nan), (inf, inf)),
    ],
    "trunc": [*_rounding_edges(), *_odd_function_edges((0.5, 0.0), (0.75, 0.0), (1.5, 1.0), (2.75, 2.0))],
}
EDGES["remquo"] = [  # 7.5.1: 0 is stored if the result is NaN
    *(_row(operands, want, 0.0) for operands, want, _ in EDGES["remainder"] if want != want),
    *(_row(operands, want) for operands, want, _ in EDGES["remainder"] if want == want),
    _row((7.0, 2.0), -1.0, 4),
    _row((-7.0, 2.0), 1.0, -4),
    _row((5.0, -2.0), 1.0, -2),
]
EDGES["divide"] = [
    *_binary_edges(*((s * x, 0.0, s * inf) for x in (1.0, inf) for s in _SIGNS)),
    *_binary_edges(*((s * x, -0.0, -s * inf) for x in (1.0, inf) for s in _SIGNS)),
    *_binary_edges((0.0, 0.0, nan), (inf, inf, nan), (-inf, inf, nan)),
    *_NANS,
]
EDGES["recip"] = _odd_function_edges((0.0, inf))
EDGES["add"] = [
    *_binary_edges((0.0, 0.0, 0.0), (-0.0, -0.0, -0.0), (0.0, -0.0, 0.0), (1.0, -1.0, 0.0), (inf, 1.0, inf)),
    *_binary_edges((inf, -inf, nan), (-inf, -1.0, -inf)),
    *_NANS,
]
EDGES["sub"] = [
    *_binary_edges((0.0, 0.0, 0.0), (-0.0, 0.0, -0.0), (0.0, -0.0, 0.0), (1.0, 1.0, 0.0), (inf, 1.0, inf)),
    *_binary_edges((inf, inf, nan), (1.0, inf, -inf)),
    *_NANS,
]
EDGES["mul"] = [
    *_binary_edges(*((s * 0.0, y, s * y * 0.0) for y in (1.0, -1.0) for s in _SIGNS), (-0.0, -0.0, 0.0)),
    *_binary_edges((inf, 0.0, nan), (-0.0, inf, nan), (inf, -2.0, -inf), (-inf, -inf, inf)),
    *_NANS,
]
LIMITED: dict[str, list[Edge]] = {
    "cospi": [_row((s * x,), 1.0 - 2 * (x % 2)) for x in (1.0, 2.0, 3.0, 1022.0, 1023.0, 16777216.0) for s in _SIGNS],
    "divide": [
        *_binary_edges(*((s * 0.0, y, s * 0.0) for y in (1.0, 3.0, inf) for s in _SIGNS)),
        *_binary_edges(*((s * 1.0, -inf, s * -0.0) for s in _SIGNS)),
    ],
    "erfc": _EXP_ZERO,
    "exp10": [*_EXP_ZERO, *_EXP_ENDS[:-1]],
    "pown": [
        *_binary_edges((inf, 3, inf), (inf, -3, 0.0), (-inf, 3, -inf), (-inf, 2, inf), (-inf, -3, -0.0), (-inf, -2, 0.0)),
        *_binary_edges((-1.0, _BIG, -1.0), (-1.0, -_BIG - 1, 1.0)),
    ],
    "recip": [_row((s * inf,), s * 0.0) for s in _SIGNS],
}
# half_NAME has the edges of NAME, but half_sin, half_cos and half_tan are defined only up to 2^16 (6.15.2). No table of
# edges mentions half_NAME, so numbers other than 0 may be off by its limit.
for _name in (name for name in ROUGH if name in EDGES):
    _rows = [row for row in EDGES[_name] if _name not in ("sin", "cos", "tan") or abs(row[0][0]) < inf]
    EDGES[f"half_{_name}"] = [row for row in _rows if row[1] in (0.0, inf, -inf) or row[1] != row[1]]
    LIMITED[f"half_{_name}"] = [*LIMITED.get(_name, []), *(row for row in _rows if row not in EDGES[f"half_{_name}"])]
# The builtins of one operand that return NaN for NaN.
NAN_TO_NUMBER = tuple(
    name for name, rows in EDGES.items() if any(len(x) == 1 and x[0] != x[0] and y != y for x, y, _ in rows)
)
