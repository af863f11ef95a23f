"""The suites themselves are tested: a device that errs in one small way must turn their cases red.

Each mutant acts at the seam between the suites and OpenCL, on the real device. Cases that an expectation
lists are left out: they are red already, or would end this process.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from runner import catalogue, check
from runner.drivers import load_drivers
from runner.expectations import Expectations, Target, read_files
from runner.importing import import_suite_module
from runner.launcher import child_environment
from runner.model import Case, DeviceReport, RunConfig

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def opened(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, DeviceReport]:
    """llvmpipe, opened as a child opens it."""
    driver = load_drivers()["llvmpipe"]
    os.environ.update(child_environment(RunConfig("llvmpipe"), driver, tmp_path_factory.mktemp("cache")))
    from runner.probe import open_device

    device, report = open_device(None)
    return device, DeviceReport.from_json(report)


def cases_of(suite: str, report: DeviceReport) -> list[Case]:
    """The suite's premerge cases that this device passes."""
    _, cases = catalogue.load_suite(ROOT / "suites" / suite)
    known = Expectations(Target.of("llvmpipe", "", report), read_files(ROOT / "expectations", "llvmpipe"))
    able = {*report.features, *report.extensions}
    return [c for c in cases if c.tier == "premerge" and set(c.requires) <= able and not known.find(c.id)]


def verdicts(suite: str, device: Any, cases: list[Case]) -> dict[str, str]:
    """What each case says: "" where it passes, else why not."""
    run = import_suite_module(ROOT / "suites" / suite, "run").run
    said = {}
    for case in cases:
        device.begin(case.id, 0)
        before = check.looked()
        try:
            run(device, case)
            said[case.id] = "" if check.looked() > before else "tested nothing"
        except Exception as error:
            said[case.id] = f"{type(error).__name__}: {error}"
    return said


@contextmanager
def patched(
    owner: Any, name: str, wrap: Callable[[Callable[..., Any]], Callable[..., Any]]
) -> Iterator[None]:
    inner = getattr(owner, name)
    setattr(owner, name, wrap(inner))
    try:
        yield
    finally:
        setattr(owner, name, inner)


def one_wrong_element(inner: Callable[..., Any]) -> Callable[..., Any]:
    """Invert the bits of the middle element of whatever is copied to the host."""

    def copy(self: Any, target: Any, source: Any, **where: Any) -> None:
        inner(self, target, source, **where)
        if isinstance(target, np.ndarray) and target.size:
            flat = target.reshape(-1)
            middle = flat[target.size // 2 : target.size // 2 + 1]
            middle[...] = np.invert(middle.view(np.uint8)).view(flat.dtype)

    return copy


def lost_launch(inner: Callable[..., Any]) -> Callable[..., Any]:
    """Enqueue nothing."""

    def launch(self: Any, *args: Any, **kwargs: Any) -> Any:
        import pyopencl as cl

        return cl.enqueue_marker(self.queue)

    return launch


def test_x(opened: tuple[Any, DeviceReport]) -> None:
    device, report = opened
    from runner.device import Device

    cases = cases_of("kernels", report)
    base = verdicts("kernels", device, cases)
    print({i: t for i, t in base.items() if t})
    with patched(Device, "copy", one_wrong_element):
        a = verdicts("kernels", device, cases)
    with patched(Device, "launch", lost_launch):
        b = verdicts("kernels", device, cases)
    print("copy survivors", [i for i, t in a.items() if not t])
    print("launch survivors", [i for i, t in b.items() if not t])
    print("both", [i for i, t in a.items() if not t and not b[i]])
    assert 0
