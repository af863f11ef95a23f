"""The folder for data that is made once and kept for later runs and commands, as in ci/cache.sh."""

import os
from pathlib import Path


def cache_folder() -> Path:
    """The project's cache folder; it need not exist."""
    if named := os.environ.get("RUSTICL_RUNNER_CACHE"):
        return Path(named).absolute()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path(os.environ.get("HOME", "/nonexistent"), ".cache"), "rusticl-runner")
