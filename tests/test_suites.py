"""The suites themselves are tested: a device that errs in one small way must turn their cases red.

Each mutant acts at the seam between the suites and OpenCL, on the real device. Cases that an expectation
lists are left out: they are red already, or would end this process.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from mutation import SUITES, passing, patched

from runner import check
from runner.importing import import_suite_module
from runner.model import Case, DeviceReport

_NIGHTLY = pytest.mark.nightly("all cases take as long as the suite; a change sees every eightieth")
_PARTS = 80
FIRSTS = [0, *(pytest.param(first, marks=_NIGHTLY) for first in range(1, _PARTS))]


def cases_of(suite: str, report: DeviceReport) -> list[Case]:
    """The suite's premerge cases that this device passes."""
    return [case for case in passing(f"{suite}/*", report) if case.tier == "premerge"]


def verdicts(suite: str, device: Any, cases: list[Case]) -> dict[str, str]:
    """What each case says: "" where it passes, else why not."""
    run = import_suite_module(SUITES / suite, "run").run
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


def one_wrong_element(inner: Callable[..., Any]) -> Callable[..., Any]:
    """Invert the bits of the middle element of whatever is copied to the host."""

    def copy(self: Any, target: Any, source: Any, **where: Any) -> None:
        inner(self, target, source, **where)
        if isinstance(target, np.ndarray) and target.size:
            flat = target.reshape(-1)
            middle = flat[target.size // 2 : target.size // 2 + 1]
            middle[...] = np.invert(middle.view(np.uint8)).view(flat.dtype)

    return copy


def other_element(inner: Callable[..., Any]) -> Callable[..., Any]:
    """tinygrad's read-back with eight bytes of the middle inverted."""

    def copyout(self: Any, target: memoryview, source: Any) -> None:
        inner(self, target, source)
        flat = np.frombuffer(target.cast("B"), np.uint8)
        middle = len(flat) // 16 * 8
        flat[middle : middle + 8] = np.invert(flat[middle : middle + 8])

    return copyout


@pytest.mark.parametrize("first", FIRSTS)
def test_one_wrong_element_turns_whatever_reads_one_red(opened: tuple[Any, DeviceReport], first: int) -> None:
    device, report = opened
    cases = cases_of("kernels", report)[first::_PARTS]
    assert {i: t for i, t in verdicts("kernels", device, cases).items() if t} == {}
    reached: set[str] = set()

    def erring(inner: Callable[..., Any]) -> Callable[..., Any]:
        wrong = one_wrong_element(inner)

        def copy(self: Any, target: Any, source: Any, **where: Any) -> None:
            wrong(self, target, source, **where)
            if isinstance(target, np.ndarray):
                reached.add(device.case_id)

        return copy

    with patched("runner.device.Device.copy", erring):
        said = verdicts("kernels", device, cases)
    assert len(reached) > 25
    assert [i for i in reached if not said[i]] == []


def _same(value: Any) -> Callable[..., Any]:
    return lambda _: lambda *_, **__: value


@pytest.mark.parametrize("first", FIRSTS)
def test_one_wrong_element_turns_every_op_red(opened: tuple[Any, DeviceReport], first: int) -> None:
    device, report = opened
    cases = cases_of("tinygrad", report)[first::_PARTS]
    assert {i: t for i, t in verdicts("tinygrad", device, cases).items() if t} == {}
    with patched("tinygrad.runtime.ops_cl.CLAllocator._copyout", other_element):
        assert [i for i, text in verdicts("tinygrad", device, cases).items() if not text] == []


def test_an_op_that_launches_nothing_tests_nothing(opened: tuple[Any, DeviceReport]) -> None:
    device, report = opened
    device.tinygrad()  # opened before it is patched
    cases = [c for c in cases_of("tinygrad", report) if c.id.startswith("tinygrad/binary/")][::4]
    with patched("tinygrad.runtime.ops_cl.CLProgram.__call__", _same(None)):
        assert [i for i, text in verdicts("tinygrad", device, cases).items() if not text] == []
