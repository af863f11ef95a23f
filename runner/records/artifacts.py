"""Results directories as they are kept: in folders, merged, in archives; each run with its key."""

from __future__ import annotations

import contextlib
import hashlib
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from runner.model import UsageError
from runner.records import journal

PARTS = "parts"  # of a merged results directory: the journals of the runs that it joins


def run_key(folder: Path) -> str:
    """Identifies a run, wherever its directory is: a hash of the header and of the first result.

    No two runs share the times of a result.
    """
    hasher = hashlib.sha256()
    with (folder / journal.NAME).open("rb") as file:
        for line in file:
            if line.startswith((b'{"event":"header"', b'{"event":"result"')):
                hasher.update(line)
            if line.startswith(b'{"event":"result"'):
                break
    return hasher.hexdigest()[:16]


def find_runs(place: Path) -> list[Path]:
    """The results directories at or below a folder; a merged one counts as those that it was made of."""
    if (place / PARTS).is_dir():
        return [p.parent for p in sorted((place / PARTS).rglob(journal.NAME))]
    if (place / journal.NAME).exists():
        return [place]
    return [run for folder in sorted(p for p in place.iterdir() if p.is_dir()) for run in find_runs(folder)]


@contextlib.contextmanager
def opened_artifacts(place: Path) -> Iterator[list[Path]]:
    """The results directories of a folder, or of an archive of artifacts as GitLab serves it (.zip).

    Raises UsageError where there is none.
    """
    with tempfile.TemporaryDirectory(prefix="runner-") as scratch:
        folder = place
        try:
            if place.is_file():
                folder = Path(scratch)
                with zipfile.ZipFile(place) as archive:
                    journals = [n for n in archive.namelist() if n.endswith(".jsonl")]  # and the statistics of kernels
                    archive.extractall(folder, journals)
            runs = find_runs(folder) if folder.is_dir() else []
        except (OSError, ValueError, EOFError, RuntimeError, zlib.error, zipfile.BadZipFile) as error:
            raise UsageError(f"{place}: cannot be read: {error}") from error
        if not runs:
            raise UsageError(f"{place}: no {journal.NAME} in it; give results directories or a job's artifacts")
        yield runs
