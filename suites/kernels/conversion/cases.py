"""The cases of the area."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from runner.model import Case

from ..areas import Area
from ..coverage import Row
from ..kit.needs import needs
from ..kit.turns import TURNS
from . import table

_FOLDER = "kernels/conversion"

ROWS = [
    Row(
        f"{_FOLDER}/convert/*", "convert_: scalar and vector, saturated, in every mode", "OpenCL C 3.0, 6.4.3", "conversions"
    ),
    Row(f"{_FOLDER}/together/*", "convert_: every mode, many sources in a kernel", "OpenCL C 3.0, 6.4.3", "conversions"),
    Row(f"{_FOLDER}/known/*", "convert_: of constants, in every mode", "OpenCL C 3.0, 6.4.3", "conversions"),
    Row(f"{_FOLDER}/implicit/*", "Implicit conversions and casts", "OpenCL C 3.0, 6.4.1 and 6.4.2", "basic"),
    Row(
        f"{_FOLDER}/narrowed/*", "Results that are narrowed, rounded twice", "OpenCL C 3.0, 6.4.3, 6.15.2.1", "contractions"
    ),
    Row(f"{_FOLDER}/bool/*", "Conversions to and from bool", "OpenCL C 3.0, 6.4.1 and 6.4.2", ""),
    Row(f"{_FOLDER}/chain/*", "A conversion of a conversion", "OpenCL C 3.0, 6.4.2 and 6.4.3", ""),
    Row(f"{_FOLDER}/arithmetic/*", "Usual arithmetic conversions", "OpenCL C 3.0, 6.4.6", "basic"),
    Row(f"{_FOLDER}/as/*", "as_type", "OpenCL C 3.0, 6.4.4.2", "basic"),
    Row(f"{_FOLDER}/refused/*", "Conversions that are errors", "OpenCL C 3.0, 6.4", "compiler"),
]
_AREA = Area("conversion")


def cases() -> Iterator[Case]:
    """Called conversions, then those that no function is called for, then the same bits as another type."""
    for target, suffix, source, width in table.conversions():
        params = {"target": target, "suffix": suffix, "source": source, "width": width}
        name = f"convert/{target}{suffix}.{source}"
        yield _AREA.case(name, "convert", *needs(target, source), params=params)
    for name, target, sources, suffixes in table.together():
        params = {"target": target, "sources": sources, "suffixes": suffixes}
        yield _AREA.case(f"together/{name}", "together", *needs(target, *sources), params=params)
    for name, target, sources, suffixes, part in table.known():
        params = {"target": target, "sources": sources, "suffixes": suffixes, "part": part}
        yield _AREA.case(f"known/{name}", "known", *needs(target, *sources), params=params)
    yield from _narrowed()
    yield from _unnamed()
    yield from _reinterpretations()
    for name in table.REFUSED:
        yield _AREA.case(f"refused/{name}", "refused", name=name)


# Which of the widths the first scalar meets that becomes a vector of the type.
_FIRST = {
    "uchar": 0,
    "short": 1,
    "ushort": 3,
    "int": 1,
    "uint": 0,
    "long": 0,
    "ulong": 1,
    "half": 3,
    "float": 1,
    "double": 0,
}


def _narrowed() -> Iterator[Case]:
    for target, source, operation in table.narrowings():
        params = {"target": target, "source": source, "operation": operation}
        for stored in (False, True) if target == "half" else (False,):
            name = f"{'stored' if stored else target}.{source}.{operation}"
            requires = needs(source) if stored else needs(target, source)
            more = {**params, "stored": stored}
            yield _AREA.case(f"narrowed/{name}", "narrowed", *requires, params=more)
    for source, target in itertools.combinations(table.FLOATING, 2):
        params = {"target": target, "source": source}
        name = f"narrowed/back.{target}.{source}"
        yield _AREA.case(name, "widened", *needs(target, source), params=params)
    for operation in table.OPERATIONS:
        requires = ("images", "images_write", "execute")
        yield _AREA.case(f"narrowed/image.{operation}", "narrowed_image", *requires, operation=operation)


def _unnamed() -> Iterator[Case]:
    for target, source in itertools.permutations(table.TYPES, 2):
        turn = TURNS[source] - (TURNS[source] > TURNS[target])  # among those that are not the target
        params = {"target": target, "source": source, "width": table.WIDTHS[turn % 5]}
        yield _AREA.case(f"implicit/{target}.{source}", "implicit", *needs(target, source), params=params)
    for a, b, c in table.chains():
        yield _AREA.case(f"chain/{c}.{b}.{a}", "chain", *needs(a, b, c), a=a, b=b, c=c)
    for name in table.TYPES:
        yield _AREA.case(f"bool/{name}", "truth", *needs(name), type=name)
    for a, b in itertools.combinations_with_replacement(table.TYPES, 2):
        yield _AREA.case(f"arithmetic/{a}.{b}", "arithmetic", *needs(a, b), a=a, b=b)
    for name, scalar in itertools.permutations(table.TYPES, 2):
        if table.rank(scalar) <= table.rank(name):
            width = table.WIDTHS[(_FIRST.get(name, 0) + TURNS[scalar]) % 5]
            params = {"vector": name, "scalar": scalar, "width": width}
            yield _AREA.case(f"arithmetic/{name}{width}.{scalar}", "widening", *needs(name, scalar), params=params)


def _reinterpretations() -> Iterator[Case]:
    for source, width in itertools.product(table.TYPES, (1, *table.WIDTHS)):
        groups: dict[tuple[str, ...], list[tuple[str, int]]] = {}
        for target, w in table.same_size(source, width):
            groups.setdefault(needs(source, target), []).append((target, w))
        for requires, targets in groups.items():
            params = {"source": source, "width": width, "targets": targets}
            more = "".join(f".{word}" for word in requires if word not in needs(source))
            name = f"as/{table.vector(source, width)}{more}"
            yield _AREA.case(name, "as_type", *requires, params=params)
