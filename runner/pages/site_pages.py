"""The pages of the site as HTML without a script: the matrix, targets, areas, bugs, tests over time, runs."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from runner.expectations.bugs import Bug
from runner.model import Expectation
from runner.output.markdown import count
from runner.pages.markup import Html, element, escape, join
from runner.pages.site_data import Count, RunOutcome, Sight, SiteData, area_of, target_name
from runner.records.history import Run

_MOST_TESTS = 500  # of a table
_LETTERS = {"pass": "P", "fail": "F", "crash": "C", "timeout": "T", "flake": "~", "skip": "\N{EN DASH}"}
_LEGEND = (
    "P passed, F failed, C crashed, T timed out, ~ failed and passed, \N{EN DASH} skipped; one mark a run, the oldest first."
)
_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; style-src 'self' file:"


def fill_static(title: str, where: str, *body: str) -> str:
    """A whole page; `where` leads from it to the site's folder: "" or "../"."""
    links = [("bugs.html", "Bugs"), ("areas.html", "Areas"), ("runs.html", "Runs")]
    own = (element("a", text, href=f"{where}{name}") for name, text in links)
    head = element("header", element("b", element("a", "Rusticl", href=f"{where}index.html")), *own, class_="site")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f'<link rel="icon" href="data:,">\n<link rel="stylesheet" href="{where}site.css">\n<title>{escape(title)}</title>\n'
        f"</head>\n<body>\n{head}\n<main>{join(element('h1', title), *body)}</main>\n</body>\n</html>\n"
    )


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
    """A name that leads nowhere else: a history may be a stranger's."""
    return re.sub(r"[^A-Za-z0-9_.~-]|^\.", "~", name)[:200]


def index_page(data: SiteData) -> str:
    """The matrix of targets and releases."""
    text = (
        "Each cell: how many of the tests that ran passed, by the newest run of each; then failures that no entry expects."
    )
    ran = sum(len(s.runs) for s in data.series)
    facts = f"{count(ran, 'run')} of {count(len(data.targets), 'target')} with Mesa {', '.join(data.releases)}."
    return fill_static("Rusticl: what passes where", "", element("p", facts, " ", text), _key(), _matrix(data, "", ""))


def areas_page(data: SiteData) -> str:
    """Every area, with a bar for each of all that ran."""
    lines = []
    for area in data.areas:
        total = Count(sum((s.areas[area].counts for s in data.series if area in s.areas), Counter()))
        link = element("a", area, href=area_page(area))
        lines.append([link, _number(total.ran), _bar(total), total.rate, _number(total.counts["new"])])
    titles = ["area", "results", "shares", "pass rate", "not expected"]
    text = "Over all targets and releases. An area's page has its matrix, and its tests that fail."
    return fill_static("Areas", "", element("p", text), _table(titles, lines))


def area_text(data: SiteData, area: str) -> str:
    """The page of an area: its matrix, and its tests that ever failed."""
    tests = [i for i in data.bad if area_of(i) == area]
    parts = [_matrix(data, area, "../"), element("h2", f"{count(len(tests), 'test')} that failed or flaked")]
    return fill_static(area, "../", *parts, _tests(data, tests))


def target_text(data: SiteData, name: str) -> str:
    """The page of a target: its areas by release, its tests that fail, its runs."""
    own = data.targets[name]
    lines = []
    for area in ["", *data.areas]:
        if any(area in s.areas for s in own):
            head = element("a", area, href=f"../{area_page(area)}") if area else element("b", "all areas")
            lines.append([head, *(_cell(s.areas.get(area)) for s in own)])
    tests = [
        i for i in data.bad if any(i in s.last and s.last[i].outcome not in (RunOutcome.PASS, RunOutcome.SKIP) for s in own)
    ]
    return fill_static(
        name,
        "../",
        element("p", f"Mesa {', '.join(s.mesa for s in own)}; {own[-1].runs[-1].device}"),
        _table(["area", *(f"Mesa {s.mesa}" for s in own)], lines, "matrix"),
        element("h2", f"{count(len(tests), 'test')} that failed or flaked when last run"),
        _tests(data, tests, name),
        element("h2", "Runs"),
        _runs([run for s in own for run in s.runs], "../"),
    )


def case_text(data: SiteData, test_id: str, bugs: Mapping[int, Bug]) -> str:
    """The page of a test: what it did over time, on every target and release, and what is known about it."""
    lines, known, messages = [], {}, Counter[tuple[str, str]]()
    for key, group in itertools.groupby(data.bad[test_id], lambda s: s.run.series):
        series, own = data.by_key[key], list(group)
        line = series.lines.get(test_id)
        if line:
            known[line.source] = line
        label = f"{series.name}, Mesa {series.mesa}"
        messages.update((sight.message, label) for sight in own if sight.message)
        bug = _bug_link(line, "../") if line and line.bug else ""
        link = element("a", series.name, href=f"../{target_page(series.name)}")
        lines.append([link, series.mesa, _marks(own), _words(own), bug])
    reasons: dict[tuple[int, str], list[Expectation]] = {}
    for line in known.values():
        reasons.setdefault((line.bug, line.reason), []).append(line)
    texts: dict[str, list[str]] = {}
    for (message, label), number in messages.items():
        texts.setdefault(message, []).append(f"{label} ({number})")
    said = [[element("code", message), ", ".join(labels)] for message, labels in texts.items()]
    return fill_static(
        test_id,
        "../",
        element("p", "In ", element("a", area_of(test_id), href=f"../{area_page(area_of(test_id))}"), ". ", _LEGEND),
        _table(["target", "Mesa", "runs", "in words", "bug"], lines),
        element("h2", "What it said"),
        _table(["message", "where (how often)"], said, "messages"),
        element("h2", "Why it is expected") if known else "",
        *(_reason(own, bugs) for own in reasons.values()),
    )


def bugs_page(bugs: Mapping[int, Bug], lines: Mapping[int, Mapping[str, int]]) -> str:
    """All bugs; `lines` counts the entries that name each, by driver."""
    rows = [
        [
            element("a", f"bug {n}", href=f"bugs/{n}.html"),
            bug.title,
            bug.upstream,
            ", ".join(f"{driver} {number:,}" for driver, number in lines.get(n, {}).items()),
        ]
        for n, bug in sorted(bugs.items())
    ]
    return fill_static("Bugs", "", _table(["", "what", "upstream", "entries, by driver"], rows, "messages"))


def bug_text(data: SiteData, bug: Bug, lines: Mapping[str, int]) -> str:
    """The page of a bug: what its file says, where it was seen last, and the tests that show it."""
    tests, seen = [], []
    for _, group in itertools.groupby(data.bugs.get(bug.number, ()), lambda item: item[0].runs[-1].id):
        own = list(group)
        series = own[0][0]
        bad = [i for _, i in own if series.last[i].outcome not in (RunOutcome.PASS, RunOutcome.SKIP)]
        tests += bad
        link = element("a", series.name, href=f"../{target_page(series.name)}")
        seen.append([link, series.mesa, f"{len(bad)} of {len(own)}"])
    facts = [("Clause", f"{bug.clause}: {bug.says}"), ("Upstream", bug.upstream), ("In Mesa", bug.where), ("Note", bug.note)]
    facts.append(("Best test", _case_link(data, bug.case, "../")))
    facts.append(("Entries", ", ".join(f"{driver} {number:,}" for driver, number in lines.items())))
    facts.append(("Gone from", ", ".join(target.name for target in bug.gone)))
    shown = [cell for name, value in facts if value for cell in (element("dt", name), element("dd", value))]
    return fill_static(
        f"Bug {bug.number}: {bug.title}",
        "../",
        element("dl", *shown, id="facts"),
        element("p", "A report that can be filed: ", element("code", f"runner bugs show {bug.number} --markdown")),
        element("h2", "Where its tests ran"),
        _table(["target", "Mesa", "failed when last run"], seen) if seen else element("p", "In no run of this history."),
        element("h2", count(len(set(tests)), "test")) if tests else "",
        _tests(data, list(dict.fromkeys(tests))) if tests else "",
    )


def runs_page(data: SiteData) -> str:
    """All runs, the newest first."""
    return fill_static("Runs", "", _runs([run for s in data.series for run in s.runs], ""))


def run_text(data: SiteData, run: Run) -> str:
    """The page of a run of which the history alone is left: counts, and what failed."""
    series = data.by_key[run.series]
    target = series.target
    facts = [("Target", element("a", target_name(run), href=f"../{target_page(target_name(run))}")), ("Device", run.device)]
    facts += [("Mesa", run.target.mesa), ("libclc", target.libclc), ("tinygrad", target.tinygrad)]
    facts += [("Begun", f"{run.begun[:16].replace('T', ' ')} UTC"), ("Build", run.build), ("Workers", str(run.jobs))]
    shown = [cell for name, value in facts if value for cell in (element("dt", name), element("dd", value))]
    bad = data.bad_in.get(run.id, {})
    lines = [
        [
            element("span", element("i", _LETTERS[s.outcome], class_=s.outcome), class_="marks"),
            _case_link(data, i, "../"),
            _bug_link(line, "../") if (line := series.lines.get(i)) else element("b", "not expected", class_="red"),
            element("code", s.message),
        ]
        for i, s in sorted(bad.items(), key=lambda item: (item[0] in series.lines, item[0]))
    ]
    words = ", ".join(f"{number:,} {word}" for word, number in data.counts[run.id].most_common())
    more = [element("p", f"{len(lines) - _MOST_TESTS:,} more are not shown.")] if len(lines) > _MOST_TESTS else []
    table = _table(["", "test", "known", "message"], lines[:_MOST_TESTS], "messages") if lines else ""
    return fill_static(
        f"{target_name(run)}, {run.begun[:10]}",
        "../",
        element("dl", *shown, id="facts"),
        element("p", f"{words}."),
        table,
        *more,
    )


def _matrix(data: SiteData, area: str, where: str) -> Html:
    lines = []
    for name, own in data.targets.items():
        cells = {s.mesa: _cell(s.areas.get(area), f"{where}{run_page(s.runs[-1])}") for s in own}
        if any(cells.values()):
            link = element("a", name, href=f"{where}{target_page(name)}")
            lines.append([link, *(cells.get(mesa, "") for mesa in data.releases)])
    return _table(["driver, GPU", *(f"Mesa {mesa}" for mesa in data.releases)], lines, "matrix")


def _cell(own: Count | None, link: str = "") -> str:
    if not own or not own.counts.total():
        return ""
    if not own.ran:
        return element("small", f"{own.counts['skip']:,} skipped")
    new = own.counts["new"]
    detail = f"{own.counts['pass']:,} of {own.ran:,}"
    return join(
        element("a", own.rate, href=link) if link else own.rate,
        _bar(own),
        element("small", detail, element("span", f", {new:,} not expected", class_="red") if new else ""),
    )


def _key() -> Html:
    words = {"pass": "passed", "known": "failed as expected", "flake": "failed and passed", "new": "failed, not expected"}
    return element("p", *(element("span", text, class_=word) for word, text in words.items()), class_="key")


def _bar(own: Count) -> Html:
    x, parts = 0, []
    for word in ("pass", "known", "flake", "new"):
        if size := own.counts[word]:
            parts.append(element("rect", x=x, y=0, width=size, height=1, class_=word))
        x += size
    image = element("svg", *parts, viewBox=f"0 0 {max(1, x)} 1", preserveAspectRatio="none", aria_hidden="true")
    return element("span", image, class_="share")


def _tests(data: SiteData, tests: Sequence[str], target: str = "") -> Html:
    """Tests that failed, with their newest runs, and the bugs that explain them."""
    lines = []
    for test_id in tests[:_MOST_TESTS]:
        own = [s for s in data.bad[test_id] if target_name(s.run) == target][-10:] if target else _newest(data.bad[test_id])
        line = next((line for s in data.targets.get(target, data.series) if (line := s.lines.get(test_id))), None)
        message = next((s.message for s in reversed(own) if s.message), "")
        bug = _bug_link(line, "../") if line else element("span", "not expected", class_="red")
        lines.append([_case_link(data, test_id, "../"), _marks(own), bug, element("code", message[:160])])
    more = element("p", f"{len(tests) - _MOST_TESTS:,} more are not shown.") if len(tests) > _MOST_TESTS else ""
    what = "newest runs" if target else "newest run of each target and release"
    return join(_table(["test", what, "known", "message"], lines, "messages"), more)


def _runs(runs: Iterable[Run], where: str) -> Html:
    lines = [
        [
            element("a", f"{run.begun[:16].replace('T', ' ')}", href=f"{where}{run_page(run)}"),
            element("a", target_name(run), href=f"{where}{target_page(target_name(run))}"),
            run.target.mesa,
            run.device,
        ]
        for run in sorted(runs, key=lambda r: (r.begun, r.key), reverse=True)
    ]
    return _table(["begun", "target", "Mesa", "device"], lines)


def _marks(own: Iterable[Sight]) -> Html:
    marks = []
    for sight in own:
        tip = f"{sight.run.begun[:10]}, Mesa {sight.run.target.mesa}: {sight.outcome}"
        marks.append(element("i", _LETTERS[sight.outcome], class_=sight.outcome, title=tip))
    return element("span", *marks, class_="marks")


def _words(own: Sequence[Sight]) -> str:
    ran = [s for s in own if s.outcome is not RunOutcome.SKIP]
    bad = [s for s in ran if s.outcome is not RunOutcome.PASS]
    if not ran:
        return "skipped"
    return f"failed in {len(bad)} of {count(len(ran), 'run')}" if bad else f"passed in {count(len(ran), 'run')}"


def _case_link(data: SiteData, test_id: str, where: str) -> Html:
    name = Html(escape(test_id).replace("/", "/<wbr>"))
    return element("a", name, href=f"{where}{case_page(test_id)}") if test_id in data.bad else name


def _newest(own: Iterable[Sight]) -> list[Sight]:
    """The newest one of each series."""
    return [list(group)[-1] for _, group in itertools.groupby(own, lambda s: s.run.series)]


def _bug_link(line: Expectation, where: str) -> Html:
    return (
        element("a", f"bug {line.bug}", href=f"{where}bugs/{line.bug}.html") if line.bug else escape(line.mark or "expected")
    )


def _reason(lines: Sequence[Expectation], bugs: Mapping[int, Bug]) -> Html:
    """A reason that several entries give, with their places and signatures."""
    line = lines[0]
    bug = bugs.get(line.bug)
    reason = line.reason.removeprefix(line.mark).removeprefix(": ") if bug else line.reason
    title = element("p", _bug_link(line, "../"), f": {bug.title}") if bug else ""
    places = ["/".join(each.source.split("/")[-2:]) for each in lines]
    entries = (
        element("li", element("code", place), ": ", element("code", e.signature))
        for place, e in zip(places, lines, strict=True)
    )
    return join(title, element("p", reason), element("ul", *entries))


def _table(titles: Sequence[str], lines: Iterable[Sequence[str]], kind: str = "") -> Html:
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


def _number(number: int) -> Html:
    return element("span", f"{number:,}" if number else "", class_="number")
