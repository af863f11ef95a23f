"""The cases of the area."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from runner.model import Case

from ..areas import Area, combine
from . import table

_AREA = Area("half")


def cases() -> Iterator[Case]:
    """half in memory, which needs no extension, then half as a type, which needs one."""
    for aligned, width in product((False, True), table.WIDTHS):
        if aligned and width == 1:
            continue
        name = f"{'a' if aligned else ''}_half{table.suffix(width)}"
        params: dict[str, Any] = {"aligned": aligned, "width": width}
        yield from _AREA.each(f"vload{name}.{{space}}", "load", combine(space=table.LOAD_SPACES), **params)
        for (source, space), modes in table.STORES.items():
            more = {"source": source, "space": space, "modes": modes, "numbers": "float"}
            yield _AREA.case(f"vstore{name}.{{source}}.{{space}}", "store", params={**params, **more})
        # Exact numbers separately, because with rounded ones bug 100 hides everything else.
        exact = {"source": "double", "space": "global", "modes": table.MODES, "numbers": "exact"}
        yield _AREA.case(f"vstore{name}.double.exact", "store", params={**params, **exact})
    for mode in table.MODES:
        twice = {"aligned": False, "width": 1, "source": "double", "modes": [mode], "space": "global"}
        yield _AREA.case(f"vstore_half{mode}.double", "store", params=twice, numbers="double")
        yield _AREA.case(f"vstore_half{mode}.double.beyond", "store", params=twice, numbers="beyond")
        yield from _AREA.each(
            "vstore_half{mode}.{source}.folded", "folded", combine(mode=[mode], source=("float", "double"))
        )
    of_bits = {"aligned": False, "width": 1, "space": "global"}
    bits = [("", "float", list(table.MODES)), ("", "double", ["", "_rte"]), *((m, "double", [m]) for m in table.MODES[2:])]
    for mode, source, some in bits:  # the other modes of double show bug 100
        params = {**of_bits, "source": source, "modes": some, "numbers": f"{source} bits"}
        yield _AREA.case(f"vstore_half{mode}.{source}.bits", "store", params=params)
    for name, (_, _, vector) in table.OPERATORS.items():
        rows = combine(operator=[name], width=(1, vector))
        yield from _AREA.each("operator/{operator}.half{width}", "operator", rows, "fp16")
    yield from _AREA.each("to/{target}", "to", combine(target=(*table.INTEGERS, "float", "double")), "fp16")
