"""Results directories as they are kept: in folders, merged, in archives; each run with its key."""

from __future__ import annotations

import contextlib
import hashlib
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from runner.model import UsageError
from runner.records import journal

# Of an archive, which may be a stranger's. Journals of 20,000 cases are 20 MiB, and shrink to a twentieth.
_MOST_FILES, _MOST_BYTES, _MOST_LEVELS = 10_000, 1 << 30, 16
_MOST_RATIO, _SMALL_BYTES = 200, 1 << 20  # a small file may shrink to nothing
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


def find_runs(place: Path, seen: set[Path] | None = None) -> list[Path]:
    """The results directories at or below a folder; a merged one counts as those that it was made of.

    No folder is looked through twice, whatever links lead to it: those `seen` are left out.
    """
    seen = set() if seen is None else seen
    if (whole := place.resolve()) in seen:
        return []
    seen.add(whole)
    if (place / PARTS).is_dir():
        return [p.parent for p in sorted((place / PARTS).rglob(journal.NAME))]
    if (place / journal.NAME).exists():
        return [place]
    return [run for folder in sorted(p for p in place.iterdir() if p.is_dir()) for run in find_runs(folder, seen)]


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
                    journals = [i for i in archive.infolist() if i.filename.endswith(".jsonl")]  # and kernels' statistics
                    _check_sizes(place, journals)
                    archive.extractall(folder, journals)
            runs = find_runs(folder) if folder.is_dir() else []
        except (OSError, ValueError, EOFError, RuntimeError, RecursionError, zlib.error, zipfile.BadZipFile) as error:
            raise UsageError(f"{place}: cannot be read: {error}") from error
        if not runs:
            raise UsageError(f"{place}: no {journal.NAME} in it; give results directories or a job's artifacts")
        yield runs


def _check_sizes(place: Path, files: Sequence[zipfile.ZipInfo]) -> None:
    """Refuse an archive that would fill the disk, before anything of it is unpacked. No file brings more than it says."""
    total = sum(file.file_size for file in files)
    swollen = [f for f in files if f.file_size > _SMALL_BYTES and f.file_size > _MOST_RATIO * max(1, f.compress_size)]
    deep = [f for f in files if f.filename.count("/") >= _MOST_LEVELS]
    why = ""
    if len(files) > _MOST_FILES:
        why = f"{len(files)} files, more than {_MOST_FILES}"
    elif total > _MOST_BYTES:
        why = f"{total >> 20} MiB unpacked, more than {_MOST_BYTES >> 20}"
    elif swollen:
        why = f"{swollen[0].filename!r} unpacks to more than {_MOST_RATIO} times its size"
    elif deep:
        why = f"{deep[0].filename[:100]!r} lies deeper than {_MOST_LEVELS} folders"
    if why:
        raise UsageError(
            f"{place}: {why}: not a job's artifacts; where you trust it, unpack it yourself and give the folder"
        )
