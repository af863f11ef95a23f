"""The history and `runner history flakes`, on real runs of the mock suite and on journals made by hand."""

import json
import re
import shutil
import zipfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Mock
from nights import Nights

from runner.expectations.files import parse_file
from runner.expectations.target import Target
from runner.model import FileKind, How, Status, UsageError
from runner.records import journal
from runner.records.artifacts import find_runs
from runner.records.history import History

_P, _F, _C, _S = Status.PASS, Status.FAIL, Status.CRASH, Status.SKIP


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
        every = history.executions(runs, history.statuses(runs))
    return {i: Counter(str(e.status) for e in own) for i, own in every.items()}


def test_runs_of_flaky_cases_are_counted_once_each_however_often_they_are_imported(mock: Mock, file: Path) -> None:
    mock.environment = {"MOCK_COINS": "4"}
    for jobs in ("1", "2", "1"):
        mock.run("-j", jobs, "-t", "mock/coin/*", "-t", "mock/basic/segfault", "--history", str(file))
    folders = [mock.results, mock.folder / "results.1", mock.folder / "results.2"]
    want = _recount(folders)
    assert len(want) == 5
    assert _counted(file) == want
    code, output = mock.cli("history", "import", str(mock.folder), "--history", str(file))
    assert code == 0
    assert output.count(": 0 new executions") == 3
    assert "3 runs" in output
    assert _counted(file) == want
    with History(file) as history:
        assert Counter(run.jobs for run in history.runs("mock")) == {1: 2, 2: 1}
        assert history.runs("llvmpipe") == []
        ((crash, *_),) = history.executions(history.runs(), ["mock/basic/segfault"]).values()
    assert (crash.status, crash.message.partition(":")[0], crash.how) == (_C, "SIGSEGV", How.WARM)
    assert crash.duration_s > 0


def _passed_after_a_failure(file: Path) -> set[str]:
    with History(file) as history:
        runs = history.runs()
        statuses = {i: [e.status for e in own] for i, own in history.executions(runs, history.statuses(runs)).items()}
    return {i for i, own in statuses.items() if _F in own and _P in own[own.index(_F) :]}


def test_flakes_finds_exactly_the_cases_that_passed_after_they_had_failed(mock: Mock, file: Path) -> None:
    mock.environment = {"MOCK_COINS": "6"}
    for _ in range(2):  # mock/state/flake fails once, and never again
        mock.run("-j", "1", "-t", "mock/coin/*", "-t", "mock/state/flake", "-t", "mock/basic/fail", "--history", str(file))
    flaky = _passed_after_a_failure(file)  # a coin that passed and then fails twice may be broken from there on
    want = {i: (c["Fail"], c.total()) for i, c in _counted(file).items() if i in flaky}
    assert want["mock/state/flake"] == (1, 3) or want["mock/state/flake"] == (1, 4)  # in a used child it is replayed
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
    assert len(list(parse_file(path.read_text(), FileKind.FLAKES, str(path)).entries)) == len(want)
    code, output = mock.cli(*words)
    assert code == 0, output
    assert output.count("keep ") == len(want), output


def test_a_known_flake_whose_rate_leaves_its_interval_is_red(mock: Mock, file: Path) -> None:
    mock.environment = {"MOCK_COINS": "1", "MOCK_PERCENT": "100"}
    mock.expect("flakes", "# rare\nmock/coin/000,Fail,1/400\n")
    assert mock.run("-t", "mock/coin/*", "--history", str(file))[0] == 1  # the run itself is
    words = ("flakes", "--history", str(file), "--expectations", str(mock.folder / "expectations"))
    code, output = mock.cli(*words)
    assert code == 1
    assert "RED" in output
    assert "above the 1/400 (0.25 %" in output
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
        assert [run.fault for run in history.runs()] == ["killed"]
        assert 0 < some < 30
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
    assert code == 0, output
    assert _counted(file) == _recount([mock.results]), output
    code, output = mock.cli("history", "show", "--history", str(file), "-t", "*/fail")
    assert "mock/basic/fail: 1 runs, failed 2/2 (100 %, 34.2 to 100 %) Fail" in output
    assert "2 x value: mock: got 1 want 2" in output
    assert "pass" not in output


def test_what_is_not_a_history_is_a_usage_error(mock: Mock, file: Path) -> None:
    assert mock.cli("flakes", "--history", str(file))[0] == 2
    assert not file.exists()
    file.write_text("my diary")
    for words in (("history", "import", "."), ("flakes",), ("history", "show")):
        code, output = mock.cli(*words, "--history", str(file))
        assert code == 2, words
        assert str(file) in output, words
    assert mock.run("-t", "mock/basic/pass", "--history", str(file))[0] == 2
    assert not mock.results.exists()
    assert file.read_text() == "my diary"
    file.unlink()
    code, output = mock.cli("history", "import", "nowhere", "--history", str(file))
    assert code == 2
    assert "no journal.jsonl" in output


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
