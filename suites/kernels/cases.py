"""The catalogue of the suite, area by area."""

from collections.abc import Iterator
from importlib import import_module

from runner.model import Case

from .areas import AREAS


def cases() -> Iterator[Case]:
    """Every case of the suite."""
    for area in AREAS:
        yield from import_module(f".{area}.cases", __package__).cases()
