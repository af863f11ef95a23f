"""Boards over ssh: a real sshd on the loopback for each, with a home and an environment of its own.

One file: all of them need the boards that its fixtures start.
"""

import os
import re
import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import pytest
from answers import WANT
from conftest import MOCK, ROOT, Mock
from lab import VARIABLES, Lab

from runner.boards.address import Board
from runner.boards.deployment import Facts, resolve_packages
from runner.boards.fleet import GateAnswer, choose
from runner.model import DeviceReport, UsageError
from runner.records.journal import read
from runner.run.kernel_log import KernelLog

Wait = Callable[[Callable[[], bool], float], None]


def _results(mock: Mock) -> int:
    journal = mock.results / "journal.jsonl"
    return journal.read_text().count('"event":"result"') if journal.exists() else 0


_PIP = """#!/bin/sh
[ "$1 $2" = "-m pip" ] && printf '%s\\n' "$@" > "$RUSTICL_RUNNER_CACHE/asked"
while [ $# -gt 0 ]; do
    case $1 in --target) mkdir "$2" ;; -r) cat "$2" > "$RUSTICL_RUNNER_CACHE/wanted" ;; esac
    shift
done
"""


@pytest.mark.parametrize(
    ("libc", "minor", "tags", "files"),
    [
        ("glibc", 18, ["manylinux_2_18_aarch64", "manylinux_2_17_aarch64", "manylinux2014_aarch64"], []),
        ("musl", 2, ["musllinux_1_2_aarch64", "musllinux_1_1_aarch64", "musllinux_1_0_aarch64"], ["siphash24.py"]),
    ],
)
def test_a_board_gets_the_wheels_of_its_libc_and_on_musl_a_replacement_of_siphash24(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, libc: str, minor: int, tags: list[str], files: list[str]
) -> None:
    monkeypatch.setenv("RUSTICL_RUNNER_CACHE", str(tmp_path))
    (tmp_path / "python3").write_text(_PIP)
    (tmp_path / "python3").chmod(0o755)
    monkeypatch.setattr("sys.executable", str(tmp_path / "python3"))
    packages = resolve_packages(Facts((3, 12, 9), "aarch64", libc, minor, {}), print)
    assert packages.name.startswith(f"board-aarch64-{libc}-3.12-")
    assert [p.name for p in packages.iterdir()] == files
    asked = (tmp_path / "asked").read_text().splitlines()
    assert [after for word, after in pairwise(asked) if word == "--platform"] == tags
    wanted = (tmp_path / "wanted").read_text()
    assert ("\nsiphash24==" in wanted) is not bool(files)
    assert "\npytools==" in wanted


@pytest.mark.slow  # it fetches packages
@pytest.mark.nightly("the lab below is two such deploys at once; here they come at the same moment")
def test_two_deploys_at_once_share_the_packages_of_the_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUSTICL_RUNNER_CACHE", str(tmp_path))
    facts = Facts((3, 13, 0), "x86_64", "glibc", 41, {})
    with ThreadPoolExecutor(2) as both:
        one, two = both.map(lambda _: resolve_packages(facts, print), range(2))
    assert one == two
    assert list(tmp_path.iterdir()) == [one]
    assert (one / "pytest").is_dir()


def test_a_second_deploy_copies_nothing_or_only_the_suite_that_changed(lab: Lab, host: Mock) -> None:
    code, output = lab.deploy("phone")
    assert code == 0, output
    assert "phone: up to date: nothing copied" in output, output
    changed = host.folder / "suites/mock"
    changed.mkdir(parents=True)
    for name in ("suite.yaml", "cases.py", "run.py"):
        (changed / name).write_text((MOCK / "suites/mock" / name).read_text() + "\n# changed\n")
    code, output = lab.deploy("phone", suites=changed.parent)
    assert code == 0, output
    assert "copied the runner, the suites" in output, output
    assert "Python packages" not in output, output
    code, output = host.run(f"--ssh-config={lab.config}", "--on=phone", "-t", "mock/basic/pass")
    assert code == 3, output
    assert "phone is left out: its copy of the runner or of the suites is not the host's; run `runner deploy`" in output
    assert lab.deploy("phone")[0] == 0


def test_two_boards_give_every_verdict_that_one_machine_gives(lab: Lab, host: Mock) -> None:
    host.expect("fails", "# why\nmock/basic/fail,Fail\n")
    skips = host.expect("skips", "# why\nmock/basic/abort\n")
    areas = ("mock/basic/", "mock/group/", "mock/need/")
    want = {i: v for i, (v, _) in WANT.items() if i.startswith(areas)}
    want |= {"mock/basic/fail": "ExpectedFail", "mock/basic/abort": "Skip", "mock/board/kernel_message": "Crash"}
    code, output = host.run(*lab.on, "-t=mock/board/kernel_message", *(f"-t={area}*" for area in areas))
    assert code == 1, output
    assert host.rows() == want
    assert f"Skip: {skips}:2" in (host.results / "junit.xml").read_text()
    results = read(host.results).results
    assert len(results["mock/basic/fail"].attempts) == 1
    assert {a.board for r in results.values() for a in r.attempts} == {"phone", "phone2"}
    assert "SIGSEGV: died in " in results["mock/basic/segfault"].attempts[0].message  # built there: the root has a compiler
    log = (host.results / "logs/mock/basic/segfault.txt").read_text()
    assert f"repeat: ssh -F {lab.config} phone" in log
    assert "run-case --driver mock mock/basic/segfault" in log
    _look_for_kernel_message(host)


def test_what_the_kernel_says_meanwhile_is_kept_with_a_crash(mock: Mock) -> None:
    mock.environment = dict(VARIABLES)
    mock.run("-t", "mock/board/kernel_message")
    _look_for_kernel_message(mock)


def _look_for_kernel_message(mock: Mock) -> None:
    output = read(mock.results).results["mock/board/kernel_message"].attempts[0].output
    refusal = KernelLog().take()
    if os.access("/dev/kmsg", os.W_OK) and not refusal:
        assert re.search(r"\nkernel log meanwhile:\n(\[.*\n)*\[ *\d+\.\d+\] rusticl-runner: a GPU fault\n", output)
    elif refusal:
        assert (
            output.endswith(refusal) or "kernel log" not in output
        )  # it is said only once, and an earlier case may have said it


def test_a_killed_connection_costs_no_result_and_the_board_comes_back(lab: Lab, host: Mock, wait_until: Wait) -> None:
    process = host.start(*lab.on, "-t", "mock/sleep/*")
    wait_until(lambda: _results(host) > 5, 60)
    lab.boards[1].cut()
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 0, output
    assert list(host.rows().values()) == ["Pass"] * 60, output
    assert "phone2 went away; what it had not finished runs again" in output
    assert "left out" not in output


def test_a_board_that_is_switched_off_is_left_out_and_without_any_resume_goes_on(
    lab: Lab, host: Mock, wait_until: Wait
) -> None:
    process = host.start(*lab.on, "-t", "mock/sleep/*", "--board-wait=0")
    wait_until(lambda: _results(host) > 5, 60)
    lab.boards[0].stop()
    before = _results(host)
    try:
        wait_until(lambda: _results(host) > before + 10, 60)  # more than was on its way: another session
        lab.boards[1].stop()
        output, _ = process.communicate(timeout=60)
    finally:
        for board in lab.boards:
            board.start()
    assert process.returncode == 3, output
    assert "\nphone is left out: ssh: connect to host 127.0.0.1" in output
    assert "stopped: device lost: no board is left; phone is left out: " in output
    assert "not run: " in output
    assert 15 < len([v for v in host.rows().values() if v == "Pass"]) < 60
    code, output = host.run(*lab.on, "-t", "mock/sleep/*", "--resume")
    assert (code, list(host.rows().values())) == (0, ["Pass"] * 60), output


@pytest.mark.nightly("test_end.py has a case that kills its worker twice, and the tests above lose boards")
def test_what_takes_boards_down_twice_is_a_crash_and_nothing_else_is_lost(lab: Lab, host: Mock) -> None:
    code, output = host.run(*lab.on, "-t", "mock/board/kill_worker", "-t", "mock/group/*", "-t", "mock/basic/pass")
    assert code == 1, output
    rows = host.rows()
    assert rows.pop("mock/board/kill_worker") == "Crash", output
    assert set(rows.values()) == {"Pass"}, output
    assert "took the board down" in output


def test_an_interrupt_ends_what_the_boards_run(lab: Lab, host: Mock, wait_until: Wait) -> None:
    process = host.start(*lab.on, "-t", "mock/sleep/*", "-t", "mock/hang/hang", "--timeout-scale", "100")
    wait_until(lambda: _results(host) > 5, 60)
    begun = time.monotonic()
    os.kill(process.pid, signal.SIGTERM)
    output, _ = process.communicate(timeout=30)
    assert process.returncode == 130, output
    assert "not run: " in output, output
    wait_until(lambda: not any(board.sessions() for board in lab.boards), 10)
    wait_until(lambda: not _children(str(lab.config.parent)), 10)
    assert time.monotonic() - begun < 12


def _children(folder: str) -> list[str]:
    """The processes of the boards: their PYTHONPATH lies below the lab."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"PYTHONPATH={folder}".encode() in path.read_bytes():
                found.append(path.parent.name)
        except OSError:
            continue
    return found


def test_a_board_with_another_device_is_left_out(lab: Lab, tmp_path: Path) -> None:
    case = "mock/basic/pass"
    words = ["--driver=llvmpipe", f"--suites={MOCK / 'suites'}", f"--results={tmp_path / 'results'}"]
    code, output = lab.runner(*words, *lab.on, "-t", case)
    assert code == 0, output
    assert "phone2 is left out: it has device llvmpipe (LLVM " in output
    assert ", 128 bits) instead of llvmpipe" in output
    result = read(tmp_path / "results").results[case]
    assert result.attempts[0].board == "phone"


def test_a_board_that_loses_its_device_in_the_middle_is_left_out_and_its_cases_are_not_blamed(
    lab: Lab, host: Mock, wait_until: Wait
) -> None:
    icd, state = lab.boards[0].home / "rusticl.icd", lab.boards[0].home / "state"
    text = icd.read_bytes()
    words = ["--driver=llvmpipe", f"--registry={ROOT / 'runner/drivers/drivers.yaml'}", "-t", "mock/sleep/*"]
    process = host.start(f"--ssh-config={lab.config}", "--on=phone", *words)
    wait_until(lambda: _results(host) > 5, 60)
    state.mkdir(exist_ok=True)
    (state / "hold").touch()
    wait_until(lambda: any(state.glob("held.*")), 60)  # a death between two cases would be the first one's
    icd.unlink()
    try:
        for pid in _children(str(lab.boards[0].home)):
            if b"runner.child" in Path(f"/proc/{pid}/cmdline").read_bytes():
                os.kill(int(pid), signal.SIGKILL)  # the next one finds nothing
        output, _ = process.communicate(timeout=60)
    finally:
        icd.write_bytes(text)
        (state / "hold").unlink()
    assert process.returncode == 3, output
    assert "\nphone: no *rusticl*.icd file in OCL_ICD_VENDORS=" in output
    assert "stopped: device lost: no board is left; phone is left out: no *rusticl*.icd file" in output
    assert set(host.rows().values()) == {"Pass"}


def test_the_device_of_most_boards_counts_or_that_of_the_run_that_goes_on() -> None:
    old, new = (DeviceReport(device="a630", mesa="25.0.7"), DeviceReport(device="a630", driver_version="26.2.6"))
    answers = [
        GateAnswer(Board("a"), old),
        GateAnswer(Board("b"), new),
        GateAnswer(Board("c"), new),
        GateAnswer(Board("d"), refusal="no"),
    ]
    chosen, lines = choose(answers, None)
    assert [a.board.host for a in chosen] == ["b", "c"]
    assert lines == [
        "a is left out: it has driver_version none instead of 26.2.6, mesa 25.0.7 instead of none",
        "d is left out: no",
    ]
    assert [a.board.host for a in choose(answers, old)[0]] == ["a"]
    assert [a.board.host for a in choose(answers[:2], None)[0]] == ["a"]


def test_a_board_that_cannot_be_served_is_told_how(lab: Lab, host: Mock) -> None:
    code, output = lab.deploy("nowhere")
    assert code == 3
    assert "nowhere: cannot be asked: ssh: connect to host 127.0.0.1 port 1" in output
    code, output = host.run(f"--ssh-config={lab.config}", "--on=phone:empty", "-t", "mock/basic/pass")
    assert code == 3, output
    assert "empty/python: not found; run `runner deploy phone:empty`" in output, output


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("--on", "a", "--on", "a:b"), "a is given twice"),
        (("--on", "a;b"), "write HOST or HOST:FOLDER"),
        (("--on", "a", "--mesa-prefix", "install"), "is a path on the boards; give an absolute one"),
        (("--on", "a", "--tinygrad-src", str(ROOT)), "--tinygrad-src: not with --on"),
    ],
)
def test_a_wrong_option_is_refused_before_any_board_is_asked(host: Mock, words: tuple[str, ...], text: str) -> None:
    code, output = host.run(*words)
    assert code == 2
    assert text in output


def test_a_board_is_a_host_and_a_folder() -> None:
    assert Board.parse("root@phone") == Board("root@phone", "rusticl-runner")
    assert Board.parse("phone:/opt/rr") == Board("phone", "/opt/rr")
    with pytest.raises(UsageError):
        Board.parse("-oProxyCommand=x")


def test_a_kernel_log_that_may_not_be_read_is_named_once(tmp_path: Path) -> None:
    log = KernelLog(tmp_path / "kmsg")
    log.mark()
    assert log.take().startswith(f"kernel log: not read: {tmp_path}/kmsg: No such file")
    assert log.take() == ""
