"""The suites that are made of other projects' tests, and where those lie on this machine."""

import os
from pathlib import Path
from typing import Any

# Suites whose cases come from sources that a machine may lack: no frozen list has them.
OPTIONAL = ("upstream", "piglit", "cts")
TINYGRAD_VARIABLE = "RUNNER_TINYGRAD_SRC"  # the checkout of --tinygrad-src, for the suite that is made of it
PIGLIT_VARIABLE = "RUNNER_PIGLIT"  # the installation of --piglit
CTS_VARIABLE = "RUNNER_CTS"  # the build folder of --cts
CTS_FULL_VARIABLE = "RUNNER_CTS_FULL"  # --cts-full
CTS_RESULTS_VARIABLE = "RUNNER_CTS_RESULTS"  # the folder for what the CTS itself writes, in a run's results
APPS_VARIABLE = "RUNNER_APPS"  # the folder of their sources in a root with the programs of the suite apps
STRICT_VARIABLE = "RUNNER_PIGLIT_STRICT"  # --strict
_FOLDERS = {"tinygrad_src": TINYGRAD_VARIABLE, "piglit": PIGLIT_VARIABLE, "cts": CTS_VARIABLE}


def announce(asked: Any) -> None:
    """Have the suites find the sources that a configuration, or a command's arguments, name."""
    for name, variable in _FOLDERS.items():
        if folder := getattr(asked, name, ""):
            os.environ[variable] = str(Path(folder).resolve())
    if getattr(asked, "strict", False):
        os.environ[STRICT_VARIABLE] = "1"
    if getattr(asked, "cts_full", False):
        os.environ[CTS_FULL_VARIABLE] = "1"


def is_any_announced() -> bool:
    """Whether the suites would find some."""
    return any(os.environ.get(variable) for variable in _FOLDERS.values())


def forget() -> None:
    """Have the suites find no sources: results may be looked at on a machine without the sources."""
    for variable in _FOLDERS.values():
        os.environ.pop(variable, None)


def optional_area(pattern: str) -> str:
    """`suite/area` of an id or glob of an optional suite, known only if both are: a program of the CTS may not be built.

    Empty for the other suites.
    """
    suite, _, name = pattern.partition("/")
    return f"{suite}/{name.partition('/')[0]}" if suite in OPTIONAL else ""
