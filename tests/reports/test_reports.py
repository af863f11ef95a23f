"""`runner diff`, `bisect-step`, `junit` and `summary`, on real runs of the mock suite and on journals made by hand."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import pytest
from conftest import MOCK, ROOT, Mock

from runner.analysis.merged_runs import load_reports
from runner.lines import one_line
from runner.model import Attempt, DeviceReport, Result, Status
from runner.output.markdown import block, cell, code
from runner.output.summary import flake_lines, format_markdown
from runner.records.journal import Journal
from runner.run_config import OPTIONS, RunConfig

_P, _F = Status.PASS, Status.FAIL
_EVIL = "value: got `x` ```\n</details>\x1b[31m<script> | @all !1 \u202e"


def _places(mock: Mock) -> tuple[str, ...]:
    return f"--suites={MOCK / 'suites'}", f"--expectations={mock.folder / 'expectations'}"


def _write_run(folder: Path, results: Mapping[str, Sequence[Attempt]], **config: object) -> Path:
    """A finished run, as a worker would have left it."""
    folder.mkdir()
    with Journal(folder / "journal.jsonl") as journal:
        whole = RunConfig("mock", registry=str(MOCK / "drivers.yaml"), **config)  # type: ignore[arg-type]
        journal.write("header", config=whole.to_json(), ids=list(results), suites="s", expectations="e", begun="")
        journal.write("device", report=asdict(DeviceReport(device="mock", features=("execute",))))
        for test_id, attempts in results.items():
            journal.write("result", **Result(test_id, tuple(attempts)).to_json())
        journal.write("footer", reason="", wall_s=1.0)
    return folder


def _testcases(text: str) -> dict[tuple[str | None, str | None], str]:
    """Class and name of every testcase, with the tag of what is in it; a duplicate name fails."""
    found: dict[tuple[str | None, str | None], str] = {}
    for case in ET.fromstring(text.partition("judged by")[0]).iter("testcase"):  # that stands on stderr
        name = (case.get("classname"), case.get("name"))
        assert name not in found
        found[name] = next((e.tag for e in case if e.tag != "system-out"), "")
    return found


def test_diff_names_what_a_real_run_broke_in_text_markdown_and_json(mock: Mock) -> None:
    mock.environment = {"MOCK_BULK": "20"}
    selection = (*("-j", "1", "-t", "mock/bulk/*", "-t", "mock/state/flake", "-t", "mock/basic/utf8", "-t", "mock/need/*"),)
    mock.run(*selection)
    old = mock.results.rename(mock.folder / "old")
    mock.environment["MOCK_BULK_CRASH"] = "1"
    mock.run(*selection)
    words = ("diff", str(old), str(mock.results), *_places(mock))
    code_, text = mock.cli(*words)
    assert code_ == 1
    assert re.search(r"broken: 2\n  mock/bulk/00005: Pass -> Crash: SIGSEGV.*\n  mock/bulk/00015", text)
    assert "no longer flaky: 1\n  mock/state/flake: Flake -> Pass" in text
    assert text.splitlines()[-1].startswith("BROKEN: broken 2, no longer flaky 1, the same 20")
    code_, text = mock.cli(*words, "--format", "markdown")
    assert code_ == 1
    assert text.startswith("**BROKEN: broken 2")
    assert "```text\nmock/bulk/00005: Pass -> Crash" in text
    code_, text = mock.cli(*words, "--format", "json")
    document = json.loads(text)
    assert code_ == 1
    assert [c["id"] for c in document["broken"]] == ["mock/bulk/00005", "mock/bulk/00015"]
    assert document["broken"][0]["new"]["happened"] == "Crash"
    assert document["same"] == 20
    code_, text = mock.cli("diff", str(mock.results), str(old), *_places(mock))
    assert code_ == 0
    assert "fixed: 2" in text
    assert "newly flaky: 1" in text


def test_shards_are_compared_as_the_one_run_that_they_are(mock: Mock) -> None:
    mock.environment = {"MOCK_BULK": "8"}
    words = ("-j", "1", "-t", "mock/bulk/*", "-t", "mock/basic/fail")
    mock.run(*words)
    whole = mock.results.rename(mock.folder / "whole")
    (mock.folder / "shards").mkdir()
    for index in (1, 2):
        mock.run(*words, "--shard", f"{index}/2")
        mock.results.rename(mock.folder / f"shards/{index}")
    shards = mock.folder / "shards"
    code_, text = mock.cli("diff", str(whole), str(shards), *_places(mock))
    assert code_ == 0
    assert text.splitlines()[-1] == "nothing broke: the same 9"
    # With their merged directory beside them, every attempt counts once, and the names are those of the run.
    merged = mock.folder / "merged"
    mock.cli("merge", str(shards), "--results", str(merged), *_places(mock))
    code_, text = mock.cli("junit", str(merged), str(shards), *_places(mock))
    assert code_ == 0
    assert _testcases(text) == _testcases((whole / "junit.xml").read_text())
    (report,), _ = load_reports([shards, merged], MOCK / "suites", mock.folder / "expectations")
    assert {len(row.result.attempts) for row in report.rows if row.result} == {1, 2}  # the failure's repeat
    # A shard that is not there is red.
    shutil.rmtree(shards / "2")
    code_, text = mock.cli("summary", str(shards), "--markdown", *_places(mock))
    assert code_ == 0
    assert text.startswith("**RED")
    assert "it has no result" in text


def test_a_missing_shard_of_suites_that_have_changed_since_is_not_a_green_run(mock: Mock) -> None:
    one = _write_run(mock.folder / "one", {"mock/basic/pass": [Attempt(_P)]}, shard=(1, 2))
    (report,), _ = load_reports([one], MOCK / "suites", mock.folder / "expectations")
    assert (report.exit_code, report.fatal) == (3, "shard 2/2 is missing")
    other = _write_run(mock.folder / "other", {"mock/basic/fail": [Attempt(_P)]}, shard=(2, 2))
    (report,), _ = load_reports([one, other], MOCK / "suites", mock.folder / "expectations")
    assert report.exit_code == 0
    assert [row.id for row in report.rows] == ["mock/basic/pass", "mock/basic/fail"]


def test_junit_judges_by_the_expectations_of_today(mock: Mock) -> None:
    run = _write_run(mock.folder / "run", {"mock/basic/fail": [Attempt(_F, 1.5, _EVIL)], "mock/basic/pass": [Attempt(_P)]})
    fail = ("mock.basic", "mock/basic/fail")
    assert _testcases(mock.cli("junit", str(run), *_places(mock))[1])[fail] == "failure"
    mock.expect("fails", "# why\nmock/basic/fail,Fail\n")
    file = mock.folder / "junit.xml"
    code_, text = mock.cli("junit", str(run), "--output", str(file), *_places(mock))
    assert (code_, text) == (0, f"judged by {mock.folder / 'expectations'}\n")
    assert _testcases(file.read_text())[fail] == "skipped"


def test_runs_of_several_targets_have_names_of_their_own_in_one_junit(mock: Mock) -> None:
    results = {"mock/basic/pass": [Attempt(_P)]}
    plain = _write_run(mock.folder / "plain", results)
    sync = _write_run(mock.folder / "sync", results, variant="sync")
    _, text = mock.cli("junit", str(plain), str(sync), *_places(mock))
    name = "mock/basic/pass"
    assert list(_testcases(text)) == [("mock.mock.basic", name), ("mock-sync.mock.basic", name)]
    seeded = _write_run(mock.folder / "seeded", results, seed=3)
    code_, text = mock.cli("junit", str(plain), str(seeded), *_places(mock))
    assert code_ == 2
    assert "a report of each" in text
    code_, text = mock.cli("diff", str(mock.folder), str(plain), *_places(mock))
    assert code_ == 2
    assert "more than one run" in text


def _outside_fences(text: str) -> str:
    """The part that is read as Markdown: without fenced blocks and code, by CommonMark's rules."""
    outside, fence = [], ""
    for line in text.split("\n"):
        if fence:
            if re.fullmatch(r" {0,3}`+\s*", line) and len(line.strip()) >= len(fence):
                fence = ""
        elif found := re.match(r" {0,3}(`{3,})[^`]*$", line):
            fence = found[1]
        else:
            outside.append(re.sub(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)", "", line))
    assert not fence
    return "\n".join(outside)


def test_nothing_that_a_driver_printed_leaves_its_place(mock: Mock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RUNNER_COMMAND", raising=False)  # as ci/run was called
    results = {
        "mock/basic/fail": [Attempt(_F, message=_EVIL)] * 2,
        "mock/state/flake": [Attempt(_F, message=_EVIL + "x" * 900), Attempt(_P)],
        "mock/basic/pass": [Attempt(_P)],
    }
    run = _write_run(mock.folder / "run", results)
    mock.expect("fails", "# why\nmock/basic/pass,Fail\n")
    (report,), _ = load_reports([run], MOCK / "suites", mock.folder / "expectations")
    text = format_markdown(report, [run])
    assert text.startswith("**RED: 1 regression** on ")
    assert f"runner expect update {run}" in text
    places = f"--suites {MOCK / 'suites'} --expectations {mock.folder / 'expectations'}"
    assert re.search(rf"^  runner run-case --driver mock {places}( --registry \S+)? mock/basic/fail$", text, re.MULTILINE)
    good = _write_run(mock.folder / "good", {i: [Attempt(_P)] for i in results})
    difference = mock.cli("diff", str(good), str(run), "--format", "markdown", *_places(mock))[1]
    for markdown in (text, difference):
        assert not re.search("[\x00-\x09\x0b-\x1f\u202e]", markdown)
        assert not re.search(r"script|@all|!1|got|\[31m", _outside_fences(markdown))
        assert markdown.count("@all") == markdown.count("<script>") >= 2
        assert _outside_fences(markdown).count("<details>") == _outside_fences(markdown).count("</details>")
    url = f"https://gitlab.freedesktop.org/{'group/' * 20}mesa/-/jobs/1"
    (line,) = flake_lines(report, url)
    assert line.startswith("NEW flake on mock: mock/state/flake: 1 of 2 attempts: value: got")
    assert line.endswith(f" {url}")
    assert len(line.encode()) <= 400
    assert not re.search("[\x00-\x1f\u202e]", line)
    code_, screen = mock.cli("report", str(run), *_places(mock))
    assert code_ == 1
    assert "Fail: mock/basic/fail\n    value: got" in screen
    assert not re.search("[\x00-\x09\x0b-\x1f\u202e]", screen)
    mock.environment = {"CI_JOB_URL": "https://ci/7"}
    code_, text = mock.cli("summary", str(run), str(good), "--flake-lines", *_places(mock))
    assert code_ == 0
    assert re.fullmatch(r"(NEW flake on mock: mock/\S+: .+ https://ci/7\n)+", text.partition("judged by")[0])


@pytest.mark.parametrize("text", ["", "plain", "`", "``x", "a ``` b", "|", "x" * 5000, "\n\n", "\u202e\x00"])
def test_code_in_markdown_is_read_as_it_was_written(text: str) -> None:
    assert _outside_fences(f"a {code(text)} b").replace("  ", " ").strip() == "a b"
    assert _outside_fences(block([text])) == ""
    assert len(one_line(text)) <= 300
    assert len(re.findall(r"(?<!\\)\|", cell(text))) == 0


def _git(folder: Path, *words: str) -> str:
    identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
    done = subprocess.run(["git", *identity, *words], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


def test_git_bisect_finds_the_commit_that_broke_a_test_past_one_that_cannot_be_tested(mock: Mock) -> None:
    tree = mock.folder / "tree"
    shutil.copytree(MOCK / "suites", tree, ignore=shutil.ignore_patterns("__pycache__"))
    body = tree / "mock/run.py"
    good = body.read_text()
    bad = good.replace('check.true("a mock passes", True)', 'check.equal("bits", 1, 2)')
    other = bad.replace('"bits"', '"pieces"')
    assert len({good, bad, other}) == 3
    broken = "raise ImportError\n"
    _git(tree, "init", "--quiet")
    commits = []
    for number, text in enumerate((good, good, broken, good, good, bad, bad, other)):
        body.write_text(f"{text}# {number}\n")
        _git(tree, "add", ".")
        _git(tree, "commit", "--quiet", "-m", f"commit {number}")
        commits.append(_git(tree, "rev-parse", "HEAD").strip())
    step = (
        "bisect-step",
        "--driver=mock",
        f"--registry={MOCK / 'drivers.yaml'}",
        f"--suites={tree}",
        "-t",
        "mock/basic/pass",
    )
    assert mock.cli(*step)[0] == 1
    assert mock.cli(*step, "--signature", "bits")[0] == 125  # it fails, in another way
    for number, want in ((2, 125), (4, 0), (6, 1)):
        _git(tree, "checkout", "--quiet", commits[number])
        assert mock.cli(*step, "--signature", "bits")[0] == want
    assert mock.cli(*step, "-t", "mock/need/unmet")[0] == 1  # one that is bad is enough
    _git(tree, "checkout", "--quiet", commits[4])
    code_, text = mock.cli(*step, "-t", "mock/need/unmet")
    assert code_ == 125
    assert "qcom" in text
    assert mock.cli(*step, "--mesa-prefix", str(tree / "not_built"))[0] == 125
    assert mock.cli(*step, "-t", "mock/no/such")[0] == 128  # git gives up, and blames no commit
    _git(tree, "bisect", "start", commits[6], commits[0])
    command = [sys.executable, "-m", "runner.cli", *step]
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "MOCK_STATE": str(mock.folder / "state"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(["git", "bisect", "run", *command], cwd=tree, env=environment, capture_output=True, text=True)
    assert f"{commits[5]} is the first bad commit" in done.stdout, done.stdout + done.stderr


def test_the_command_to_repeat_says_all_that_a_case_hangs_on_and_runs_as_it_stands(mock: Mock) -> None:
    weights = mock.folder / "the weights"
    weights.mkdir()
    for name in OPTIONS["gpt2_weights"].holds:
        (weights / name).touch()
    mock.environment["RUNNER_COMMAND"] = f"{sys.executable} -m runner"
    mock.run("-t", "mock/basic/fail", f"--gpt2-weights={weights}", "--timeout-scale=2", "--memory-limit=4000", "--seed=7")
    log = (mock.results / "logs/mock/basic/fail.txt").read_text()
    (line,) = re.findall("^repeat: (.*)$", log, re.MULTILINE)
    places = ["--suites", str(MOCK / "suites"), "--expectations", str(mock.folder / "expectations")]
    others = ["--timeout-scale", "2.0", "--seed", "7", *places, "--registry", str(MOCK / "drivers.yaml")]
    own = ["--driver", "mock", *others, "--gpt2-weights", str(weights), "--memory-limit", "4000"]
    assert shlex.split(line) == [sys.executable, "-m", "runner", "run-case", *own, "mock/basic/fail"]
    done = subprocess.run(
        line, shell=True, capture_output=True, text=True, cwd=mock.folder, env=os.environ | {"PYTHONPATH": str(ROOT)}
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Fail: mock/basic/fail" in done.stdout, done.stdout + done.stderr
