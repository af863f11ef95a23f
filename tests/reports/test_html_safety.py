"""The page of `runner report --as html` shows what a driver printed, and executes none of it; everyone can read it."""

from pathlib import Path

import pytest
from conftest import Mock
from pages import CONTRAST, Open, report_of, row_of, settle, synthesize, write_page
from playwright.sync_api import Browser

from runner.lines import shorten
from runner.pages.fill import script_json
from runner.pages.markup import printable


@pytest.mark.parametrize("dark", [False, True])
def test_every_text_has_contrast_and_narrow_screens_need_no_sideways_scrolling(
    two_runs: Mock, open_page: Open, dark: bool
) -> None:
    page = open_page(report_of(two_runs), "each=1", width=320, dark=dark)
    page.locator("#tested summary").click()
    for view in ("Changes", "Flakes", "Areas", "Slowest", "Results"):
        page.get_by_role("link", name=view).click()
        settle(page)
        if view == "Results":
            page.get_by_role("button", name="Crash").click()
            page.get_by_role("button", name="Fail").first.click()
            for name in ("hostile/print", "basic/assert"):
                row = page.locator(row_of(f"mock/{name}"))
                row.locator("summary").click()
                row.locator(".body").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") == 320, view
        assert page.evaluate(CONTRAST) == [], view
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    levels = [int(n) for n in ground[4:-1].split(",")]
    assert max(levels) < 50 if dark else min(levels) > 240


def test_what_a_driver_printed_is_shown_and_does_nothing(two_runs: Mock, open_page: Open) -> None:
    page = open_page(report_of(two_runs), "id=mock/hostile/print")
    assert page.evaluate("window.hostile") is None
    assert page.locator("script").count() == 2
    assert page.locator("img, b:not(.id b, .many b, .releases b, .body > p > b)").count() == 0
    row = page.locator(row_of("mock/hostile/print"))
    output = row.get_by_label("Output of attempt 1").inner_text()
    assert output.startswith("</script><script>window.hostile = 1</script><!--<script> <img src=x onerror=")
    assert "&lt;b&gt; ${title} red link " in output  # neither colours nor links of a terminal
    assert "\u202e" not in output
    assert "abc \u2408\u2421\ufffd" in output
    assert output.rstrip().endswith("the end")
    assert "</script>" in row.get_by_label("Message", exact=True).inner_text()
    written = report_of(two_runs).read_text()
    assert written.count("</script>") == 2
    assert "\u2028" not in written
    assert "\x1b" not in written


def test_the_page_may_load_nothing_and_run_nothing_else(two_runs: Mock, browser: Browser) -> None:
    page = browser.new_page()
    refused: list[str] = []
    page.on("console", lambda message: refused.append(message.text))
    page.goto(report_of(two_runs).as_uri())
    page.evaluate("""() => {
        const script = document.createElement("script");
        script.textContent = "window.injected = 1";
        document.body.append(script);
        const image = document.createElement("img");
        image.src = "https://example.org/x.png";
        document.body.append(image);
    }""")
    page.wait_for_timeout(100)
    assert page.evaluate("window.injected") is None
    assert len(refused) == 2, refused
    assert all("Content Security Policy" in text for text in refused), refused
    page.close()


def test_text_is_made_safe_and_short() -> None:
    assert script_json({"a": "</script><!--&\u2028\ud800"}) == '{"a":"\\u003c/script\\u003e\\u003c!--\\u0026\\u2028\\ud800"}'
    assert (
        printable("a\x1b[1;31mb\x1b[0m\x1b]0;title\x07c\r\nd\te\rf\x1b\x00\x9b\ud800\u2066g")
        == "abc\nd\te\u240df\u241b\u2400\ufffd\ufffd\ufffdg"
    )
    assert printable("π 日本 \U0001f600") == "π 日本 \U0001f600"
    assert shorten("x" * 8, 8) == "x" * 8
    assert shorten("a" * 10 + "b" * 90, 8) == "aa\n[... 92 characters are left out here ...]\nbbbbbb"


def test_what_is_not_a_run_or_cannot_be_written_is_a_usage_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = synthesize(tmp_path / "results", 3)
    (tmp_path / "nothing").mkdir()
    for word, name in (("--against", "nothing"), ("--history", "nothing/h"), ("--output", "nowhere/page.html")):
        assert write_page(folder, word, str(tmp_path / name)) == 2
        assert name in capsys.readouterr().err
    assert not (folder / "report.html").exists()
