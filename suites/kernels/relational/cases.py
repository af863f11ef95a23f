"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case

from ..areas import Area
from ..coverage import Row
from ..kit.needs import needs
from .table import COMPARE, FLOATS, INTEGERS, OPERATORS, SIGNED, WIDTHS, mask_types

_KHRONOS = "relationals"
ROWS = [
    Row("kernels/relational/any.*", "any", "OpenCL C 3.0, 6.15.6", _KHRONOS),
    Row("kernels/relational/all.*", "all", "OpenCL C 3.0, 6.15.6", _KHRONOS),
    Row("kernels/relational/bitselect.*", "bitselect", "OpenCL C 3.0, 6.15.6", _KHRONOS),
    Row("kernels/relational/select.*", "select", "OpenCL C 3.0, 6.15.6", "select"),
    Row(
        "kernels/relational/operator.*",
        "relational operators of floating-point types",
        "OpenCL C 3.0, 6.5.4, 6.5.5",
        _KHRONOS,
    ),
    Row("kernels/relational/is*", "comparisons and classification", "OpenCL C 3.0, 6.15.6", _KHRONOS),
    Row("kernels/relational/of_results.*", "comparisons of results with constants", "OpenCL C 3.0, 6.5.4", ""),
    Row("kernels/relational/signbit.*", "signbit", "OpenCL C 3.0, 6.15.6", _KHRONOS),
]
_AREA = Area("relational")


def cases() -> Iterator[Case]:
    """Comparisons, as builtins and as operators, of float types; any and all; bitselect and select of all types."""
    for floating in FLOATS:
        for name in COMPARE:
            for width in WIDTHS if floating == "float" else (1, 3, 4, 16):
                params = {"builtin": name, "type": floating, "width": width}
                yield _AREA.case(f"{name}.{floating}{_w(width)}", "compare", *_needs(floating, width), params=params)
        for sign, name in OPERATORS.items():
            for width in (1, 3, 8):
                params = {"builtin": sign, "type": floating, "width": width}
                case_id = f"operator.{name}.{floating}{_w(width)}"
                yield _AREA.case(case_id, "compare", *_needs(floating, width), params=params)
        yield _AREA.case(f"of_results.{floating}", "results", *needs(floating), type=floating)
    for name in ("any", "all"):
        for integer in SIGNED:
            for width in WIDTHS:
                params = {"builtin": name, "type": integer, "width": width}
                yield _AREA.case(f"{name}.{integer}{_w(width)}", "any_all", *_needs(integer, width), params=params)
    for type_name in (*INTEGERS, *FLOATS):
        for width in WIDTHS:
            params = {"type": type_name, "width": width}
            yield _AREA.case(f"bitselect.{type_name}{_w(width)}", "bitselect", *_needs(type_name, width), params=params)
            for mask in mask_types(type_name):
                name = f"select.{type_name}{_w(width)}.{mask}"
                yield _AREA.case(name, "select", *_needs(type_name, width, mask), params=params, mask=mask)


def _w(width: int) -> str:
    return "" if width == 1 else str(width)


def _needs(type_name: str, width: int, *others: str) -> tuple[str, ...]:
    wide = ("long",) if type_name == "double" and width > 1 else ()  # what a comparison of them answers
    return needs(type_name, *others, *wide)
