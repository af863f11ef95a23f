"""A board that starts again in the middle of a run, played by a program in the place of ssh; and several configurations
of one run, on the lab's boards.
"""

import json
import os
import re
from dataclasses import asdict
from pathlib import Path

import pytest
from conftest import MOCK, Mock
from lab import Lab

from runner.boards.fleet import Boards
from runner.model import DeviceReport
from runner.run_config import RunConfig


def _config(expectations: Path, wait_s: int) -> RunConfig:
    return RunConfig(
        "mock",
        on=("phone",),
        board_wait_s=wait_s,
        registry=str(MOCK / "drivers.yaml"),
        suites=str(MOCK / "suites"),
        expectations=str(expectations),
    )


# Plays a board that answers, is unreachable while it starts again, and answers as before.
_REBOOTS = """#!/bin/sh
case "$*" in *board_gate*) cat > /dev/null ;; *) echo "Kernel panic - not syncing: adreno"; exit 0 ;; esac
cd "${0%/*}"
looks=$(($(cat looks 2> /dev/null || echo 0) + 1))
echo $looks > looks
[ $looks -le 1 ] || [ $looks -ge AGAIN ] || { echo "ssh: connect to host phone port 22: Connection refused" >&2; exit 255; }
cat answer
"""


@pytest.mark.parametrize(("again", "wait_s", "back"), [(5, 30, True), (99, 1, False), (99, 0, False)])
def test_a_board_that_was_there_is_waited_for_and_says_what_its_kernel_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, again: int, wait_s: int, back: bool
) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/ssh").write_text(_REBOOTS.replace("AGAIN", str(again)))
    (tmp_path / "bin/ssh").chmod(0o755)
    report = asdict(DeviceReport(device="mock", features=("execute",)))
    (tmp_path / "bin/answer").write_text(json.dumps({"report": report}) + "\n")
    (tmp_path / "expectations/mock").mkdir(parents=True)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    monkeypatch.setattr("runner.boards.fleet._POLL_S", 0.2)
    boards, notes = Boards(_config(tmp_path / "expectations", wait_s)), list[str]()
    _, device, _ = boards.gather(None, notes.append)
    assert device
    assert notes == []
    specifications, device, why = boards.gather(device, notes.append)
    if back:
        assert len(specifications) == 1
        assert notes[0] == "waiting for phone, 30 s at most (--board-wait)"
        assert re.fullmatch(r"phone is back after \d+ s", notes[1])
        assert notes[2:] == ["  phone: Kernel panic - not syncing: adreno"]
    else:
        assert device is None
        assert why.startswith("device lost: no board is left; phone is left out: ssh: connect to host phone port 22")
        assert len(notes) == (2 if wait_s else 1)


def test_a_board_that_was_never_there_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ssh").write_text("#!/bin/sh\ncat > /dev/null\nexit 255\n")
    (tmp_path / "ssh").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    (tmp_path / "mock").mkdir()
    boards, notes = Boards(_config(tmp_path, 30)), list[str]()
    assert boards.gather(None, notes.append)[1] is None
    assert notes == ["phone is left out: exit 255"]


@pytest.mark.nightly("test_configurations.py runs several configurations here, and test_boards.py one on boards")
def test_boards_run_several_configurations_one_after_the_other(lab: Lab, host: Mock) -> None:
    code, output = host.run(*lab.on, "--variant", "base,no_variants", "-t", "mock/basic/pass", "-t", "mock/need/unmet")
    assert code == 0, output
    verdicts = {"mock/basic/pass": "Pass", "mock/need/unmet": "Skip"}
    assert host.rows() == {f"{own}/{i}": verdict for own in ("base", "no_variants") for i, verdict in verdicts.items()}
