"""The cases of the area."""

from collections.abc import Iterable, Iterator
from typing import Any

from runner.model import Case

from ..areas import Area, combine
from .table import COMPARE, FLOATS, INTEGERS, OPERATORS, SIGNED, WIDTHS, mask_types

_AREA = Area("relational")


def cases() -> Iterator[Case]:
    """Comparisons of float types, as builtins and operators; any and all; bitselect and select of all types."""
    for floating in FLOATS:
        widths = WIDTHS if floating == "float" else (1, 3, 4, 16)
        rows = combine(builtin=COMPARE, type=[floating], width=widths)
        yield from _each("{builtin}.{type}{width}", "compare", rows)
        for sign, name in OPERATORS.items():
            rows = combine(builtin=[sign], type=[floating], width=(1, 3, 8))
            yield from _each(f"operator.{name}.{{type}}{{width}}", "compare", rows)
        yield _AREA.case("of_results.{type}", "results", type=floating)
    yield from _AREA.each("{builtin}.{type}{width}", "any_all", combine(builtin=("any", "all"), type=SIGNED, width=WIDTHS))
    for params in combine(type=(*INTEGERS, *FLOATS), width=WIDTHS):
        yield from _each("bitselect.{type}{width}", "bitselect", [params])
        masks = mask_types(params["type"])
        yield from _each("select.{type}{width}.{mask}", "select", [{**params, "mask": mask} for mask in masks])


def _each(name: str, body: str, rows: Iterable[dict[str, Any]]) -> Iterator[Case]:
    for row in rows:  # a comparison of vectors of double returns vectors of long
        more = ("fp64", "int64") if row["type"] == "double" and row["width"] > 1 else ()
        yield _AREA.case(name, body, *more, params=row)
