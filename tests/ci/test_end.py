"""Every run ends, and says why."""

import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from conftest import MOCK, ROOT, Mock

from runner.cli import main
from runner.output.files import write_text

_ONE_WORKER = pytest.param("1", marks=pytest.mark.nightly("as with two workers"))


@pytest.mark.parametrize("jobs", [_ONE_WORKER, "2"])
def test_a_worker_that_dies_near_the_end_of_a_run_does_not_hang_it(mock: Mock, jobs: str) -> None:
    mock.environment = {"MOCK_WORKER": "1"}
    code, output = mock.run("-j", jobs, "-t", "mock/worker/a_kills_once", "-t", "mock/worker/d_*", timeout_s=120)
    assert (code, set(mock.rows().values()), len(mock.rows())) == (0, {"Pass"}, 4), output


@pytest.mark.parametrize("jobs", [_ONE_WORKER, "2"])
def test_a_case_that_kills_its_worker_twice_is_a_crash_and_the_others_run(mock: Mock, jobs: str) -> None:
    mock.environment = {"MOCK_WORKER": "1"}
    code, output = mock.run("-j", jobs, "-t", "mock/worker/b_kills", "-t", "mock/worker/d_*", timeout_s=120)
    rows = mock.rows()
    assert (code, rows.pop("mock/worker/b_kills")) == (1, "Crash"), output
    assert "took the worker down" in output, output
    assert list(rows.values()) == ["Pass"] * 3, output


_DIES_AS_IT_STARTS = """
import os, sys
from execnet import Group
from runner.cli import main

def start(group, spec, real=Group.makegateway, count=[0]):
    count[0] += 1
    if count[0] in {starts}:
        raise EOFError("expected 1 bytes, got 0")  # as execnet has it
    return real(group, spec)

def makegateway(group, spec): return start(group, spec)
Group.makegateway = makegateway
sys.exit(main(sys.argv[1:]))
"""


_FIRST = pytest.param([1], 0, id="first", marks=pytest.mark.nightly("as its replacement"))


@pytest.mark.parametrize(
    ("starts", "code"), [pytest.param([3], 0, id="replacement"), _FIRST, pytest.param(range(3, 99), 3, id="all")]
)
def test_a_worker_that_dies_as_it_starts_does_not_end_the_run(mock: Mock, starts: Sequence[int], code: int) -> None:
    mock.environment = {"MOCK_WORKER": "1"}
    words = mock.command("-j", "2", "-t", "mock/worker/a_kills_once", "-t", "mock/worker/d_*")
    words[1:3] = ["-c", _DIES_AS_IT_STARTS.replace("{starts}", repr(starts))]
    done = subprocess.run(words, env=mock._environment(), cwd=mock.folder, capture_output=True, text=True, timeout=180)
    assert done.returncode == code, done.stdout + done.stderr
    if code:
        assert "no worker lived long enough" in done.stdout
        assert mock.run("--resume", *words[-6:])[0] == 0
    assert list(mock.rows().values()) == ["Pass"] * 4, done.stdout


def test_a_case_that_was_given_up_after_deaths_in_two_sessions_has_one_result(mock: Mock) -> None:
    mock.environment = {"MOCK_WORKER": "1"}
    words = ("-j", "1", "-t", "mock/worker/a_kills_once", "-t", "mock/worker/d_0")
    assert mock.run(*words)[0] == 0
    journal = mock.results / "journal.jsonl"
    lines = [line for line in journal.read_text().splitlines(keepends=True) if '"result","id":"mock/worker/a_' not in line]
    journal.write_text("".join(lines[:-1]))  # as if the whole run had been killed meanwhile
    (mock.folder / "state/killed").unlink()
    code, output = mock.run(*words, "--resume")
    assert (code, journal.read_text().count('"result","id":"mock/worker/a_')) == (1, 1), output
    assert "stopped:" not in output, output
    assert mock.rows()["mock/worker/a_kills_once"] == "Crash", output


_IN_TURN = pytest.param("c_stops", (1, "Crash"), marks=pytest.mark.nightly("as where it stops once, and once more"))


@pytest.mark.parametrize(("name", "want"), [("c_stops_once", (0, "Pass")), _IN_TURN])
def test_the_cases_of_a_worker_that_is_stopped_go_to_the_other(mock: Mock, name: str, want: tuple[int, str]) -> None:
    mock.environment = {"MOCK_WORKER": "1"}
    words = ("-j", "2", "--timeout-scale", "0.05", "-t", f"mock/worker/{name}", "-t", "mock/worker/d_*")
    code, output = mock.run(*words, timeout_s=180)
    rows = mock.rows()
    assert (code, rows.pop(f"mock/worker/{name}")) == want, output
    assert list(rows.values()) == ["Pass"] * 3, output
    assert "was silent for" in output, output
    log = (mock.results / "logs/watchdog.txt").read_text()
    assert "T (stopped)" in log, log
    assert "runner.child" in log, log
    assert "_stop_worker" in log, log
    assert "pytest_plugin" in log, log


_STOPS_AS_IT_STARTS = """
import sys
from execnet import Group
from runner.cli import main

def makegateway(group, spec, real=Group.makegateway):
    gateway = real(group, spec)
    gateway.remote_exec("import os, signal; os.kill(os.getpid(), signal.SIGSTOP)")
    return gateway

Group.makegateway = makegateway
sys.exit(main(sys.argv[1:]))
"""


def test_a_run_from_which_nothing_is_heard_ends_with_all_reports_and_the_stacks_of_its_processes(mock: Mock) -> None:
    words = mock.command("-j", "2", "--timeout-scale", "0.05", "-t", "mock/basic/*")
    words[1:3] = ["-c", _STOPS_AS_IT_STARTS]
    done = subprocess.run(words, env=mock._environment(), cwd=mock.folder, capture_output=True, text=True, timeout=180)
    assert done.returncode == 3, done.stdout + done.stderr
    assert "nothing was heard" in done.stdout, done.stdout + done.stderr
    assert (mock.results / "junit.xml").exists()
    assert (mock.results / "failures.csv").exists()
    log = (mock.results / "logs/watchdog.txt").read_text()
    assert "T (stopped)" in log, log
    assert "execnet" in log, log
    footer = json.loads((mock.results / "journal.jsonl").read_text().splitlines()[-1])
    assert footer["event"] == "footer"
    assert "nothing was heard" in footer["reason"]


def test_two_runs_in_one_results_folder_at_once_do_not_touch_each_other(
    mock: Mock, wait_until: Callable[[Callable[[], bool], float], None]
) -> None:
    mock.environment = {"MOCK_SLEEP": "4", "MOCK_HOLD": "1"}
    words = ("-j", "1", "-t", "mock/sleep/*")
    first = mock.start(*words)
    wait_until(mock.results.exists, 60)  # not before its journal has a result: that is refused already
    code, output = mock.run("-t", "mock/basic/pass")
    assert code == 2, output
    assert "another run writes it" in output, output
    mock.release()
    output, _ = first.communicate(timeout=120)
    assert (first.returncode, len(mock.rows())) == (0, 4), output
    assert not mock.results.with_name("results.1").exists()


@pytest.mark.parametrize("words", [["--shard", "1/1000000000"], ["--timeout-scale", "nan"], ["--timeout-scale", "inf"]])
def test_a_number_without_bounds_is_refused(mock: Mock, words: list[str]) -> None:
    code, output = mock.run("-t", "mock/basic/pass", *words, timeout_s=20)
    assert code == 2, output
    assert f"argument {words[0]}: " in output, output
    assert len(output.splitlines()) == 1, output


@pytest.mark.parametrize("how", ["delete", pytest.param("rename", marks=pytest.mark.nightly("gone is gone"))])
def test_results_that_go_away_in_mid_run_are_named_and_no_usage_error(
    mock: Mock, how: str, wait_until: Callable[[Callable[[], bool], float], None]
) -> None:
    mock.environment = {"MOCK_SLEEP": "30", "MOCK_HOLD": "9"}
    process = mock.start("-j", "5", "-t", "mock/sleep/*")  # some of which still begin then
    journal = mock.results / "journal.jsonl"
    wait_until(lambda: journal.exists() and '"result"' in journal.read_text(), 120)
    if how == "delete":
        shutil.rmtree(mock.results, ignore_errors=True)
    else:
        mock.results.rename(mock.folder / "elsewhere")
    mock.release()
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 3, output
    assert "deleted or moved while the run went on" in output, output
    assert "Traceback" not in output


def test_a_path_in_another_encoding_is_refused_in_one_line(mock: Mock) -> None:
    code, output = mock.run("-t", "mock/basic/pass", "--results", os.fsdecode(b"r\xe9sultats"))
    assert code == 2, output
    assert r"r\udce9sultats: is not in UTF-8" in output, output
    assert len(output.splitlines()) == 1, output


def test_a_full_disk_is_named_with_the_file_that_found_it_full(tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    try:
        with pytest.raises(OSError, match=r"File too large: '.*/results\.csv'"):
            write_text(tmp_path / "results.csv", "a line\n" * 9999)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not list(tmp_path.iterdir())


def test_what_nobody_foresaw_ends_with_3_and_a_file_with_the_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("runner.cli._run", lambda _: 1 // 0)
    assert main(["report", "a folder", f"--results={tmp_path}"]) == 3
    stderr = capsys.readouterr().err
    assert f"failed at `runner report 'a folder' --results={tmp_path}`: ZeroDivisionError" in stderr
    assert "Traceback" not in stderr
    assert f"{tmp_path}/traceback.txt" in stderr
    assert "ZeroDivisionError" in (tmp_path / "traceback.txt").read_text()
    assert main(["bisect-step"]) == 128  # to git, 3 would mean a bad commit


def test_output_that_finds_the_disk_full_ends_with_3() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "runner.cli", "list", f"--suites={MOCK / 'suites'}"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
    assert done.returncode == 3, done
    assert "No space left on device" in done.stderr, done
    assert "Traceback" not in done.stderr, done
    assert "Exception ignored" not in done.stderr, done


@pytest.mark.parametrize("name", ["a::b", "a[z]"])
def test_a_folder_of_suites_that_pytest_takes_for_a_part_of_a_file_is_refused_by_name(mock: Mock, name: str) -> None:
    shutil.copytree(MOCK / "suites", mock.folder / name)
    code, output = mock.run("-t", "mock/basic/pass", f"--suites={mock.folder / name}", timeout_s=60)
    assert code == 2, output
    assert f"--suites {mock.folder / name}: pytest takes :: and [" in output, output
