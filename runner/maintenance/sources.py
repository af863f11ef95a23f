"""The expectation files of a folder as lint sees them: those of every target at once, and the tests that exist."""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from runner.drivers.registry import Driver
from runner.expectations.files import File, parse_file
from runner.expectations.folder import migrate
from runner.expectations.target import ALL, Target, parse_name
from runner.ids import glob_pattern, is_glob
from runner.maintenance.finding import LintFinding
from runner.model import Expectation, FileKind, UsageError
from runner.shapes import read_text
from runner.spelling import ClosestIds, closest


@dataclass(frozen=True, slots=True)
class Source:
    """One parsed file."""

    path: Path
    name: str  # the path as a text, which makes sets of files fast
    layer: Target
    kind: FileKind
    file: File
    exact: Mapping[str, Expectation]
    globs: Sequence[Expectation]  # without those of families

    def find(self, test_id: str) -> Expectation | None:
        """The entry of the file that decides about a test, an exact id before a glob; None if there is none."""
        return self.exact.get(test_id) or next((g for g in self.globs if glob_pattern(g.pattern).fullmatch(test_id)), None)

    def in_compile_mode(self) -> Source:
        """The entries that a compile run reads: all in a file for compile mode, those about builds in another."""
        if self.layer.mode == "compile":
            return self
        exact = {i: e for i, e in self.exact.items() if e.signature.startswith("build:")}
        return replace(self, exact=exact, globs=())


@dataclass
class Folder:
    """All files of an expectations folder, and the tests that exist."""

    sources: list[Source]
    existing: Mapping[str, object]
    foreign: frozenset[str] = frozenset()  # drivers that are not Mesa's
    _sorted: list[str] = field(default_factory=list)
    _matches: dict[str, list[str]] = field(default_factory=dict)
    _files_naming: dict[str, set[str]] = field(default_factory=dict)
    _compiling: dict[str, Source] = field(default_factory=dict)
    _closest: ClosestIds | None = None

    def matches(self, pattern: str) -> list[str]:
        """The ids that an exact id or a glob stands for."""
        if pattern in self.existing:
            return [pattern]
        if not is_glob(pattern):
            return []
        if pattern not in self._matches:
            self._sorted = self._sorted or sorted(self.existing)
            expression, stem = glob_pattern(pattern), re.split(r"[*?]", pattern, maxsplit=1)[0]
            begin = bisect.bisect_left(self._sorted, stem)
            near = itertools.takewhile(lambda i: i.startswith(stem), itertools.islice(self._sorted, begin, None))
            self._matches[pattern] = [i for i in near if expression.fullmatch(i)]
        return self._matches[pattern]

    def files_naming(self, pattern: str) -> set[str]:
        """The names of the files that have an entry for an exact id, or a glob that matches it."""
        if not self._files_naming:
            for source in self.sources:
                for own in source.exact.keys() | {i for g in source.globs for i in self.matches(g.pattern)}:
                    self._files_naming.setdefault(own, set()).add(source.name)
        return self._files_naming.get(pattern, set())

    def overlap(self, a: Target, b: Target) -> bool:
        """True if some target exists that two layers apply to (PoCL, for example, has no Mesa)."""
        foreign = {a.driver, b.driver} & self.foreign
        return a.overlaps(b) and not (foreign and (a.mesa or b.mesa))

    def applying(self, source: Source, *kinds: FileKind) -> Iterator[Source]:
        """The files of these kinds that apply wherever this one does, the narrowest first."""
        found = [s for s in self.sources if s.kind in kinds and s.layer.applies_to(source.layer)]
        if source.layer.mode == "compile":
            found = [self._in_compile_mode(s) for s in found]
        return iter(sorted(found, key=lambda s: s.layer.rank, reverse=True))

    def _in_compile_mode(self, source: Source) -> Source:
        if source.name not in self._compiling:
            self._compiling[source.name] = source.in_compile_mode()
        return self._compiling[source.name]

    def near(self, test_id: str) -> str:
        """The closest ids, as a text."""
        self._closest = self._closest or ClosestIds(self.existing)
        return self._closest.text(test_id)


def load_sources(
    expectations: Path, drivers: Sequence[str], registered: Mapping[str, Driver]
) -> tuple[list[Source], list[LintFinding]]:
    """The files of all/ and of these drivers (none: of every one), and a finding for each that does not parse."""
    if not expectations.is_dir():
        raise UsageError(f"{expectations}: no such folder; give --expectations DIR")
    sources: list[Source] = []
    broken: list[LintFinding] = []
    for path in sorted(expectations.glob("*/*.txt")):
        if drivers and path.parent.name not in (ALL, *drivers):
            continue
        try:
            if path.parent.name not in (ALL, *registered):
                raise UsageError(
                    f"{path}: no driver {path.parent.name!r}; see runner/drivers/drivers.yaml"
                    f"{closest(path.parent.name, registered)}"
                )
            layer, kind = parse_name(path)
            if kind == "device":
                continue
            file = parse_file(migrate(read_text(path), path), FileKind(kind), str(path))
        except (UsageError, OSError, UnicodeDecodeError) as error:
            broken.append(_broken(path, str(error)))
            continue
        entries = list(file.entries)
        exact = {e.pattern: e for e in entries if not is_glob(e.pattern)}
        globs = [e for e in entries if is_glob(e.pattern) and not e.is_family]
        sources.append(Source(path, str(path), layer, FileKind(kind), file, exact, globs))
    return sources, broken


def _broken(path: Path, error: str) -> LintFinding:
    found = re.match(rf"{re.escape(str(path))}(?::(\d+))?: (.*)", error, re.DOTALL)
    line, text = (int(found[1] or 1), found[2]) if found else (1, error)
    what, _, next_step = text.partition("; ")
    return LintFinding(str(path), line, "parse", what, next_step or "fix that line")
