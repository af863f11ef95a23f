"""One sub-test of the CTS: a separate process in the child's group, judged by the results file that it writes."""

import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pyopencl as cl

from runner.check import Unsupported
from runner.device import Device
from runner.model import Case
from runner.program import run_program
from runner.sources import CTS_RESULTS_VARIABLE, CTS_VARIABLE

from .installation import TESTS
from .verdict import judge

LOG = ".log"  # the output of a sub-test, beside its results file
_RESULTS = "CL_CONFORMANCE_RESULTS_FILENAME"  # the CTS' own variable


def run(device: Device, case: Case) -> None:
    """Run one case. Raises `check.Mismatch` if the sub-test does not pass."""
    check_subtest(device, **case.params)


def check_subtest(
    device: Device, *, program: str, options: Sequence[str], subtest: str, result: str, mode: Sequence[str], cpu: bool
) -> None:
    """The sub-test passes. `result`: its name in the results file; `mode`: -w or none; `cpu`: it is for CPUs only."""
    path = Path(os.environ[CTS_VARIABLE], TESTS, program)
    if cpu and not device.device.type & cl.device_type.CPU:
        raise Unsupported("cts: its row is only for CPUs")
    with _results_file(device.case_id) as results:
        # Its own runner starts it in its folder too: some sub-tests read files there.
        ended = run_program([str(path), *options, *mode, subtest], path.parent, {_RESULTS: str(results)})
        results.with_suffix(LOG).write_text(f"{ended.output}{ended.errors}", encoding="utf-8")
        judge(result, ended, read_results(results))


@contextmanager
def _results_file(test_id: str) -> Iterator[Path]:
    """The file for the program to write: below the results of the run, as an artifact, or a temporary one."""
    if kept := os.environ.get(CTS_RESULTS_VARIABLE):
        path = Path(kept, f"{test_id.removeprefix('cts/')}.json")
        path.parent.mkdir(parents=True, exist_ok=True)
        for earlier in (path, path.with_suffix(LOG)):  # of an earlier attempt
            earlier.unlink(missing_ok=True)
        yield path
    else:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder, "results.json")


def read_results(path: Path) -> dict[str, str]:
    """pass, fail or skip of each sub-test in a results file. test_non_uniform_work_group runs all of its own each time."""
    try:
        return {str(name): str(result) for name, result in json.loads(path.read_text(encoding="utf-8"))["results"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
