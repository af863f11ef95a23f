"""Changed files as a git patch, on the disk, or as a commit."""

import argparse
import contextlib
import difflib
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from runner.expectations.folder import stamp
from runner.lines import read_given
from runner.model import UsageError


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file before and after; before None: it is new."""

    before: str | None
    after: str


def change_of(path: Path, after: str) -> FileChange:
    """A file as it is, and as it will be with today's ids."""
    return FileChange(read_given(path) if path.exists() else None, stamp(after))


def format_patch(changes: Mapping[Path, FileChange]) -> str:
    """A patch that `git apply` takes in the root of the work tree that the files lie in."""
    return "".join(_file_patch(path, changes[path]) for path in sorted(changes))


def write(changes: Mapping[Path, FileChange]) -> None:
    """Put all files on the disk: none of them if one cannot be written. Raises UsageError."""
    parts = {path: path.with_name(f".{path.name}.part") for path in changes}
    try:
        for path, part in parts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            part.write_text(changes[path].after, encoding="utf-8", newline="")
        for path, part in parts.items():
            part.replace(path)
    except OSError as error:
        for part in parts.values():
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
        raise UsageError(f"{error.filename or path}: {error.strerror}; nothing was changed") from error


def commit(changes: Mapping[Path, FileChange], message: str) -> str:
    """Write the files and commit them, and nothing else; returns git's output. Raises UsageError."""
    root = work_tree(next(iter(changes)))
    names = [str(path.resolve().relative_to(root)) for path in sorted(changes)]
    if dirty := _git(root, "status", "--porcelain", "--", *names):
        raise UsageError(f"{root}: uncommitted changes in\n{dirty.rstrip()}\ncommit or stash them first, or use --patch")
    write(changes)
    try:
        _git(root, "add", "--", *names)
        _git(root, "commit", "--quiet", "--file=-", "--", *names, stdin=message)
    except UsageError as error:
        raise UsageError(f"{error}\nthe files are changed, and not committed") from error
    return _git(root, "log", "-1", "--oneline", "--no-decorate").rstrip()


def work_tree(path: Path) -> Path:
    """The root of the git work tree that a file lies in. Raises UsageError if there is none."""
    for folder in path.resolve().parents:
        if (folder / ".git").exists():
            return folder
    raise UsageError(f"{path}: in no git work tree; leave out --commit")


def _git(root: Path, *words: str, stdin: str = "") -> str:
    try:
        done = subprocess.run(["git", "-C", str(root), *words], input=stdin, capture_output=True, text=True)
    except FileNotFoundError:
        raise UsageError("there is no git here; use --patch, and `git apply` it if there is") from None
    if done.returncode:
        raise UsageError(f"git {words[0]}: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def _file_patch(path: Path, change: FileChange) -> str:
    try:
        name = path.resolve().relative_to(work_tree(path)).as_posix()
    except UsageError:
        name = path.as_posix().lstrip("/")
    old, new = (_lines(text) for text in (change.before or "", change.after))
    head = [f"diff --git a/{name} b/{name}\n"]
    if change.before is None:
        head.append("new file mode 100644\n")
    before = "/dev/null" if change.before is None else f"a/{name}"
    body = list(difflib.unified_diff(old, new, before, f"b/{name}"))
    return "".join([*head, *(_terminated(body))]) if body else ""


def _lines(text: str) -> list[str]:
    """As git counts lines: only at a newline."""
    return [*(f"{line}\n" for line in text.split("\n")[:-1]), *filter(None, [text.split("\n")[-1]])]


def _terminated(lines: list[str]) -> Iterator[str]:
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def add_output(parser: argparse.ArgumentParser) -> None:
    """How the changes are kept: written, unless one of these is given."""
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--patch", dest="output", action="store_const", const="patch", help="print a git patch; write nothing")
    how.add_argument("--commit", dest="output", action="store_const", const="commit", help="commit, with the evidence")
