"""Expectation files: read, parse, format. Every error is `path:line: what to do`.

Which files apply to a target is in runner/expectations/target.py, which of two entries wins in resolution.py.
"""

import hashlib
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from runner.ids import ID_PATTERN
from runner.model import DeviceReport, Expectation, FileKind, Status, UsageError

_GLOB_PATTERN = re.compile(r"[A-Za-z0-9_.+=/*?-]+")
SUITE_PATTERN = re.compile(r"# Suite:(.*)")  # the release of a file's ids: runner/expectations/folder.py
_BAD = (Status.FAIL, Status.CRASH, Status.TIMEOUT)
_STATUSES = {str(status): status for status in Status}
_RATE_PATTERN = re.compile(r"([0-9]{1,9})/([0-9]{1,9})")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file as it is: an entry, or a comment or blank line."""

    entry: Expectation | None
    text: str = ""


@dataclass(frozen=True, slots=True)
class File:
    """A parsed file. `parse_file` and `format_file` are inverse to each other."""

    kind: FileKind
    lines: tuple[Line, ...]

    @property
    def head(self) -> str:
        """The comment that begins the file: its content, and what it was measured on."""
        return " ".join(line.text.lstrip("# ") for line in itertools.takewhile(lambda line: line.text.strip(), self.lines))

    @property
    def entries(self) -> Iterator[Expectation]:
        """The entries of the file, without comments and blank lines."""
        return (line.entry for line in self.lines if line.entry)


@lru_cache(maxsize=256)  # a file is checked before a run, and read again for its target
def parse_file(text: str, kind: FileKind, path: str) -> File:
    """Parse one file; raises UsageError with path and line. Entries carry the comment block above them."""
    lines: list[Line] = []
    seen: dict[str, int] = {}
    reason = ""
    for number, raw in enumerate(text.splitlines(), 1):
        if not raw.strip():
            reason = ""
            lines.append(Line(None, ""))
        elif raw.startswith("#"):
            if lines and lines[-1].entry:
                reason = ""
            if not SUITE_PATTERN.fullmatch(raw):
                reason = " ".join(filter(None, (reason, raw.lstrip("# ").rstrip())))
            lines.append(Line(None, raw))
        else:
            where = f"{path}:{number}"
            entry = _parse_entry(raw, kind, where, reason)
            if entry.key in seen:
                raise UsageError(f"{where}: duplicate of line {seen[entry.key]}: {entry.key!r}; delete one")
            seen[entry.key] = number
            lines.append(Line(entry))
    return File(kind, tuple(lines))


def format_file(file: File) -> str:
    """The text of a file: what `parse_file` reads back to the same lines."""
    return "".join(f"{format_entry(line.entry) if line.entry else line.text}\n" for line in file.lines)


def format_entry(entry: Expectation) -> str:
    """One line: `id,Status[,signature]`, `glob,Status,signature`, `glob,Status[|Status][,k/n]` or `glob`."""
    fields = [entry.pattern]
    if entry.statuses:
        fields.append("|".join(s for s in Status if s in entry.statuses))
    if entry.rate:
        fields.append(f"{entry.rate[0]}/{entry.rate[1]}")
    if entry.signature:
        fields.append(entry.signature)
    return ",".join(fields)


def _parse_entry(raw: str, kind: FileKind, where: str, reason: str) -> Expectation:
    pattern, *rest = raw.rstrip().split(",", 2)
    exact = ID_PATTERN.fullmatch(pattern)
    if not exact and not _GLOB_PATTERN.fullmatch(pattern):
        raise UsageError(f"{where}: {pattern!r} is not a test id; see `runner list`")
    if kind is FileKind.SKIPS:
        if rest:
            raise UsageError(f"{where}: a skips entry is just an id or a glob; delete {','.join(rest)!r}")
        return Expectation(pattern, kind, reason=reason, source=where)
    if not rest:
        raise UsageError(f"{where}: no status; write {pattern},Fail")
    if kind is FileKind.FAILS:
        status = _parse_status(rest[0], (*_BAD, Status.PASS), where)
        signature = rest[1].strip() if len(rest) > 1 else ""
        if not exact and (status not in (Status.FAIL, Status.CRASH) or not signature):
            raise UsageError(f"{where}: {pattern!r} is not a test id; a glob takes Fail or Crash, and its message")
        return Expectation(pattern, kind, frozenset({status}), signature, None, reason, where)
    statuses = frozenset(_parse_status(word, _BAD, where) for word in rest[0].split("|"))
    rate = _RATE_PATTERN.fullmatch(rest[1].strip()) if len(rest) > 1 else None
    if len(rest) > 1 and (not rate or not 0 < int(rate[1]) <= int(rate[2])):
        raise UsageError(f"{where}: {rest[1]!r} is not a rate; write k/n, failures in runs, as 3/200")
    return Expectation(pattern, kind, statuses, "", (int(rate[1]), int(rate[2])) if rate else None, reason, where)


def _parse_status(word: str, allowed: Sequence[Status], where: str) -> Status:
    status = _STATUSES.get(word.strip())
    if status and status in allowed:
        return status
    raise UsageError(f"{where}: unknown status {word.strip()!r}; use one of {', '.join(allowed)}")


def digest(files: Mapping[Path, str]) -> str:
    """A short hash of the texts."""
    return hashlib.sha256("\0".join(f"{p.name}\0{files[p]}" for p in sorted(files)).encode()).hexdigest()[:16]


def floor_text(device_report: DeviceReport) -> str:
    """The floor file of a device: its features and extensions, one a line."""
    installed = ("apps", "gpt2_weights", "tinygrad", "torch", "hypothesis")  # by the user, and no device lacks them
    features = [f for f in device_report.features if f not in installed and not f.startswith("tinygrad>=")]
    release = f"{'Mesa ' if device_report.mesa else ''}{device_report.driver_version}"
    head = f"# Capabilities that a run must find, one a line.\n# Measured: {device_report.device}, {release}."
    return "\n".join([head, *features, *device_report.extensions])
