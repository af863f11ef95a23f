"""The results of runs: the mock suite's own, one attempt, a run of a few cases in a folder."""

from dataclasses import asdict
from pathlib import Path

from runner.model import Attempt, DeviceReport, How, Result, Status
from runner.records import journal
from runner.records.journal import Journal
from runner.run_config import RunConfig

# Of the mock suite by default: verdict, and how the message begins.
WANT = {
    "mock/basic/pass": ("Pass", ""),
    "mock/basic/fail": ("Fail", "value: mock: got 1 want 2"),
    "mock/basic/segfault": ("Crash", "SIGSEGV"),
    "mock/basic/abort": ("Crash", "SIGABRT"),
    "mock/basic/assert": ("Crash", "SIGABRT: mock: src/mock.c:41: lower: Assertion `bits <= 64' failed."),
    "mock/basic/exit0": ("Crash", "exit 0"),
    "mock/basic/exit3": ("Crash", "exit 3"),
    "mock/basic/raise": ("Error", "body: IndexError: from the body (run.py:"),
    "mock/basic/nothing": ("Error", "tested nothing: the body of mock/basic/nothing made no check"),
    "mock/basic/flood": ("Fail", "value: mock: got 1 want 2"),
    "mock/basic/utf8": ("Fail", "value: mock: got 1 want 2"),
    "mock/basic/ignore_term": ("Pass", ""),
    "mock/basic/grandchild": ("Crash", "SIGKILL"),
    "mock/basic/complain": ("Fail", "build: the driver printed 'Unhandled ALU op'"),
    "mock/hang/hang": ("Timeout", "deadline: 1.5 s"),
    "mock/hang/hang_gil": ("Timeout", "deadline: 1.5 s"),
    "mock/state/flake": ("Flake", "1 of "),
    "mock/state/flake_twice": ("Fail", "value: not so"),
    "mock/state/poison": ("Pass", ""),
    "mock/memory/eat": ("Crash", "memory limit"),
    "mock/need/unmet": ("Skip", "unsupported: qcom (dig deeper)"),
    "mock/group/0": ("Pass", ""),
    "mock/group/1": ("Pass", ""),
    "mock/group/2": ("Pass", ""),
    "mock/group/3": ("Pass", ""),
}


def attempt(status: Status, how: How = How.WARM, nth: int = 1, message: str = "m") -> Attempt:
    return Attempt(status, message=message, how=how, nth_in_child=nth)


def write_run(folder: Path, number: int, mesa: str = "25.0.7", **statuses: tuple[Status, ...]) -> str:
    place = folder / f"run{number}"
    place.mkdir()
    with Journal(place / journal.NAME) as out:
        ids = [i.replace("_", "/") for i in statuses]
        out.write("header", config=RunConfig("iris").to_json(), ids=ids, suites="", expectations="", begun=str(number))
        out.write("device", report=asdict(DeviceReport(platform="rusticl", device="Intel(R) (TGL)", mesa=mesa)))
        for test_id, own in zip(ids, statuses.values(), strict=True):
            out.write("result", **Result(test_id, tuple(Attempt(s, 0.5 + number) for s in own)).to_json())
        out.write("footer", reason="", wall_s=1.0)
    return str(place)
