"""`runner site`: a static site of real runs, and of hostile ones: its figures, its links, and how it looks in a browser.

Three targets run here. Other releases of Mesa and GPUs, which this root does not have, are recorded in tests/recorded: the
journals of such runs (`ci/run --mesa sid --driver llvmpipe`, or zink on an NVIDIA H100, and the areas below), less paths.
"""

import json
import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from conftest import MOCK, ROOT, Mock
from nights import Nights
from pages import CONTRAST, Open, results_of

from runner.cli import main
from runner.model import Status
from runner.records import journal
from runner.records.artifacts import opened_artifacts
from runner.records.folder import held

_P, _F, _C, _S = Status.PASS, Status.FAIL, Status.CRASH, Status.SKIP
_AREAS = ("-t", "kernels/common/s*", "-t", "kernels/control/literal*", "-t", "kernels/link/c11_atomic/*float*")
_TARGETS = {
    "llvmpipe": ("--driver", "llvmpipe"),
    "zink-lavapipe": ("--driver", "zink"),
    "r600-cedar-compile": ("--driver", "r600", "--gpu", "cedar", "--mode", "compile"),
}
_RECORDED = sorted((ROOT / "tests/recorded").glob("*.zip"))  # named as expectation files are: llvmpipe-mesa26.2.zip


@pytest.fixture(scope="session")
def real(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Mock]:
    """A run of each of three targets of this root, in one history with those recorded; the site of them: made once."""
    shared = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    folder = tmp_path_factory.getbasetemp().parent / f"site-{shared}" if shared else tmp_path_factory.mktemp("site")
    runs = {name: Mock(folder / name) for name in _TARGETS}
    with held(folder, wait_s=300):
        if (folder / "site/index.html").exists():
            return runs
        for name, words in _TARGETS.items():
            runs[name].folder.mkdir()
            code, output = runs[name].cli(*words, *_AREAS, "--history", str(folder / "h.db"), "-j", "1")
            assert code in (0, 1, 5), output
        words = ("--history", str(folder / "h.db"), *map(str, _RECORDED))
        code, output = runs["llvmpipe"].cli("history", "import", *words)
        assert code == 0, output
        code, output = runs["llvmpipe"].cli("site", str(folder / "site"), "results", "--history", str(folder / "h.db"))
    assert code == 0, output
    assert re.search(r"index.html: \d+ files, \d+\.\d MB$", output.strip()), output
    return runs


def site_of(real: dict[str, Mock]) -> Path:
    return real["llvmpipe"].folder.parent / "site"


def events_of(place: Path, kind: str) -> list[dict[str, Any]]:
    """The events of a kind in the journal of a results folder, or of a zip."""
    with opened_artifacts(place) as (folder,):
        lines = (folder / journal.NAME).read_text().splitlines()
    return [event for event in map(json.loads, lines) if event["event"] == kind]


def release_of(place: Path) -> str:
    """The series of Mesa that a run used, as `26.2`."""
    return ".".join(events_of(place, "device")[0]["report"]["mesa"].split(".")[:2])


def statuses_of(place: Path) -> list[str]:
    """The last status of each test of a run without flakes."""
    return [event["attempts"][-1]["status"] for event in events_of(place, "result")]


def test_the_matrix_has_the_rates_of_real_runs(real: dict[str, Mock], open_page: Open) -> None:
    page = open_page(site_of(real) / "index.html")
    releases = page.locator(".matrix thead th").all_inner_texts()[1:]
    shown = {
        (line.locator("th").inner_text(), release): cell
        for line in page.locator(".matrix tbody tr").all()
        for release, cell in zip(releases, line.locator("td").all_inner_texts(), strict=True)
        if cell
    }
    ran = {name: (release_of(mock.results), [v for _, v, _ in results_of(mock)]) for name, mock in real.items()}
    ran |= {path.stem: (release_of(path), statuses_of(path)) for path in _RECORDED}
    assert len(shown) == len(ran) == len(_TARGETS) + len(_RECORDED) >= len(_TARGETS) + 3
    for name, (release, verdicts) in ran.items():
        passed = sum(verdict in ("Pass", "UnexpectedImprovement(Pass)") for verdict in verdicts)
        executed = len(verdicts) - verdicts.count("Skip")
        assert executed > 10, name
        target = name.removesuffix(f"-mesa{release}")
        (cell,) = [cell for key, cell in shown.items() if key[0].startswith(target) and key[1] == f"Mesa {release}"]
        assert cell.split("\n")[0] == f"{1000 * passed // executed / 10:.1f} %", name
        assert f"{passed:,} of {executed:,}" in cell, name
    page.locator(".matrix a", has_text="llvmpipe").first.click()
    assert page.locator("h1").inner_text().startswith("llvmpipe")
    assert {"all areas", "kernels/common", "kernels/control"} <= set(page.locator(".matrix tbody th").all_inner_texts())


def test_a_failing_test_has_a_page_that_leads_to_its_bug_and_back(real: dict[str, Mock], open_page: Open) -> None:
    page = open_page(site_of(real) / "cases/kernels~control~literal.ll.html")
    assert page.locator("h1").inner_text() == "kernels/control/literal.ll"
    assert page.locator("tbody", has_text="llvmpipe").locator(".marks i").first.inner_text() == "C"
    page.get_by_role("link", name=re.compile("^bug ")).first.click()
    assert page.locator("h1").inner_text().startswith("Bug ")
    assert page.locator("#facts").inner_text().count("kernels/control/literal.ll") == 1
    page.locator("tbody a", has_text="kernels/").first.click()
    assert page.locator("h1").inner_text().startswith("kernels/")


def test_a_run_with_its_results_has_its_whole_page_and_every_other_a_short_one(
    real: dict[str, Mock], open_page: Open
) -> None:
    page = open_page(site_of(real) / "runs.html")
    links = page.locator("tbody th a").evaluate_all("links => links.map((link) => link.href)")
    assert len(links) == len(_TARGETS) + len(_RECORDED)
    texts = [Path(link.removeprefix("file://")).read_text() for link in links]
    assert sum("<script>" in text for text in texts) == 1  # of llvmpipe's, whose results were given
    short = next(link for link, text in zip(links, texts, strict=True) if "r600" in text)
    shown = open_page(Path(short.removeprefix("file://")))
    assert "r600-cedar-compile" in shown.locator("h1").inner_text()
    assert shown.locator("tbody tr").count() > 0


def test_every_link_of_the_site_leads_to_a_page_and_nothing_leads_elsewhere(real: dict[str, Mock]) -> None:
    looked = 0
    for path in site_of(real).rglob("*.html"):
        for link in re.findall(r'(?:href|src)="([^"]*)"', path.read_text().split("<script")[0]):
            if not link.startswith(("data:", "#")):
                assert (path.parent / unquote(link.split("#")[0])).is_file(), f"{path}: {link}"
                looked += 1
    assert looked > 500


def test_the_site_can_be_read_on_any_screen(real: dict[str, Mock], open_page: Open) -> None:
    site = site_of(real)
    some = ["index", "areas", "bugs", "runs", "areas/kernels~control", "cases/kernels~control~literal.ll", "bugs/94"]
    for name in (*some, next((site / "targets").iterdir()).relative_to(site).with_suffix("")):
        page = open_page(site / f"{name}.html")
        for width, dark in ((390, True), (768, False), (1400, True)):
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme="dark" if dark else "light")
            assert page.evaluate("document.documentElement.scrollWidth") == width, name
            assert width == 768 or page.evaluate(CONTRAST) == [], name  # the colours are those of 1400
            color = page.evaluate("getComputedStyle(document.body).backgroundColor")
            ground = [int(n) for n in re.findall(r"\d+", color)]
            assert max(ground) < 50 if dark else min(ground) > 240  # the style was loaded


def test_what_a_driver_printed_does_nothing_in_the_site(two_runs: Mock, tmp_path: Path, open_page: Open) -> None:
    words = ["--history", str(two_runs.folder / "h.sqlite"), f"--expectations={two_runs.folder / 'expectations'}"]
    assert main(["site", str(tmp_path / "site"), *words]) == 0
    for path in ("cases/mock~hostile~print", "areas/mock~hostile", "targets/mock"):
        page = open_page(tmp_path / f"site/{path}.html")
        assert page.locator("script, img").count() == 0
        assert "</script><script>" in page.locator("main").inner_text(), path


def test_a_case_over_time_has_a_mark_for_each_run_of_each_release(tmp_path: Path, open_page: Open) -> None:
    nights = Nights(tmp_path)
    for statuses, mesa in (((_P,), "25.0.7"), ((_F, _P), "25.0.7"), ((_C, _C), "26.2.1"), ((_S,), "26.2.2")):
        run = nights.run({"a/b/c": statuses, "a/b/d": (_P,)}, mesa)
        assert main(["history", "import", "--history", str(tmp_path / "h"), str(run)]) == 0
    (tmp_path / "expectations").mkdir()
    words = ["--history", str(tmp_path / "h"), f"--expectations={tmp_path / 'expectations'}", f"--suites={MOCK / 'suites'}"]
    assert main(["site", str(tmp_path / "site"), *words]) == 0
    page = open_page(tmp_path / "site/cases/a~b~c.html")
    assert [marks.locator("i").all_inner_texts() for marks in page.locator(".marks").all()] == [
        ["P", "~"],
        ["C", "\N{EN DASH}"],
    ]
    assert not (tmp_path / "site/cases/a~b~d.html").exists()  # it never failed
    assert main(["site", str(tmp_path / "site"), *words]) == 0  # in place of the earlier one


def test_a_folder_that_is_not_a_site_and_a_history_without_runs_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "own.txt").write_text("mine")
    assert main(["site", str(tmp_path), "--history", str(tmp_path / "h")]) == 2
    assert "not empty, and no earlier site" in capsys.readouterr().err
    assert main(["site", str(tmp_path / "site"), "--history", str(tmp_path / "h")]) == 2
    assert "runner history import" in capsys.readouterr().err
    assert (ROOT / "bugs").is_dir()
