"""The cases of the area: one program a case."""

from collections.abc import Iterator

from runner.model import Case

from ..areas import Area
from .families import FAMILIES
from .generator import FLAVOURS

COUNT = 30  # programs of each of the first eight families
LATER_COUNT = 10  # and of the others, of which `runner fuzz` runs any number
_AREA = Area("random", folder="random_programs")


def cases() -> Iterator[Case]:
    """The first programs of each family."""
    for name in FAMILIES:
        for number in range(COUNT if name in FLAVOURS else LATER_COUNT):
            yield program_case(name, number)


def program_case(family: str, number: int) -> Case:
    """The case of a program. Every number is valid, although the catalogue has only the first ones."""
    params = {"flavour": family, "number": number}
    needs = ("int64", *FAMILIES[family].requires)
    return _AREA.case(f"{family}/{number}", "program", *needs, params=params)
