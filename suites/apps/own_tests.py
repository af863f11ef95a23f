"""Tests that projects ship for their own OpenCL code, one in each case, run by pytest in the child."""

import os
import re
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from runner import check
from runner.check import Mismatch, NothingTested, Unsupported
from runner.device import Device
from runner.sources import APPS_VARIABLE

# The place of a project's tests: the package itself, or a folder of sources that the package does not contain.
_IN_PACKAGE = {"silx": "silx/opencl", "pyfai": "pyFAI/opencl"}
_IN_SOURCES = {"pyopencl": "pyopencl/test"}
_DEVICE = re.compile(r"<context factory for <pyopencl\.Device '.*?' on '.*?'>>-?|<pyopencl\.Platform '.*?'>-?")


def shorten(node: str) -> str:
    """A test's name without the device, which is a parameter of each of pyopencl's tests."""
    return _DEVICE.sub("", node).replace("[]", "")


def _file(project: str, path: str) -> Path:
    if project in _IN_SOURCES:
        return Path(os.environ[APPS_VARIABLE], _IN_SOURCES[project], path)
    package, _, rest = _IN_PACKAGE[project].partition("/")
    spec = find_spec(package)
    if not spec or not spec.origin:
        raise NothingTested(f"{package} is not installed")
    return Path(spec.origin).parent / rest / path


def _root(file: Path) -> Path:
    """The outermost folder that is a package, or that of the file: fixtures are searched for up to there."""
    folder = file.parent
    while (folder.parent / "__init__.py").exists():
        folder = folder.parent
    return folder


class Outcome:
    """A plugin of pytest: it selects one test, and keeps its result."""

    def __init__(self, name: str) -> None:
        self._name = name  # the part after the file's
        self.skipped = self.failed = ""
        self.passed = False

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Remove all other tests."""
        items[:] = [item for item in items if shorten(item.nodeid).partition("::")[2] == self._name]

    def pytest_collectreport(self, report: Any) -> None:
        """Keep the report of a file that cannot be imported, or that skips itself."""
        self._note(report)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Keep set-up, test and tear-down, each of which has its own report."""
        self.passed |= report.when == "call" and report.passed
        self._note(report)

    def _note(self, report: Any) -> None:
        if report.skipped:
            self.skipped = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        elif report.failed and not self.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            self.failed = crash.message if crash else str(report.longrepr)


def _provide_image() -> None:
    """Replace the photograph that silx's tests download by an image made here: blobs of many sizes, 512 by 512, 8 bits.

    They ask scipy.datasets.ascent for it.
    """
    import numpy as np

    datasets: Any = import_module("scipy.datasets")
    blur: Any = import_module("scipy.ndimage").gaussian_filter
    rng = np.random.default_rng(1)
    image = sum(width * blur(rng.standard_normal((512, 512)), width, mode="wrap") for width in (1, 3, 8, 20))
    scaled = (image - image.min()) * (255 / np.ptp(image))
    datasets.ascent = lambda: scaled.astype(np.uint8).copy()


def check_one(device: Device, *, project: str, test: str) -> None:
    """The test passes."""
    import pytest

    path, _, name = test.partition("::")
    file, outcome = _file(project, path), Outcome(name)
    if not file.is_file():
        raise NothingTested(f"{file}: no such file; another version than ci/requirements-apps.lock has?")
    if project == "silx":
        _provide_image()
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--import-mode=importlib", f"--confcutdir={_root(file)}"]
    options += ["-p", "no:faulthandler", "--capture=no"]  # both hide the place of a crash
    sys.path.insert(0, str(file.parent))  # if a file of tests imports another one's inputs
    try:
        pytest.main([str(file), *options], plugins=[outcome])
    finally:
        sys.path.remove(str(file.parent))
    judge(outcome)


def judge(outcome: Outcome) -> None:
    """Raise the reason if the test did not pass."""
    if outcome.failed:
        _, built, log = outcome.failed.partition("\nBuild on ")
        lines = [line.strip() for line in log.splitlines()[1:] if line.strip()]
        reason = next((line for line in lines if "error" in line.lower()), lines[0] if lines else "no reason is printed")
        raise Mismatch(f"build: {reason[:200]}" if built else f"value: {' '.join(outcome.failed.split())[:200]}")
    if outcome.skipped:
        raise Unsupported(f"its own test: {outcome.skipped.removeprefix('Skipped: ')}")
    if not outcome.passed:
        raise NothingTested("pytest finds no such test; another version than ci/requirements-apps.lock has?")
    check.true("the test passes", outcome.passed)
