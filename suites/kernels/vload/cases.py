"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case

from ..areas import Area
from ..coverage import Row
from ..needs import needs

TYPES = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double")
WIDTHS = (2, 3, 4, 8, 16)
SOURCES = (2, 4, 8, 16)

# How many of the combinations of type and width are tried: 1 is all, 2 every second one.
_SPACES = {
    "load.global": 1,
    "load.local": 2,
    "load.private": 2,
    "load.constant": 2,
    "load.program": 3,
    "store.global": 1,
    "store.local": 2,
    "store.private": 1,
}
_PREMERGE = {"load.private.float3", "store.global.char3", "store.private.short4", "load.global.long2"}
_PREMERGE |= {"store.private.uchar16", "store.private.char3", "load.local.int8", "store.local.float3"}

_C = "OpenCL C 3.0, "
ROWS: list[Row] = [
    *(
        Row(
            f"kernels/vload/{name}.*",
            f"v{name.replace('.', ' ').replace('load', 'loadn from').replace('store', 'storen to')} memory",
            f"{_C}6.15.7",
            "basic",
        )
        for name in _SPACES
    ),
    Row("kernels/vload/shuffle.*", "shuffle by a mask of run time", f"{_C}6.15.13", "relationals"),
    Row("kernels/vload/shuffle2.*", "shuffle2 by a mask of run time", f"{_C}6.15.13", "relationals"),
    Row("kernels/vload/shuffle_constant.*", "both by constant masks", f"{_C}6.15.13", "relationals"),
]
_AREA = Area("vload")


def cases() -> Iterator[Case]:
    """Loads and stores of vectors in each address space, and shuffles."""
    for salt, (name, every) in enumerate(_SPACES.items()):
        operation, space = name.split(".")
        for index, type_name in enumerate(TYPES):
            for place, width in enumerate(WIDTHS):
                label = f"{name}.{type_name}{width}"
                chosen = index == (salt + place * 2) % 11 and place == salt % 5
                if (index + place + salt) % every == 0 or label in _PREMERGE:
                    params = {"space": space, "type": type_name, "width": width}
                    premerge = chosen or label in _PREMERGE
                    yield _AREA.case(label, operation, *needs(type_name), premerge=premerge, params=params)
    for name, every in (("shuffle", 1), ("shuffle2", 1), ("shuffle_constant", 2)):
        for index, type_name in enumerate(TYPES):
            for place, width in enumerate(SOURCES):
                if (index + place) % every == 0:
                    body = "shuffle_constant" if every == 2 else "shuffle"
                    own = {} if every == 2 else {"function": name}  # the other calls both
                    params = {"type": type_name, "width": width, **own}
                    often = type_name == "short" and width in (4, 8)
                    chosen = often or ((index * 3 + place) % 11 == 2 and width < 8)
                    premerge = chosen
                    label = f"{name}.{type_name}{width}"
                    yield _AREA.case(label, body, *needs(type_name), premerge=premerge, params=params)
