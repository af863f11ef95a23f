"""The catalogue of the suite, family by family."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from runner.model import Case

from .families import FAMILIES


def cases() -> Iterator[Case]:
    """Every case of the suite."""
    for family in FAMILIES:
        yield from import_module(f".{family}.cases", __package__).cases()
