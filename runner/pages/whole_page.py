"""The page of a run beside its rows: for one configuration, or for several, each with its verdict."""

from collections.abc import Mapping

from runner.model import Verdict
from runner.output.markdown import count
from runner.output.reports import worst
from runner.output.terminal import verdict_word
from runner.pages.markup import Html, element, join
from runner.pages.run_page import about, head_of, plain_of, title_of, tone_of
from runner.verdict.report import Report


def page_texts(reports: Mapping[str, Report]) -> tuple[str, Html, Html]:
    """The page's title, its head, and the part that is shown without scripts, for configurations by their names."""
    if "" in reports:
        return title_of(reports[""]), head_of(reports[""]), plain_of(reports[""])
    driver = worst(reports).target.driver
    title = f"{driver}: {verdict_word(worst(reports))}"
    plain = [join(element("h2", name), plain_of(report)) for name, report in reports.items()]
    return title, _head(driver, reports), join(*plain)


def _head(driver: str, reports: Mapping[str, Report]) -> Html:
    worst_one = worst(reports)
    red = sum(len(report.red) for report in reports.values())
    headline = f"{driver}: {count(len(reports), 'configuration')}, {count(red, 'regression')}"
    verdicts = [verdict for verdict in Verdict if any(report.counts[verdict] for report in reports.values())]
    head = element("tr", *(element("th", word, scope="col") for word in ("configuration", "verdict", *verdicts, "not run")))
    return join(
        element("h1", element("span", verdict_word(worst_one), id="verdict", class_=tone_of(worst_one)), " ", headline),
        element("table", element("thead", head), element("tbody", *(_line(*pair, verdicts) for pair in reports.items()))),
        *(
            element("details", element("summary", f"About {name}"), about(report), class_="tested")
            for name, report in reports.items()
        ),
    )


def _line(name: str, report: Report, verdicts: list[Verdict]) -> Html:
    cells = [f"{report.counts[verdict]:,}" if report.counts[verdict] else "" for verdict in verdicts]
    return element(
        "tr",
        element("th", element("a", name, href=f"#area={name}"), scope="row"),
        element("td", element("b", verdict_word(report), class_=tone_of(report))),
        *(element("td", cell) for cell in (*cells, f"{report.not_run:,}" if report.not_run else "")),
    )
