"""The cases of the area."""

import itertools
from collections.abc import Iterator

from runner.model import Case

from ..areas import Area, combine
from ..kit.needs import needs
from ..kit.turns import TURNS
from . import table

_AREA = Area("conversion")
_STORED = Area("conversion", typed=False)  # vstore_half needs no fp16


def cases() -> Iterator[Case]:
    """Conversion functions, then conversions without a call, then the same bits as another type."""
    for target, suffix, source, width in table.conversions():
        params = {"target": target, "suffix": suffix, "source": source, "width": width}
        yield _AREA.case("convert/{target}{suffix}.{source}", "convert", params=params)
    for name, target, sources, suffixes in table.joint_calls():
        params = {"target": target, "sources": sources, "suffixes": suffixes}
        yield _AREA.case(f"together/{name}", "together", *needs(target, *sources), params=params)
    for name, target, sources, suffixes, part in table.constant_calls():
        params = {"target": target, "sources": sources, "suffixes": suffixes, "part": part}
        yield _AREA.case(f"known/{name}", "known", *needs(target, *sources), params=params)
    yield from _narrowed()
    yield from _unnamed()
    yield from _reinterpretations()
    rows = combine(operation=table.BOTH_WAYS, type=("char", "uchar", "short", "ushort"))
    yield from _AREA.each("both_ways/{operation}.{type}", "both_ways", rows)
    yield from _AREA.each("refused/{name}", "refused", combine(name=table.REFUSED))


# Where a vector type begins among the widths, which its scalar types take in turn.
_FIRST = {"short": 1, "ushort": 3, "int": 1, "ulong": 1, "half": 3, "float": 1}


def _narrowed() -> Iterator[Case]:
    for target, source, operation in table.narrowings():
        params = {"target": target, "source": source, "operation": operation}
        yield _AREA.case("narrowed/{target}.{source}.{operation}", "narrowed", params=params, stored=False)
        if target == "half":
            name = "narrowed/stored.{source}.{operation}"
            yield _STORED.case(name, "narrowed", *needs(source), params=params, stored=True)
    for source, target in itertools.combinations(table.FLOATING, 2):
        yield _AREA.case("narrowed/back.{target}.{source}", "widened", *needs(target), target=target, source=source)
    rows = combine(operation=table.OPERATIONS)
    yield from _AREA.each("narrowed/image.{operation}", "narrowed_image", rows, "images", "images_write", "execute")


def _unnamed() -> Iterator[Case]:
    for target, source in itertools.permutations(table.TYPES, 2):
        turn = TURNS[source] - (TURNS[source] > TURNS[target])  # among the types except the target
        params = {"target": target, "source": source, "width": table.WIDTHS[turn % 5]}
        yield _AREA.case("implicit/{target}.{source}", "implicit", params=params)
    for a, b, c in table.chains():
        yield _AREA.case("chain/{c}.{b}.{a}", "chain", a=a, b=b, c=c)
    yield from _AREA.each("bool/{type}", "truth", combine(type=table.TYPES))
    for a, b in itertools.combinations_with_replacement(table.TYPES, 2):
        yield _AREA.case("arithmetic/{a}.{b}", "arithmetic", a=a, b=b)
    for name, scalar in itertools.permutations(table.TYPES, 2):
        if table.rank(scalar) <= table.rank(name):
            width = table.WIDTHS[(_FIRST.get(name, 0) + TURNS[scalar]) % 5]
            params = {"vector": name, "scalar": scalar, "width": width}
            yield _AREA.case("arithmetic/{vector}{width}.{scalar}", "widening", params=params)


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
