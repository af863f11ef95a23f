"""An earlier run in the results directory of a new one. The command line imports this even if pytest is not installed."""

import contextlib
from pathlib import Path

from runner.lines import tell
from runner.model import UsageError
from runner.records.configurations import runs_in
from runner.records.folder import held
from runner.records.journal import NAME, Record, read


def set_aside(folder: Path) -> None:
    """Rename the results of an earlier run. Before anything else: else a run that ends early would seem to have left them.

    Raises UsageError for a run that goes on, and for a folder that holds no run.
    """
    if folder.is_dir():
        with held(folder):
            put_aside(folder)


def put_aside(folder: Path) -> bool:
    """Rename the results of an earlier run in a folder that the caller holds; False if it is empty.

    Raises UsageError as `set_aside` does.
    """
    if not any(folder.iterdir()):
        return False
    there = (folder / NAME).exists()  # empty, too: of a run that was killed before it began
    old: list[Record] = []
    if there:
        with contextlib.suppress(UsageError):  # damaged: no run can go on with it
            old = [read(run) for run in runs_in(folder)]
    if not there:
        raise UsageError(f"{folder}: not empty, and no results directory; give another --results")
    whole = folder.resolve()
    if Path.cwd().is_relative_to(whole):
        raise UsageError(f"{whole}: holds an earlier run, and is the current folder; give another --results")
    number = 1
    while (target := whole.with_name(f"{whole.name}.{number}")).exists():
        number += 1
    try:
        whole.rename(target)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be renamed: {error.strerror}; give --results DIR elsewhere") from error
    begun = any(record.results or record.deaths for record in old)  # else it found no device: there is nothing to go on with
    if begun and (unfinished := [record for record in old if not record.finished]):
        left = sum(len(record.ids) - len(record.results) for record in unfinished)
        own = target if folder.is_symlink() else folder.with_name(target.name)
        tell(
            f"{folder} held an unfinished run, {left} cases to go: it is {own} now, and goes on by --resume --results {own}"
        )
    return True
