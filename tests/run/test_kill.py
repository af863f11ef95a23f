"""Whatever is killed, at whatever moment: no finished result is lost, and --resume ends the run."""

import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from conftest import MOCK, Mock

from runner.drivers.machine import kernel_devices
from runner.records.journal import read

Wait = Callable[[Callable[[], bool], float], None]


def _finished(mock: Mock) -> dict[str, int]:
    """The complete result lines of the journal: how often each id stands there."""
    path = mock.results / "journal.jsonl"
    lines = path.read_text().split("\n")[:-1] if path.exists() else []
    events = [json.loads(line) for line in lines]
    ids = [e["id"] for e in events if e["event"] == "result"]
    return {i: ids.count(i) for i in ids}


def _has_more_than(mock: Mock, count: int) -> bool:
    return len(_finished(mock)) > count


def _tree(pid: int) -> list[int]:
    """A process and all below it."""
    try:
        children = [int(p) for task in Path(f"/proc/{pid}/task").iterdir() for p in (task / "children").read_text().split()]
    except OSError:
        return []
    return [pid, *(p for child in children for p in _tree(child))]


@pytest.mark.parametrize("kills", [5, pytest.param(20, marks=pytest.mark.nightly("more such moments"))])
def test_killing_the_runner_at_random_moments_loses_no_finished_result(mock: Mock, kills: int, wait_until: Wait) -> None:
    mock.environment = {"MOCK_SLEEP": str(30 * kills)}
    words = ["-j", "2", "-t", "mock/sleep/*"]
    moments = random.Random(1)
    before: dict[str, int] = {}
    for n in range(kills):
        process = mock.start(*words, *(["--resume"] if (mock.results / "journal.jsonl").exists() else []))
        if n % 2:
            time.sleep(moments.uniform(0.2, 1.5))
        else:  # on a busy machine nothing may have run by then
            wait_until(partial(_has_more_than, mock, len(before)), 120)
            time.sleep(moments.uniform(0, 0.4))
        tree = _tree(process.pid)
        assert process.poll() is None, "too few cases for that many kills"
        process.kill()
        process.communicate()
        after = _finished(mock)
        assert all(after.get(i) == 1 for i in before), f"kill {n} lost results"
        assert all(count == 1 for count in after.values()), f"kill {n}: a case ran twice"
        before = after
        deadline = time.monotonic() + 20
        while any(Path("/proc", str(pid)).exists() and _running(pid) for pid in tree[1:]):
            assert time.monotonic() < deadline, "workers or children outlive the runner"
            time.sleep(0.02)
    code, output = mock.run(*words, "--resume")
    assert len(mock.rows()) == 30 * kills
    # Cases that were on their way in two of the kills are taken to be the cause.
    assert set(mock.rows().values()) <= {"Pass", "Crash"}
    record = read(mock.results)
    assert code == int("Crash" in mock.rows().values()), output
    assert all(a.message == "took the run down" for r in record.results.values() for a in r.attempts if a.status == "Crash")


def _running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("which", ["worker", "child"])
def test_killing_a_worker_or_a_child_loses_nothing(mock: Mock, which: str, wait_until: Wait) -> None:
    mock.environment = {"MOCK_SLEEP": "30", "MOCK_HOLD": "12"}
    process = mock.start("-j", "2", "-t", "mock/sleep/*")
    wait_until(partial(_are_held, mock, 2), 60)  # a death between two cases would be the first one's
    victims = [p for p in _tree(process.pid)[1:] if ("runner.child" in _command(p)) == (which == "child")]
    os.kill(victims[0], signal.SIGKILL)
    mock.release()
    output, _ = process.communicate(timeout=120)
    assert len(mock.rows()) == 30, output
    assert set(mock.rows().values()) <= {"Pass", "Flake"}, output
    assert process.returncode == 0


def _are_held(mock: Mock, count: int) -> bool:
    """Whether `count` children are in a case that waits for the test."""
    return len(list((mock.folder / "state").glob("held.*"))) == count


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


@pytest.mark.parametrize(
    ("whom", "numbers"),
    [
        pytest.param(os.kill, (signal.SIGINT,), marks=pytest.mark.nightly("the first of the next two")),
        (os.kill, (signal.SIGINT, signal.SIGTERM)),
        (os.killpg, (signal.SIGINT,)),
        pytest.param(os.killpg, (signal.SIGTERM,), marks=pytest.mark.nightly("as SIGINT")),
    ],
)
def test_an_interrupted_run_still_writes_all_reports(
    mock: Mock, whom: Callable[[int, int], None], numbers: tuple[signal.Signals, ...], wait_until: Wait
) -> None:
    mock.environment = {"MOCK_SLEEP": "20"}
    process = mock.start("-j", "2", "-t", "mock/sleep/*", "-t", "mock/hang/hang", "--timeout-scale", "100")
    wait_until(lambda: len(_finished(mock)) > 5, 120)
    for number in numbers:
        whom(process.pid, number)
    output, _ = process.communicate(timeout=120)  # not until the case that hangs has had its time
    assert process.returncode == 130, output
    assert "INTERNALERROR" not in output, output
    assert "not run: " in output
    assert "INTERRUPTED" in output
    assert set(mock.rows().values()) == {"Pass"}
    assert (mock.results / "junit.xml").exists()


def test_an_interrupted_run_is_resumed_by_the_expectations_that_are_given(mock: Mock, wait_until: Wait) -> None:
    mock.environment = {"MOCK_SLEEP": "20"}
    process = mock.start("-j", "2", "-t", "mock/sleep/*", "-t", "mock/hang/hang", "--timeout-scale", "100")
    wait_until(lambda: len(_finished(mock)) > 5, 120)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=120)
    mock.expect("skips", "# nobody waits for it again\nmock/hang/hang\n")
    folder = mock.results.with_name("given")  # its own are gone, as those of a run of another machine
    folder.with_name("expectations").rename(folder)
    words = ("-j", "2", "-t", "mock/sleep/*", "-t", "mock/hang/hang", f"--expectations={folder}")
    code, output = mock.run(*words, "--resume")
    assert (code, len(mock.rows())) == (0, 21), output
    code, output = mock.cli("report", str(mock.results), f"--suites={MOCK / 'suites'}")
    assert code == 1, "only its own folder says that it may be skipped"


def test_a_run_waits_for_the_end_of_the_one_that_it_resumes(mock: Mock, wait_until: Wait) -> None:
    mock.environment = {"MOCK_SLEEP": "20", "MOCK_HOLD": "12"}
    journal = mock.results / "journal.jsonl"
    old = mock.start("-j", "2", "-t", "mock/sleep/*")
    wait_until(lambda: len(_finished(mock)) > 5, 120)
    os.kill(old.pid, signal.SIGSTOP)
    new = mock.start("-j", "2", "-t", "mock/sleep/*", "--resume")
    try:
        with pytest.raises(subprocess.TimeoutExpired):
            new.communicate(timeout=4)
        assert '"resume"' not in journal.read_text()
    finally:
        old.kill()
    mock.release()
    output, _ = new.communicate(timeout=120)
    old.communicate()
    assert (new.returncode, len(mock.rows())) == (0, 20), output


def test_what_a_killed_run_left_behind_may_still_write_when_it_is_resumed(mock: Mock, wait_until: Wait) -> None:
    mock.environment = {"MOCK_SLEEP": "20", "MOCK_HOLD": "6"}
    process = mock.start("-j", "1", "-t", "mock/sleep/*")
    wait_until(lambda: len(_finished(mock)) > 5, 120)
    process.kill()
    process.communicate()
    mock.release()
    caches = [str(p) for p in (mock.results / "scratch").rglob("cache")]
    assert caches
    write = "while :; do mkdir -p $0; echo > $0/kernel; done"
    straggler = subprocess.Popen(["sh", "-c", write, *caches], stderr=subprocess.DEVNULL)
    try:
        code, output = mock.run("-j", "1", "-t", "mock/sleep/*", "--resume")
    finally:
        alive = straggler.poll() is None
        straggler.kill()
        straggler.wait()
    assert alive, output
    assert (code, len(mock.rows())) == (0, 20), output


def test_a_device_that_goes_away_in_mid_run_is_infrastructure_and_the_run_can_be_resumed(
    mock: Mock, tmp_path: Path, wait_until: Wait
) -> None:
    if kernel_devices():
        pytest.skip("this machine has a render node")
    registry, node = tmp_path / "drivers.yaml", tmp_path / "node.so"
    registry.write_text("mock: {opencl: false, supplied_node: true, passes: [MOCK_STATE]}\n")
    node.touch()
    mock.environment = {"MOCK_SLEEP": "20", "MOCK_HOLD": "6", "RUNNER_RENDER_NODE": str(node)}
    words = [f"--registry={registry}", "-j", "2", "-t", "mock/sleep/*"]
    process = mock.start(*words)
    wait_until(partial(_are_held, mock, 2), 120)
    node.unlink()
    for pid in _tree(process.pid):
        if "runner.child" in _command(pid):
            os.kill(pid, signal.SIGKILL)
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 3, output
    assert "INTERNAL" not in output, output
    assert "stopped: mock: this machine has no /dev/dri/renderD*" in output
    assert "--resume" in output
    node.touch()
    mock.release()
    code, output = mock.run(*words, "--resume")
    assert (code, len(mock.rows())) == (0, 20), output


def test_what_took_the_machine_down_twice_is_a_crash_and_runs_last_and_alone(mock: Mock, wait_until: Wait) -> None:
    words = [*("-j", "2", "-t", "mock/hang/hang", "-t", "mock/basic/pass", "-t", "mock/group/*", "--timeout-scale"), "100"]
    journal = mock.results / "journal.jsonl"

    def started(times: int) -> bool:
        return journal.exists() and journal.read_text().count('"start","id":"mock/hang/hang"') == times

    process = mock.start(*words)
    wait_until(lambda: started(1) and len(_finished(mock)) == 5, 120)
    process.kill()
    process.communicate()
    process = mock.start(*words, "--resume")
    wait_until(lambda: started(2), 120)
    process.kill()
    process.communicate()
    code, output = mock.run(*words, "--resume")
    assert code == 1, output
    assert mock.rows()["mock/hang/hang"] == "Crash", output
    assert "took the run down" in output
