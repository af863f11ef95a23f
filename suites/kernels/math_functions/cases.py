"""The cases of the area."""

from collections.abc import Iterator
from itertools import product

from runner.model import Case

from ..areas import Area, combine
from ..kit.needs import needs
from .edges import EDGES
from .table import BUILTINS, COARSE, LGAMMA, OPTIONS, ROUGH, SCALAR_OPERAND, TYPES, WIDTHS

_CONTRACTED = ("a * b + c", "a * b - c", "c - a * b", "c + a * b", "-(a * b) + c", "-(a * b) - c")
_NAMES = ("mul_add", "mul_sub", "sub_mul", "add_mul", "neg_mul_add", "neg_mul_sub")
_WIDTHS = {"float": WIDTHS, "half": (1, 3, 4), "double": (1, 3, 16)}
# Builtins for which compilers have instructions and rules; the others come from a library.
# The width of the vectors whose operands are known: 2 of those that are not here.
_CONSTANT_WIDTH: dict[str, int] = {
    name: width
    for width, names in {
        3: (
            "sub recip acosh asinh atan2 atanpi copysign cospi exp expm1 floor fmin frexp ldexp log1p mad modf "
            "pown remquo round sincos sqrt tanpi native_divide native_exp2 native_log2 native_rsqrt native_tan"
        ),
        4: (
            "mul neg acospi asinpi atan2pi cbrt cos erf exp10 fabs fma fmod hypot log log2 maxmag nextafter powr "
            "rint rsqrt sinh tan tgamma native_exp native_log native_powr native_sin lgamma"
        ),
    }.items()
    for name in names.split()
}
_INF = float("inf")

_AREA = Area("math", folder="math_functions")
_GROUP = "math/{builtin}"


def cases() -> Iterator[Case]:
    """Limits by type, width and address space of the operands; edges; options; contraction; macros."""
    for floating in TYPES:
        for name, builtin in BUILTINS.items():
            if builtin.limit(floating, embedded=False) < _INF:
                yield from _limit_cases(name, floating)
    yield from _edge_cases()
    for option, names in OPTIONS.items():
        rows = combine(builtin=names, option=[option])
        yield from _AREA.each(f"option/{option[4:]}/{{builtin}}", "option", rows, in_group=_GROUP)
    params = {"option": "-cl-fp32-correctly-rounded-divide-sqrt"}
    yield _AREA.case("option/fp32-correctly-rounded-divide-sqrt", "rounded_divide", params=params)
    yield from _contraction_cases()
    kinds = ("sum", "product", "quotient", "comparison", "own_quotient", "own_comparison")
    yield from _AREA.each("identity/{what}.{type}", "identity", combine(what=kinds, type=TYPES))
    for floating, what in product(TYPES, ("macros", "ilogb", "nan")):
        of_bits = ("fp64", "int64") if what == "nan" and floating == "double" else ()
        yield _AREA.case(f"macro/{what}.{floating}", what, *of_bits, type=floating)
    rows = combine(type=TYPES, builtin=("pown", "rootn"), end=("greatest", "least"))
    yield from _AREA.each("ends/{builtin}.{type}.{end}", "ends", rows, in_group=_GROUP)
    for floating in TYPES:
        rough = (f"native_{name}" for name in ROUGH) if floating == "float" else ()
        for name in (*rough, *LGAMMA, *(() if floating == "float" else ("mad",))):
            near_zero = (False, True) if name in LGAMMA else (False,)
            rows = combine(builtin=[name], type=[floating], near_zero=near_zero, known=[""])
            yield from _AREA.each("returns/{builtin}.{type}{near_zero:.near_zero}", "returns", rows)
    rows = combine(builtin=("native_divide", "native_powr"), type=["float"], near_zero=[False], known="ab")
    yield from _AREA.each("returns/{builtin}.{type}.{known}_known", "returns", rows)


def _limit_cases(name: str, floating: str) -> Iterator[Case]:
    builtin = BUILTINS[name]

    def case(detail: str, width: int, form: str = "", space: str = "private") -> Case:
        params = {"builtin": name, "type": floating, "width": width, "form": form, "space": space}
        return _AREA.case(f"{floating}/{name}{detail and f'.{detail}'}", "ulp", in_group=_GROUP, params=params)

    for width in _WIDTHS[floating]:
        yield case("" if width == 1 else str(width), width)
        if width > 1 and name in SCALAR_OPERAND:
            yield case(f"{width}.scalar", width, "scalar")
        if builtin.pointer:
            for space in ("local", "global"):
                if floating == "float" or width <= 3:
                    yield case(f"{space}" if width == 1 else f"{width}.{space}", width, "", space)
    if name in COARSE[floating]:
        yield case("coarse", 1, "coarse")
    if floating == "float":
        yield case("uniform", 1, "uniform")
    if not name.startswith("half_"):
        yield case("constant", 1, "constant")
        width = _CONSTANT_WIDTH.get(name, 2)
        yield case(f"{width}.known", width, "known")


def _edge_cases() -> Iterator[Case]:
    for floating in TYPES:
        for name in EDGES if floating == "float" else [name for name in EDGES if not name.startswith("half_")]:
            for form in ("", "constant"):
                params = {"builtin": name, "type": floating, "form": form}
                case_id = f"edge/{name}{'' if floating == 'float' else f'.{floating}'}{form and f'.{form}'}"
                yield _AREA.case(case_id, "edge", in_group=_GROUP, params=params)
        yield _AREA.case("nan_operand/{type}", "nans", *needs(floating), "execute", type=floating)


def _contraction_cases() -> Iterator[Case]:
    for name, expression in zip(_NAMES, _CONTRACTED, strict=True):
        params = {"expression": expression, "options": ""}
        for floating, contract in product(TYPES, ("OFF", "ON")):
            case_id = f"contract/{name}.{floating}.{contract.lower()}"
            yield _AREA.case(case_id, "contraction", params=params, type=floating, contract=contract)
        params["options"] = "-cl-mad-enable"
        yield _AREA.case(f"contract/{name}.mad-enable", "contraction", params=params, type="float", contract="ON")
