"""Mesa's own lists for deqp-runner, as they are, for piglit's tests: `--expectations-mesa PATH`.

PATH is a folder such as src/gallium/drivers/llvmpipe/ci, or that and the beginning of the files' names, as Mesa's
GPU_VERSION has it: .../freedreno-a618. `fails` are lines `name,Status`; `flakes` and `skips` are regexes of Rust's, searched
anywhere in the name.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from runner.ids import to_id, to_name
from runner.lines import read_given
from runner.model import Expectation, FileKind, Status, UsageError

SUITE = "piglit"
_STATUSES = {str(status): status for status in (Status.FAIL, Status.CRASH, Status.TIMEOUT)}


@dataclass(slots=True)
class MesaLists:
    """The lists of one device. What is green to deqp-runner is green here."""

    fails: dict[str, Expectation] = field(default_factory=dict)
    flakes: list[tuple[re.Pattern[str], str]] = field(default_factory=list)  # with path:line
    skips: list[tuple[re.Pattern[str], str]] = field(default_factory=list)

    def skip(self, test_id: str) -> Expectation | None:
        """The entry of a skips file that covers a test."""
        return next((Expectation(test_id, FileKind.SKIPS, source=at) for at in _matching(self.skips, test_id)), None)

    def entries_of(self, test_id: str) -> Iterator[Expectation]:
        """The entry that decides about a test: a flake may also pass if a fails entry says that it does not."""
        for at in _matching(self.flakes, test_id):
            # deqp-runner has no rates: a flake that fails every time is a KnownFlake, too.
            yield Expectation(test_id, FileKind.FLAKES, frozenset(_STATUSES.values()), rate=(1, 1), source=at)
        if test_id in self.fails:
            yield self.fails[test_id]


def load_mesa_lists(place: str, driver: str) -> MesaLists:
    """The lists of the device that `place` names, or of the one Rusticl of this driver there. Raises UsageError."""
    path = Path(place)
    names = [p.name for p in sorted((path if path.is_dir() else path.parent).glob("*.txt"))]
    devices = {name.rsplit("-", 1)[0] for name in names if name.rsplit("-", 1)[-1].removesuffix(".txt") in set(FileKind)}
    if path.is_dir():
        chosen = [d for d in sorted(devices) if "rusticl" in d.split("-") and d.split("-")[0] == driver]
    else:
        chosen = [d for d in devices if d == path.name]
    if len(chosen) != 1:
        there = ", ".join(sorted(devices)) or "no such file at all"
        where = path if path.is_dir() else path.parent
        raise UsageError(f"--expectations-mesa {place}: which device's? Name one, as {where}/DEVICE; there are {there}")
    lists = MesaLists()
    for kind in FileKind:
        file = (path if path.is_dir() else path.parent) / f"{chosen[0]}-{kind}.txt"
        if file.is_file():
            _read(file, kind, lists)
    return lists


def _read(file: Path, kind: FileKind, lists: MesaLists) -> None:
    for number, line in enumerate(read_given(file).splitlines(), 1):
        at = f"{file}:{number}"
        if not line.strip() or line.startswith("#"):
            continue
        if kind is not FileKind.FAILS:
            try:
                (lists.flakes if kind is FileKind.FLAKES else lists.skips).append((re.compile(line), at))
            except re.error as error:
                raise UsageError(f"{at}: {line!r} is not a regular expression: {error}") from error
            continue
        name, comma, rest = line.partition(",")
        if not comma or not name:
            raise UsageError(f"{at}: {line!r} has no status; write NAME,Fail")
        if status := _STATUSES.get(rest.partition(",")[0].strip()):  # other statuses excuse nothing
            test_id = to_id(name, SUITE)
            if test_id in lists.fails:
                raise UsageError(f"{at}: {name!r} is in {lists.fails[test_id].source} too; delete one")
            lists.fails[test_id] = Expectation(test_id, FileKind.FAILS, frozenset({status}), source=at)


def _matching(lines: list[tuple[re.Pattern[str], str]], test_id: str) -> Iterator[str]:
    name = to_name(test_id, SUITE)
    return (at for pattern, at in lines if pattern.search(name))
