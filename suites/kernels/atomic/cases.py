"""The cases of the area."""

from collections.abc import Iterator
from itertools import product

from runner.model import Case

from ..areas import Area, combine
from .table import BASE, EXTENDED, extensions_of

SPACES = ("global", "local")
PLACES = (
    *("struct_member", "vector_component", "in_function", "many_cells", "neighbours", "two_dimensions", "in_loop"),
    *("divergent", "between_stores", "signed", "sub_range"),
)
_AREA = Area("atomic", typed=False)


def cases() -> Iterator[Case]:
    """Legacy atomics: operation x type x memory, with their results used or not."""
    for space in SPACES:
        for op, t in product((*BASE, *EXTENDED), ("int", "uint")):
            yield _case("returned", op, t, space)
            if op != "cmpxchg":
                yield _case("unused", op, t, space, form="unused")
            yield _case("atom", op, t, space, "atom")
        yield _case("returned", "xchg", "float", space)
        yield _case("unused", "xchg", "float", space, form="unused")
        for op, t in product((*BASE, *EXTENDED), ("long", "ulong")):
            yield _case("wide", op, t, space, "atom")
        yield from _AREA.each("place/{place}.{space}", "place", combine(place=PLACES, space=[space]))
        operations = [op for op in (*BASE, *EXTENDED) if op not in ("inc", "dec", "cmpxchg")]
        yield from _AREA.each("constant/{operation}.{space}", "constant", combine(operation=operations, space=[space]))
        counted = [op for op in operations if op != "xchg"]
        yield from _AREA.each("alike/{operation}.{space}", "alike", combine(operation=counted, space=[space]))


def _case(folder: str, op: str, t: str, space: str, prefix: str = "atomic", form: str = "returned") -> Case:
    params = {"operation": op, "type": t, "space": space, "prefix": prefix, "form": form}
    requires = extensions_of(op, t, space, prefix)
    return _AREA.case(f"{folder}/{{operation}}.{{type}}.{{space}}", "operation", *requires, params=params)
