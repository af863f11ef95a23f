"""The cases of the area: the tests of each .cl file in this folder."""

from collections.abc import Iterator
from pathlib import Path

from runner.model import Case

from ..areas import Area
from .annotation import read

FOLDER = Path(__file__).parent
_AREA = Area("programs")


def cases() -> Iterator[Case]:
    """A case `<file>/<test>` for each test; `<file>/build` for a program that must be refused."""
    for path in sorted(FOLDER.glob("*.cl")):
        program, name = read(path), path.stem
        params = {"file": path.name}
        if program.fails:
            yield _AREA.case(f"{name}/build", "refused", *program.requires, params=params)
        for test in program.tests:
            group = f"programs.{name}"
            more = {**params, "test": test.name}
            yield _AREA.case(f"{name}/{test.name}", "computed", *program.requires, in_group=group, params=more)
