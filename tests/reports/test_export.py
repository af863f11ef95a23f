"""`runner export`: what other tools take, checked by their own schemas. Code Quality's is in test_gitlab.py."""

import json
from pathlib import Path

import pytest
from conftest import MOCK, Mock
from kcidb_io.schema import LATEST
from nights import Nights

from runner.cli import main
from runner.model import Status

_P, _F, _S = Status.PASS, Status.FAIL, Status.SKIP


@pytest.mark.slow
def test_a_real_run_is_valid_for_kcidb_and_says_what_happened(two_runs: Mock) -> None:
    code, output = two_runs.cli("export", "kcidb", "results", f"--suites={MOCK / 'suites'}", "--expectations=expectations")
    assert code == 0, output
    data = json.loads(output)
    LATEST.validate(data)
    words = {"Pass": "PASS", "UnexpectedImprovement(Pass)": "PASS", "Skip": "SKIP", "Fail": "FAIL", "Crash": "FAIL"}
    words |= {"ExpectedFail": "FAIL"}
    assert {t["misc"]["case"]: t["status"] for t in data["tests"]} == {i: words[v] for i, v in two_runs.rows().items()}
    assert {t["build_id"] for t in data["tests"]} == {b["id"] for b in data["builds"]}
    assert {b["checkout_id"] for b in data["builds"]} == {c["id"] for c in data["checkouts"]}
    assert len({t["id"] for t in data["tests"]}) == len(data["tests"])
    assert (
        output == two_runs.cli("export", "kcidb", "results", f"--suites={MOCK / 'suites'}", "--expectations=expectations")[1]
    )


def test_a_known_bug_is_an_issue_and_each_test_that_shows_it_an_incident(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "expectations/mock").mkdir(parents=True)
    (tmp_path / "expectations/mock/mock-fails.txt").write_text("# bug 7: so\na/b+=/x.y,Fail,here\na/b/z,Fail\n")
    (tmp_path / "bugs").mkdir()
    link = "https://gitlab.example/mesa/-/issues/1"
    (tmp_path / "bugs/0007-words.yaml").write_text(
        f"title: A bug\nclause: C 6.1\nsays: so.\ncase: a/b/z\nupstream: reported {link}\n"
    )
    night = Nights(tmp_path).run({"a/b+=/x.y": (_F,), "a/b/z": (_P,), "a/b/s": (_S,)})
    places = [f"--expectations={tmp_path / 'expectations'}", f"--suites={MOCK / 'suites'}"]
    assert main(["export", "kcidb", str(night), *places, "--origin", "own_ci"]) == 0
    data = json.loads(capsys.readouterr().out)
    LATEST.validate(data)
    assert [(i["id"], i["report_subject"], i["report_url"]) for i in data["issues"]] == [("own_ci:bug-7", "A bug", link)]
    (shown,) = [t["id"] for t in data["tests"] if t["path"] == "rusticl.a.b.x.y"]
    assert [(i["test_id"], i["present"]) for i in data["incidents"]] == [(shown, True)]
    assert main(["export", "kcidb", str(night), *places, "--origin", "Own CI"]) == 2
    assert "a-z, 0-9 and _" in capsys.readouterr().err
