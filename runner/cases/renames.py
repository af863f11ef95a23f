"""The cases that have been renamed or removed since a release: suites/renames.txt, without which no id may go.

A line is `RELEASE OLD NEW`, or `RELEASE OLD -` for a case that is gone, with the first release of the suites that no longer
knows OLD; the comment above it says why.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from runner import ROOT, VERSION
from runner.ids import ID_PATTERN
from runner.model import UsageError
from runner.shapes import read_text

NAME = "renames.txt"
GONE = "-"
_RELEASE = re.compile(r"(\d{4})\.(\d{1,2})(?:\.(\d+))?(\.dev\d+)?")


@dataclass(frozen=True, slots=True)
class Rename:
    """One line of the list."""

    release: str
    old: str
    new: str  # or GONE
    source: str  # path:line


def order(release: str) -> tuple[int, ...]:
    """The sort key of releases: 2026.11, 2026.11.1, 2026.12.dev0, 2026.12. Raises ValueError for anything else."""
    found = _RELEASE.fullmatch(release)
    if not found:
        raise ValueError(f"{release!r} is not a release of the suites, such as 2026.11")
    return (*(int(number or 0) for number in found.groups()[:3]), not found[4])


def coming_release() -> str:
    """The release that this state of the suites is, or will be."""
    return re.sub(r"\.dev\d+$", "", VERSION)


def parse_renames(text: str, path: Path) -> tuple[Rename, ...]:
    """Read the list. Raises UsageError with path and line."""
    renames = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        words = line.split()
        names = len(words) == 3 and ID_PATTERN.fullmatch(words[1]) and (words[2] == GONE or ID_PATTERN.fullmatch(words[2]))
        if not names or not _RELEASE.fullmatch(words[0]):
            raise UsageError(
                f"{path}:{number}: write RELEASE OLD NEW, as `2026.12 s/area/old s/area/new`; - for NEW: it is gone"
            )
        renames.append(Rename(words[0], words[1], words[2], f"{path}:{number}"))
    return tuple(renames)


@cache
def load_renames(path: Path = ROOT / "suites" / NAME) -> tuple[Rename, ...]:
    """The list of the project's own suites, or another one; none if there is no file. Raises UsageError."""
    try:
        return parse_renames(read_text(path), path)
    except FileNotFoundError:
        return ()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read: {error}; fix the file or its permissions") from error


def names_since(release: str, renames: Iterable[Rename]) -> dict[str, str]:
    """Today's name, or GONE, of every case whose name in that release is no longer valid; "": in any release."""
    since = order(release) if release else ()
    today: dict[str, str] = {}
    for rename in sorted((r for r in renames if order(r.release) > since), key=lambda r: order(r.release)):
        for old, new in today.items():
            if new == rename.old:
                today[old] = rename.new
        today[rename.old] = rename.new
    return today
