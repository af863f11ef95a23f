"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from runner.model import Case, Tier

from ..coverage import Row
from ..needs import needs
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
    Row("kernels/relational/signbit.*", "signbit", "OpenCL C 3.0, 6.15.6", _KHRONOS),
]


def cases() -> Iterator[Case]:
    """Comparisons, as builtins and as operators, of float types; any and all; bitselect and select of all types."""
    for floating in FLOATS:
        for name in COMPARE:
            for width in WIDTHS if floating == "float" else (1, 3, 4, 16):
                premerge = floating == "float" and width in (1, 3)
                params = {"builtin": name, "type": floating, "width": width}
                yield _case(f"{name}.{floating}{_w(width)}", "relational.compare", params, premerge=premerge)
        for sign, name in OPERATORS.items():
            for width in (1, 3, 8):
                params = {"builtin": sign, "type": floating, "width": width}
                yield _case(f"operator.{name}.{floating}{_w(width)}", "relational.compare", params)
    for name in ("any", "all"):
        for integer in SIGNED:
            for width in WIDTHS:
                params = {"builtin": name, "type": integer, "width": width}
                premerge = integer == "int" and width == 3
                yield _case(f"{name}.{integer}{_w(width)}", "relational.any_all", params, premerge=premerge)
    for type_name in (*INTEGERS, *FLOATS):
        for width in WIDTHS:
            premerge = type_name in ("uchar", "float") and width == 3
            params = {"type": type_name, "width": width}
            yield _case(f"bitselect.{type_name}{_w(width)}", "relational.bitselect", params, premerge=premerge)
            for mask in mask_types(type_name):
                name = f"select.{type_name}{_w(width)}.{mask}"
                yield _case(name, "relational.select", {**params, "mask": mask}, mask, premerge=premerge)


def _w(width: int) -> str:
    return "" if width == 1 else str(width)


def _case(name: str, kind: str, params: dict[str, Any], *types: str, premerge: bool = False) -> Case:
    tier = Tier.PREMERGE if premerge else Tier.FULL
    wide = ("long",) if params["type"] == "double" and params.get("width", 1) > 1 else ()
    return Case(f"kernels/relational/{name}", kind, params, needs(params["type"], *types, *wide), tier)
