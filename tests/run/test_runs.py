"""Whole runs of the mock suite: verdicts, csv, junit, logs, exit codes, with one worker and with two.

One file: short tests, one a behaviour of a whole run.
"""

import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from answers import WANT
from conftest import MOCK, ROOT, Mock, make_mock

from runner.cases.catalogue import load
from runner.model import Attempt, How, Status
from runner.records.journal import read
from runner.run.deadline import Deadline
from runner.run.launcher import ChildCommand
from runner.run.supervisor import Death, ProtocolError, Supervisor
from runner.run_config import RunConfig

# What these come to depends on what shares their child: tests of their own below.
_WITHOUT_POISONED = ("-x", "mock/state/poisoned")


@pytest.mark.parametrize("jobs", [pytest.param("1", marks=pytest.mark.nightly("as with two workers")), "2"])
def test_every_kind_of_end_has_its_verdict(mock: Mock, jobs: str) -> None:
    code, output = mock.run("-j", jobs, "--memory-limit", "400", *_WITHOUT_POISONED)
    assert code == 1, output
    assert mock.rows() == {i: verdict for i, (verdict, _) in WANT.items()}
    suite = ET.parse(mock.results / "junit.xml").getroot().find("testsuite")
    assert suite is not None
    cases = {c.get("name"): c for c in suite.iter("testcase")}
    assert set(cases) == set(WANT)
    for test_id, (verdict, message) in WANT.items():
        case = cases[test_id]
        tag = {"Pass": None, "Error": "error", "Skip": "skipped", "Flake": "skipped"}.get(verdict, "failure")
        found = [e for e in case if e.tag in ("failure", "error", "skipped")]
        assert [e.tag for e in found] == [t for t in (tag,) if t]
        if tag:
            assert (found[0].text or "").startswith(f"{verdict}: {message}"), found[0].text
        if tag == "failure":
            assert found[0].get("type") == verdict
            attached = re.match(r"\[\[ATTACHMENT\|(.*)]]", case.findtext("system-out", ""))
            assert attached
            assert (mock.folder / attached[1]).read_text().startswith(test_id)
    failures = (mock.results / "failures.csv").read_text().splitlines()
    reds = ("Fail", "Crash", "Timeout")
    assert sorted(failures) == sorted(f"{i},{v}" for i, (v, _) in WANT.items() if v in reds)
    assert not (mock.results / "scratch").exists()


def test_what_a_validation_layer_prints_is_a_failure_with_the_rule_as_its_signature(mock: Mock) -> None:
    code, output = mock.run("--variant", "validation", "-t", "mock/basic/complain", "-t", "mock/basic/pass")
    assert code == 1, output
    assert mock.rows() == {"mock/basic/complain": "Fail", "mock/basic/pass": "Pass"}
    assert "build: the driver printed 'VUID-vkMock-pNext-00001'" in output


@pytest.mark.parametrize("variant", ["validation", ""])
def test_a_child_whose_layer_has_printed_a_known_rule_runs_no_other_case(mock: Mock, variant: str) -> None:
    mock.expect("fails", "mock/basic/complain,Fail,build: the driver printed\nmock/basic/flood,Fail\n")
    code, output = mock.run("--variant", variant, "-t", "mock/basic/complain", "-t", "mock/basic/flood")
    assert code == 0, output
    results = read(mock.results).results.values()
    assert len({result.attempts[0].child for result in results}) == (2 if variant else 1)


def test_no_case_is_given_the_reply_of_another_one(mock: Mock) -> None:
    mock.environment["MOCK_REPLY"] = "1"
    code, output = mock.run("-j", "1", "-t", "mock/reply/*")
    assert code == 1, output
    record = read(mock.results)
    errors = {i: [a.message for a in r.attempts if a.status is Status.ERROR] for i, r in record.results.items()}
    for kind in ("reply_twice", "reply_late", "reply_ahead", "reply_garbage", "reply_status", "surrogate"):
        victim = f"mock/reply/{kind}_and_fail"
        assert mock.rows()[victim] == "Fail", f"{victim}: {output}"
        if kind != "surrogate":  # a reply as any other
            messages = errors[f"mock/reply/{kind}"] + errors[victim]
            assert messages, kind
            assert all(m.startswith("protocol: ") for m in messages), (kind, messages)
    assert mock.rows()["mock/reply/surrogate"] == "Fail"
    # A case that passed beside a refused reply is not a green row without a note.
    refused = {i for i, messages in errors.items() if messages}
    assert {i: v for i, v in mock.rows().items() if i in refused and v == "Pass"} == {}


@pytest.mark.parametrize("early", ["half a wo", '{"event": "done"}\n'])
def test_what_lies_in_the_pipe_before_a_request_ends_the_child(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, early: str
) -> None:
    monkeypatch.setattr("runner.run.supervisor.kill_orphans", lambda: None)  # of this process: the tests' browser
    says = f"import os, sys, time; os.write(int(sys.argv[1]), {early!r}.encode()); time.sleep(9)"
    supervisor = Supervisor(tmp_path / "output", 1 << 30)
    supervisor.start(lambda _, replies: ChildCommand((sys.executable, "-c", says, str(replies)), {}), {})
    assert supervisor._wait_readable(20)
    attempt = supervisor.run({}, 1)
    assert isinstance(attempt, Attempt)
    assert attempt.status is Status.ERROR
    assert attempt.message.startswith("protocol: the child spoke unasked, at its request 1: "), attempt
    assert not supervisor.has_child


def test_a_reply_that_says_a_thing_twice_is_refused(tmp_path: Path) -> None:
    supervisor = Supervisor(tmp_path / "output", 1 << 30)
    with pytest.raises(ProtocolError, match="no message"):
        supervisor._parse_message(b'{"event": "done", "status": "Fail", "status": "Pass"}')


def test_a_second_reply_at_the_end_of_a_run_is_an_error(mock: Mock) -> None:
    mock.environment["MOCK_REPLY"] = "1"
    code, output = mock.run("-j", "1", "-t", "mock/reply/reply_twice")
    assert code == 3, output
    assert mock.rows() == {"mock/reply/reply_twice": "Error"}


def test_a_child_that_deletes_or_empties_its_own_output_loses_only_that(mock: Mock) -> None:
    mock.environment["MOCK_OUTPUT"] = "1"
    code, output = mock.run("-j", "1", "-t", "mock/output/*")
    want = {"mock/output/a_deletes": "Pass", "mock/output/b_empties": "Pass", "mock/output/c_prints": "Fail"}
    assert (code, mock.rows()) == (1, want), output
    assert "]]> <tag>" in (mock.results / "logs/mock/output/c_prints.txt").read_text()


def test_grandchildren_die_with_their_child(mock: Mock) -> None:
    mock.run("-j", "1", "-t", "mock/basic/grandchild")
    for pid in (mock.folder / "state/grandchildren").read_text().split():
        assert not Path("/proc", pid).exists()


def test_output_is_cut_in_the_middle_and_kept_at_both_ends(mock: Mock) -> None:
    mock.run("-t", "mock/basic/flood", "-t", "mock/basic/utf8")
    flood = (mock.results / "logs/mock/basic/flood.txt").read_text()
    assert "the first line\n" in flood
    assert "the last line\n" in flood
    assert "bytes left out" in flood
    assert len(flood) < 3 * (300 << 10)
    assert r"\xff\xfe" in (mock.results / "logs/mock/basic/utf8.txt").read_text()


def test_a_slip_in_a_body_is_an_error_of_the_suite_with_its_traceback(mock: Mock) -> None:
    mock.environment["MOCK_SLIPS"] = "1"
    code, output = mock.run("-t", "mock/slip/*")
    assert code == 3, output
    assert set(mock.rows().values()) == {"Error"}, output
    results = read(mock.results).results
    for name, slip in {"attribute": "AttributeError", "name": "NameError", "type": "TypeError"}.items():
        attempt = results[f"mock/slip/{name}"].attempts[-1]
        assert attempt.message.startswith(f"body: {slip}: ")
        assert "Traceback" in attempt.output
        assert "Traceback" in (mock.results / f"logs/mock/slip/{name}.txt").read_text()


def test_a_case_that_only_works_has_no_more_than_its_time(mock: Mock) -> None:
    mock.environment["MOCK_SPIN"] = "1"
    code, output = mock.run("-j", "1", "-t", "mock/spin/*", "--retries", "0")
    assert (code, mock.rows()) == (1, {"mock/spin/spins": "Timeout"}), output


@pytest.mark.parametrize(
    ("used_s", "over"),
    [
        ([0.2, 0.4, 0.6, 0.8], [False] * 4),  # others take four fifths of its processor
        ([0.2, 0.4, 0.4], [False, False, True]),  # it waits for something
        ([0.0], [True]),
        ([0.2, 1.0], [False, True]),  # its own time is over
        ([0.03 * n for n in range(1, 8)], [False] * 6 + [True]),  # four times its deadline
    ],
)
def test_a_deadline_is_not_for_what_other_processes_take(used_s: list[float], over: list[bool]) -> None:
    deadline = Deadline(1.0, 100.0, 7.0)
    assert deadline.left_s(100.25) == 0.75
    for n, (used, then) in enumerate(zip(used_s, over, strict=True)):
        now_s = 101.0 + 0.5 * n
        assert deadline.left_s(now_s) == 0.0
        assert deadline.is_over(now_s, 7.0 + used) == then


def test_a_child_that_works_has_the_time_that_others_take(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    says = """
import os, sys, time
def say(): os.write(int(sys.argv[2]), b'{"event": "x"}\\n')
requests = os.fdopen(int(sys.argv[1]))
while time.process_time() < 0.1: pass
say()
requests.readline(), requests.readline()
say()
"""
    monkeypatch.setattr("runner.run.supervisor.kill_orphans", lambda: None)
    supervisor = Supervisor(tmp_path / "output", 1 << 30)
    supervisor.start(lambda *fds: ChildCommand((sys.executable, "-c", says, *map(str, fds)), {}), {})
    assert not isinstance(supervisor.wait_message(60), Death)
    assert supervisor._processor_s >= 0.09  # in ticks
    seen_s: list[float] = []

    def look(_: Supervisor) -> float:
        """As of a child that gets a sixteenth of a processor, and answers only after its deadline."""
        seen_s.append(0.03 * len(seen_s))
        if len(seen_s) == 2:
            supervisor._send({})
        return seen_s[-1]

    monkeypatch.setattr(Supervisor, "_processor_s", property(look))
    monkeypatch.setattr("runner.run.deadline.STARVED", 1000)
    assert supervisor.wait_message(0.5) == {"event": "x"}
    assert len(seen_s) >= 2
    supervisor.kill()


@pytest.mark.parametrize("before", [0, 1])
def test_a_child_that_never_comes_back_from_its_reply_is_the_doing_of_the_case_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: int
) -> None:
    says = """
import json, os, sys
requests = os.fdopen(int(sys.argv[1]))
requests.readline()
for _ in range(int(sys.argv[3])):
    own = json.loads(requests.readline())
    for event in ("begun", "done"):
        said = own | {"event": event, "status": "Pass", "message": "", "duration_s": 0.0, "cpu_s": 0.0}
        os.write(int(sys.argv[2]), json.dumps(said).encode() + b"\\n")
requests.read()
"""
    monkeypatch.setattr("runner.run.supervisor.kill_orphans", lambda: None)
    monkeypatch.setattr("runner.run.supervisor._GRACE_S", 0.1)
    supervisor = Supervisor(tmp_path / "output", 1 << 30)
    supervisor.start(lambda *fds: ChildCommand((sys.executable, "-c", says, *map(str, fds), str(before)), {}), {})
    for _ in range(before):
        attempt = supervisor.run({}, 60)
        assert isinstance(attempt, Attempt)
        assert attempt.status is Status.PASS
    monkeypatch.setattr("runner.run.supervisor._IDLE_S", 0.1)
    answer = supervisor.run({}, 0.1)
    if before:
        assert isinstance(answer, Death)
        assert answer.reason == "deadline"
    else:  # no case was before it
        assert isinstance(answer, Attempt)
        assert answer.status is Status.TIMEOUT
    assert not supervisor.has_child


def test_what_an_earlier_case_left_behind_is_found_and_named(mock: Mock) -> None:
    code, output = mock.run("-j", "1", "-t", "mock/state/poison*")
    assert code == 1
    assert mock.rows() == {"mock/state/poison": "Pass", "mock/state/poisoned": "Fail"}
    assert "(only after mock/state/poison)" in output
    attempts = read(mock.results).results["mock/state/poisoned"].attempts
    assert [(a.status, a.how) for a in attempts] == [
        (Status.FAIL, How.WARM),
        (Status.PASS, How.ALONE),
        (Status.FAIL, How.REPLAY),
    ]


_LATE = r"Crash: SIGSEGV.* \(after its reply, Pass\)"


_BY_DAY = {("a_dies", "b_is_skipped"), ("a_dies_once", "b_lacks"), ("a_dies_once", "(end)")}
_OTHER_PAIRS = pytest.mark.nightly("by day each of both, and each that may come then: b_is_next by the tests below")


@pytest.mark.parametrize(
    ("name", "then"),
    [
        pytest.param(*pair, marks=[] if pair in _BY_DAY else _OTHER_PAIRS)
        for pair in itertools.product(("a_dies", "a_dies_once"), ("b_is_next", "b_lacks", "b_is_skipped", "(end)"))
    ],
)
def test_a_death_between_cases_is_that_of_the_case_before_whatever_comes_then(mock: Mock, name: str, then: str) -> None:
    mock.environment["MOCK_LATE"] = "1"
    if then == "b_is_skipped":
        mock.expect("skips", "# why\nmock/late/b_is_next\n")
    other = f"mock/late/{then.replace('is_skipped', 'is_next')}"
    code, output = mock.run("-j", "1", "-t", f"mock/late/{name}", *(() if then == "(end)" else ("-t", other)))
    verdict = {"b_is_next": "Pass", "b_lacks": "Skip", "b_is_skipped": "Skip"}.get(then)
    assert mock.rows() == {f"mock/late/{name}": "Crash"} | ({other: verdict} if verdict else {}), output
    assert re.search(_LATE, (mock.results / f"logs/mock/late/{name}.txt").read_text())
    assert code == 1, output


def test_a_death_in_the_next_case_is_not_a_flake(mock: Mock) -> None:
    mock.environment["MOCK_LATE"] = "1"
    code, output = mock.run("-j", "1", "-t", "mock/late/a_dies_in_the_next", "-t", "mock/late/b_is_next")
    assert code == 1
    assert mock.rows() == {"mock/late/a_dies_in_the_next": "Pass", "mock/late/b_is_next": "Crash"}
    assert re.search(r"SIGSEGV.* \(only after mock/late/a_dies_in_the_next\)", output), output


def test_an_expected_crash_may_come_before_the_reply_or_after_it(mock: Mock) -> None:
    mock.environment["MOCK_LATE"] = "1"
    mock.expect("fails", "# why\nmock/late/a_dies,Crash,SIGSEGV\n")
    code, output = mock.run("-j", "1", "-t", "mock/late/a_dies", "-t", "mock/late/b_is_next")
    assert (code, mock.rows()) == (0, {"mock/late/a_dies": "ExpectedFail", "mock/late/b_is_next": "Pass"}), output


@pytest.fixture(scope="module")
def unexpected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of one run by no expectations, of cases that `report` judges by others."""
    mock = make_mock(tmp_path_factory.mktemp("unexpected") / "mock")
    names = ("basic/pass", "basic/fail", "basic/segfault", "need/unmet", "state/flake")
    assert mock.run(*(f"-tmock/{name}" for name in names))[0] == 1
    return mock.results


def _judge_again(mock: Mock, unexpected: Path, test_id: str) -> tuple[int, str]:
    """Report a run of only that case by the expectations of `mock`."""
    shutil.copytree(unexpected, mock.results)
    header, *events = map(json.loads, (unexpected / "journal.jsonl").read_text().splitlines())
    header["ids"] = [test_id]
    kept = [header, *(event for event in events if event.get("id", test_id) == test_id)]
    (mock.results / "journal.jsonl").write_text("".join(json.dumps(event) + "\n" for event in kept))
    own = (f"--suites={MOCK / 'suites'}", f"--expectations={mock.folder / 'expectations'}")
    return mock.cli("report", str(mock.results), *own)


@pytest.mark.parametrize(
    ("kind", "text", "words", "code", "verdict"),
    [
        ("fails", "mock/basic/fail,Fail", ("mock/basic/fail",), 0, "ExpectedFail"),
        ("fails", "mock/basic/fail,Fail,value: mock: got 1", ("-t", "mock/basic/fail"), 0, "ExpectedFail"),
        ("fails", "mock/basic/fail,Fail,value: other", ("mock/basic/fail",), 1, "Fail"),
        ("fails", "mock/basic/pass,Fail", ("mock/basic/pass",), 5, "UnexpectedImprovement(Pass)"),
        ("fails", "mock/basic/fail,Crash", ("mock/basic/fail",), 5, "UnexpectedImprovement(Fail)"),
        ("fails", "mock/need/unmet,Fail", ("mock/need/unmet",), 1, "UnexpectedImprovement(Skip)"),
        ("fails", "mock/basic/segfault,Crash,SIGSEGV", ("mock/basic/segfault",), 0, "ExpectedFail"),
        ("fails", "mock/hang/hang,Timeout", ("-t", "mock/hang/hang"), 4, "Skip"),
        ("fails", "mock/hang/hang,Timeout", ("-t", "mock/hang/hang", "--tier", "full"), 0, "ExpectedFail"),
        ("flakes", "mock/state/fl*,Fail,1/3", ("mock/state/flake",), 0, "KnownFlake"),
        ("flakes", "mock/state/fl*,Fail,1/3", ("-t", "mock/state/flake_twice"), 0, "KnownFlake"),
        ("flakes", "mock/state/flake,Crash,1/3", ("mock/state/flake",), 0, "Flake"),
        ("flakes", "mock/state/flake,Crash,1/3", ("-t", "mock/state/flake", "--strict-flakes"), 1, "Flake"),
        ("flakes", "mock/basic/fail,Fail,1/300", ("mock/basic/fail",), 1, "Fail"),
        ("skips", "mock/basic/f*", ("-t", "mock/basic/fail"), 4, "Skip"),
    ],
)
def test_a_line_decides_the_verdict_and_the_exit_code(
    mock: Mock, unexpected: Path, kind: str, text: str, words: tuple[str, ...], code: int, verdict: str
) -> None:
    """Of a run of its own, or as `report` judges one: by the same code."""
    path = mock.expect(kind, f"# why\n{text}\n")
    got, output = mock.run(*words) if words[0] == "-t" else _judge_again(mock, unexpected, *words)
    assert (got, list(mock.rows().values())) == (code, [verdict]), output
    red = (mock.results / "failures.csv").read_text()
    assert red == (f"{next(iter(mock.rows()))},{verdict}\n" if code in (1, 5) else "")
    assert ("<failure" in (mock.results / "junit.xml").read_text()) == (code in (1, 5))
    if kind == "skips":
        assert f"Skip: {path}:2" in (mock.results / "junit.xml").read_text()
        assert not read(mock.results).results


@pytest.mark.parametrize(("known", "code", "verdict"), [(1, 0, "ExpectedFail"), (3, 1, "Fail")])
def test_a_first_failure_by_chance_is_a_doubt_and_no_regression(mock: Mock, known: int, code: int, verdict: str) -> None:
    mock.environment["MOCK_CHANCE"] = "1"
    mock.expect("fails", f"# why\nmock/state/first_by_chance,Fail,value: mock: got {known} want 2\n")
    got, output = mock.run("-t", "mock/state/first_by_chance")
    assert (got, mock.rows()) == (code, {"mock/state/first_by_chance": verdict}), output
    doubt = "note: doubtful: mock/state/first_by_chance failed in the known way when it was repeated, but at first: value"
    assert (doubt in output) == (code == 0)


def test_an_expected_failure_keeps_its_child_and_is_not_repeated(mock: Mock) -> None:
    mock.expect("fails", "# why\nmock/basic/fail,Fail\n")
    mock.run("-j", "1", "-t", "mock/basic/fail", "-t", "mock/basic/utf8", "-t", "mock/basic/pass")
    results = read(mock.results).results
    (only,) = results["mock/basic/fail"].attempts
    assert only.child == results["mock/basic/utf8"].attempts[0].child


def test_twenty_regressions_without_a_flake_end_the_repeats(mock: Mock) -> None:
    mock.environment = {"MOCK_BULK": "230", "MOCK_BULK_CRASH": "1"}
    code, _ = mock.run("-j", "1", "-t", "mock/bulk/*")
    attempts = [len(r.attempts) for r in read(mock.results).results.values() if r.attempts[0].status is Status.CRASH]
    assert code == 1
    assert attempts == [2] * 20 + [1] * 3
    assert (
        "20 regressions confirmed without a flake: later ones were not repeated"
        in mock.cli("report", str(mock.results), f"--suites={MOCK / 'suites'}")[1]
    )


def test_max_fails_stops_the_run_and_says_what_was_not_run(mock: Mock) -> None:
    code, output = mock.run("-j", "1", "--max-fails", "2", "-t", "mock/basic/*")
    assert code == 1
    assert len([v for v in mock.rows().values() if v in ("Fail", "Crash")]) == 2
    assert re.search(r"not run: \d+", output)
    assert "--max-fails 2" in output
    assert "\nRED, AND CUT SHORT: " in output


def test_shards_divide_the_cases_and_keep_groups_whole(mock: Mock) -> None:
    seen: list[str] = []
    for index in (1, 2, 3):
        mock.environment = {"CI_NODE_INDEX": str(index), "CI_NODE_TOTAL": "3", "MOCK_BULK": "30"}
        assert mock.run("-t", "mock/bulk/*", "-t", "mock/group/*")[0] == 0
        rows = list(mock.rows())
        assert sum(i.startswith("mock/group") for i in rows) in (0, 4)
        seen += rows
    assert len(seen) == len(set(seen)) == 34


def test_an_empty_shard_is_green_and_says_so(mock: Mock) -> None:
    codes = [mock.run("-t", "mock/basic/pass", "--shard", f"{i}/2") for i in (1, 2)]
    assert sorted(code for code, _ in codes) == [0, 0]
    assert any("shard" in output and "empty" in output for _, output in codes)


def test_a_lost_capability_is_red_before_its_cases_turn_into_skips(mock: Mock) -> None:
    path = mock.folder / "expectations/mock/mock-device.txt"
    path.write_text("# floor\nexecute\nqcom\n")
    code, output = mock.run("-t", "mock/need/unmet", "-t", "mock/basic/pass")
    assert code == 1
    assert mock.rows()["floor/qcom"] == "Fail"
    assert f"the device lost 'qcom', listed in {path}:3" in output


def test_a_case_that_fails_elsewhere_is_a_plain_skip_if_the_floor_never_had_what_it_needs(mock: Mock) -> None:
    mock.expect("fails", "# why\nmock/need/unmet,Fail\n")
    floor = mock.folder / "expectations/mock/mock-device.txt"
    for capabilities, verdict in (("", "UnexpectedImprovement(Skip)"), ("execute\n", "Skip")):
        if capabilities:
            floor.write_text(capabilities)
        code, _ = mock.run("-t", "mock/need/unmet", "-t", "mock/basic/pass")
        assert mock.rows()["mock/need/unmet"] == verdict
        assert code == (0 if verdict == "Skip" else 1)
    floor.write_text("execute\nqcom\n")
    assert mock.run("-t", "mock/need/unmet")[0] == 1
    assert mock.rows()["mock/need/unmet"] == "UnexpectedImprovement(Skip)"


def test_an_earlier_run_moves_aside_and_an_unfinished_one_says_how_to_go_on_with_it(mock: Mock) -> None:
    mock.environment["MOCK_BULK"] = "2"
    for _ in range(2):
        assert mock.run("-t", "mock/bulk/*")[0] == 0
    assert (mock.folder / "results.1/results.csv").exists()
    journal = mock.results / "journal.jsonl"
    lines = [line for line in journal.read_text().splitlines(keepends=True)[:-1] if '"id":"mock/bulk/00001"' not in line]
    journal.write_text("".join(lines))
    code, output = mock.run("-t", "mock/bulk/00000")  # a narrower one
    assert code == 0
    own = mock.folder / "results.2"
    assert f"held an unfinished run, 1 cases to go: it is {own} now, and goes on by --resume --results {own}" in output
    assert mock.rows() == {"mock/bulk/00000": "Pass"}
    code, output = mock.run("-t", "mock/bulk/*", "--resume", f"--results={own}")
    assert code == 0, output
    assert (own / "results.csv").read_text().count(",Pass,") == 2


def test_the_last_lines_have_the_seconds_and_the_areas_that_took_most(mock: Mock) -> None:
    mock.environment["MOCK_SLEEP"] = "2"
    code, output = mock.run("-t", "mock/sleep/*", "-t", "mock/basic/pass")
    assert code == 0, output
    assert re.search(
        r"^took \d+ s, \d+ s of the processors; dearest areas: mock/sleep \d\.\d s, mock/basic 0\.\d s$", output, re.M
    )


def test_report_judges_an_old_run_by_new_expectations(mock: Mock) -> None:
    mock.environment["RUNNER_COMMAND"] = "ci/run"
    mock.expect("fails", "# Nothing fails.\n")
    code, output = mock.run("-t", "mock/basic/fail")
    assert code == 1
    nexts = [r"  ci/run --driver mock .* --failed .*  # what failed, again"]
    nexts += [r"  ci/run run-case .* mock/basic/fail  # the first .*", r"  ci/run repro .* mock/basic/fail repro/  # .*"]
    nexts += [
        f"  ci/run report --as html --suites {MOCK}/suites --expectations {mock.folder}/expectations {mock.results}  # .*",
        f"  expected\\? .* `ci/run expect update --suites .* --registry .* {mock.results} {mock.results}.1`",
    ]
    assert re.search("\n".join(["^next:", *nexts]), output, re.MULTILINE), output
    mock.expect("fails", "# why\nmock/basic/fail,Fail\n")
    own = f"--expectations={mock.folder / 'expectations'}"
    code, output = mock.cli("report", str(mock.results), f"--suites={MOCK / 'suites'}", own)
    assert code == 0, output
    assert mock.rows() == {"mock/basic/fail": "ExpectedFail"}, output


def test_results_of_another_checkout_are_judged_by_the_runners_own_expectations_and_say_so(mock: Mock) -> None:
    mock.expect("fails", "# why\nmock/basic/fail,Fail\n")
    assert mock.run("-t", "mock/basic/fail")[0] == 0
    suites, own = f"--suites={MOCK / 'suites'}", mock.folder / "expectations"
    for command in ("html", "junit", "summary", "report"):
        code, output = mock.cli(command, str(mock.results), suites)
        assert f"judged by {ROOT / 'expectations'}\n" in output
        if command == "report":
            assert code == 1
            assert mock.rows() == {"mock/basic/fail": "Fail"}
        assert f"judged by {own}\n" in mock.cli(command, str(mock.results), suites, f"--expectations={own}")[1]


def test_plain_pytest_runs_the_suites_too(mock: Mock) -> None:
    kept = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}  # as the runner sets them for its own
    for words in ([], ["-n", "2"]):
        own = ["--driver=mock", f"--registry={MOCK}/drivers.yaml", f"{MOCK}/suites"]
        command = [sys.executable, "-m", "pytest", *own, "-k", "basic/pass or basic/fail or need", *words]
        environment = {**kept, "MOCK_STATE": str(mock.folder)}
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment)
        assert "1 failed, 1 passed, 1 skipped" in done.stdout, done.stdout + done.stderr
        assert "value: mock: got 1 want 2" in done.stdout


def test_gitlab_gets_collapsible_sections(mock: Mock) -> None:
    mock.environment = {"GITLAB_CI": "true"}
    _, output = mock.run("-t", "mock/basic/pass")
    starts = re.findall(r"section_start:\d+:(\w+)", output)
    assert starts
    assert starts == re.findall(r"section_end:\d+:(\w+)", output)


def test_one_flakes_line_does_not_hide_that_nothing_passes_any_more(mock: Mock) -> None:
    # Ten failures of one case are a flake's by chance, twenty of two cases are not: 0.6 %, 0.004 %.
    path = mock.expect("flakes", "# a guess\nmock/coin/*,Fail,3/10\n")
    mock.environment = {"MOCK_COINS": "2", "MOCK_PERCENT": "100"}
    code, output = mock.run("-t", "mock/coin/*", "--retries", "1")
    assert code == 1, output
    assert set(mock.rows().values()) == {"Fail"}, output
    path.write_text("# a guess\nmock/*,Fail\n")
    code, output = mock.run("-t", "mock/coin/000", "-t", "mock/basic/pass")
    assert code == 1, output
    assert mock.rows() == {"mock/basic/pass": "Pass", "mock/coin/000": "Fail"}, output
    assert f"{path}:2: 'mock/*' has no rate" in output
    assert f"{path}:2: 'mock/*' covers more than one area; write one entry an area" in output


@pytest.mark.parametrize(
    "words",
    [
        ("--driver=nonesuch",),
        ("--gpt2-weights=/nonexistent",),
        ("--mesa-prefix=/nonexistent",),
        ("-t", "no/such/case"),
        ("-t", "mock/basic/pass", "--shard", "1/2"),
        ("-t", "mock/basic/pass", "--shard", "2/2"),
        ("--expectations=/nonexistent",),
        ("--registry=/nonexistent",),
        ("--variant=nonesuch",),
        ("--frobnicate",),
        ("-j", "0"),
    ],
    ids=" ".join,
)
def test_a_run_that_ends_before_it_began_leaves_no_results_of_an_earlier_one(mock: Mock, words: tuple[str, ...]) -> None:
    old = mock.results / "journal.jsonl"
    mock.results.mkdir()
    device = '{"event":"device","report":{"features":["execute"]}}\n'
    footer = '{"event":"footer","reason":"","wall_s":1}\n'
    config = json.dumps(RunConfig("mock").to_json())
    header = f'{{"event":"header","config":{config},"ids":["mock/basic/pass"],"suites":"","expectations":"","begun":"x"}}\n'
    result = '{"event":"result","id":"mock/basic/pass","attempts":[{"status":"pass","how":"warm"}]}\n'
    old.write_text(header + device + result + footer)
    (mock.results / "junit.xml").write_text("green")
    code, output = mock.run(*words)
    if code:
        assert not mock.results.exists() or not any(mock.results.iterdir()), output
        code, output = mock.cli("summary", str(mock.results))
        assert code == 2, output
    else:
        assert ("nothing to do" in output and not mock.results.exists()) or "executed" in output
    assert (mock.folder / "results.1/junit.xml").read_text() == "green"


def test_what_a_suite_requires_every_case_of_it_requires(mock: Mock) -> None:
    shutil.copytree(MOCK / "suites", mock.folder / "suites", ignore=shutil.ignore_patterns("__pycache__"))
    header = mock.folder / "suites/mock/suite.yaml"
    header.write_text(header.read_text() + "requires: [qcom]\n")
    code, output = mock.run("-t", "mock/basic/pass", "-t", "mock/need/unmet", f"--suites={mock.folder / 'suites'}")
    assert code == 4, output
    assert mock.rows() == {"mock/basic/pass": "Skip", "mock/need/unmet": "Skip"}
    assert "unsupported: qcom (dig deeper)" in (mock.results / "junit.xml").read_text()


def test_the_suites_of_tinygrad_require_it_and_say_how_to_get_it() -> None:
    suites = load(ROOT / "suites").suites
    wanting = {name for name, suite in suites.items() if "tinygrad" in suite.requires}
    assert wanting == {"models", "tinygrad", "upstream"}
    assert all("--tinygrad-prefix" in suites[name].hints["tinygrad"] for name in wanting)
