"""The cases of the area."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from runner.model import Case, Tier

from ..coverage import Row
from ..needs import needs
from . import table

_AREA = "kernels/half"

ROWS = [
    Row(f"{_AREA}/vload*", "vload_half and vloada_half", "OpenCL C 3.0, 6.15.7", "half"),
    Row(f"{_AREA}/vstore*", "vstore_half and vstorea_half, in every mode", "OpenCL C 3.0, 6.15.7", "half"),
    Row(f"{_AREA}/operator/*", "Operators on half", "OpenCL C 3.0, 6.5 and cl_khr_fp16", "math_brute_force"),
    Row(f"{_AREA}/to/*", "Every half as another type", "OpenCL C 3.0, 6.4.3 and cl_khr_fp16", "conversions"),
]


def _tier(premerge: bool) -> Tier:
    return Tier.PREMERGE if premerge else Tier.FULL


def cases() -> Iterator[Case]:
    """half in memory, which needs no extension, then half as a type, which does."""
    for aligned, width in itertools.product((False, True), table.WIDTHS):
        if aligned and width == 1:
            continue
        name = f"{'a' if aligned else ''}_half{table.suffix(width)}"
        params = {"aligned": aligned, "width": width}
        for space in table.LOAD_SPACES:
            premerge = width in (1, 4) and space == "global"
            premerge |= (aligned, width, space) == (False, 3, "private")
            case_id = f"{_AREA}/vload{name}.{space}"
            yield Case(case_id, "half.load", {**params, "space": space}, tier=_tier(premerge))
        for (source, space), modes in table.STORES.items():
            premerge = (source, space) == ("float", "global") and (aligned, width) in ((False, 1), (True, 4))
            premerge |= (source, space, aligned, width) == ("double", "local", False, 2)
            case_id = f"{_AREA}/vstore{name}.{source}.{space}"
            more = {"source": source, "space": space, "modes": modes, "numbers": "float"}
            yield Case(case_id, "half.store", {**params, **more}, needs(source), _tier(premerge))
    for mode in table.MODES:
        twice = {"source": "double", "numbers": "double", "modes": [mode], "space": "global"}
        params = {"aligned": False, "width": 1, **twice}
        yield Case(f"{_AREA}/vstore_half{mode}.double", "half.store", params, needs("double"), _tier(mode == "_rtz"))
    for n, name in enumerate(table.OPERATORS):
        for width in (1, table.WIDTHS[1 + n % 5]):
            params = {"operator": name, "width": width}
            case_id = f"{_AREA}/operator/{name}.half{table.suffix(width)}"
            premerge = width == 1 and name in ("add", "div", "negate", "less")
            yield Case(case_id, "half.operator", params, ("fp16",), _tier(premerge))
    for target in (*table.INTEGERS, "float", "double"):
        requires = needs("half", target)
        yield Case(f"{_AREA}/to/{target}", "half.to", {"target": target}, requires, _tier(target == "float"))
