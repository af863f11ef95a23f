"""Every run ends, and says why."""

from __future__ import annotations

import json

import pytest
from conftest import Mock


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_worker_that_dies_near_the_end_of_a_run_does_not_hang_it(mock: Mock, jobs: str) -> None:
    mock.environment = {"MOCK_WORKER": "1"}
    code, output = mock.run("-j", jobs, "-t", "mock/worker/a_kills_once", "-t", "mock/worker/d_*", timeout_s=40)
    assert (code, set(mock.rows().values()), len(mock.rows())) == (0, {"Pass"}, 4), output


def test_a_case_that_kills_its_worker_twice_is_a_crash_and_the_others_run(mock: Mock) -> None:
    mock.environment = {"MOCK_WORKER": "1"}
    code, output = mock.run("-j", "2", "-t", "mock/worker/b_kills", "-t", "mock/worker/d_*", timeout_s=40)
    rows = mock.rows()
    assert (code, rows.pop("mock/worker/b_kills")) == (1, "Crash") and "took the worker down" in output, output
    assert list(rows.values()) == ["Pass"] * 3, output


def test_a_run_from_which_nothing_is_heard_ends_with_all_reports_and_the_stacks_of_its_processes(mock: Mock) -> None:
    mock.environment = {"MOCK_WORKER": "1"}
    words = ("-j", "2", "--timeout-scale", "0.05", "-t", "mock/worker/c_stops", "-t", "mock/worker/d_*")
    code, output = mock.run(*words, timeout_s=90)
    assert code == 3 and "nothing was heard" in output and "mock/worker/c_stops" in output, output
    rows = mock.rows()
    assert "mock/worker/c_stops" not in rows and "Pass" in rows.values(), output
    assert (mock.results / "junit.xml").exists() and (mock.results / "failures.csv").exists()
    log = (mock.results / "logs/watchdog.txt").read_text()
    assert "T (stopped)" in log and "runner.child" in log, log
    assert "_stop_worker" in log and "pytest_plugin" in log, log  # Python's stacks of the child and of the runner
    footer = json.loads((mock.results / "journal.jsonl").read_text().splitlines()[-1])
    assert footer["event"] == "footer" and "nothing was heard" in footer["reason"]
