"""A program's home folder: below the run's cache, one a child, so that no program finds what another one left."""

from __future__ import annotations

import os
from pathlib import Path


def open_home(program: str) -> tuple[Path, dict[str, str]]:
    """An empty folder to work in, and the variables of a home beside it. Two children never share them."""
    folder = Path(os.environ["XDG_CACHE_HOME"], f"{program}-{os.getpid()}")
    (folder / "work").mkdir(parents=True, exist_ok=True)
    names = ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")
    return folder / "work", {name: str(folder) for name in names}
