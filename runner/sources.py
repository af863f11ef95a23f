"""The suites that are made of other projects' tests, and where those lie on this machine."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

OPTIONAL = ("upstream", "piglit")  # suites whose cases come from sources that a machine may lack: no frozen list has them
TINYGRAD_VARIABLE = "RUNNER_TINYGRAD_SRC"  # the checkout of --tinygrad-src, for the suite that is made of it
PIGLIT_VARIABLE = "RUNNER_PIGLIT"  # the installation of --piglit
APPS_VARIABLE = "RUNNER_APPS"  # the folder of their sources in a root with the programs of the suite apps
STRICT_VARIABLE = "RUNNER_PIGLIT_STRICT"  # --strict
_FOLDERS = {"tinygrad_src": TINYGRAD_VARIABLE, "piglit": PIGLIT_VARIABLE}


def announce(asked: Any) -> None:
    """Have the suites find the sources that a configuration, or a command's arguments, name."""
    for name, variable in _FOLDERS.items():
        if folder := getattr(asked, name, ""):
            os.environ[variable] = str(Path(folder).resolve())
    if getattr(asked, "strict", False):
        os.environ[STRICT_VARIABLE] = "1"
