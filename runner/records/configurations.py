"""The configurations of a journal, and the folder that stands for each; runner/records/journal.py has the lines."""

import contextlib
import json
import re
from pathlib import Path

from runner.shapes import MALFORMED

JOURNAL = "journal.jsonl"
_CONFIGURATION = re.compile(r"[A-Za-z0-9][\w.+-]*", re.ASCII)


def configurations_in(folder: Path, *, left_out: bool = False) -> list[str]:
    """The configurations of a run of several, except those that were left out; [] for any other journal."""
    names: list[str] = []
    if not (folder / JOURNAL).is_file():  # a pipe has no end
        return names
    with contextlib.suppress(OSError, *MALFORMED), (folder / JOURNAL).open("rb") as file:  # `read` says what is damaged
        names = [check_configuration(name) for name in json.loads(file.readline()).get("configurations", [])]
        lines = [json.loads(line) for line in file if names and not left_out and b'"left_out"' in line]
        gone = [data["configuration"] for data in lines if data["event"] == "left_out"]
        return [name for name in names if name not in gone]
    return names


def check_configuration(name: object) -> str:
    """A name that can be a folder's. Raises ValueError for any other."""
    if not isinstance(name, str) or not _CONFIGURATION.fullmatch(name):
        raise ValueError(f"{name!r} is not a name of a configuration")
    return name


def runs_in(folder: Path) -> list[Path]:
    """The folders that stand for the runs of a results directory: those of its configurations, or itself."""
    return [folder / name for name in configurations_in(folder)] or [folder]


def journal_of(folder: Path) -> tuple[Path, str]:
    """The journal that describes a folder's run, and the configuration whose lines of it count; "" if it has no names."""
    if not (folder / JOURNAL).exists() and folder.name in configurations_in(folder.parent):
        return folder.parent / JOURNAL, folder.name
    return folder / JOURNAL, ""


def id_in(configuration: str, test_id: str) -> str:
    """A case's name beside reports of other configurations, as deqp-runner prefixes it; "" for a run of one."""
    return f"{configuration}/{test_id}" if configuration else test_id


def folder_of(place: Path, configuration: str) -> Path:
    """Where logs and evidence of a configuration lie, "" for a run of one; `place` is its own folder, or the run's."""
    return place if journal_of(place)[1] else place / configuration
