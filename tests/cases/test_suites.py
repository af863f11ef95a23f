"""The suites themselves are tested: a device that errs in one small way must turn their cases red.

Each mutant acts at the seam between the suites and OpenCL, on the real device. Cases that an expectation
lists are left out: they are red already, or would end this process.
"""

import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from mutation import SUITES, Function, of, passing, patched

from runner import check
from runner.importing import import_suite_module
from runner.model import Case, DeviceReport

Wrapper = Callable[[Callable[..., Any]], Callable[..., Any]]
_NIGHTLY = pytest.mark.nightly("all cases take as long as the suite; a change sees an eightieth of them")
_PARTS = 80
_OPEN_IN_THE_MIDDLE = (  # their middle may hold anything
    "kernels/layout/write.plain4",  # padding
    *(f"kernels/math/returns/native_{name}.float" for name in ("log", "log10", "log2", "powr", "rsqrt", "sqrt")),  # of -6e-8
)
NUMBERS = [0, *(pytest.param(number, marks=_NIGHTLY) for number in range(1, _PARTS))]


def cases_of(suite: str, device_report: DeviceReport) -> list[Case]:
    """The suite's premerge cases that this device passes."""
    return [case for case in passing(f"{suite}/*", device_report) if case.tier == "premerge"]


def part_of(cases: list[Case], number: int) -> list[Case]:
    """One of the parts, by names only, so that a new case moves no other case to another part."""
    return [case for case in cases if zlib.crc32(case.id.encode()) % _PARTS == number]


def verdicts(suite: str, device: Any, cases: list[Case]) -> dict[str, str]:
    """Each case's result: "" if it passes, else why not."""
    run = import_suite_module(SUITES / suite, "run").run
    messages = {}
    for case in cases:
        device.begin(case, 0)
        before = check.comparison_count()
        try:
            run(device, case)
            messages[case.id] = "" if check.comparison_count() > before else "tested nothing"
        except Exception as error:
            messages[case.id] = f"{type(error).__name__}: {error}"
    return messages


def one_wrong_element(note: Callable[[], None]) -> Wrapper:
    """Invert every other bit of the middle element of whatever is copied to the host, and note it.

    Not every bit: two answers that are both right can be each other's inverse, as -0 and NaN, INT_MIN and INT_MAX.
    """

    def copy(inner: Function, self: Any, target: Any, source: Any, **where: Any) -> None:
        inner(self, target, source, **where)
        if isinstance(target, np.ndarray) and target.size:
            note()
            flat = target.reshape(-1)
            middle = flat[target.size // 2 : target.size // 2 + 1]
            middle[...] = (middle.view(np.uint8) ^ 0x55).view(flat.dtype)

    return of(copy)


def other_element(note: Callable[[], None]) -> Wrapper:
    """tinygrad's read-back with eight bytes of the middle inverted, and noted."""

    def copyout(inner: Function, self: Any, target: memoryview, source: Any) -> None:
        inner(self, target, source)
        if target.nbytes:
            note()
            flat = np.frombuffer(target.cast("B"), np.uint8)
            middle = len(flat) // 16 * 8
            flat[middle : middle + 8] = np.invert(flat[middle : middle + 8])

    return of(copyout)


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize(
    ("suite", "name", "fault"),
    [
        ("kernels", "runner.device.Device.copy", one_wrong_element),
        ("tinygrad", "tinygrad.runtime.ops_cl.CLAllocator._copyout", other_element),
    ],
)
def test_one_wrong_element_turns_whatever_reads_one_red(
    opened: tuple[Any, DeviceReport], suite: str, name: str, fault: Callable[..., Wrapper], number: int
) -> None:
    device, device_report = opened
    cases = part_of(cases_of(suite, device_report), number)
    before = verdicts(suite, device, cases)
    assert [text for text in before.values() if text and not text.startswith("Unsupported: ")] == []
    reached: set[str] = set()
    with patched(name, fault(lambda: reached.add(device.case_id))):
        after = verdicts(suite, device, cases)
    assert len(reached) >= len(cases) // 8
    assert [i for i in reached if not after[i] and i not in _OPEN_IN_THE_MIDDLE] == []


def _same(value: Any) -> Callable[..., Any]:
    return lambda _: lambda *_, **__: value


def test_an_op_that_launches_nothing_tests_nothing(opened: tuple[Any, DeviceReport]) -> None:
    device, device_report = opened
    device.tinygrad()  # opened before it is patched
    cases = [c for c in cases_of("tinygrad", device_report) if c.id.startswith("tinygrad/binary/")][::4]
    with patched("tinygrad.runtime.ops_cl.CLProgram.__call__", _same(None)):
        assert [i for i, text in verdicts("tinygrad", device, cases).items() if not text] == []
