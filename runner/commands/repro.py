"""`runner repro ID DIR`: one case as a stand-alone program."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from runner.commands.run_case import run_case
from runner.model import RunConfig, UsageError


def repro(config: RunConfig, test_id: str) -> int:
    """Run one case and write what it did into the folder `config.repro`; returns 0 once it is written."""
    folder = Path(config.repro)
    if folder.exists():
        raise UsageError(f"{folder}: exists; give a new folder")
    run_case(replace(config, repro=str(folder.resolve()), retries=0), test_id)
    if not (folder / "repro.py").is_file():
        print(f"{folder}: nothing was written: the case ended before it reached the device")
        return 1
    print(f"{folder}: run repro.py there, in the environment above")
    return 0
