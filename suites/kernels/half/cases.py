"""The cases of the area."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from runner.model import Case

from ..areas import Area
from ..coverage import Row
from ..kit.needs import needs
from . import table

_FOLDER = "kernels/half"

ROWS = [
    Row(f"{_FOLDER}/vload*", "vload_half and vloada_half", "OpenCL C 3.0, 6.15.7", "half"),
    Row(f"{_FOLDER}/vstore*", "vstore_half and vstorea_half, in every mode", "OpenCL C 3.0, 6.15.7", "half"),
    Row(f"{_FOLDER}/operator/*", "Operators on half", "OpenCL C 3.0, 6.5 and cl_khr_fp16", "math_brute_force"),
    Row(f"{_FOLDER}/to/*", "Every half as another type", "OpenCL C 3.0, 6.4.3 and cl_khr_fp16", "conversions"),
]
_AREA = Area("half")


def cases() -> Iterator[Case]:
    """half in memory, which needs no extension, then half as a type, which does."""
    for aligned, width in itertools.product((False, True), table.WIDTHS):
        if aligned and width == 1:
            continue
        name = f"{'a' if aligned else ''}_half{table.suffix(width)}"
        params: dict[str, Any] = {"aligned": aligned, "width": width}
        for space in table.LOAD_SPACES:
            yield _AREA.case(f"vload{name}.{space}", "load", params=params, space=space)
        for (source, space), modes in table.STORES.items():
            case_id = f"vstore{name}.{source}.{space}"
            more = {"source": source, "space": space, "modes": modes, "numbers": "float"}
            yield _AREA.case(case_id, "store", *needs(source), params={**params, **more})
        # Apart from the numbers that are rounded, of which bug 100 hides all else.
        exact = {"source": "double", "space": "global", "modes": table.MODES, "numbers": "exact"}
        yield _AREA.case(f"vstore{name}.double.exact", "store", *needs("double"), params={**params, **exact})
    for mode in table.MODES:
        twice = {"source": "double", "numbers": "double", "modes": [mode], "space": "global"}
        params = {"aligned": False, "width": 1, **twice}
        yield _AREA.case(f"vstore_half{mode}.double", "store", *needs("double"), params=params)
        params = {**params, "numbers": "beyond"}
        yield _AREA.case(f"vstore_half{mode}.double.beyond", "store", *needs("double"), params=params)
        for source in ("float", "double"):
            case_id = f"vstore_half{mode}.{source}.folded"
            yield _AREA.case(case_id, "folded", *needs(source), mode=mode, source=source)
    of_bits = {"aligned": False, "width": 1, "space": "global"}
    rows = [("", "float", list(table.MODES)), ("", "double", ["", "_rte"]), *((m, "double", [m]) for m in table.MODES[2:])]
    for mode, source, some in rows:  # of double the other modes are bug 100's
        params = {**of_bits, "source": source, "modes": some, "numbers": f"{source} bits"}
        yield _AREA.case(f"vstore_half{mode}.{source}.bits", "store", *needs(source), params=params)
    for name, (_, _, vector) in table.OPERATORS.items():
        for width in (1, vector):
            params = {"operator": name, "width": width}
            case_id = f"operator/{name}.half{table.suffix(width)}"
            yield _AREA.case(case_id, "operator", "fp16", params=params)
    for target in (*table.INTEGERS, "float", "double"):
        requires = needs("half", target)
        yield _AREA.case(f"to/{target}", "to", *requires, target=target)
