"""The files of an expectations folder, with today's ids.

`# Suite: 2026.11` in the head of a file says which release's ids it has; those renamed since are read by their new names.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from runner import VERSION
from runner.cases.renames import GONE, Rename, load_renames, names_since
from runner.expectations.files import SUITE_PATTERN, format_entry, parse_file
from runner.ids import glob_pattern, is_glob
from runner.model import Expectation, FileKind, UsageError
from runner.run_config import folders_in
from runner.shapes import read_text

_SUITE = re.compile(rf"^{SUITE_PATTERN.pattern}$", re.MULTILINE)
SUITE_LINE = f"# Suite: {VERSION}"


def read_files(places: Path, driver: str) -> dict[Path, str]:
    """The texts of all/ and of the driver's folder, with today's ids; of several folders, those of the first come first.

    Every file is parsed here, also those that will not apply: a bad one stops a run before it begins. Raises UsageError.
    """
    texts = {}
    for folder in folders_in(places):
        if not folder.is_dir():  # the run was made elsewhere
            raise UsageError(f"{folder}: no such folder of expectations; --expectations DIR names another")
        for path in sorted(p for name in ("all", driver) for p in (folder / name).glob("*.txt")):
            try:
                texts[path] = text = migrate(read_text(path), path)
                if (kind := path.stem.rsplit("-", 1)[-1]) in list(FileKind):
                    parse_file(text, FileKind(kind), str(path))
            except (OSError, UnicodeDecodeError) as error:
                raise UsageError(f"{path}: cannot be read: {error}; fix the file or its permissions") from error
    return texts


def stated_release(text: str) -> str:
    """The release of its head's Suite line, "" without one."""
    stated = _SUITE.search(text)
    return stated[1].strip() if stated else ""


def migrate(text: str, path: Path, renames: Iterable[Rename] | None = None) -> str:
    """The text with today's ids, each entry in its line; the cases that a glob has lost come last.

    Without a Suite line all renames apply. Raises UsageError for one that names no release.
    """
    stated, release = _SUITE.search(text), stated_release(text)
    try:
        today = names_since(release, load_renames() if renames is None else renames)
    except ValueError as error:
        assert stated
        line = text[: stated.start()].count("\n") + 1
        raise UsageError(f"{path}:{line}: {error}; write the one it was measured with, or delete the line") from error
    kind = path.stem.rsplit("-", 1)[-1]
    if kind not in list(FileKind) or not today:
        return text
    file = parse_file(text, FileKind(kind), str(path))
    today = {old: new for old, new in today.items() if new != GONE}
    there = {entry.pattern for entry in file.entries}
    lines = text.splitlines(keepends=True)
    lost: dict[str, Expectation] = {}  # by new name
    for number, own in enumerate(file.lines):
        if own.entry and today.get(own.entry.pattern, own.entry.pattern) not in there:
            lines[number] = f"{format_entry(replace(own.entry, pattern=today[own.entry.pattern]))}\n"
        elif own.entry and is_glob(own.entry.pattern):
            lost = {**_lost_by(own.entry, today, there), **lost}
    tail = "".join(f"\n# {e.reason} (renamed, from {e.source})\n{format_entry(e)}\n" for e in lost.values())
    return "".join(lines) + tail


def _lost_by(entry: Expectation, today: dict[str, str], there: set[str]) -> dict[str, Expectation]:
    pattern = glob_pattern(entry.pattern)
    moved = [new for old, new in today.items() if pattern.fullmatch(old) and not pattern.fullmatch(new)]
    return {new: replace(entry, pattern=new) for new in moved if new not in there}


def stamp(text: str) -> str:
    """A text, whose ids are today's, with today's release in its Suite line, if it has one."""
    return _SUITE.sub(SUITE_LINE, text, count=1)
