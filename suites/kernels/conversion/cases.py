"""The cases of the area."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from runner.model import Case, Tier

from ..coverage import Row
from ..needs import needs
from . import table

_AREA = "kernels/conversion"

ROWS = [
    Row(f"{_AREA}/convert/*", "convert_: scalar and vector, saturated, in every mode", "OpenCL C 3.0, 6.4.3", "conversions"),
    Row(f"{_AREA}/implicit/*", "Implicit conversions and casts", "OpenCL C 3.0, 6.4.1 and 6.4.2", "basic"),
    Row(f"{_AREA}/bool/*", "Conversions to and from bool", "OpenCL C 3.0, 6.4.1 and 6.4.2", ""),
    Row(f"{_AREA}/chain/*", "A conversion of a conversion", "OpenCL C 3.0, 6.4.2 and 6.4.3", ""),
    Row(f"{_AREA}/arithmetic/*", "Usual arithmetic conversions", "OpenCL C 3.0, 6.4.6", "basic"),
    Row(f"{_AREA}/as/*", "as_type", "OpenCL C 3.0, 6.4.4.2", "basic"),
    Row(f"{_AREA}/refused/*", "Conversions that are errors", "OpenCL C 3.0, 6.4", "compiler"),
]


def _tier(premerge: bool) -> Tier:
    return Tier.PREMERGE if premerge else Tier.FULL


def cases() -> Iterator[Case]:
    """Called conversions, then those that no function is called for, then the same bits as another type."""
    for target, suffix, source, width, chosen in table.conversions():
        params = {"target": target, "suffix": suffix, "source": source, "width": width}
        name = f"{_AREA}/convert/{target}{suffix}.{source}"
        yield Case(name, "conversion.convert", params, needs(target, source), _tier(chosen))
    yield from _unnamed()
    yield from _reinterpretations()
    for name in table.REFUSED:
        premerge = name in ("convert.width", "cast.vector_to_vector", "as.size", "operator.scalar_rank")
        yield Case(f"{_AREA}/refused/{name}", "conversion.refused", {"name": name}, tier=_tier(premerge))


def _unnamed() -> Iterator[Case]:
    for n, (target, source) in enumerate(itertools.permutations(table.TYPES, 2)):
        params = {"target": target, "source": source, "width": table.WIDTHS[n % len(table.WIDTHS)]}
        name = f"{_AREA}/implicit/{target}.{source}"
        yield Case(name, "conversion.implicit", params, needs(target, source), _tier(n % 11 == 0))
    for n, (a, b, c) in enumerate(table.chains()):
        name, params = f"{_AREA}/chain/{c}.{b}.{a}", {"a": a, "b": b, "c": c}
        yield Case(name, "conversion.chain", params, needs(a, b, c), _tier(n % 11 == 0))
    for name in table.TYPES:
        tier = _tier(name in ("char", "float"))
        yield Case(f"{_AREA}/bool/{name}", "conversion.truth", {"type": name}, needs(name), tier)
    for n, (a, b) in enumerate(itertools.combinations_with_replacement(table.TYPES, 2)):
        tier = _tier(n % 11 == 4)
        yield Case(f"{_AREA}/arithmetic/{a}.{b}", "conversion.arithmetic", {"a": a, "b": b}, needs(a, b), tier)
    pairs = itertools.permutations(table.TYPES, 2)
    for n, (name, scalar) in enumerate(p for p in pairs if table.rank(p[1]) <= table.rank(p[0])):
        width = table.WIDTHS[n % len(table.WIDTHS)]
        params = {"vector": name, "scalar": scalar, "width": width}
        case_id = f"{_AREA}/arithmetic/{name}{width}.{scalar}"
        yield Case(case_id, "conversion.widening", params, needs(name, scalar), _tier(n % 11 == 7))


def _reinterpretations() -> Iterator[Case]:
    for n, (source, width) in enumerate(itertools.product(table.TYPES, (1, *table.WIDTHS))):
        groups: dict[tuple[str, ...], list[tuple[str, int]]] = {}
        for target, w in table.same_size(source, width):
            groups.setdefault(needs(source, target), []).append((target, w))
        for m, (requires, targets) in enumerate(groups.items()):
            params = {"source": source, "width": width, "targets": targets}
            more = "".join(f".{word}" for word in requires if word not in needs(source))
            name = f"{_AREA}/as/{table.vector(source, width)}{more}"
            yield Case(name, "conversion.as_type", params, requires, _tier((n + m) % 7 == 0 and width < 8))
