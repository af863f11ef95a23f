"""What `runner repro` writes: the texts of the programs, in which $NAME stands for what one case brings."""

from __future__ import annotations

from importlib import resources
from string import Template


def fill_program(name: str, **values: object) -> str:
    """The text of NAME.py.in with its values."""
    return Template((resources.files(__name__) / f"{name}.py.in").read_text(encoding="utf-8")).substitute(values)
