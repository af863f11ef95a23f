"""Results directories as they are kept: in folders, merged, in archives; each run with its key."""

import contextlib
import hashlib
import json
import shutil
import tempfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from runner.model import UsageError
from runner.records import journal
from runner.records.configurations import journal_of, runs_in
from runner.shapes import MALFORMED

# An archive may be a stranger's. The limits allow what the runner writes if everything fails: a file of evidence
# for each of 60,000 cases, and a journal of one message in all of them, which shrinks to a thousandth.
_MAX_FILES, _MAX_BYTES, _MAX_LEVELS = 200_000, 4 << 30, 16
_FREE_PART = 0.5  # of the disk: the part of the free space that an archive may take
PARTS = "parts"  # of a merged results directory: the journals of the runs that it joins


def run_key(folder: Path) -> str:
    """Identifies a run, wherever its directory is: a hash of the header and of the first result, in the runner's own form
    even if another program has rewritten them.

    No two runs share the times of a result. Raises UsageError, naming the line, if it is not a journal.
    """
    hasher = hashlib.sha256()
    path, name = journal_of(folder)
    if not path.is_file():  # a pipe or a device has no end
        raise UsageError(f"{path} is not a regular file; give the results directory of a run")
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                data = json.loads(line)
                event = data["event"] if data.get("configuration", "") == name else ""
            except MALFORMED as error:
                if not line.endswith(b"\n"):
                    break  # torn
                raise UsageError(f"{path}:{number}: damaged ({error!r})") from error
            if event in ("header", "result"):
                hasher.update(json.dumps(data, separators=(",", ":")).encode() + b"\n")
            if event == "result":
                break
    return hasher.hexdigest()[:16]


def find_runs(place: Path, seen: set[Path] | None = None) -> list[Path]:
    """The results directories at or below a folder; a merged one counts as those that it was made from, and one of several
    configurations as theirs.

    No folder is looked through twice, whatever links lead to it: those `seen` are left out. A link is followed to a results
    directory only, not through a disk.
    """
    seen = set() if seen is None else seen
    if (whole := place.resolve()) in seen:
        return []
    seen.add(whole)
    path, name = journal_of(place)  # of a configuration's folder, the one beside it
    if (parts := path.parent / PARTS).is_dir():
        runs = [run for p in sorted(parts.rglob(journal.NAME)) for run in runs_in(p.parent)]
        return [run for run in runs if name in ("", run.name)]
    if path.exists():
        return [place] if name else runs_in(place)
    folders = sorted(p for p in place.iterdir() if p.is_dir() and (not p.is_symlink() or _holds_run(p)))
    return [run for folder in folders for run in find_runs(folder, seen)]


def _holds_run(folder: Path) -> bool:
    return (folder / PARTS).is_dir() or (folder / journal.NAME).exists()


@contextlib.contextmanager
def opened_artifacts(place: Path) -> Iterator[list[Path]]:
    """The results directories of a folder, or of an archive of artifacts as GitLab serves it (.zip).

    Raises UsageError if there is none.
    """
    with tempfile.TemporaryDirectory(prefix="runner-") as scratch:
        folder = place
        try:
            if place.is_file():
                folder = Path(scratch)
                with zipfile.ZipFile(place) as archive:
                    journals = [i for i in archive.infolist() if i.filename.endswith(".jsonl")]  # and kernels' statistics
                    _check_sizes(place, journals, shutil.disk_usage(folder).free)
                    archive.extractall(folder, journals)
            runs = find_runs(folder) if folder.is_dir() else []
        except (OSError, ValueError, EOFError, RuntimeError, RecursionError, zlib.error, zipfile.BadZipFile) as error:
            raise UsageError(f"{place}: cannot be read: {error}") from error
        if not runs:
            raise UsageError(f"{place}: no {journal.NAME} in it; give results directories or a job's artifacts")
        yield runs


def _check_sizes(place: Path, files: Sequence[zipfile.ZipInfo], free_bytes: int) -> None:
    """Refuse an archive that would fill the disk, or lose a file, before unpacking any of it. No file is larger
    than it says.
    """
    total = sum(file.file_size for file in files)
    deep = [f for f in files if f.filename.count("/") >= _MAX_LEVELS]
    packed = [f for f in files if f.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)]
    # As zipfile turns a name into a path. If two files have one name, the second overwrites the first.
    names = Counter(tuple(part for part in f.filename.split("/") if part not in ("", ".", "..")) for f in files)
    twice = ["/".join(name) for name, number in names.items() if number > 1]
    why = ""
    if len(files) > _MAX_FILES:
        why = f"{len(files)} files, more than {_MAX_FILES}"
    elif total > _MAX_BYTES:
        why = f"{total >> 20} MiB unpacked, more than {_MAX_BYTES >> 20}"
    elif total > _FREE_PART * free_bytes:
        why = f"{total >> 20} MiB unpacked, and {free_bytes >> 20} MiB are free on the disk"
    elif deep:
        why = f"{deep[0].filename[:100]!r} lies deeper than {_MAX_LEVELS} folders"
    elif packed:
        why = f"{packed[0].filename[:100]!r} is packed in another way than the two of every zip"
    elif twice:
        why = f"{twice[0][:100]!r} is in it twice"
    if why:
        raise UsageError(f"{place}: {why}: not a job's artifacts; if you trust it, unpack it yourself and give the folder")
