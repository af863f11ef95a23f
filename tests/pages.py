"""Shared by the tests of `runner report --as html`: a browser, a page of two real runs, and how to read it."""

import csv
import re
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from conftest import MOCK, Mock
from playwright.sync_api import Browser, Page, sync_playwright

from runner.cli import main
from runner.model import Attempt, DeviceReport, How, Result, Status
from runner.records.journal import NAME, Journal
from runner.run_config import RunConfig

Open = Callable[..., Page]
# Every text's contrast to its background, by WCAG 2's formula; those below 4.5 are returned. A canvas turns
# whatever the style says into sRGB.
CONTRAST = """() => {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const seen = {};
  const draw = (color) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data];
  };
  const rgb = (color) => (seen[color] ??= draw(color));
  const luminance = (color) => color.slice(0, 3).map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (element) => {
    for (; element; element = element.parentElement) {
      const own = rgb(getComputedStyle(element).backgroundColor);
      if (own[3]) return own;
    }
    return rgb(matchMedia("(prefers-color-scheme: dark)").matches ? "black" : "white");
  };
  const found = [];
  let looked = 0;
  for (const element of document.querySelectorAll("body *:not(script):not(noscript)")) {
    if (![...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || !element.checkVisibility()) continue;
    const [a, b] = [rgb(getComputedStyle(element).color), ground(element)].map(luminance).sort((x, y) => y - x);
    looked += 1;
    if ((a + 0.05) / (b + 0.05) < 4.5) found.push([element.className || element.tagName, (a + 0.05) / (b + 0.05)]);
  }
  return looked ? found : ["no text was looked at"];
}"""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def tab(browser: Browser) -> Page:
    """A page of the browser, for all tests: the process that a new one starts takes five times as long as what it shows."""
    return browser.new_page()


@pytest.fixture
def open_page(tab: Page) -> Iterator[Open]:
    """Show a page of this project; at the end it is checked that it loaded nothing else and reported no error."""
    complaints: list[str] = []
    requested: list[str] = []
    listeners: dict[Any, Callable[[Any], None]] = {
        "console": lambda message: complaints.append(message.text),
        "pageerror": lambda error: complaints.append(str(error)),
        "dialog": lambda dialog: complaints.append(dialog.message),
        "request": lambda request: requested.append(request.url),
    }
    others = []

    def listen(page: Page) -> None:
        page.set_default_timeout(5000)
        for event, listener in listeners.items():
            page.on(event, listener)

    def open_one(path: Path, fragment: str = "", *, width: int = 1280, dark: bool = False, beside: bool = False) -> Page:
        """In the same tab as the page before, or, if that is looked at again, in another one beside it."""
        assert tab.context.browser
        page = tab.context.browser.new_page() if beside else tab
        if beside:
            others.append(page)
            listen(page)
        page.goto("about:blank")  # another fragment of the same file would not load it again
        page.mouse.move(0, 0)
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme="dark" if dark else "light")
        page.goto(f"{path.as_uri()}#{fragment}")
        return page

    listen(tab)
    yield open_one
    for event, listener in listeners.items():
        tab.remove_listener(event, listener)
    for page in others:
        page.close()
    assert complaints == []
    assert [url for url in requested if not re.match(r"file:.*(\.html|/site\.css)", url)] == []


@pytest.fixture(scope="session")
def two_runs(tmp_path_factory: pytest.TempPathFactory) -> Mock:
    """Two runs of the mock suite and their page: a case that passed in the first run crashes in the second."""
    mock = Mock(tmp_path_factory.mktemp("html"))
    (mock.folder / "expectations/mock").mkdir(parents=True)
    mock.expect("fails", "# why\nmock/basic/utf8,Fail\n\n# it passes\nmock/bulk/00003,Fail\n")
    mock.expect("skips", "# why\nmock/bulk/00004\n")
    mock.environment = {"MOCK_BULK": "12", "MOCK_HOSTILE": "1"}
    words = ["-j", "1", "-t", "mock/state/flake*", "-t", "mock/bulk/*", "--history", "h.sqlite"]
    assert mock.run(*words)[0] == 1
    mock.environment["MOCK_BULK_CRASH"] = "1"
    for glob in ("basic/pass", "basic/assert", "basic/utf8", "need/*", "hostile/*"):
        words += ["-t", f"mock/{glob}"]
    assert mock.run(*words)[0] == 1
    code, output = write_page_of(mock, "--against", "results.1", "--history", "h.sqlite")
    assert code == 0, output
    assert output.startswith("results/report.html\n"), output
    return mock


def write_page_of(mock: Mock, *words: str) -> tuple[int, str]:
    return mock.cli("html", "results", f"--suites={MOCK / 'suites'}", "--expectations=expectations", *words)


def report_of(mock: Mock) -> Path:
    return mock.results / "report.html"


def results_of(mock: Mock) -> list[tuple[str, str, float]]:
    with (mock.results / "results.csv").open(newline="") as file:
        return [(name, status, float(seconds)) for name, status, seconds in csv.reader(file)]


def settle(page: Page) -> None:
    """Wait until the page shows what its address says: a browser announces a followed link a moment later."""
    page.evaluate("""new Promise((done) => {
        const look = () => (address(state) === address(read_state()) ? done() : setTimeout(look, 5));
        look();
    })""")


def ids_shown(page: Page) -> list[str]:
    settle(page)
    return page.locator("#list summary .id").all_text_contents()


def row_of(test_id: str) -> str:
    return f'details[data-id="{test_id}"]'


def synthesize(folder: Path, count: int) -> Path:
    """A journal of `count` results, with expectations: of fifty, one crashes, one fails as expected, one is skipped."""
    (folder / "expectations/mock").mkdir(parents=True)
    ids = [f"big/area{n % 40:02}/case{n:05}" for n in range(count)]
    expected = [i for n, i in enumerate(ids) if n % 50 == 7]
    (folder / "expectations/mock/mock-fails.txt").write_text(
        "# why\n" + "".join(f"{i},Fail,value:\n" for i in sorted(expected))
    )
    config = RunConfig("mock", registry=str(MOCK / "drivers.yaml"))
    with Journal(folder / NAME) as journal:
        journal.write(
            "header", config=config.to_json(), ids=ids, suites="s", expectations="e", begun="2026-01-01T00:00:00+00:00"
        )
        journal.write("device", report=asdict(DeviceReport(device="mock", mesa="25.0.7")))
        for n, test_id in enumerate(ids):
            one = Attempt(Status.PASS, 0.001 * (n % 977), child=1, nth_in_child=n)
            match n % 50:
                case 3:
                    lines = "".join(f"line {i} of case {n}\n" for i in range(20_000 if n == 3 else 40))
                    one = Attempt(Status.CRASH, 0.5, f"SIGSEGV: in case {n}", lines, How.WARM, 1, n)
                case 7:
                    one = Attempt(Status.FAIL, 0.01, f"value: got {n}", how=How.WARM)
                case 9:
                    one = Attempt(Status.SKIP, message="unsupported: fp16")
            journal.write("result", **Result(test_id, (one, one) if one.status is Status.CRASH else (one,)).to_json())
        journal.write("footer", reason="", wall_s=60.0)
    return folder


def write_page(folder: Path, *words: str) -> int:
    return main(["html", str(folder), f"--suites={MOCK / 'suites'}", f"--expectations={folder / 'expectations'}", *words])
