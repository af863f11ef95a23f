"""`runner coverage`: what the suites cover, as Markdown."""

from __future__ import annotations

from pathlib import Path

from runner import catalogue
from runner.importing import import_suite_module


def print_coverage(suites: Path) -> int:
    """Print the page of every suite that has one (its `coverage.py`)."""
    known = catalogue.load(suites)
    for suite in known.suites.values():
        if (suite.folder / "coverage.py").is_file():
            cases = [c for c in known.cases.values() if known.suite_of(c.id) is suite]
            print(f"## {suite.name}: {suite.description}\n")
            print(import_suite_module(suite.folder, "coverage").page(cases) + "\n")
    return 0
