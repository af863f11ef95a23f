"""Where what is made once is kept for later runs and commands, as ci/cache.sh has it."""

import os
from pathlib import Path


def cache_folder() -> Path:
    """The project's cache folder; it need not exist."""
    if named := os.environ.get("RUSTICL_RUNNER_CACHE"):
        return Path(named).absolute()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path(os.environ.get("HOME", "/nonexistent"), ".cache"), "rusticl-runner")
