"""Which of all expectations decides on a test of one target: layers, skips, the floor."""

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from runner.cpu import measured_classes
from runner.expectations.files import parse_file
from runner.expectations.folder import read_files
from runner.expectations.mesa import SUITE, MesaLists, load_mesa_lists
from runner.expectations.target import Target, is_read, layer_of, parse_name
from runner.ids import choose, glob_pattern, is_glob, names_area
from runner.model import Expectation, FileKind, Status, Tier, UsageError
from runner.releases import nearest_series
from runner.sources import OPTIONAL, optional_area
from runner.spelling import ClosestIds


class _EntriesOfLayer:
    """The entries of equally specific files."""

    def __init__(self) -> None:
        self.exact: dict[str, Expectation] = {}
        self.globs: list[Expectation] = []
        self.families: list[Expectation] = []

    def add(self, entry: Expectation) -> None:
        if is_glob(entry.pattern):
            (self.families if entry.is_family else self.globs).append(entry)
            return
        other = self.exact.setdefault(entry.pattern, entry)
        if other is not entry:
            raise UsageError(f"{entry.source}: {entry.pattern!r} is in {other.source} too; delete one")

    def find(self, test_id: str) -> Expectation | None:
        if found := self.exact.get(test_id):
            return found
        found = None
        for entry in self.globs:
            if glob_pattern(entry.pattern).fullmatch(test_id):
                if found and found.statuses != entry.statuses:
                    raise UsageError(f"{entry.source}: {entry.pattern!r} disagrees with {found.source} on {test_id}")
                found = entry
        return found


class Expectations:
    """All entries that apply to one target, most specific first."""

    def __init__(
        self, target: Target, files: Mapping[Path, str], mesa: MesaLists | None = None, *, any_values: bool = False
    ) -> None:
        """`files` maps paths of expectations folders to texts; a folder before another decides first. Raises UsageError.

        If `mesa` is given, only it decides about piglit's tests. `any_values`: the numbers of a signature are not compared.
        """
        self.target = target
        self._any_values = any_values
        self._mesa = mesa
        self.is_new = not any(path.parent.name == target.driver for path in files)
        self.floor: dict[str, str] = {}  # the capabilities that the device must have, each with its path:line
        self.measured_cpus: tuple[str, ...] = ()  # classes of CPU that the driver's files for this Mesa name
        self._skips: list[Expectation] = []
        layers: dict[tuple[float, ...], _EntriesOfLayer] = {}
        floors: dict[Path, Target] = {}
        gpus: set[str] = set()
        folders = list(dict.fromkeys(path.parent.parent for path in files))
        for path in sorted(files):
            layer, kind = parse_name(path)
            if (layer.driver, layer.mesa) == (target.driver, target.mesa):
                gpus.add(layer.gpu)
            if kind == "device":
                floors[path] = layer
            if kind == "device" or not layer.applies_to(target):
                continue
            rank = (-folders.index(path.parent.parent), *layer.rank)
            for entry in parse_file(files[path], FileKind(kind), str(path)).entries:
                if not is_read(entry, layer, target):
                    continue
                if entry.kind is FileKind.SKIPS:
                    self._skips.append(entry)
                else:
                    layers.setdefault(rank, _EntriesOfLayer()).add(entry)
        self.floor = _floor(target, {path: (layer, files[path]) for path, layer in floors.items()})
        self.measured_cpus = measured_classes(gpus)
        # One pattern of all, because most tests are asked about and few are skipped; (?!) if there is none.
        self._is_skipped = re.compile("|".join(glob_pattern(e.pattern).pattern for e in self._skips) or "(?!)").fullmatch
        self._layers = [layers[rank] for rank in sorted(layers, reverse=True)]
        self._found: dict[str, Expectation | None] = {}  # a report asks twice

    def skip(self, test_id: str) -> Expectation | None:
        """The skips entry that covers a test. Skips add up over the files, and win."""
        if self._mesa and test_id.startswith(f"{SUITE}/"):
            return self._mesa.skip(test_id)
        if not self._is_skipped(test_id):
            return None
        return next(entry for entry in self._skips if glob_pattern(entry.pattern).fullmatch(test_id))

    def find(self, test_id: str) -> Expectation | None:
        """The fails or flakes entry that decides about a test; an `id,Pass` entry counts as none.

        The families' entries are its `others`, or the first of them stands for none: the message decides (`judge.deciding`).
        """
        if test_id not in self._found:
            entries = [*itertools.islice(self.entries_of(test_id), 1), *self.families_of(test_id)]
            if self._any_values:
                entries = [replace(entry, any_values=True) for entry in entries]
            self._found[test_id] = replace(entries[0], others=tuple(entries[1:])) if entries else None
        found = self._found[test_id]
        return None if found is None or found.statuses == {Status.PASS} else found

    def entries_of(self, test_id: str) -> Iterator[Expectation]:
        """The fails or flakes entries for a test in all layers: the one that decides, then those that it overrules."""
        if self._mesa and test_id.startswith(f"{SUITE}/"):
            return self._mesa.entries_of(test_id)
        return filter(None, (layer.find(test_id) for layer in self._layers))

    def families_of(self, test_id: str) -> Iterator[Expectation]:
        """The entries about a family of tests that this one belongs to, of all layers; each decides only by the message."""
        families = itertools.chain.from_iterable(layer.families for layer in self._layers)
        return (entry for entry in families if glob_pattern(entry.pattern).fullmatch(test_id))

    def entries(self) -> Iterator[Expectation]:
        """Every entry that applies."""
        yield from self._skips
        for layer in self._layers:
            yield from layer.exact.values()
            yield from layer.globs
            yield from layer.families

    def findings(self, existing: Iterable[str]) -> Iterator[str]:
        """Mistakes in entries that do parse: unknown ids, globs that match nothing, entries without effect."""
        ids = existing if isinstance(existing, Mapping) else dict.fromkeys(existing)
        near = ClosestIds(ids)
        areas = {optional_area(test_id) for test_id in ids if test_id.startswith(OPTIONAL)} | {""}
        for entry in self.entries():
            if optional_area(entry.pattern) not in areas:
                continue  # its ids are known only with its source
            if entry.kind is FileKind.FLAKES and entry.rate is None:
                yield f"{entry.source}: {entry.pattern!r} has no rate; write k/n, failures in executions"
            if entry.kind is FileKind.FLAKES and is_glob(entry.pattern) and not names_area(entry.pattern):
                yield f"{entry.source}: {entry.pattern!r} covers more than one area; write one entry an area"
            if is_glob(entry.pattern):
                if not choose(ids, entry.pattern):
                    yield f"{entry.source}: {entry.pattern!r} matches no test; delete it"
            elif entry.pattern not in ids:
                yield f'{entry.source}: no test {entry.pattern!r}{near.text(entry.pattern)}; run "runner list"'
            elif (  # an entry of all drivers is not dead because one of them skips its test
                entry.kind is not FileKind.SKIPS
                and (skip := self.skip(entry.pattern))
                and layer_of(skip).applies_to(layer_of(entry))
            ):
                yield f"{entry.source}: dead, because {skip.source} skips it; delete one"


def _floor(target: Target, files: Mapping[Path, tuple[Target, str]]) -> dict[str, str]:
    """The capabilities that a target must have, each with the path:line that says so.

    They add up over the files that apply, less what a line with `!` takes away. If no file is of the target's own Mesa,
    the nearest release that was measured, older or newer, stands for it: else a capability that is lost between two
    measured releases would turn its cases into skips, and the run stay green.
    """
    lines = {
        (layer.mesa, line): f"{path}:{number}"
        for path, (layer, text) in sorted(files.items(), key=lambda item: item[1][0].rank)
        if layer.mode == target.mode and replace(layer, mesa="").applies_to(target)
        for number, line in enumerate(map(str.strip, text.splitlines()), 1)
        if line and not line.startswith("#")
    }
    measured = {mesa for mesa, line in lines if mesa and not line.startswith("!")}
    nearest = nearest_series(measured, target.mesa)
    own = {line: source for (mesa, line), source in lines.items() if mesa in ("", nearest, target.mesa)}
    return {line: source for line, source in own.items() if not line.startswith("!") and f"!{line}" not in own}


def nearest_release(files: Iterable[Path], target: Target) -> str:
    """The release of Mesa, of those that the driver's files on a device name, that is nearest to a target's; or its own."""
    layers = [layer for layer, _ in map(parse_name, files) if layer.driver == target.driver and not layer.mode]
    return nearest_series({layer.mesa for layer in layers if layer.mesa}, target.mesa) or target.mesa


def load_expectations(
    target: Target, folder: str, files: Mapping[Path, str] | None = None, mesa: str = "", seed: int = 0
) -> Expectations:
    """The expectations for a run on a device; `files` instead of those on this machine. Raises UsageError for a bad file.

    `mesa` is where Mesa's own lists lie, which then decide about piglit's tests. Signatures were measured with seed 0: with
    another, inputs differ, and so do the numbers that a known failure prints.
    """
    if files is None:
        files = read_files(Path(folder), target.driver) if folder else {}
    return Expectations(target, files, load_mesa_lists(mesa, target.driver) if mesa else None, any_values=seed != 0)


def skip_reason(test_id: str, expectations: Expectations, tier: Tier) -> str:
    """Why a case is not run at all, with the entry that decides; "" if it is run.

    A skips entry wins over everything; a test that is known to time out, at least mostly, is not run in the premerge tier.
    """
    if entry := expectations.skip(test_id):
        return entry.source
    entry = expectations.find(test_id)
    if entry and tier is Tier.PREMERGE and entry.statuses == {Status.TIMEOUT}:
        k, n = entry.rate or (entry.kind is FileKind.FAILS, 1)
        return f"{entry.source}: known timeout, runs in full" if 2 * k >= n else ""
    return ""
