"""`runner list`: the ids of all suites."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from runner import catalogue
from runner.model import Tier


def list_ids(suites: Path, include: Sequence[str], exclude: Sequence[str]) -> int:
    """Print the ids of every tier that the globs leave, one a line."""
    chosen = catalogue.select(catalogue.load(suites), include, exclude, Tier.NIGHTLY)
    print("\n".join(chosen))
    return 0
