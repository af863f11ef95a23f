"""The math builtins and operators: operands and error limits.

Plain Python, because the catalogue reads it too. Limits: OpenCL C 3.0, 7.4 "Relative Error as ULPs", and the
table of the same name in cl_khr_fp16; if editions differ, the wider.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any

WIDTHS = (1, 2, 3, 4, 8, 16)
TYPES = ("float", "half", "double")
SPACES = ("private", "local", "global")


@dataclass(frozen=True, slots=True)
class Builtin:
    """A builtin. `operands` has a letter for each operand (f floating point, i int), `result` one for the result.

    Limits are in ULP of the type: 0 if the result is correctly rounded or needs no rounding, inf if any value is right.
    `limits` are those of float in the full and the embedded profile, `half` those of half in both. `pointer` is the type of
    the value that is stored through the last operand. `operator` is the expression, if it is not a call.
    """

    operands: str
    limits: tuple[float, float] = (0, 0)
    half: tuple[float, float] = (0, 0)
    double: float = 0
    result: str = "f"
    pointer: str = ""
    operator: str = ""

    def limit(self, floating: str, *, embedded: bool) -> float:
        """The limit in ULP of the type."""
        if floating == "double":
            return self.double
        return (self.half if floating == "half" else self.limits)[embedded]


def _near(
    operands: str,
    limit: float,
    embedded: float | None = None,
    half: tuple[float, float] = (2, 3),
    double: float | None = None,
    pointer: str = "",
    operator: str = "",
) -> Builtin:
    """A builtin whose limits for the embedded profile and for double are those of float unless others are given."""
    limits = (limit, limit if embedded is None else embedded)
    return Builtin(operands, limits, half, limit if double is None else double, pointer=pointer, operator=operator)


BUILTINS: dict[str, Builtin] = {
    "add": Builtin("ff", operator="{} + {}"),
    "sub": Builtin("ff", operator="{} - {}"),
    "mul": Builtin("ff", operator="{} * {}"),
    "divide": _near("ff", 2.5, 3, half=(1, 1), double=0, operator="{} / {}"),
    "recip": _near("f", 2.5, 3, half=(1, 1), double=0, operator="1 / {}"),
    "neg": Builtin("f", operator="-{}"),
    "acos": _near("f", 4),
    "acosh": _near("f", 4),
    "acospi": _near("f", 5),
    "asin": _near("f", 4),
    "asinh": _near("f", 4),
    "asinpi": _near("f", 5),
    "atan": _near("f", 5),
    "atan2": _near("ff", 6),
    "atan2pi": _near("ff", 6),
    "atanh": _near("f", 5),
    "atanpi": _near("f", 5),
    "cbrt": _near("f", 2, 4, half=(2, 2)),
    "ceil": Builtin("f"),
    "copysign": Builtin("ff"),
    "cos": _near("f", 4, half=(2, 2)),
    "cosh": _near("f", 4),
    "cospi": _near("f", 4, half=(2, 2)),
    "erf": _near("f", 16, half=(4, 4)),
    "erfc": _near("f", 16, half=(4, 4)),
    "exp": _near("f", 3, 4),
    "exp10": _near("f", 3, 4),
    "exp2": _near("f", 3, 4),
    "expm1": _near("f", 3, 4),
    "fabs": Builtin("f"),
    "fdim": Builtin("ff"),
    "floor": Builtin("f"),
    "fma": Builtin("fff"),
    "fmax": Builtin("ff"),
    "fmin": Builtin("ff"),
    "fmod": Builtin("ff"),
    "fract": Builtin("f", pointer="f"),
    "frexp": Builtin("f", pointer="i"),
    "hypot": _near("ff", 4),
    "ilogb": Builtin("f", result="i"),
    "ldexp": Builtin("fi"),
    "log": _near("f", 3, 4),
    "log10": _near("f", 3, 4),
    "log1p": _near("f", 2, 4),
    "log2": _near("f", 3, 4),
    "logb": Builtin("f"),
    "mad": Builtin("fff", (0, inf), (inf, inf), inf),
    "maxmag": Builtin("ff"),
    "minmag": Builtin("ff"),
    "modf": Builtin("f", pointer="f"),
    "nextafter": Builtin("ff"),
    "pow": _near("ff", 16, half=(4, 5)),
    "pown": _near("fi", 16, half=(4, 5)),
    "powr": _near("ff", 16, half=(4, 5)),
    "remainder": Builtin("ff"),
    "remquo": Builtin("ff", pointer="i"),
    "rint": Builtin("f"),
    "rootn": _near("fi", 16, half=(4, 5)),
    "round": Builtin("f"),
    "rsqrt": _near("f", 2, 4, half=(1, 1)),
    "sin": _near("f", 4, half=(2, 2)),
    "sincos": _near("f", 4, half=(2, 2), pointer="f"),
    "sinh": _near("f", 4),
    "sinpi": _near("f", 4, half=(2, 2)),
    "sqrt": _near("f", 3, 4, half=(1.5, 1.5), double=0),
    "tan": _near("f", 5, half=(2.5, 3)),
    "tanh": _near("f", 5),
    "tanpi": _near("f", 6, half=(2.5, 3)),
    "tgamma": _near("f", 16, half=(4, 4)),
    "trunc": Builtin("f"),
}
LGAMMA = ("lgamma", "lgamma_r")  # whose error is undefined
ROUGH = (*("cos", "divide", "exp", "exp10", "exp2", "log", "log10", "log2", "powr", "recip", "rsqrt", "sin", "sqrt"), "tan")

# half_NAME: only of float, within 8192 ULP, with the same values at the edges as NAME (7.5.1).
BUILTINS |= {f"half_{name}": Builtin(BUILTINS[name].operands, (8192, 8192), (inf, inf), inf) for name in ROUGH}
# Builtins without a limit: open_limits.py has bounds that a sane device keeps.
BUILTINS |= {f"native_{name}": Builtin(BUILTINS[name].operands, (inf, inf), (inf, inf), inf) for name in ROUGH}
BUILTINS |= {
    "lgamma": Builtin("f", (inf, inf), (inf, inf), inf),
    "lgamma_r": Builtin("f", (inf, inf), (inf, inf), inf, pointer="i"),
}

# Builtins for which a known library is some units off: they also have a case with a wide limit, which only a fault of
# another kind turns red (a sign, an overflow, an operand out of place). Operands for which that library is entirely wrong
# are left out: tgamma gets only positive ones, rootn only those whose logarithm is not flushed.
COARSE: dict[str, dict[str, Callable[[Any], Any]]] = {
    "float": {"erfc": lambda x: x == x, "rootn": lambda x: abs(x) >= 2.0**-124, "tgamma": lambda x: x > 0},
    "half": {},
    "double": {
        **dict.fromkeys(("cosh", "erfc", "exp", "exp10", "pow", "pown", "powr", "rootn"), lambda x: x == x),
        "tgamma": lambda x: x > 0,
    },
}
COARSE_ULP = {"float": 2.0**12, "double": 2.0**26}
# The same for powers of the ends of the range, as a ratio, because there an infinity counts as only one unit off.
ENDS_RTOL = {"half": 2.0**-7, "float": 2.0**-11, "double": 2.0**-26}

# Builtins whose last operand may be a scalar while the first is a vector (6.15.2).
SCALAR_OPERAND = ("fmax", "fmin", "ldexp")

# Build options, and the builtins that they affect. The limits are those of 7.4, or for the relaxed options RELAXED.
OPTIONS: dict[str, tuple[str, ...]] = {
    "-cl-denorms-are-zero": (
        *("add", "sub", "mul", "divide", "sqrt", "rsqrt", "fma", "mad", "exp", "exp2", "log", "log2", "sin", "pow"),
        *("cbrt", "hypot", "fmod", "fdim", "fmin", "fmax", "floor", "ceil", "ldexp", "frexp", "ilogb", "logb"),
        *("modf", "nextafter", "fabs", "copysign", "neg"),
    ),
    "-cl-fast-relaxed-math": (),
    "-cl-unsafe-math-optimizations": (),
    "-cl-finite-math-only": (
        *("add", "mul", "divide", "sqrt", "fma", "exp", "log", "sin", "pow", "fmin", "fmax", "floor", "fmod"),
    ),
    "-cl-mad-enable": ("add", "mul", "fma", "mad", "exp", "sin", "pow", "tgamma"),
    "-cl-no-signed-zeros": ("add", "sub", "mul", "divide", "neg", "fma", "fmin", "fmax", "floor", "atan2"),
    "-cl-opt-disable": ("add", "divide", "fma", "exp", "sin", "pow", "fract", "frexp", "remquo", "ldexp", "tgamma"),
}

# Limits in ULP under -cl-unsafe-math-optimizations (7.4, the third table); some also depend on the operands, see `relaxed`.
# Only of functions that have a bound even in an implementation that derives them from others.
RELAXED: dict[str, float] = {
    "acos": 4096,
    "asin": 4096,
    "atan": 4096,
    "cos": 0,
    "cospi": 0,
    "divide": 2.5,
    "exp": 3,
    "exp2": 3,
    "log": 3,
    "log10": 3,
    "log2": 3,
    "recip": 2.5,
    "sin": 0,
    "sincos": 0,
    "sinpi": 0,
    # Not in that table: the usual limits.
    "add": 0,
    "mul": 0,
    "atanh": 5,
    "ceil": 0,
    "erf": 16,
    "erfc": 16,
    "fabs": 0,
    "fdim": 0,
    "floor": 0,
    "fma": 0,
    "fmax": 0,
    "fmin": 0,
    "fmod": 0,
    "frexp": 0,
    "hypot": 4,
    "ldexp": 0,
    "mad": 0,
    "rint": 0,
    "round": 0,
    "rsqrt": 2,
    "sqrt": 3,
    "tanh": 5,
    "tgamma": 16,
    "trunc": 0,
}
for _option in ("-cl-fast-relaxed-math", "-cl-unsafe-math-optimizations"):
    OPTIONS[_option] = tuple(RELAXED)
