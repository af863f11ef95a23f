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


def lost_launch(inner: Callable[..., Any]) -> Callable[..., Any]:
    """Enqueue nothing."""

    def launch(self: Any, *args: Any, **kwargs: Any) -> Any:
        import pyopencl as cl

        return cl.enqueue_marker(self.queue)

    return launch


def other_element(inner: Callable[..., Any]) -> Callable[..., Any]:
    """tinygrad's read-back with eight bytes of the middle inverted."""

    def copyout(self: Any, target: memoryview, source: Any) -> None:
        inner(self, target, source)
        flat = np.frombuffer(target.cast("B"), np.uint8)
        middle = len(flat) // 16 * 8
        flat[middle : middle + 8] = np.invert(flat[middle : middle + 8])

    return copyout


def without_wait_list(inner: Callable[..., Any]) -> Callable[..., Any]:
    """Do not wait for the events of a command's wait list."""

    def enqueue(*args: Any, **kwargs: Any) -> Any:
        kwargs.pop("wait_for", None)
        return inner(*(a for a in args if not isinstance(a, list)), **kwargs)

    return enqueue


def test_every_case_of_kernels_passes_where_nothing_errs(opened: tuple[Any, DeviceReport]) -> None:
    device, report = opened
    assert {i: t for i, t in verdicts("kernels", device, cases_of("kernels", report)).items() if t} == {}


_NO_READ = ("kernels/api/", "kernels/printf/", "kernels/program/refuse", "kernels/program/kernel_info",
            "kernels/memory/host_pointer", "kernels/event/marker", "kernels/event/callback",
            "kernels/event/profiling")  # fmt: skip


def test_one_wrong_element_turns_every_kernel_case_red(opened: tuple[Any, DeviceReport]) -> None:
    device, report = opened
    cases = [c for c in cases_of("kernels", report) if not c.id.startswith(_NO_READ)]
    assert len(cases) > 250
    with patched("runner.device.Device.copy", one_wrong_element):
        assert [i for i, text in verdicts("kernels", device, cases).items() if not text] == []


def _same(value: Any) -> Callable[..., Any]:
    return lambda inner: lambda *args, **kwargs: value


@pytest.mark.parametrize(
    ("prefixes", "place", "wrap"),
    [
        (("printf/", "memory/host_pointer"), "runner.device.Device.launch", lost_launch),
        (("api/",), "suites.kernels.opencl.name_of", _same("CL_SUCCESS_OR_NOT")),
        (("program/refuse",), "suites.kernels.program.run.refusal", _same("CL_SUCCESS")),
        (("event/marker", "event/callback"), "pyopencl.enqueue_marker", without_wait_list),
        (("event/commands", "event/error"), "pyopencl.enqueue_fill_buffer", without_wait_list),
        (
            ("program/kernel_info",),
            "pyopencl.Kernel.get_arg_info",
            lambda inner: lambda self, index, what: inner(self, 0, what),
        ),
        (
            ("event/profiling",),
            "pyopencl._monkeypatch.ProfilingInfoGetter.__getattr__",
            lambda inner: lambda self, name: inner(self, "end" if name == "queued" else name),
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_device_that_errs_elsewhere_turns_these_red(
    opened: tuple[Any, DeviceReport], prefixes: tuple[str, ...], place: str, wrap: Callable[..., Any]
) -> None:
    device, report = opened
    cases = [
        c for c in cases_of("kernels", report) if c.id.startswith(tuple(f"kernels/{p}" for p in prefixes))
    ]
    assert cases
    with patched(place, wrap):
        assert [i for i, text in verdicts("kernels", device, cases).items() if not text] == []


def test_one_wrong_element_turns_every_op_red(opened: tuple[Any, DeviceReport]) -> None:
    """Every fifth case; all of them take as long as the suite."""
    device, report = opened
    cases = cases_of("tinygrad", report)[::5]
    assert {i: t for i, t in verdicts("tinygrad", device, cases).items() if t} == {}
    with patched("tinygrad.runtime.ops_cl.CLAllocator._copyout", other_element):
        assert [i for i, text in verdicts("tinygrad", device, cases).items() if not text] == []


def test_an_op_that_launches_nothing_tests_nothing(opened: tuple[Any, DeviceReport]) -> None:
    device, report = opened
    cases = [c for c in cases_of("tinygrad", report) if c.id.startswith("tinygrad/binary/")][::4]
    with patched("tinygrad.runtime.ops_cl.CLProgram.__call__", _same(None)):
        assert [i for i, text in verdicts("tinygrad", device, cases).items() if not text] == []
