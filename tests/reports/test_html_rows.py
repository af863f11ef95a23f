"""What a row of a run's page opens to: the reason of a failure, and the next step; and rows that are merged into one."""

import re
from pathlib import Path

import pytest
from nights import Nights
from pages import Open, row_of, synthesize, write_page
from playwright.sync_api import Browser, expect

from runner.model import Status
from runner.records.evidence import (
    Build,
    Ending,
    Event,
    HostData,
    KernelArgument,
    KernelLaunch,
    KernelMessages,
    NativeStack,
    Return,
    WrongElement,
    WrongElements,
    evidence_path,
    format_event,
)
from runner.records.history import History

_P, _F, _C = Status.PASS, Status.FAIL, Status.CRASH
_CRASHED, _EXPECTED = "big/area03/case00003", "big/area07/case00007"
_HOSTILE = '</script></noscript><img src=x onerror="window.hostile = 1">'
_IN_SIGHT = """(row) => {
  const top = document.querySelector(row).getBoundingClientRect().top;
  return 0 <= top && top < 200;
}"""
_EVENTS: tuple[Event, ...] = (
    Build(1, "program1", f"kernel void f() {{}} // {_HOSTILE}\n", options="-cl-std=CL3.0"),
    Return(1, "CL_BUILD_PROGRAM_FAILURE", "1:8: error: no\n"),
    HostData("buffer1", 12, "01000000feffffff03000000", "int32", (3,)),
    KernelLaunch(2, "f", "program1", (64, 2), (32, 1), None, (KernelArgument("buffer", "buffer1", 12),)),
    WrongElements("r", "int32", (64,), 16, 64, ("every 4th element from 3",), (WrongElement((3,), "5", "4", ("2",)),)),
    NativeStack("main thread", ("libgallium-25.0.7.so+0x7f12",)),
    KernelMessages(("[ 5.125] i915: GPU HANG",)),
    Ending("Crash", "SIGSEGV", "alone"),
)


def _write_evidence(folder: Path, test_id: str) -> None:
    path = folder / evidence_path(test_id)
    path.parent.mkdir(parents=True)
    path.write_text("".join(map(format_event, _EVENTS)))


def test_an_opened_row_shows_program_launches_inputs_differences_stack_and_next_steps(
    tmp_path: Path, open_page: Open
) -> None:
    _write_evidence(synthesize(tmp_path, 60), _CRASHED)
    assert write_page(tmp_path) == 0
    page = open_page(tmp_path / "report.html", f"id={_CRASHED}")
    row = page.locator(row_of(_CRASHED))
    wrong = row.get_by_label("Wrong elements").locator("tr").all_inner_texts()
    assert [line.split("\t") for line in wrong] == [["index", "inputs", "got", "want"], ["3", "2", "5", "4"]]
    assert "every 4th element from 3" in row.inner_text()
    assert row.get_by_label("Source of program1").inner_text() == f"kernel void f() {{}} // {_HOSTILE}\n"
    assert row.get_by_label("Build log of program1").inner_text() == "1:8: error: no\n"
    launch = row.get_by_label("Launches").locator("tbody tr").inner_text().split("\t")
    sizes = ["64 \N{MULTIPLICATION SIGN} 2", "32 \N{MULTIPLICATION SIGN} 1"]
    assert launch == ["f", "program1", *sizes, "buffer buffer1 (12 B)", "did not return"]
    assert row.get_by_label("Inputs").locator("tbody tr").inner_text().endswith("1, -2, 3")
    assert "libgallium-25.0.7.so+0x7f12" in row.inner_text()
    assert "GPU HANG" in row.inner_text()
    commands = row.locator(".command code").all_inner_texts()
    assert re.search(rf"run-case --driver mock .*{_CRASHED}$", commands[0])
    assert re.search(rf"run-case --driver mock .*--gdb {_CRASHED}$", commands[1])
    assert re.search(rf"repro --driver mock .*{_CRASHED} repro/$", commands[2])
    assert re.search(r" expect update .*/ again/$", commands[3])
    assert page.evaluate("window.hostile") is None


def test_an_expected_failure_shows_its_reason_and_bug_with_file_and_line(tmp_path: Path, open_page: Open) -> None:
    synthesize(tmp_path, 110)
    (tmp_path / "expectations/mock/mock-fails.txt").write_text(
        f"# why <b>\n{_EXPECTED},Fail,value:\n\n# bug 7: the rest\nbig/area17/case00057,Fail,value:\n"
    )
    (tmp_path / "bugs").mkdir()
    (tmp_path / "bugs/0007-words.yaml").write_text(
        "title: A <i>bug</i>\nclause: C 3.0, 6.1\nsays: it is so.\ncase: a/b/c\nupstream: unreported\nwhere: file.rs, f\n"
    )
    assert write_page(tmp_path) == 0
    page = open_page(tmp_path / "report.html", f"each=1&id={_EXPECTED}")
    text = page.locator(row_of(_EXPECTED)).locator(".body").inner_text()
    assert "Known\nwhy <b>\n" in text.replace("\n\n", "\n")
    assert f"{_EXPECTED},Fail,value: in mock/mock-fails.txt:2" in text
    row = page.locator(row_of("big/area17/case00057"))
    row.locator("summary").click()
    row.locator(".body").wait_for()
    text = row.locator(".body").inner_text().replace("\n\n", "\n")
    assert "bug 7: A <i>bug</i>\nC 3.0, 6.1: it is so. unreported; file.rs, f\nthe rest\n" in text
    row.get_by_role("link", name="bug 7").click()
    page.locator(row_of("big/area17/case00057")).wait_for()
    assert page.locator(".row [data-id]").count() == 1, "what bug 7 explains, and nothing else"


def test_equal_failures_are_one_row_that_opens_to_them(tmp_path: Path, open_page: Open) -> None:
    assert write_page(synthesize(tmp_path, 7500)) == 0  # of which 150 crash in one way
    page = open_page(tmp_path / "report.html")
    page.get_by_role("button", name="Crash").click()
    row = page.locator("#list > ol > li")
    assert row.count() == 1
    assert "150 tests in big/" in row.locator("summary").inner_text()
    assert page.locator("h2").inner_text() == "150 regressions"
    row.locator("summary").click()
    inner = row.locator("details[data-id]")
    expect(inner).to_have_count(100)  # a browser announces an opened row a moment later
    row.get_by_role("button", name="Show 50 of 50 more").click()
    expect(inner).to_have_count(150)
    inner.last.locator("summary").click()
    inner.last.locator(".body").wait_for()
    assert f"id={inner.last.get_attribute('data-id')}" in page.url.replace("%2F", "/")
    address = page.url.split("#")[1]
    page.get_by_role("checkbox").uncheck()
    assert page.locator("#list > ol > li").count() >= 100
    linked = open_page(tmp_path / "report.html", address)
    assert linked.locator("h2").first.inner_text() == "The test of the link"


def test_without_a_script_the_page_still_tells_what_failed_and_why(tmp_path: Path, browser: Browser) -> None:
    _write_evidence(synthesize(tmp_path, 120), _CRASHED)
    assert write_page(tmp_path) == 0
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 800})
    page = context.new_page()
    page.goto((tmp_path / "report.html").as_uri())
    assert page.locator("h1").inner_text() == "RED mock: 3 regressions"
    assert "exit code 1" in page.locator("#facts").inner_text()
    lines = page.locator("noscript tr").all_inner_texts()
    assert [line.split("\t")[0] for line in lines] == ["Crash"] * 3 + ["ExpectedFail"] * 3
    assert f"{_CRASHED}\nSIGSEGV: in case 3" in lines[0]
    assert not page.locator("main").is_visible()
    context.close()


@pytest.mark.parametrize("width", [320, 390, 768, 1400])
def test_no_word_breaks_and_one_is_singular(tmp_path: Path, open_page: Open, width: int) -> None:
    (tmp_path / "expectations/mock").mkdir(parents=True)
    (tmp_path / "expectations/mock/mock-fails.txt").write_text("# why\na/b/improved,Fail\na/b/same,Fail\n")
    night = Nights(tmp_path).run({"a/b/improved": (_P,), "a/b/same": (_F,), "a/b/pass": (_P,)})
    assert write_page(night, f"--expectations={tmp_path / 'expectations'}") == 0
    page = open_page(night / "report.html", width=width)
    assert page.locator("h2").all_inner_texts() == ["1 improvement: its entry is stale", "1 expected failure", "1 passed"]
    one_line = page.locator(".badge").last.bounding_box()
    for badge in page.locator(".badge").all():
        box, row = badge.bounding_box(), badge.locator("xpath=..").bounding_box()
        assert box
        assert row
        assert one_line
        assert box["height"] == one_line["height"], badge.inner_text()
        assert badge.evaluate("badge => badge.scrollWidth <= badge.clientWidth"), badge.inner_text()


@pytest.mark.parametrize("width", [390, 1400])
def test_the_row_of_a_link_is_in_sight(tmp_path: Path, open_page: Open, width: int) -> None:
    assert write_page(synthesize(tmp_path, 4500)) == 0
    for test_id in ("big/area13/case02053", _EXPECTED, "big/area39/case04479"):
        page = open_page(tmp_path / "report.html", f"each=1&id={test_id}", width=width)
        page.wait_for_timeout(200)  # time for anything that would push it away
        page.wait_for_function(_IN_SIGHT, arg=row_of(test_id))


def test_a_time_line_has_the_releases_on_its_axis_and_says_them_in_words(tmp_path: Path, open_page: Open) -> None:
    (tmp_path / "expectations").mkdir()
    nights = Nights(tmp_path)
    runs = [
        nights.run({"a/b/c": (s, s)}, mesa) for s, mesa in ((_P, "26.2.1"), (_C, "25.0.7"), (_F, "25.0.7"), (_F, "26.2.1"))
    ]
    with History(tmp_path / "h", create=True) as history:
        for run in runs:
            history.add(run)
    assert write_page(runs[-1], f"--expectations={tmp_path / 'expectations'}", "--history", str(tmp_path / "h")) == 0
    row = open_page(runs[-1] / "report.html", "id=a/b/c").locator(row_of("a/b/c"))
    assert row.locator(".line .label").all_text_contents() == ["25.0", "26.2"]
    assert row.locator(".releases li").all_inner_texts() == [
        "Mesa 25.0 failed in 2 of 2 runs (Crash, Fail), 2026-01-02 to 2026-01-03",
        "Mesa 26.2 failed in 1 of 2 runs (Fail), 2026-01-01 to 2026-01-04",
    ]
    assert row.locator(".line rect").count() == 4


def test_what_only_another_run_knows_is_shown_too(tmp_path: Path, open_page: Open) -> None:
    (tmp_path / "expectations").mkdir()
    nights = Nights(tmp_path)
    runs = [nights.run({"a/b/gone": (_F, _P), "a/b/c": (_P,)}), nights.run({"a/b/c": (_P,)})]
    with History(tmp_path / "h", create=True) as history:
        for run in runs:
            history.add(run)
    words = [f"--expectations={tmp_path / 'expectations'}", "--history", str(tmp_path / "h"), "--against", str(runs[0])]
    assert write_page(runs[1], *words) == 0
    for view in ("changes", "flakes"):
        page = open_page(runs[1] / "report.html", f"view={view}")
        assert page.locator("#list details").evaluate_all("rows => rows.map((row) => row.dataset.id)") == ["a/b/gone"]
        page.locator("#list summary").click()
        page.locator(".body").wait_for()


def test_a_regression_is_offered_no_flakes_line(tmp_path: Path, open_page: Open) -> None:
    (tmp_path / "expectations").mkdir()
    nights = Nights(tmp_path)
    runs = [
        nights.run({"a/b/broken": s, "a/b/flake": f}) for s, f in (((_F, _P), (_P,)), ((_P,), (_F, _P)), ((_F, _F), (_P,)))
    ]
    with History(tmp_path / "h", create=True) as history:
        for run in runs:
            history.add(run)
    assert write_page(runs[-1], f"--expectations={tmp_path / 'expectations'}", "--history", str(tmp_path / "h")) == 0
    page = open_page(runs[-1] / "report.html", "view=flakes")
    assert page.locator("#list details").evaluate_all("rows => rows.map((row) => row.dataset.id)") == ["a/b/flake"]


@pytest.mark.parametrize(
    "address", ["https://gitlab.example/mesa/-/jobs/7", "javascript:alert(1)", 'https://x"onclick=1', ""]
)
def test_the_head_links_the_job_and_no_script(tmp_path: Path, open_page: Open, address: str) -> None:
    night = Nights(tmp_path).run({"a/b/c": (_P,)}, ci_job=address)
    (night / "expectations").mkdir()
    assert write_page(night) == 0
    page = open_page(night / "report.html")
    links = page.locator("#facts a").evaluate_all("links => links.map((link) => link.getAttribute('href'))")
    assert links == [address] * address.startswith("https:")
    assert page.locator("[onclick]").count() == 0
    assert "runner --driver mock" in page.locator("#facts").inner_text().replace("ci/run", "runner")
