"""The cases of the area."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from runner.model import Case

from ..areas import Area
from ..coverage import Row
from ..needs import needs
from . import table

_FOLDER = "kernels/conversion"

ROWS = [
    Row(
        f"{_FOLDER}/convert/*", "convert_: scalar and vector, saturated, in every mode", "OpenCL C 3.0, 6.4.3", "conversions"
    ),
    Row(f"{_FOLDER}/together/*", "convert_: every mode, many sources in a kernel", "OpenCL C 3.0, 6.4.3", "conversions"),
    Row(f"{_FOLDER}/known/*", "convert_: of constants, in every mode", "OpenCL C 3.0, 6.4.3", "conversions"),
    Row(f"{_FOLDER}/implicit/*", "Implicit conversions and casts", "OpenCL C 3.0, 6.4.1 and 6.4.2", "basic"),
    Row(f"{_FOLDER}/bool/*", "Conversions to and from bool", "OpenCL C 3.0, 6.4.1 and 6.4.2", ""),
    Row(f"{_FOLDER}/chain/*", "A conversion of a conversion", "OpenCL C 3.0, 6.4.2 and 6.4.3", ""),
    Row(f"{_FOLDER}/arithmetic/*", "Usual arithmetic conversions", "OpenCL C 3.0, 6.4.6", "basic"),
    Row(f"{_FOLDER}/as/*", "as_type", "OpenCL C 3.0, 6.4.4.2", "basic"),
    Row(f"{_FOLDER}/refused/*", "Conversions that are errors", "OpenCL C 3.0, 6.4", "compiler"),
]
_AREA = Area("conversion", premerge=("convert/half_rt?.uint", "convert/*.int"))


def cases() -> Iterator[Case]:
    """Called conversions, then those that no function is called for, then the same bits as another type."""
    for target, suffix, source, width, chosen in table.conversions():
        params = {"target": target, "suffix": suffix, "source": source, "width": width}
        name = f"convert/{target}{suffix}.{source}"
        yield _AREA.case(name, "convert", *needs(target, source), premerge=chosen, params=params)
    for name, target, sources, suffixes in table.together():
        params = {"target": target, "sources": sources, "suffixes": suffixes}
        yield _AREA.case(f"together/{name}", "together", *needs(target, *sources), premerge=True, params=params)
    for name, target, sources, suffixes, part in table.known():
        params = {"target": target, "sources": sources, "suffixes": suffixes, "part": part}
        yield _AREA.case(f"known/{name}", "known", *needs(target, *sources), premerge=name in table.KNOWN, params=params)
    yield from _unnamed()
    yield from _reinterpretations()
    for name in table.REFUSED:
        premerge = name in ("convert.width", "cast.vector_to_vector", "as.size", "operator.scalar_rank")
        yield _AREA.case(f"refused/{name}", "refused", premerge=premerge, name=name)


def _unnamed() -> Iterator[Case]:
    for n, (target, source) in enumerate(itertools.permutations(table.TYPES, 2)):
        params = {"target": target, "source": source, "width": table.WIDTHS[n % len(table.WIDTHS)]}
        name = f"implicit/{target}.{source}"
        yield _AREA.case(name, "implicit", *needs(target, source), premerge=n % 11 == 0, params=params)
    for n, (a, b, c) in enumerate(table.chains()):
        name, params = f"chain/{c}.{b}.{a}", {"a": a, "b": b, "c": c}
        yield _AREA.case(name, "chain", *needs(a, b, c), premerge=n % 11 == 0, params=params)
    for name in table.TYPES:
        premerge = name in ("char", "half", "float")
        yield _AREA.case(f"bool/{name}", "truth", *needs(name), premerge=premerge, type=name)
    for n, (a, b) in enumerate(itertools.combinations_with_replacement(table.TYPES, 2)):
        premerge = n % 11 == 4
        yield _AREA.case(f"arithmetic/{a}.{b}", "arithmetic", *needs(a, b), premerge=premerge, a=a, b=b)
    pairs = itertools.permutations(table.TYPES, 2)
    for n, (name, scalar) in enumerate(p for p in pairs if table.rank(p[1]) <= table.rank(p[0])):
        width = table.WIDTHS[n % len(table.WIDTHS)]
        params = {"vector": name, "scalar": scalar, "width": width}
        case_id = f"arithmetic/{name}{width}.{scalar}"
        yield _AREA.case(case_id, "widening", *needs(name, scalar), premerge=n % 11 == 7, params=params)


def _reinterpretations() -> Iterator[Case]:
    for n, (source, width) in enumerate(itertools.product(table.TYPES, (1, *table.WIDTHS))):
        groups: dict[tuple[str, ...], list[tuple[str, int]]] = {}
        for target, w in table.same_size(source, width):
            groups.setdefault(needs(source, target), []).append((target, w))
        for m, (requires, targets) in enumerate(groups.items()):
            params = {"source": source, "width": width, "targets": targets}
            more = "".join(f".{word}" for word in requires if word not in needs(source))
            name = f"as/{table.vector(source, width)}{more}"
            yield _AREA.case(name, "as_type", *requires, premerge=(n + m) % 7 == 0 and width < 8, params=params)
