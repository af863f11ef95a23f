"""The cases of the area."""

from collections.abc import Iterator
from itertools import product

from runner.model import Case

from ..areas import Area
from ..kit.turns import TURNS

WIDTHS = (2, 3, 4, 8, 16)
SOURCES = (2, 4, 8, 16)

# Which combinations of type and width have cases (1: all, 2: every second one), and with which it begins.
_SPACES = {
    "load.global": (1, 0),
    "load.local": (2, 1),
    "load.private": (2, 0),
    "load.constant": (2, 1),
    "load.program": (3, 1),
    "store.global": (1, 0),
    "store.local": (2, 0),
    "store.private": (1, 0),
}
# Further combinations.
_MORE = {
    *("load.global.long2", "load.local.int8", "load.private.float3", "store.global.char3", "store.local.float3"),
    *("store.private.char3", "store.private.short4", "store.private.uchar16"),
}

_AREA = Area("vload")


def cases() -> Iterator[Case]:
    """Loads and stores of vectors in each address space, and shuffles."""
    for name, (every, first) in _SPACES.items():
        operation, space = name.split(".")
        for (type_name, turn), (place, width) in product(TURNS.items(), enumerate(WIDTHS)):
            label = f"{name}.{type_name}{width}"
            if (turn + place + first) % every == 0 or label in _MORE:
                yield _AREA.case(label, operation, space=space, type=type_name, width=width)
    rows = [(type_name, width, turn + place) for type_name, turn in TURNS.items() for place, width in enumerate(SOURCES)]
    for name in ("shuffle", "shuffle2"):
        for type_name, width, _ in rows:
            yield _AREA.case(f"{name}.{{type}}{{width}}", "shuffle", type=type_name, width=width, function=name)
    for type_name, width, turn in rows:
        if turn % 2 == 0:  # which calls both
            yield _AREA.case("shuffle_constant.{type}{width}", "shuffle_constant", type=type_name, width=width)
