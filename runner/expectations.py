"""Expectation files: parse, format, layer, resolve. Every error is `path:line: what to do`.

Which files apply to a target, and which of two wins, is in runner/layers.py.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from runner.cpu import measured_classes
from runner.layers import Target as Target
from runner.layers import parse_name
from runner.model import Expectation, Kind, Status, UsageError
from runner.spelling import ClosestIds

ID_PATTERN = re.compile(r"[A-Za-z0-9_.+=-]+(?:/[A-Za-z0-9_.+=-]+)+")
_GLOB_PATTERN = re.compile(r"[A-Za-z0-9_.+=/*?-]+")
_RATE_PATTERN = re.compile(r"(\d+)/(\d+)")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file: an entry, or a comment or blank line as it stands."""

    entry: Expectation | None
    text: str = ""


@dataclass(frozen=True, slots=True)
class File:
    """A parsed file. `parse_file` and `format_file` are inverse to each other."""

    kind: Kind
    lines: tuple[Line, ...]

    @property
    def entries(self) -> Iterator[Expectation]:
        return (line.entry for line in self.lines if line.entry)


def parse_file(text: str, kind: Kind, path: str) -> File:
    """Parse one file; raises UsageError with path and line. Entries carry the comment block above them."""
    lines: list[Line] = []
    seen: dict[str, int] = {}
    reason: list[str] = []
    for number, raw in enumerate(text.splitlines(), 1):
        if not raw.strip():
            reason = []
            lines.append(Line(None, ""))
        elif raw.startswith("#"):
            if lines and lines[-1].entry:
                reason = []
            reason.append(raw.lstrip("# ").rstrip())
            lines.append(Line(None, raw))
        else:
            where = f"{path}:{number}"
            entry = _parse_entry(raw, kind, where, " ".join(filter(None, reason)))
            if entry.pattern in seen:
                raise UsageError(f"{where}: {entry.pattern!r} stands in line {seen[entry.pattern]} already; delete one")
            seen[entry.pattern] = number
            lines.append(Line(entry))
    return File(kind, tuple(lines))


def format_file(file: File) -> str:
    """The text of a file: what `parse_file` reads back to the same lines."""
    return "".join(f"{format_entry(line.entry) if line.entry else line.text}\n" for line in file.lines)


def format_entry(entry: Expectation) -> str:
    """One line: `id,Status[,signature]`, `glob,Status[|Status][,k/n]` or `glob`."""
    fields = [entry.pattern]
    if entry.statuses:
        fields.append("|".join(s for s in Status if s in entry.statuses))
    if entry.rate:
        fields.append(f"{entry.rate[0]}/{entry.rate[1]}")
    if entry.signature:
        fields.append(entry.signature)
    return ",".join(fields)


def _parse_entry(raw: str, kind: Kind, where: str, reason: str) -> Expectation:
    pattern, *rest = raw.rstrip().split(",", 2)
    exact = ID_PATTERN.fullmatch(pattern)
    if not exact and (kind is Kind.FAILS or not _GLOB_PATTERN.fullmatch(pattern)):
        hint = "fails files take exact ids; a glob goes into flakes or skips" if "*" in pattern else "see `runner list`"
        raise UsageError(f"{where}: {pattern!r} is not a test id; {hint}")
    if kind is Kind.SKIPS:
        if rest:
            raise UsageError(f"{where}: a skips line is an id or a glob alone; delete {','.join(rest)!r}")
        return Expectation(pattern, kind, reason=reason, source=where)
    if not rest:
        raise UsageError(f"{where}: no status; write {pattern},Fail")
    allowed = (Status.FAIL, Status.CRASH, Status.TIMEOUT)
    if kind is Kind.FAILS:
        status = _parse_status(rest[0], (*allowed, Status.PASS), where)
        signature = rest[1].strip() if len(rest) > 1 else ""
        return Expectation(pattern, kind, frozenset({status}), signature, None, reason, where)
    statuses = frozenset(_parse_status(word, allowed, where) for word in rest[0].split("|"))
    rate = _RATE_PATTERN.fullmatch(rest[1].strip()) if len(rest) > 1 else None
    if len(rest) > 1 and (not rate or not 0 < int(rate[1]) <= int(rate[2])):
        raise UsageError(f"{where}: {rest[1]!r} is not a rate; write k/n, failures in runs, as 3/200")
    return Expectation(pattern, kind, statuses, "", (int(rate[1]), int(rate[2])) if rate else None, reason, where)


def _parse_status(word: str, allowed: Sequence[Status], where: str) -> Status:
    for status in allowed:
        if word.strip() == status:
            return status
    raise UsageError(f"{where}: unknown status {word.strip()!r}; use one of {', '.join(allowed)}")


@lru_cache(maxsize=4096)
def glob_pattern(glob: str) -> re.Pattern[str]:
    """An anchored glob: `*` crosses `/`, `?` is one character."""
    return re.compile(re.escape(glob).replace(r"\*", ".*").replace(r"\?", "."))


def is_glob(pattern: str) -> bool:
    return "*" in pattern or "?" in pattern


class _Layer:
    """The lines of equally specific files."""

    def __init__(self) -> None:
        self.exact: dict[str, Expectation] = {}
        self.globs: list[Expectation] = []

    def add(self, entry: Expectation) -> None:
        if is_glob(entry.pattern):
            self.globs.append(entry)
            return
        other = self.exact.setdefault(entry.pattern, entry)
        if other is not entry:
            raise UsageError(f"{entry.source}: {entry.pattern!r} stands in {other.source} too; delete one")

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
    """All lines that apply to one target, most specific first."""

    def __init__(self, target: Target, files: Mapping[Path, str]) -> None:
        """`files` maps the paths below the expectations folder to their texts. Raises UsageError."""
        self.target = target
        self.device_file: tuple[Path, str] | None = None
        self.measured_cpus: tuple[str, ...] = ()  # classes of CPU that the driver's files of this Mesa speak of
        self._skips: list[Expectation] = []
        layers: dict[tuple[int, ...], _Layer] = {}
        device_rank: tuple[int, ...] = ()
        gpus: set[str] = set()
        for path in sorted(files):
            layer, kind = parse_name(path)
            if (layer.driver, layer.mesa) == (target.driver, target.mesa):
                gpus.add(layer.gpu)
            if not layer.applies_to(target):
                continue
            rank = layer.rank
            if kind == "device":
                if rank >= device_rank:
                    device_rank, self.device_file = rank, (path, files[path])
                continue
            for entry in parse_file(files[path], Kind(kind), str(path)).entries:
                if target.compile and not layer.compile and not entry.signature.startswith("build:"):
                    continue
                if entry.kind is Kind.SKIPS:
                    self._skips.append(entry)
                else:
                    layers.setdefault(rank, _Layer()).add(entry)
        self.measured_cpus = measured_classes(gpus)
        self._layers = [layers[rank] for rank in sorted(layers, reverse=True)]

    def skip(self, test_id: str) -> Expectation | None:
        """The skips line that covers a test. Skips add up over the layers, and win."""
        return next((e for e in self._skips if glob_pattern(e.pattern).fullmatch(test_id)), None)

    def find(self, test_id: str) -> Expectation | None:
        """The fails or flakes line that decides; an `id,Pass` line counts as none."""
        found = next(self.lines(test_id), None)
        return None if found is None or found.statuses == {Status.PASS} else found

    def lines(self, test_id: str) -> Iterator[Expectation]:
        """The fails or flakes line of every layer that has one for a test: the one that decides, then what it overrules."""
        return filter(None, (layer.find(test_id) for layer in self._layers))

    def entries(self) -> Iterator[Expectation]:
        """Every line that applies."""
        yield from self._skips
        for layer in self._layers:
            yield from layer.exact.values()
            yield from layer.globs

    def findings(self, known: Iterable[str]) -> Iterator[str]:
        """What is wrong with lines that do parse: ids that no suite has, idle globs, dead lines."""
        ids = dict.fromkeys(known)
        near = ClosestIds(ids)
        for entry in self.entries():
            if is_glob(entry.pattern):
                if not any(glob_pattern(entry.pattern).fullmatch(i) for i in ids):
                    yield f"{entry.source}: {entry.pattern!r} matches no test; delete it"
            elif entry.pattern not in ids:
                yield f'{entry.source}: no test {entry.pattern!r}{near.text(entry.pattern)}; run "runner list"'
            elif entry.kind is not Kind.SKIPS and (skip := self.skip(entry.pattern)):
                yield f"{entry.source}: dead, because {skip.source} skips it; delete one"

    def floor(self) -> Iterator[tuple[str, str]]:
        """The capabilities that the device must have, each with its path:line."""
        if self.device_file:
            path, text = self.device_file
            for number, line in enumerate(text.splitlines(), 1):
                if line.strip() and not line.startswith("#"):
                    yield line.strip(), f"{path}:{number}"


def read_files(folder: Path, driver: str) -> dict[Path, str]:
    """The texts of all/ and of the driver's folder. Raises UsageError where one cannot be read or parsed.

    Every file is parsed here, also those that will not apply: a bad one stops a run before it begins.
    """
    if not folder.is_dir():  # a run that was made elsewhere
        raise UsageError(f"{folder}: no such folder of expectations; --expectations DIR names another")
    paths = sorted(p for name in ("all", driver) for p in (folder / name).glob("*.txt"))
    texts = {}
    for path in paths:
        try:
            texts[path] = path.read_text(encoding="utf-8")
            kind = path.stem.rsplit("-", 1)[-1]
            if kind in list(Kind):
                parse_file(texts[path], Kind(kind), str(path))
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"{path}: cannot be read: {error}; mend the file or its permissions") from error
    return texts


def digest(files: Mapping[Path, str]) -> str:
    """A short hash of the texts."""
    return hashlib.sha256("\0".join(f"{p.name}\0{files[p]}" for p in sorted(files)).encode()).hexdigest()[:16]
