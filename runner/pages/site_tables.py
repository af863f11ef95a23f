"""The parts of the site's pages: their paths, their tables, and the cells."""

import itertools
import re
from collections.abc import Iterable, Sequence

from runner.model import Expectation
from runner.output.markdown import count
from runner.pages.markup import Html, element, escape, join, minute
from runner.pages.site_data import Count, RunOutcome, SiteData, TestInRun, target_name
from runner.records.history import Run

MAX_TESTS = 500  # of a table
LETTERS = {"pass": "P", "fail": "F", "crash": "C", "timeout": "T", "flake": "~", "skip": "\N{EN DASH}"}


def case_page(test_id: str) -> str:
    """The file of a test's page, from the site's folder; `~` is in no id."""
    return f"cases/{test_id.replace('/', '~')}.html"


def target_page(name: str) -> str:
    """The file of a target's page."""
    return f"targets/{_file_name(name.replace(' --variant ', '~'))}.html"


def area_page(area: str) -> str:
    """The file of an area's page."""
    return f"areas/{area.replace('/', '~')}.html"


def run_page(run: Run) -> str:
    """The file of a run's page."""
    return f"runs/{_file_name(run.key)}.html"


def _file_name(name: str) -> str:
    """A name that cannot lead elsewhere: a history may be a stranger's."""
    return re.sub(r"[^A-Za-z0-9_.~-]|^\.", "~", name)[:200]


def matrix(data: SiteData, area: str, where: str) -> Html:
    """The pass rates of an area, "" for all, by target and release."""
    lines = []
    for name, own in data.targets.items():
        cells = {s.mesa: rate_cell(s.areas.get(area), f"{where}{run_page(s.runs[-1])}") for s in own}
        if any(cells.values()):
            link = element("a", name, href=f"{where}{target_page(name)}")
            lines.append([link, *(cells.get(mesa, "") for mesa in data.releases)])
    return table_of(["driver, GPU", *(f"Mesa {mesa}" for mesa in data.releases)], lines, "matrix")


def rate_cell(own: Count | None, link: str = "") -> str:
    """A pass rate with its bar, and its details."""
    if not own or not own.counts.total():
        return ""
    if not own.ran:
        return element("small", f"{own.counts['skip']:,} skipped")
    new = own.counts["new"]
    detail = f"{own.counts['pass']:,} of {own.ran:,}"
    return join(
        element("a", own.rate, href=link) if link else own.rate,
        share_bar(own),
        element("small", detail, element("span", f", {new:,} not expected", class_="red") if new else ""),
    )


def colour_key() -> Html:
    """What the colours of the bars mean."""
    words = {"pass": "passed", "known": "failed as expected", "flake": "failed and passed", "new": "failed, not expected"}
    return element("p", *(element("span", text, class_=word) for word, text in words.items()), class_="key")


def share_bar(own: Count) -> Html:
    """How many passed, failed as expected, flaked and failed again."""
    x, parts = 0, []
    for word in ("pass", "known", "flake", "new"):
        if size := own.counts[word]:
            parts.append(element("rect", x=x, y=0, width=size, height=1, class_=word))
        x += size
    image = element("svg", *parts, viewBox=f"0 0 {max(1, x)} 1", preserveAspectRatio="none", aria_hidden="true")
    return element("span", image, class_="share")


def failures_table(data: SiteData, tests: Sequence[str], target: str = "") -> Html:
    """Tests that failed, with their newest runs, and the bugs that explain them."""
    lines = []
    for test_id in tests[:MAX_TESTS]:
        own = [s for s in data.bad[test_id] if target_name(s.run) == target][-10:] if target else _newest(data.bad[test_id])
        entry = next((entry for s in data.targets.get(target, data.series) if (entry := s.entries.get(test_id))), None)
        message = next((s.message for s in reversed(own) if s.message), "")
        bug = bug_link(entry, "../") if entry else element("span", "not expected", class_="red")
        lines.append([case_link(data, test_id, "../"), marks_of(own), bug, element("code", message[:160])])
    more = element("p", f"{len(tests) - MAX_TESTS:,} more are not shown.") if len(tests) > MAX_TESTS else ""
    what = "newest runs" if target else "newest run of each target and release"
    return join(table_of(["test", what, "known", "message"], lines, "messages"), more)


def runs_table(runs: Iterable[Run], where: str) -> Html:
    """Runs, the newest first."""
    lines = [
        [
            element("a", minute(run.begun), href=f"{where}{run_page(run)}"),
            element("a", target_name(run), href=f"{where}{target_page(target_name(run))}"),
            run.target.mesa,
            run.device,
        ]
        for run in sorted(runs, key=lambda r: (r.begun, r.key), reverse=True)
    ]
    return table_of(["begun", "target", "Mesa", "device"], lines)


def table_of(titles: Sequence[str], lines: Iterable[Sequence[str]], kind: str = "") -> Html:
    """The first cell of a line is its head; with kind `messages` the last one may be long."""
    head = element("tr", *(element("th", title, scope="col") for title in titles))
    body = []
    for first, *rest in lines:
        cells = [
            element("td", cell, class_="text" if kind == "messages" and n == len(rest) - 1 else "")
            for n, cell in enumerate(rest)
        ]
        body.append(element("tr", element("th", first, scope="row"), *cells))
    return element("div", element("table", element("thead", head), element("tbody", *body), class_=kind), class_="scroll")


def marks_of(own: Iterable[TestInRun]) -> Html:
    """A letter for each run."""
    marks = []
    for sight in own:
        tip = f"{sight.run.begun[:10]}, Mesa {sight.run.target.mesa}: {sight.outcome}"
        marks.append(element("i", LETTERS[sight.outcome], class_=sight.outcome, title=tip))
    return element("span", *marks, class_="marks")


def in_words(own: Sequence[TestInRun]) -> str:
    """The same in words."""
    ran = [s for s in own if s.outcome is not RunOutcome.SKIP]
    bad = [s for s in ran if s.outcome is not RunOutcome.PASS]
    if not ran:
        return "skipped"
    return f"failed in {len(bad)} of {count(len(ran), 'run')}" if bad else f"passed in {count(len(ran), 'run')}"


def case_link(data: SiteData, test_id: str, where: str) -> Html:
    """A test, as a link if it has a page."""
    name = Html(escape(test_id).replace("/", "/<wbr>"))
    return element("a", name, href=f"{where}{case_page(test_id)}") if test_id in data.bad else name


def bug_link(entry: Expectation, where: str) -> Html:
    """The bug that an entry names, else what it says instead."""
    if entry.bug:
        return element("a", f"bug {entry.bug}", href=f"{where}bugs/{entry.bug}.html")
    return escape(entry.mark or "expected")


def _newest(own: Iterable[TestInRun]) -> list[TestInRun]:
    """The newest one of each series."""
    return [list(group)[-1] for _, group in itertools.groupby(own, lambda s: s.run.series)]


def number_cell(number: int) -> Html:
    """A count, nothing for 0."""
    return element("span", f"{number:,}" if number else "", class_="number")
