"""The cases of the area."""

from collections.abc import Iterator
from itertools import product

from runner.model import Case

from ..areas import Area, combine
from ..kit.integers import TYPES, IntegerType
from ..kit.needs import needs
from .constant import KINDS
from .dot_table import DOTS, INPUTS
from .functions import BUILTINS
from .operation import Operation
from .table import OPERATIONS

# The kinds of expressions with constant operands.
_FOLDED = ("known", "half_known", "saturating", "pairs", "rotate")
# Builtins that saturate have cases of their own, because of bugs 108 and 337.
_LIMITS = {
    **{name: (name,) for name in ("add_sat", "sub_sat", "mad_sat")},
    "others": ("abs", "abs_diff", "hadd", "rhadd", "mad_hi", "mul_hi", "rotate", "upsample", "clamp"),
}

_DOT, _BITS = "cl_khr_integer_dot_product", "cl_khr_extended_bit_ops"
_AREA = Area("integer")


def cases() -> Iterator[Case]:
    """Operators and builtins on types and widths."""
    for name, operation in OPERATIONS.items():
        yield from _operation(name, operation)
    yield from _AREA.each("divide_{kind}.{type}{width}", "constant", combine(type=TYPES, width=(1, 4), kind=KINDS))
    for params in combine(what=_FOLDED, type=TYPES):
        limit_s = 120 if params["what"] == "pairs" else None  # iris compiles each kernel three times: 39 s of CPU time
        yield _AREA.case("folded.{what}.{type}", "folded", "int64", timeout_s=limit_s, params=params)
    for (group, functions), scalar in product(_LIMITS.items(), TYPES):
        wide = ("int64",) if group == "others" and scalar.endswith("int") else ()  # upsample
        yield _AREA.case(f"limits.{group}.{scalar}", "limits", *wide, type=scalar, functions=list(functions))
    yield from _AREA.each("division_by_zero.{type}", "division_by_zero", combine(type=TYPES))
    for name, operation in BUILTINS.items():
        types = [t for t in operation.types if not needs(t)]
        for suffix, names in (("", types), (".int64", [t for t in operation.types if needs(t)])):
            if names:
                params = {"operation": name, "types": names}
                requires = operation.requires + needs(*names, *(["long"] if operation.result == "wider" else []))
                yield _AREA.case(f"link.{name}{suffix}", "link", *requires, params=params)
    yield from _dots()


def _operation(name: str, operation: Operation) -> Iterator[Case]:
    for scalar in operation.types:
        for width in operation.widths_of(scalar):
            needed = operation.requires + needs(operation.result_scalar(IntegerType(scalar, width)))
            params = {"operation": name, "type": scalar, "width": width}
            yield _AREA.case("{operation}.{type}{width}", "operation", *needed, params=params)


def _dots() -> Iterator[Case]:
    for name, dot in DOTS.items():
        rows = combine(function=[name], inputs=INPUTS)
        yield from _AREA.each("dot.{function}.{inputs}", "dot", rows, *dot.requires, in_group="dot.{function}")
        for form in ("constant", "operand", *(("known",) if dot.accumulates else ())):
            params = {"function": name}
            yield _AREA.case(f"dot.{name}.{form}", f"dot_{form}", *dot.requires, in_group=f"dot.{name}", params=params)
    yield _AREA.case("dot_query.capabilities", "dot_capabilities", _DOT, "opencl_c_3.0")
    for form in ("4x8bit", "4x8packed"):
        needed = ("__opencl_c_integer_dot_product_input_4x8bit",) if form == "4x8bit" else ()
        yield _AREA.case("dot_query.acceleration.{input}", "dot_acceleration", _DOT, *needed, input=form)
