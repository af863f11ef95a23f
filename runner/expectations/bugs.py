"""The known bugs of drivers, one file each: bugs/NNNN-words.yaml. Entries of expectation files name them by their numbers.

Where a bug is seen is not in its file: the entries that name it say so. docs/bugs.md explains the keys.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from runner.expectations.target import Target, parse_layer
from runner.model import UsageError
from runner.run_config import folders_in
from runner.shapes import as_tuple, make, read_text
from runner.yaml_loader import load_yaml

_NAME = re.compile(r"([0-9]{4})-[a-z0-9-]+\.yaml")
_UPSTREAM = re.compile(r"unreported|(reported|declined) https://\S+|fixed in \S.*")


@dataclass(frozen=True, slots=True)
class Bug:
    """One file. `case` is the test that shows it best, `gone` names the layers from which on it is not seen any more."""

    number: int
    path: Path
    title: str
    clause: str
    says: str  # what the clause asks for
    case: str
    upstream: str
    signature: str = ""  # of the case's message
    where: str = ""  # the file and the function that are at fault, as far as known
    note: str = ""
    prints: dict[str, str] = field(default_factory=dict)  # what its program prints: `wrong`, and `right` on another driver
    gone: tuple[Target, ...] = ()

    @property
    def program(self) -> Path | None:
        """The stand-alone program that shows it, or None."""
        programs = (self.path.parent / "programs" / f"{self.number:04}{end}" for end in (".py", ".c"))
        return next((path for path in programs if path.is_file()), None)

    def is_gone_from(self, layer: Target) -> bool:
        """Whether the layer is of a release in which it was not seen any more."""
        return any(gone.has_come_to(layer) for gone in self.gone)


def bugs_folder(expectations: str | Path) -> Path:
    """Where the bugs of an expectations folder are: beside it; of several folders the last one is the project's."""
    return folders_in(expectations)[-1].resolve().parent / "bugs"


def load_bugs(folder: Path, numbers: Collection[int] | None = None) -> dict[int, Bug]:
    """The bugs of a folder by number, all or these; none where it is not there. Raises UsageError for a bad file."""
    bugs: dict[int, Bug] = {}
    for path in sorted(folder.glob("*.yaml")):
        if numbers is not None and (named := _NAME.fullmatch(path.name)) and int(named[1]) not in numbers:
            continue
        bug = _load_bug(path)
        other = bugs.setdefault(bug.number, bug)
        if other is not bug:
            raise UsageError(f"{path}:1: {other.path.name} has the number {bug.number} too; take the next free one")
    return bugs


def find_bug(folder: Path, number: int) -> Bug:
    """The bug of a number. Raises UsageError where there is none."""
    for path in folder.glob(f"{number:04}-*.yaml"):
        return _load_bug(path)
    raise UsageError(f"no bug {number} in {folder}; see `runner bugs`")


def _load_bug(path: Path) -> Bug:
    named = _NAME.fullmatch(path.name)
    if not named:
        raise UsageError(f"{path}:1: is not called NNNN-words.yaml; rename it")
    try:
        data = load_yaml(read_text(path))
        gone = tuple(parse_layer(name) for name in as_tuple(data.pop("gone", ())))
        bug = make(Bug, {**data, "number": int(named[1]), "path": path, "gone": gone})
        if not _UPSTREAM.fullmatch(bug.upstream):
            raise ValueError(f"upstream: {bug.upstream!r}; write unreported, reported or declined LINK, or fixed in RELEASE")
    except (OSError, ValueError, TypeError, AttributeError, RecursionError, yaml.YAMLError, UsageError) as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 1
        raise UsageError(f"{path}:{line}: {' '.join(str(error).split())}; docs/bugs.md has the keys") from error
    return bug
