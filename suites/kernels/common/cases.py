"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case

from ..areas import Area
from ..coverage import Row
from ..kit.needs import needs
from .table import COMMON, EXACT, FAST, GEOMETRIC, TYPES, WIDTHS, geometric_widths

ROWS = [
    Row("kernels/common/geometric/*", "geometric builtins", "OpenCL C 3.0, 6.15.5", "geometrics"),
    *(Row(f"kernels/common/{name}*", name, "OpenCL C 3.0, 6.15.4", "commonfns") for name in COMMON),
]
_AREA = Area("common")


def cases() -> Iterator[Case]:
    """Common builtins by type and width, and with scalar operands; geometric ones, in the middle and at the ends."""
    for name, builtin in COMMON.items():
        for floating in TYPES:
            for width in WIDTHS[floating]:
                params = {"builtin": name, "type": floating, "width": width, "scalars": ""}
                yield _AREA.case(f"{name}.{floating}{_w(width)}", "value", *needs(floating), params=params)
                if builtin.scalars and width > 1:
                    params = {**params, "scalars": builtin.scalars}
                    yield _AREA.case(f"{name}.{floating}{width}.scalar", "value", *needs(floating), params=params)
    for floating in TYPES:
        for what in ("clamp_nan", "sign_zero"):
            yield _AREA.case(f"{what}.{floating}", f"{what}", *needs(floating), type=floating)
        for name in EXACT:
            yield _AREA.case(f"{name}.{floating}.known", "known", *needs(floating), builtin=name, type=floating)
        for name, builtin in COMMON.items():
            for width, scalars in ((builtin.known, ""), *([(4, builtin.scalars)] if builtin.scalars else [])):
                params = {"builtin": name, "type": floating, "width": width, "scalars": scalars, "known": True}
                case_id = f"{name}.{floating}{width}{'.scalar' if scalars else ''}.known"
                yield _AREA.case(case_id, "value", *needs(floating), params=params)
        for name in (*GEOMETRIC, *(FAST if floating == "float" else ())):
            for width in geometric_widths(name):
                params = {"builtin": name, "type": floating, "width": width}
                yield _AREA.case(
                    f"geometric/{name}.{floating}{_w(width)}",
                    "geometric",
                    *needs(floating),
                    params=params,
                )
                if name in ("distance", "length", "normalize"):
                    yield _AREA.case(
                        f"geometric/{name}.{floating}{_w(width)}.range", "range", *needs(floating), params=params
                    )
                specials = {"normalize": ("zero", "nan", "infinite"), "fast_normalize": ("zero",)}
                for special in specials.get(name, ()):
                    case_id = f"geometric/{name}.{floating}{_w(width)}.{special}"
                    yield _AREA.case(case_id, "normalize_edge", *needs(floating), params=params, special=special)


def _w(width: int) -> str:
    return "" if width == 1 else str(width)
