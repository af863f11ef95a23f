"""The pages of the site as HTML without a script: the matrix, targets, areas, bugs, tests over time, runs."""

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence

from runner.expectations.bugs import Bug
from runner.model import Expectation
from runner.output.markdown import count
from runner.pages.markup import Html, definitions, element, escape, join, minute
from runner.pages.site_data import Count, SiteData, area_of, target_name
from runner.pages.site_tables import (
    LETTERS,
    MAX_TESTS,
    area_page,
    bug_link,
    case_link,
    colour_key,
    failures_table,
    in_words,
    marks_of,
    matrix,
    number_cell,
    rate_cell,
    runs_table,
    share_bar,
    table_of,
    target_page,
)
from runner.records.history import Run

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


def index_page(data: SiteData) -> str:
    """The matrix of targets and releases."""
    text = (
        "Each cell: how many of the tests that ran passed, by the newest run of each; then failures that no entry expects."
    )
    ran = sum(len(s.runs) for s in data.series)
    facts = f"{count(ran, 'run')} of {count(len(data.targets), 'target')} with Mesa {', '.join(data.releases)}."
    return fill_static("Rusticl: what passes where", "", element("p", facts, " ", text), colour_key(), matrix(data, "", ""))


def areas_page(data: SiteData) -> str:
    """Every area, with a bar for each of all that ran."""
    lines = []
    for area in data.areas:
        total = Count(sum((s.areas[area].counts for s in data.series if area in s.areas), Counter()))
        link = element("a", area, href=area_page(area))
        lines.append([link, number_cell(total.ran), share_bar(total), total.rate, number_cell(total.counts["new"])])
    titles = ["area", "results", "shares", "pass rate", "not expected"]
    text = "Over all targets and releases. An area's page has its matrix, and its tests that fail."
    return fill_static("Areas", "", element("p", text), table_of(titles, lines))


def area_text(data: SiteData, area: str) -> str:
    """The page of an area: its matrix, and its tests that ever failed."""
    tests = [i for i in data.bad if area_of(i) == area]
    parts = [matrix(data, area, "../"), element("h2", f"{count(len(tests), 'test')} that failed or flaked")]
    return fill_static(area, "../", *parts, failures_table(data, tests))


def target_text(data: SiteData, name: str) -> str:
    """The page of a target: its areas by release, its tests that fail, its runs."""
    own = data.targets[name]
    lines = []
    for area in ["", *data.areas]:
        if any(area in s.areas for s in own):
            head = element("a", area, href=f"../{area_page(area)}") if area else element("b", "all areas")
            lines.append([head, *(rate_cell(s.areas.get(area)) for s in own)])
    tests = [i for i in data.bad if any(i in s.last and s.last[i].outcome.failed for s in own)]
    return fill_static(
        name,
        "../",
        element("p", f"Mesa {', '.join(s.mesa for s in own)}; {own[-1].runs[-1].device}"),
        table_of(["area", *(f"Mesa {s.mesa}" for s in own)], lines, "matrix"),
        element("h2", f"{count(len(tests), 'test')} that failed or flaked when last run"),
        failures_table(data, tests, name),
        element("h2", "Runs"),
        runs_table([run for s in own for run in s.runs], "../"),
    )


def case_text(data: SiteData, test_id: str, bugs: Mapping[int, Bug]) -> str:
    """The page of a test: what it did over time, on every target and release, and what is known about it."""
    lines, by_source, messages = [], {}, Counter[tuple[str, str]]()
    for key, group in itertools.groupby(data.bad[test_id], lambda s: s.run.series):
        series, own = data.by_key[key], list(group)
        entry = series.entries.get(test_id)
        if entry:
            by_source[entry.source] = entry
        label = f"{series.name}, Mesa {series.mesa}"
        messages.update((sight.message, label) for sight in own if sight.message)
        bug = bug_link(entry, "../") if entry and entry.bug else ""
        link = element("a", series.name, href=f"../{target_page(series.name)}")
        lines.append([link, series.mesa, marks_of(own), in_words(own), bug])
    reasons: dict[tuple[int, str], list[Expectation]] = {}
    for entry in by_source.values():
        reasons.setdefault((entry.bug, entry.reason), []).append(entry)
    texts: dict[str, list[str]] = {}
    for (message, label), number in messages.items():
        texts.setdefault(message, []).append(f"{label} ({number})")
    quoted = [[element("code", message), ", ".join(labels)] for message, labels in texts.items()]
    return fill_static(
        test_id,
        "../",
        element("p", "In ", element("a", area_of(test_id), href=f"../{area_page(area_of(test_id))}"), ". ", _LEGEND),
        table_of(["target", "Mesa", "runs", "in words", "bug"], lines),
        element("h2", "Messages"),
        table_of(["message", "where (how often)"], quoted, "messages"),
        element("h2", "Why it is expected") if by_source else "",
        *(_reason(own, bugs) for own in reasons.values()),
    )


def bugs_page(bugs: Mapping[int, Bug], entries: Mapping[int, Mapping[str, int]]) -> str:
    """All bugs; `entries` counts those that name each, by driver."""
    rows = [
        [
            element("a", f"bug {n}", href=f"bugs/{n}.html"),
            bug.title,
            bug.upstream,
            ", ".join(f"{driver} {number:,}" for driver, number in entries.get(n, {}).items()),
        ]
        for n, bug in sorted(bugs.items())
    ]
    return fill_static("Bugs", "", table_of(["", "what", "upstream", "entries, by driver"], rows, "messages"))


def bug_text(data: SiteData, bug: Bug, entries: Mapping[str, int]) -> str:
    """The page of a bug: what its file says, where it was seen last, and the tests that show it."""
    tests, seen = [], []
    for _, group in itertools.groupby(data.bugs.get(bug.number, ()), lambda item: item[0].runs[-1].id):
        own = list(group)
        series = own[0][0]
        bad = [i for _, i in own if series.last[i].outcome.failed]
        tests += bad
        link = element("a", series.name, href=f"../{target_page(series.name)}")
        seen.append([link, series.mesa, f"{len(bad)} of {len(own)}"])
    facts = [("Clause", f"{bug.clause}: {bug.says}"), ("Upstream", bug.upstream), ("In Mesa", bug.where), ("Note", bug.note)]
    facts.append(("Best test", case_link(data, bug.case, "../")))
    facts.append(("Entries", ", ".join(f"{driver} {number:,}" for driver, number in entries.items())))
    facts.append(("Gone from", ", ".join(target.name for target in bug.gone)))
    return fill_static(
        f"Bug {bug.number}: {bug.title}",
        "../",
        definitions((fact for fact in facts if fact[1]), id="facts"),
        element("p", "A report that can be filed: ", element("code", f"runner bugs show {bug.number} --markdown")),
        element("h2", "Where its tests ran"),
        table_of(["target", "Mesa", "failed when last run"], seen) if seen else element("p", "In no run of this history."),
        element("h2", count(len(set(tests)), "test")) if tests else "",
        failures_table(data, list(dict.fromkeys(tests))) if tests else "",
    )


def runs_page(data: SiteData) -> str:
    """All runs, the newest first."""
    return fill_static("Runs", "", runs_table([run for s in data.series for run in s.runs], ""))


def run_text(data: SiteData, run: Run) -> str:
    """The page of a run of which only the history is left: counts, and what failed."""
    series = data.by_key[run.series]
    target = series.target
    facts = [("Target", element("a", target_name(run), href=f"../{target_page(target_name(run))}")), ("Device", run.device)]
    facts += [("Mesa", run.target.mesa), ("libclc", target.libclc), ("tinygrad", target.tinygrad)]
    facts += [("Begun", f"{minute(run.begun)} UTC"), ("Build", run.build), ("Workers", str(run.jobs))]
    bad = data.bad_in.get(run.id, {})
    lines = [
        [
            element("span", element("i", LETTERS[s.outcome], class_=s.outcome), class_="marks"),
            case_link(data, i, "../"),
            bug_link(entry, "../") if (entry := series.entries.get(i)) else element("b", "not expected", class_="red"),
            element("code", s.message),
        ]
        for i, s in sorted(bad.items(), key=lambda item: (item[0] in series.entries, item[0]))
    ]
    words = ", ".join(f"{number:,} {word}" for word, number in data.counts[run.id].most_common())
    more = [element("p", f"{len(lines) - MAX_TESTS:,} more are not shown.")] if len(lines) > MAX_TESTS else []
    table = table_of(["", "test", "known", "message"], lines[:MAX_TESTS], "messages") if lines else ""
    return fill_static(
        f"{target_name(run)}, {run.begun[:10]}",
        "../",
        definitions((fact for fact in facts if fact[1]), id="facts"),
        element("p", f"{words}."),
        table,
        *more,
    )


def _reason(entries: Sequence[Expectation], bugs: Mapping[int, Bug]) -> Html:
    """A reason that several entries give, with their places and signatures."""
    entry = entries[0]
    bug = bugs.get(entry.bug)
    reason = entry.unmarked_reason if bug else entry.reason
    title = element("p", bug_link(entry, "../"), f": {bug.title}") if bug else ""
    places = (element("li", element("code", e.place), ": ", element("code", e.signature)) for e in entries)
    return join(title, element("p", reason), element("ul", *places))
