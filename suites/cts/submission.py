"""The content of a conformance submission to Khronos, as far as it is public: the log of the full list, and the form.

Source: "Generating a Conformance Report" in the README of OpenCL-CTS, which does not define the log's format.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from runner.model import DeviceReport, Result, Status, UsageError

from .installation import FULL, TESTS, case_id, programs_of, read_rows

FORM = "submission_details_template.txt"
_FIELD = re.compile(r"^(?!#)([^:\n]+):(.*)$", re.MULTILINE)
_PLACEHOLDER = "Major.Minor"  # the form's text for a version


@dataclass(slots=True)
class Log:
    """The text, and its faults."""

    lines: list[str] = field(default_factory=list)
    red: list[str] = field(default_factory=list)  # ids
    absent: list[str] = field(default_factory=list)  # rows whose program is not built, ids without a result


def make_log(folder: Path, results: Mapping[str, Result], print_of: Callable[[str], str]) -> Log:
    """The output and the verdict of each sub-test, in the rows of the full list. UsageError if there is no such list."""
    log = Log()
    names = programs_of(folder)
    if not (rows := list(read_rows(folder / TESTS / FULL))):
        raise UsageError(f"{folder / TESTS / FULL}: no rows")
    for row in rows:
        log.lines += [f"==== {row.title}: {' '.join((row.program, *row.words))}", ""]
        if row.program not in names:
            log.absent.append(f"{row.title}: {row.program}")
        for options, name in row.select(names.get(row.program, ())):
            test_id = case_id(row.program, options, name)
            log.lines += _subtest(test_id, name, results.get(test_id), print_of, log)
    log.lines.append(f"==== {len(log.red)} failed, {len(log.absent)} not run")
    return log


def _subtest(test_id: str, name: str, result: Result | None, print_of: Callable[[str], str], log: Log) -> Iterator[str]:
    if result is None:
        log.absent.append(test_id)
        return
    last = result.attempts[-1]
    if last.status not in (Status.PASS, Status.SKIP):
        log.red.append(test_id)
    yield f"---- {name}"
    yield from print_of(test_id).splitlines()
    yield f"---- {name}: {last.status.value}{f' ({last.message})' if last.message else ''}, {last.duration_s:.1f} s"
    yield ""


def fill_form(text: str, device_report: DeviceReport) -> tuple[str, list[str]]:
    """The form with the run's facts about the device, and the fields that are left to the submitter."""
    version = re.match(r"OpenCL (\d+\.\d+)", device_report.device_version)
    known = {
        "OpenCL Version": version[1] if version else "",
        "CPU Type": " ".join(filter(None, (device_report.machine, device_report.cpu))),
        "OS Name and Version Number": device_report.kernel,
        "Compute Device Name": device_report.device,
        "Compute Device Version": device_report.device_version,
        "Compute Device Driver Version": device_report.driver_version,
        "Platform Version": device_report.platform_version,
        "Loader used": ", ".join(device_report.loaders),
    }
    left: list[str] = []

    def filled(found: re.Match[str]) -> str:
        name, given = found[1].strip(), found[2].strip().replace(_PLACEHOLDER, "")
        if not (value := given or known.get(name, "").strip()):
            left.append(name)
        return f"{name}: {value}".rstrip()

    return _FIELD.sub(filled, text), left
