"""Expectation files for the tests of `runner expect lint`."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.cli import main

_IDS = ("k/math/exp", "k/math/sin", "k/image/copy.a", "k/image/copy.b", "k/image/read")


class Files:
    """A suite of five tests, and expectation files that the test writes."""

    def __init__(self, folder: Path, ids: tuple[str, ...] = _IDS) -> None:
        self.folder = folder
        (folder / "suites/k").mkdir(parents=True)
        (folder / "suites/k/suite.yaml").write_text("suite: k\n")
        (folder / "suites/k/cases.py").write_text(
            f"from runner.model import Case\ndef cases():\n    return [Case(i) for i in {ids!r}]\n"
        )

    def write(self, **texts: str) -> Files:
        """name=text, the dashes and dots of a name written as __ and _d_."""
        for name, text in texts.items():
            real = name.replace("__", "-").replace("_d_", ".")
            path = self.folder / "expectations" / real.split("-")[0] / f"{real}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return self

    def lint(self, *words: str) -> int:
        places = [f"--{name}={self.folder / name}" for name in ("expectations", "suites")]
        return main(["expect", "lint", *places, *words])


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)
