"""Several configurations in one run, `--variant base,no_variants`: one journal, verdicts and reports by configuration."""

import json
import os
import re
import shutil
import signal
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import MOCK, Command, Mock, make_mock

from runner.analysis.kernel_stats import load
from runner.drivers.registry import driver_of
from runner.model import UsageError
from runner.records.artifacts import find_runs, run_key
from runner.records.configurations import configurations_in
from runner.records.journal import NAME, Journal, read
from runner.run.configurations import expand
from runner.run_config import RunConfig

_BOTH = ("--variant", "base,validation", "-t", "mock/basic/complain", "-t", "mock/basic/pass")
_ROWS = {
    "base/mock/basic/pass": "Pass",
    "base/mock/basic/complain": "ExpectedFail",
    "validation/mock/basic/pass": "Pass",
    "validation/mock/basic/complain": "Fail",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Mock, int, str]:
    """A run of two: what one is expected to do is not what the other does."""
    mock = make_mock(tmp_path_factory.mktemp("configurations") / "mock")
    mock.expect("fails", "mock/basic/complain,Fail,Unhandled ALU op\n")
    return (mock, *mock.run(*_BOTH))


@pytest.fixture
def both(made: tuple[Mock, int, str], tmp_path: Path) -> Mock:
    """A copy of its results, for a test to change."""
    shutil.copytree(made[0].folder, tmp_path / "mock")
    return Mock(tmp_path / "mock")


def _judged(mock: Mock, *words: str) -> tuple[int, str]:
    return mock.cli(*words, f"--suites={MOCK / 'suites'}", f"--expectations={mock.folder / 'expectations'}")


@pytest.mark.slow
def test_several_configurations_are_one_run_and_each_has_its_verdicts(made: tuple[Mock, int, str]) -> None:
    mock, code, output = made
    assert code == 1, output
    assert mock.rows() == _ROWS, output
    assert [*mock.results.rglob(NAME)] == [mock.results / NAME]
    assert (mock.results / "failures.csv").read_text() == "validation/mock/basic/complain,Fail\n"
    assert read(mock.results / "validation").config.variant == "validation"
    assert not read(mock.results / "base").config.variant
    table = [line.split() for line in output.splitlines()]
    assert ["base", "1", "-", "1", "0"] in table
    assert ["validation", "1", "1", "-", "1"] in table
    assert (mock.results / "validation/logs/mock/basic/complain.txt").exists()
    assert re.search(rf"^  \S.* --failed {mock.results} --suites .* --registry .*# what failed", output, re.MULTILINE)


@pytest.mark.slow
def test_junit_has_a_suite_of_each_configuration(both: Mock) -> None:
    xml = ET.parse(both.results / "junit.xml").getroot()
    assert [(s.get("name"), s.get("tests"), s.get("failures")) for s in xml] == [
        ("rusticl-mock-base", "2", "0"),
        ("rusticl-mock-validation", "2", "1"),
    ]
    names = [(c.get("classname"), c.get("name")) for c in xml.iter("testcase")]
    assert len({*names}) == 4
    code, again = _judged(both, "junit", str(both.results))
    assert code == 0
    assert again.count("<testsuite ") == 2
    log = "[[ATTACHMENT|results/validation/logs/mock/basic/complain.txt]]"
    assert log in (both.results / "junit.xml").read_text()
    assert log in again


@pytest.mark.slow
def test_every_reader_groups_by_configuration(both: Mock) -> None:
    (both.results / "results.csv").unlink()
    code, output = _judged(both, "report", str(both.results))
    assert code == 1, output
    assert both.rows() == _ROWS
    code, output = _judged(both, "report", str(both.results / "base"))
    assert code == 0, output
    code, output = _judged(both, "summary", str(both.results))
    assert code == 0
    assert "mock base:" in output
    assert "RED: 2 of 2 selected cases executed" in output
    code, output = _judged(both, "summary", "--markdown", str(both.results))
    assert "**RED: 1 regression** on `mock-validation validation`" in output
    assert "**green: 0 regressions** on `mock base`" in output


@pytest.mark.slow
def test_the_page_shows_all_of_them_and_a_report_links_to_its_row(both: Mock) -> None:
    code, output = _judged(both, "html", str(both.results))
    assert code == 0, output
    page = (both.results / "report.html").read_text()
    assert "mock: 2 configurations, 1 regression" in page
    data = json.loads(re.findall(r'<script type="application/json" id="data">(.*?)</script>', page)[0])
    assert {row[0]: data["verdicts"][row[1]][0] for row in data["rows"]} == _ROWS
    assert "--variant validation" in data["commands"]["validation"]["next"][0][1]
    _, summary = _judged(both, "summary", "--markdown", str(both.results))
    assert "report.html#id=validation%2Fmock%2Fbasic%2Fcomplain" in summary
    code, output = _judged(both, "html", f"--against={both.results}", str(both.results))
    assert code == 2
    assert "give their folders apart" in output


@pytest.mark.slow
def test_what_failed_runs_again_in_the_configuration_where_it_failed(both: Mock) -> None:
    words = ["--registry", str(MOCK / "drivers.yaml"), "--results=again", "-j1"]
    code, output = _judged(both, "run", *words, "--failed", str(both.results))
    assert code == 1, output
    record = read(both.folder / "again")
    assert record.ids == ("mock/basic/complain",)
    assert record.config.variant == "validation"


@pytest.mark.slow
def test_a_killed_run_of_several_configurations_continues_where_it_was(mock: Mock, wait_until: Callable[..., None]) -> None:
    mock.environment["MOCK_SLEEP"] = "20"
    process = mock.start("--variant", "base,no_variants", "-t", "mock/sleep/*")
    path = mock.results / NAME
    wait_until(lambda: path.exists() and path.read_text().count('"event":"result"') > 2, 60)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    done = {**read(mock.results / "base").results}
    assert 2 < len(done) < 20
    code, output = _judged(mock, "report", str(mock.results))
    assert code == 3, output
    assert re.search(r"no_variants +- +3 not run: 20$", output, re.MULTILINE), output
    code, output = _judged(mock, "run", "--registry", str(MOCK / "drivers.yaml"), "-j1", "--resume", "--results", "results")
    assert code == 2, "the selection is not the same"
    words = ("-t", "mock/sleep/*", "--resume", "--results", "results")
    code, output = _judged(mock, "run", "--registry", str(MOCK / "drivers.yaml"), "-j1", *words)
    assert code == 0, output
    assert len(mock.rows()) == 40
    assert set(mock.rows().values()) == {"Pass"}
    again = read(mock.results / "base").results
    assert {i: again[i] for i in done} == done


@pytest.mark.slow
def test_shards_of_several_configurations_become_the_run_that_was_divided(both: Mock, made: tuple[Mock, int, str]) -> None:
    """The parts are made from the whole run's journal, each with the header and the results of its cases."""
    lines = [json.loads(line) for line in (both.results / NAME).read_text().splitlines()]
    cases = ["mock/basic/complain", "mock/basic/pass"]
    for number, own in enumerate(cases, 1):
        part = both.folder / f"parts{number}"
        part.mkdir()
        with (part / NAME).open("w") as file:
            for line in lines:
                if line["event"] == "header":
                    line = {**line, "ids": [own], "config": {**line["config"], "shard": [number, 2]}}
                if line.get("id", own) == own:
                    file.write(json.dumps(line) + "\n")
    code, output = _judged(both, "merge", "parts1", "parts2", "--results=merged")
    assert code == 1, output
    assert sorted((both.folder / "merged/results.csv").read_text().splitlines()) == sorted(
        (made[0].results / "results.csv").read_text().splitlines()
    )
    assert configurations_in(both.folder / "merged") == ["base", "validation"]
    assert len({run_key(run) for run in find_runs(both.folder / "merged")}) == 4
    for place in (["merged"], ["parts1", "parts2"], ["merged", "parts1"]):
        code, output = _judged(both, "junit", *place)
        assert output.count("<testcase ") == 4, (place, output)
    code, output = _judged(both, "html", "merged")
    assert code == 0, output
    code, output = _judged(both, "merge", "parts1", "--results=half")
    assert "2/2 is missing" in output
    assert re.search(r"Missing,?", (both.folder / "half/results.csv").read_text())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--variant", "base,loud"), "--variant loud: llvmpipe has"),
        (("--variant", "base,"), "--variant base,: '' is not a name"),
        (("--gpu", "avx2,../x"), "--gpu avx2,../x: '../x' is not a name"),
    ],
)
def test_a_slip_in_a_list_is_refused_before_anything_runs(command: Command, words: tuple[str, ...], said: str) -> None:
    code, output = command("--driver", "llvmpipe", *words)
    assert code == 2, output
    assert said in output
    assert not Path("results").exists()


def _journal(folder: Path, *names: str, headers: int = 1) -> None:
    """A run of these configurations, killed when it had written `headers` of their headers."""
    folder.mkdir()
    config = RunConfig("llvmpipe").to_json()
    for name in names[:headers]:
        with Journal(folder / NAME, name) as journal:
            journal.write("header", config=config, ids=[], suites="", expectations="", begun="", configurations=list(names))


def test_the_name_of_a_configuration_is_not_a_path(tmp_path: Path) -> None:
    _journal(tmp_path / "results", "../other")
    assert find_runs(tmp_path / "results") == [tmp_path / "results"]
    with pytest.raises(UsageError, match="damaged"):
        read(tmp_path / "results")


def test_a_run_of_several_is_not_read_as_one(tmp_path: Path) -> None:
    _journal(tmp_path / "results", "base", "sync")
    with pytest.raises(UsageError, match=r"is of several configurations; give .*/base or .*/sync"):
        read(tmp_path / "results")
    with pytest.raises(UsageError, match="killed before it began"):  # its header was not written any more
        read(tmp_path / "results/sync")


def test_statistics_are_those_of_one_configuration(tmp_path: Path) -> None:
    _journal(tmp_path / "results", "a618", "a630", headers=2)
    with pytest.raises(UsageError, match=r"is of several configurations; give one, as .*/results/a618"):
        load(tmp_path / "results")


def test_one_that_this_mesa_lacks_is_none_of_the_runs(tmp_path: Path) -> None:
    _journal(tmp_path / "results", "a630", "a740")
    with Journal(tmp_path / "results" / NAME, "a740") as journal:
        journal.write("left_out", reason="not in Mesa 25.0.7: known since Mesa 26.2")
    assert find_runs(tmp_path / "results") == [tmp_path / "results/a630"]
    assert configurations_in(tmp_path / "results", left_out=True) == ["a630", "a740"]


def test_lists_of_gpus_and_variants_are_each_gpu_in_each_variant() -> None:
    config = RunConfig("freedreno", gpu="a618,a630", variant="base,sync", mode="compile", results="r")
    assert {name: (own.gpu, own.variant, own.results) for name, own in expand(config).items()} == {
        "a618-base": ("a618", "", "r/a618-base"),
        "a618-sync": ("a618", "sync", "r/a618-sync"),
        "a630-base": ("a630", "", "r/a630-base"),
        "a630-sync": ("a630", "sync", "r/a630-sync"),
    }
    assert [*expand(replace(config, gpu="a618", variant="base"))] == [""]
    assert {*expand(replace(config, gpu="all", variant=""))} == {*driver_of(config).gpus_of("compile")}


def test_a_pipe_in_the_place_of_a_journal_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    os.mkfifo(tmp_path / "results" / NAME)
    assert configurations_in(tmp_path / "results") == []
