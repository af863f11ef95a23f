"""The catalogue of the suite: each folder here that holds a `cases.py` is an area."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from runner.model import Case

AREAS = sorted(path.parent.name for path in Path(__file__).parent.glob("*/cases.py"))


def cases() -> Iterator[Case]:
    """Every case of the suite, area by area."""
    for area in AREAS:
        yield from import_module(f".{area}.cases", __package__).cases()
