"""The cases of the area."""

from collections.abc import Iterator
from typing import Any

from runner.model import Case

from ..areas import Area, combine
from .table import COMMON, EXACT, FAST, GEOMETRIC, TYPES, WIDTHS, geometric_widths

_AREA = Area("common")


def cases() -> Iterator[Case]:
    """Common builtins by type and width, and with scalar operands; geometric ones, near 1 and at the ends of the range."""
    value, geometric = "{builtin}.{type}{width}", "geometric/{builtin}.{type}{width}"
    for name, builtin in COMMON.items():
        for floating, width in ((t, width) for t in TYPES for width in WIDTHS[t]):
            params: dict[str, Any] = {"builtin": name, "type": floating, "width": width}
            yield _AREA.case(value, "value", params=params, scalars="")
            if builtin.scalars and width > 1:
                yield _AREA.case(f"{value}.scalar", "value", params=params, scalars=builtin.scalars)
    for floating in TYPES:
        for what in ("clamp_nan", "sign_zero"):
            yield _AREA.case(f"{what}.{floating}", what, type=floating)
        yield from _AREA.each("{builtin}.{type}.known", "known", combine(builtin=EXACT, type=[floating]))
        for name, builtin in COMMON.items():
            for width, scalars in ((builtin.known, ""), *([(4, builtin.scalars)] if builtin.scalars else [])):
                params = {"builtin": name, "type": floating, "width": width, "scalars": scalars, "known": True}
                yield _AREA.case(f"{value}{'.scalar' if scalars else ''}.known", "value", params=params)
        for name in (*GEOMETRIC, *(FAST if floating == "float" else ())):
            for params in combine(builtin=[name], type=[floating], width=geometric_widths(name)):
                yield _AREA.case(geometric, "geometric", params=params)
                if name in ("distance", "length", "normalize"):
                    yield _AREA.case(f"{geometric}.range", "range", params=params)
                specials = {"normalize": ("zero", "nan", "infinite"), "fast_normalize": ("zero",)}
                yield from _AREA.each(
                    f"{geometric}.{{special}}", "normalize_edge", combine(special=specials.get(name, ())), **params
                )
