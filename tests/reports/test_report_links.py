"""JUnit as Jenkins takes it, what a comment links, what a site leaves out: for real runs and journals made by hand."""

import platform
import re
import xml.etree.ElementTree as ET

from conftest import Mock
from test_reports import _places, _write_run

from runner.model import Attempt, Status

_P, _F = Status.PASS, Status.FAIL
# What junit-10.xsd of Jenkins' plugin xunit allows (github.com/jenkinsci/xunit-plugin, 8c515de2804b).
_JENKINS = {
    "testsuites": "name time tests failures errors",
    "testsuite": "name tests failures errors group time skipped timestamp hostname id package file log url",
    "testcase": "name time classname group",
    "failure": "type message",
    "error": "type message",
    "skipped": "type message",
    "property": "name value",
}


def test_junit_is_what_jenkins_takes_with_a_case_a_line_and_says_when_and_where_it_ran(mock: Mock) -> None:
    code_, output = mock.run("-t", "mock/basic/pass", "-t", "mock/basic/fail", "-t", "mock/need/unmet", "--retries=0")
    assert code_ == 1, output
    text = (mock.results / "junit.xml").read_text()
    root = ET.fromstring(text)
    for element in root.iter():
        assert element.attrib.keys() <= set(_JENKINS.get(element.tag, "").split()), element.tag
    (suite,) = root
    assert {"name", "tests", "failures", "errors"} <= suite.attrib.keys()
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:]+\S*", suite.get("timestamp", ""))
    assert suite.get("hostname") == platform.node()
    assert sum(line.startswith("<testcase ") for line in text.splitlines()) == 2  # the first stands after the properties
    with_files = mock.cli("junit", str(mock.results), "--files", *_places(mock))[1]
    assert with_files.count(' file="suites/mock/cases.py"') == 3


def test_a_comment_and_junit_link_each_row_of_the_page_that_the_job_keeps(mock: Mock) -> None:
    run = _write_run(mock.folder / "run", {"mock/basic/fail": [Attempt(_F)]})
    path = run / "journal.jsonl"
    path.write_text(path.read_text().replace('"begun":""', '"begun":"","ci_job":"https://ci/-/jobs/7"'))
    mock.environment = {"CI_PROJECT_DIR": str(mock.folder)}
    link = "https://ci/-/jobs/7/artifacts/file/run/report.html#id=mock%2Fbasic%2Ffail"
    assert f"On the page: [mock/basic/fail]({link})" in mock.cli("summary", "--markdown", str(run), *_places(mock))[1]
    assert f"\npage: {link}" in mock.cli("junit", str(run), *_places(mock))[1]
    path.write_text(path.read_text().replace('"ci_job":"https://ci/-/jobs/7"', '"ci_job":""'))
    assert "page:" not in mock.cli("junit", str(run), *_places(mock))[1]
    assert mock.cli("html", str(run), *_places(mock))[0] == 0
    assert f"\npage: {run}/report.html#id=mock%2Fbasic%2Ffail" in mock.cli("junit", str(run), *_places(mock))[1]


def test_a_site_says_which_runs_it_left_out(mock: Mock) -> None:
    good = _write_run(mock.folder / "good", {"mock/basic/pass": [Attempt(_P)]})
    bad = _write_run(mock.folder / "bad", {"mock/basic/pass": [Attempt(_P)], "mock/basic/fail": [Attempt(_F)]})
    path = bad / "journal.jsonl"
    path.write_text(
        path.read_text().replace('"reason":""', '"reason":"lost"').replace('"begun":""', '"begun":"2026-11-26T20:00"')
    )
    history = f"--history={mock.folder / 'h'}"
    assert mock.cli("history", "import", history, str(good), str(bad))[0] == 0
    code_, output = mock.cli("site", str(mock.folder / "site"), history, *_places(mock))
    assert code_ == 0, output
    assert "left out: the run of mock, begun 2026-11-26T20:00: lost\n" in output
