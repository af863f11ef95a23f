"""What `runner repro` writes: the texts of the programs, in which $NAME stands for what one case brings."""

from __future__ import annotations

import os
from importlib import resources
from string import Template

# What decides which device a program meets; it sets them where they are not set.
_VARIABLES = ("RUSTICL_ENABLE", "RUSTICL_FEATURES", "RUSTICL_DEVICE_TYPE", "RUSTICL_CL_VERSION", "RUSTICL_MAX_WORK_GROUPS")


def fill_program(name: str, **values: object) -> str:
    """The text of NAME.py.in with its values."""
    own = {name: os.environ[name] for name in _VARIABLES if name in os.environ}
    values["environment"] = "".join(f"os.environ.setdefault({name!r}, {value!r})\n" for name, value in own.items())
    return Template((resources.files(__name__) / f"{name}.py.in").read_text(encoding="utf-8")).substitute(values)
