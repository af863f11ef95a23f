"""The history, `runner flakes` and `runner stress`, on real runs of the mock suite and on journals made by hand."""

from __future__ import annotations

import itertools
import json
import re
import shutil
import zipfile
from collections import Counter
from dataclasses import asdict, replace
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest
from conftest import MOCK, Mock

from runner.analysis.flakes import Action, judge_flake
from runner.commands.stress import plans
from runner.expectations.files import parse_file
from runner.expectations.target import Target
from runner.model import Attempt, DeviceReport, Expectation, How, Kind, Result, Status, UsageError, Verdict
from runner.records import journal
from runner.records.artifacts import find_runs
from runner.records.history import Execution, History, Run
from runner.records.journal import Journal
from runner.run_config import RunConfig
from runner.verdict.intervals import Factor, fisher_exact, strongest
from runner.verdict.judge import judge

_P, _F, _C, _S = Status.PASS, Status.FAIL, Status.CRASH, Status.SKIP
_BAD = (_F, _C, Status.TIMEOUT)


@pytest.fixture
def file(mock: Mock) -> Path:
    return mock.folder / "history.sqlite"


def _recount(folders: list[Path]) -> dict[str, Counter[str]]:
    """The executions of some journals by test and status, read without the tool."""
    found: dict[str, Counter[str]] = {}
    for folder in folders:
        for line in (folder / "journal.jsonl").read_text().splitlines():
            if (event := json.loads(line))["event"] == "result":
                found.setdefault(event["id"], Counter()).update(a["status"] for a in event["attempts"])
    return found


def _counted(file: Path) -> dict[str, Counter[str]]:
    with History(file) as history:
        runs = history.runs()
        every = history.executions(runs, history.tests(runs))
    return {i: Counter(str(e.status) for e in own) for i, own in every.items()}


def test_runs_of_flaky_cases_are_counted_once_each_however_often_they_are_imported(mock: Mock, file: Path) -> None:
    mock.environment = {"MOCK_COINS": "8"}
    for jobs in ("1", "2", "1"):
        mock.run("-j", jobs, "-t", "mock/coin/*", "-t", "mock/basic/segfault", "--history", str(file))
    folders = [mock.results, mock.folder / "results.1", mock.folder / "results.2"]
    want = _recount(folders)
    assert len(want) == 9
    assert _counted(file) == want
    code, output = mock.cli("history", "import", str(mock.folder), "--history", str(file))
    assert code == 0 and output.count(": 0 new executions") == 3 and "3 runs" in output
    assert _counted(file) == want
    with History(file) as history:
        assert Counter(run.jobs for run in history.runs("mock")) == {1: 2, 2: 1}
        assert history.runs("llvmpipe") == []
        ((crash, *_),) = history.executions(history.runs(), ["mock/basic/segfault"]).values()
    assert (crash.status, crash.message, crash.how) == (_C, "SIGSEGV", How.WARM) and crash.duration_s > 0


def test_flakes_finds_exactly_the_cases_that_both_passed_and_failed(mock: Mock, file: Path) -> None:
    mock.environment = {"MOCK_COINS": "6"}
    for _ in range(2):  # mock/state/flake fails once, and never again
        mock.run(
            "-j",
            "1",
            "-t",
            "mock/coin/*",
            "-t",
            "mock/state/flake",
            "-t",
            "mock/basic/fail",
            "--history",
            str(file),
        )
    want = {i: (c["Fail"], c.total()) for i, c in _counted(file).items() if c["Fail"] and c["Pass"]}
    assert want["mock/state/flake"] == (1, 3) or want["mock/state/flake"] == (
        1,
        4,
    )  # in a used child it is replayed
    words = ("flakes", "--history", str(file), "--expectations", str(mock.folder / "expectations"))
    code, output = mock.cli(*words)
    assert code == 5
    lines = re.findall(r"^add +(\S+)$", output, re.MULTILINE)
    assert sorted(lines) == sorted(f"{i},Fail,{k}/{n}" for i, (k, n) in want.items())
    (document,) = json.loads(mock.cli(*words, "--format", "json")[1])
    assert {f["id"]: (f["failures"], f["executions"]) for f in document["flakes"]} == want
    for flake in document["flakes"]:
        for levels in flake["factors"].values():
            assert [sum(c) for c in zip(*levels.values(), strict=True)] == list(want[flake["id"]])
    # The proposed lines are lines, and with them there is nothing left to do.
    path = mock.expect("flakes", "# seen\n" + "".join(f"{line}\n" for line in lines))
    assert len(list(parse_file(path.read_text(), Kind.FLAKES, str(path)).entries)) == len(want)
    code, output = mock.cli(*words)
    assert code == 0 and output.count("keep ") == len(want), output


def test_a_known_flake_whose_rate_leaves_its_interval_is_red(mock: Mock, file: Path) -> None:
    mock.environment = {"MOCK_COINS": "1", "MOCK_PERCENT": "100"}
    mock.expect("flakes", "# rare\nmock/coin/000,Fail,1/400\n")
    assert mock.run("-t", "mock/coin/*", "--history", str(file))[0] == 1  # the run itself is
    words = ("flakes", "--history", str(file), "--expectations", str(mock.folder / "expectations"))
    code, output = mock.cli(*words)
    assert code == 1 and "RED" in output and "above the 1/400 (0.25 %" in output
    mock.expect("flakes", "# often\nmock/coin/000,Fail,9/10\n")
    assert mock.cli(*words)[0] == 0


def test_a_run_that_was_killed_and_resumed_is_one_run(mock: Mock, file: Path) -> None:
    mock.environment = {"MOCK_BULK": "30"}
    mock.run("-t", "mock/bulk/*")
    path = mock.results / "journal.jsonl"
    whole = path.read_text()
    path.write_text("".join(whole.splitlines(keepends=True)[:30]))
    with History(file, create=True) as history:
        some = history.add(mock.results)
        assert [run.fault for run in history.runs()] == ["killed"] and 0 < some < 30
        path.write_text(whole)
        assert history.add(mock.results) == 30 - some
        assert [run.fault for run in history.runs()] == [""]
        assert history.add(mock.results) == 0


def test_artifacts_are_read_from_the_archive_that_gitlab_serves(mock: Mock, file: Path) -> None:
    mock.run("-t", "mock/basic/pass", "-t", "mock/basic/fail")
    with zipfile.ZipFile(mock.folder / "artifacts.zip", "w") as archive:
        for path in mock.results.rglob("*"):
            archive.write(path, Path("results") / path.relative_to(mock.results))
    code, output = mock.cli("history", "import", "artifacts.zip", "--history", str(file))
    assert code == 0 and _counted(file) == _recount([mock.results]), output
    code, output = mock.cli("history", "show", "--history", str(file), "-t", "*/fail")
    assert "mock/basic/fail: 1 runs, failed 2/2 (100 %, 34.2 to 100 %) Fail" in output
    assert "2 x value: mock: got 1 want 2" in output and "pass" not in output


def test_what_is_no_history_is_a_usage_error(mock: Mock, file: Path) -> None:
    assert mock.cli("flakes", "--history", str(file))[0] == 2
    assert not file.exists()
    file.write_text("my diary")
    for words in (("history", "import", "."), ("flakes",), ("history", "show")):
        code, output = mock.cli(*words, "--history", str(file))
        assert code == 2 and str(file) in output, words
    assert mock.run("-t", "mock/basic/pass", "--history", str(file))[0] == 2 and not mock.results.exists()
    assert file.read_text() == "my diary"
    file.unlink()
    code, output = mock.cli("history", "import", "nowhere", "--history", str(file))
    assert code == 2 and "no journal.jsonl" in output


class Nights:
    """Journals as runs write them, of results made by hand."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.count = folder, 0

    def run(
        self,
        results: dict[str, tuple[Status, ...]],
        mesa: str = "25.0.7",
        footer: str = "",
        variant: str = "",
    ) -> Path:
        self.count += 1
        folder = self.folder / f"night{self.count}"
        folder.mkdir(parents=True)
        config = RunConfig("mock", registry=str(MOCK / "drivers.yaml"), variant=variant)
        device = DeviceReport(device="mock", mesa=mesa, driver_version=mesa)
        with Journal(folder / journal.NAME) as writer:
            writer.write(
                "header",
                config=config.to_json(),
                ids=list(results),
                suites="s",
                expectations="e",
                begun=f"2026-01-{self.count:02}T00:00:00+00:00",
            )
            writer.write("device", report=asdict(device))
            for test_id, statuses in results.items():
                attempts = tuple(
                    Attempt(s, 0.5 + self.count / 1000, "" if s is _P else f"{s} here", nth_in_child=n + 1)
                    for n, s in enumerate(statuses)
                )
                writer.write("result", **Result(test_id, attempts).to_json())
            writer.write("footer", reason=footer, wall_s=1.0)
        return folder


def test_rates_are_kept_apart_by_mesa_release_and_leave_out_what_is_no_evidence(tmp_path: Path) -> None:
    nights, file = Nights(tmp_path), tmp_path / "h.sqlite"
    with History(file, create=True) as history:
        for mesa, footer, variant in (
            ("25.0.7", "", ""),
            ("25.0.9", "", ""),
            ("26.1.0", "", ""),
            ("25.0.7", "device lost", ""),
            ("25.0.7", "", "sync"),
        ):
            history.add(nights.run({"s/a/t": (_F, _P)}, mesa, footer, variant))
        runs = history.runs()
        assert Counter((run.series[0].mesa, run.variant, run.fault) for run in runs) == {
            ("25.0", "", ""): 2,
            ("26.1", "", ""): 1,
            ("25.0", "", "device lost"): 1,
            ("25.0", "sync", ""): 1,
        }


def test_durations_are_the_mean_of_the_newest_runs_before_the_pipeline(tmp_path: Path) -> None:
    nights, file = Nights(tmp_path), tmp_path / "h.sqlite"
    with History(file, create=True) as history:
        for _ in range(3):
            history.add(nights.run({"s/a/t": (_F, _P), "s/a/skipped": (_S,)}))
        history.add(nights.run({"s/a/new": (_P,)}, footer="device lost"))
        assert history.durations("mock", "", "execute", 1) == pytest.approx({"s/a/t": 2 * 0.502, "s/a/skipped": 0.502})
        assert history.durations("mock", "", "compile", 1) == {}
        early = history.durations("mock", "", "execute", 1, before="2026-01-02T00:00:00Z")
        assert early["s/a/t"] == pytest.approx(2 * 0.501)


def _executions(*statuses: Status, builds: int = 1) -> tuple[Execution, ...]:
    per = -(-len(statuses) // builds)
    return tuple(
        Execution(
            Run(n, str(n), f"2026-01-01T00:{n // 60:02}:{n % 60:02}", Target("mock"), "", f"build {n // per}", "", 1, ""),
            status,
            0.1,
            How.WARM,
            1,
            "",
        )
        for n, status in enumerate(statuses)
    )


def _line(rate: tuple[int, int] | None, kind: Kind = Kind.FLAKES, pattern: str = "s/a/t") -> Expectation:
    return Expectation(pattern, kind, frozenset({_F}), "", rate, source="f:1")


@pytest.mark.parametrize(
    ("statuses", "builds", "line", "action", "red"),
    [
        ([_F, _P, _P], 1, None, Action.ADD, False),
        ([_F, _F, _P, _P], 2, None, None, False),  # fixed, not flaky
        ([_F, _F], 1, None, None, False),
        ([_P] * 20 + [_F] * 20, 1, None, None, False),  # broken, by what no build tells
        ([_P, _F, _P, _F], 1, None, Action.ADD, False),
        ([_P, _P], 1, None, None, False),
        ([_F, _P] + [_P] * 100, 1, None, None, False),  # it has healed since
        ([_F, _P], 1, _line(None, Kind.FAILS), Action.ADD, False),
        ([_F, _P, _P], 1, _line((1, 3)), Action.KEEP, False),
        ([_F, _P, _P], 1, _line(None), Action.CHANGE, False),
        ([_F, _C, _P], 1, _line((1, 3)), Action.CHANGE, True),
        ([_F, _P] * 20, 1, _line((1, 200)), Action.CHANGE, True),
        ([_F] * 20, 1, _line((1, 200)), Action.CHANGE, True),
        (([_F] + [_P] * 19) * 10, 1, _line((9, 10)), Action.CHANGE, False),
        ([_P] * 150, 1, _line((1, 3)), Action.DROP, False),
        ([_P] * 100, 1, _line((1, 3)), Action.KEEP, False),
        ([_P] * 10, 1, _line((1, 300)), Action.KEEP, False),
        ([_P] * 150, 1, _line((1, 3), pattern="s/a/*"), Action.KEEP, False),
        ([_P] * 100, 1, _line(None), Action.KEEP, False),
    ],
)
def test_what_becomes_of_a_line(
    statuses: list[Status], builds: int, line: Expectation | None, action: Action | None, red: bool
) -> None:
    flake = judge_flake("s/a/t", _executions(*statuses, builds=builds), line)
    assert (flake and (flake.action, flake.red)) == (action and (action, red))
    if flake and flake.action in (Action.ADD, Action.CHANGE):
        k, bad = sum(s in _BAD for s in statuses), frozenset(statuses) - {_P}
        always = Expectation("s/a/t", Kind.FAILS, bad)
        assert flake.line == (
            always if k == len(statuses) else Expectation("s/a/t", Kind.FLAKES, bad, "", (k, len(statuses)))
        )


def test_what_fails_on_one_device_and_passes_on_another_is_no_flake() -> None:
    ran = _executions(*[_F, _P] * 4)
    by_device = tuple(replace(e, run=replace(e.run, device=f"device {n % 2}")) for n, e in enumerate(ran))
    assert judge_flake("s/a/t", ran, None)
    assert judge_flake("s/a/t", by_device, None) is None


def test_a_status_that_a_line_knows_is_not_forgotten_because_its_rate_changes() -> None:
    line = replace(_line((1, 200)), statuses=frozenset({_F, _C}))
    flake = judge_flake("s/a/t", _executions(*[_F, _P] * 20), line)
    assert flake and flake.line == replace(line, rate=(20, 40), source="")


@pytest.mark.parametrize(
    ("rate", "statuses", "verdict"),
    [
        ((1, 300), (_F, _P), Verdict.KNOWN_FLAKE),
        ((1, 300), (_F, _F, _P), Verdict.FAIL),
        ((1, 3), (_F, _F, _P), Verdict.KNOWN_FLAKE),
        ((1, 3), (_F,) * 9 + (_P,), Verdict.KNOWN_FLAKE),
        ((1, 40), (_F,) * 4 + (_P,), Verdict.FAIL),
        (
            (1, 300),
            (_F, _P, _F, _P),
            Verdict.KNOWN_FLAKE,
        ),  # two runs merged: twice in two, each with its pass
        ((1, 300), (_F, _P) * 3, Verdict.FAIL),
    ],
)
def test_a_pass_in_the_end_does_not_excuse_what_the_rate_makes_incredible(
    rate: tuple[int, int], statuses: tuple[Status, ...], verdict: Verdict
) -> None:
    judged = judge(Result("s/a/t", tuple(Attempt(s) for s in statuses)), _line(rate))
    assert judged.verdict is verdict
    assert ("f:1 says" in judged.message) == (verdict is Verdict.FAIL)


def test_fishers_exact_test_is_that_of_all_tables_with_these_margins() -> None:
    for a, b, c, d in itertools.product(range(5), repeat=4):
        row, n, column = a + b, a + b + c + d, a + c
        tables = {
            x: Fraction(comb(row, x) * comb(n - row, column - x), comb(n, column))
            for x in range(column + 1)
            if x <= row and column - x <= n - row
        }
        assert fisher_exact(a, b, c, d) == pytest.approx(float(sum(p for p in tables.values() if p <= tables[a])))
    assert fisher_exact(3, 1, 1, 3) == pytest.approx(34 / 70)  # Fisher's lady tasting tea


def test_the_factor_that_matters_pays_for_the_others_that_were_looked_at() -> None:
    child = Factor("child", {"fresh": (0, 50), "warm": (12, 50)})
    assert (child.strongest[0], child.strongest[1]) == ("warm", pytest.approx(fisher_exact(0, 50, 12, 38)))
    idle = [Factor(f"f{n}", {"a": (4, 50), "b": (5, 50)}) for n in range(3)]
    found = strongest([*idle, child])
    assert found and found[0] is child and found[2] == pytest.approx(4 * fisher_exact(0, 50, 12, 38))
    assert strongest([*idle * 20, child]) is None
    assert strongest(idle) is None and strongest([]) is None
    of_four = Factor("order", {"1": (0, 9), "2": (9, 9), "3": (0, 9), "4": (0, 9)})
    assert of_four.strongest == ("2", pytest.approx(4 / comb(36, 9)))
    assert Factor("one", {"a": (3, 9)}).strongest == ("", 1.0)


def test_stress_makes_all_combinations_equally_often() -> None:
    made = list(plans(96))
    assert set(Counter((p.fresh, bool(p.order), p.warm_cache, p.busy) for p in made).values()) == {8}
    assert set(Counter(p.order for p in made if p.order).values()) == {4}
    assert made == list(plans(96)) and len(list(plans(7))) == 7


def _stress(mock: Mock, *words: str) -> tuple[int, str]:
    own = [
        f"--registry={MOCK / 'drivers.yaml'}",
        f"--suites={MOCK / 'suites'}",
        f"--expectations={mock.folder / 'expectations'}",
    ]
    return mock.cli("stress", "--driver=mock", *own, *words)


def test_stress_names_the_case_that_left_something_behind(mock: Mock) -> None:
    mock.environment = {"MOCK_LEFT": "1"}
    code, output = _stress(mock, "mock/left/poisoned", "-n", "60", "--load", "1")
    assert code == 1
    assert "what matters: after mock/left/poison: yes fails " in output and ", else 0/" in output, output


def test_stress_names_the_shader_cache(mock: Mock) -> None:
    mock.environment = {"MOCK_LEFT": "1"}
    mock.expect("fails", "# why\nmock/cache/crash,Crash\n")
    code, output = _stress(mock, "mock/cache/cold_alone", "-n", "36", "--load", "1")
    assert code == 1
    found = re.search(r"what matters: shader cache: warm fails (\d+)/(\d+), else 0/(\d+)", output)
    assert found and found[1] == found[2] and int(found[2]) + int(found[3]) == 36, output


def test_stress_measures_a_rate_and_is_content_with_what_never_fails(mock: Mock) -> None:
    mock.environment = {"MOCK_COINS": "1"}
    code, output = _stress(mock, "mock/coin/000", "-n", "24", "--load", "1")
    found = re.match(r"mock/coin/000: failed (\d+)/24 \(", output)
    assert code == 1 and found and f"{found[1]} x Fail: value: not so: the coin shows heads" in output, output
    code, output = _stress(mock, "mock/basic/pass", "-n", "6", "--load", "1")
    assert code == 0 and output.startswith("mock/basic/pass: failed 0/6 (0 %, 0 to 39 %)")
    assert _stress(mock, "mock/need/unmet", "-n", "6")[0] == 2


def test_a_folder_of_nights_is_searched_and_a_target_is_asked_for_by_its_alias(tmp_path: Path) -> None:
    nights = Nights(tmp_path)
    folders = [nights.run({"s/a/t": (_P,)}) for _ in range(3)]
    assert find_runs(tmp_path) == folders
    shutil.rmtree(folders[1])
    assert find_runs(tmp_path) == [folders[0], folders[2]]
    damaged = folders[0] / journal.NAME
    damaged.write_text(damaged.read_text() + "{}\n")
    with History(tmp_path / "h", create=True) as history, pytest.raises(UsageError, match="damaged"):
        history.add(folders[0])
    assert replace(Target("mock"), mesa="25.0").name == "mock-mesa25.0"
