"""`python3 -m tools.compare_suites`: which suite shows which known bug of a target, in how many CPU seconds, as Markdown.

A suite shows a bug if an expectation that applies to the target names it and is for a case of the suite. The seconds are
those of the cheapest such case in RESULTS, runs on that target. With --map, it lists for each test of piglit or sub-test
of the CTS the cases of this project that test the same, by rules written and checked by hand. Exit code 0.
"""

import argparse
import bisect
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path, PurePath

from runner.cases import catalogue
from runner.commands.options import add_places
from runner.expectations.bugs import Bug, bugs_folder, load_bugs
from runner.expectations.sightings import deciding_entries, load_listings
from runner.expectations.target import parse_layer
from runner.ids import choose
from runner.importing import import_suite_module
from runner.lines import tell
from runner.model import Case, ExitCode, Expectation, UsageError
from runner.output.markdown import code, table
from runner.records import journal
from runner.records.artifacts import opened_artifacts
from runner.run_config import add_options
from tools.command import run

_OTHERS = ("piglit", "cts")  # the suites of other projects
_HEAD = """\
# Which suite shows which bug

What `python3 -m tools.compare_suites --target {target} RESULTS` prints. A suite shows a bug if an expectation of that target
names the bug for one of its tests: one bug, the first that its comment names, though a test of many parts can show others
too. A cell says for how many tests, and how much CPU time the cheapest of them took in RESULTS, runs on that target: in a
warm child, with the programs that it starts. A suite that was not run there in full can show more."""


@dataclass(slots=True)
class Findings:
    """The entries and the runs of one target."""

    reds: dict[str, list[Expectation]] = field(default_factory=lambda: defaultdict(list))  # by suite
    cpu_s: dict[str, float] = field(default_factory=dict)  # by id: the sum of its attempts

    def shown(self, suite: str) -> dict[int, list[Expectation]]:
        """A suite's entries by the bug that they name."""
        by_bug: dict[int, list[Expectation]] = defaultdict(list)
        for entry in self.reds[suite]:
            if entry.bug:
                by_bug[entry.bug].append(entry)
        return by_bug

    def describe(self, entries: Sequence[Expectation]) -> str:
        """The number of entries, and the cost of the cheapest one if a run has it."""
        took = [self.cpu_s[e.pattern] for e in entries if e.pattern in self.cpu_s]
        return f"{len(entries)} ({1000 * min(took):.0f} ms)" if took else str(len(entries) or "")


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Options: the target, the runs."""
    add_places(parser)
    add_options(parser, "expectations")
    parser.add_argument(
        "--map",
        choices=_OTHERS,
        help="instead, a row for each test of it that --piglit or --cts has: the cases of this project that ask the same",
    )
    parser.add_argument(
        "--target", default="llvmpipe-avx2-mesa25.0", help="as expectation files are named (default: %(default)s)"
    )
    parser.add_argument("results", nargs="*", type=Path, metavar="RESULTS", help="runs on it, of any suites")


def main(arguments: argparse.Namespace) -> ExitCode:
    """Print the page. Raises UsageError for a target without entries, or a --map without tests."""
    if arguments.map:
        tell(_counterparts(Path(arguments.suites), arguments.map))
        return ExitCode.GREEN
    bugs = load_bugs(bugs_folder(arguments.expectations))
    found = Findings()
    for entry in deciding_entries(parse_layer(arguments.target), load_listings(arguments.expectations)).values():
        found.reds[entry.pattern.split("/")[0]].append(entry)
    if not found.reds:
        raise UsageError(f"--target {arguments.target}: no entry applies to it; the names are those of expectation files")
    for place in arguments.results:
        with opened_artifacts(place) as runs:
            for run in runs:
                for test_id, result in journal.read(run).all_results.items():
                    if took := sum(attempt.cpu_s for attempt in result.attempts):  # 0 if the child died before reporting it
                        found.cpu_s[test_id] = took
    suites = sorted(found.reds, key=lambda suite: -len(found.shown(suite)))
    maps = [_map(found, suite, bugs) for suite in _OTHERS if found.reds[suite]]
    tell("\n\n".join([_HEAD.format(target=arguments.target), _suites(found, suites), _bugs(found, suites, bugs), *maps]))
    return ExitCode.GREEN


def _suites(found: Findings, suites: Iterable[str]) -> str:
    """A row for each suite: its red cases, the bugs that they show, and those that no other suite shows."""
    shows = Counter(bug for suite in found.reds for bug in found.shown(suite))
    rows = [["suite", "red cases", "bugs", "shown only by it", "ran here", "CPU seconds"]]
    for suite in suites:
        bugs = found.shown(suite)
        took = [s for test_id, s in found.cpu_s.items() if test_id.startswith(f"{suite}/")]
        alone = sum(shows[bug] == 1 for bug in bugs)
        ran = [str(len(took)), f"{sum(took):.0f}"] if took else ["", ""]
        rows.append([suite, str(len(found.reds[suite])), str(len(bugs)), str(alone), *ran])
    return table(rows)


def _bugs(found: Findings, suites: Sequence[str], bugs: dict[int, Bug]) -> str:
    """A row for each bug that several suites show, or one of another project; the rest by their numbers."""
    shown = {suite: found.shown(suite) for suite in suites}
    rows = [["bug", "", *suites]]
    alone: dict[str, list[int]] = defaultdict(list)
    for number in sorted({bug for by_bug in shown.values() for bug in by_bug}):
        by = [suite for suite in suites if number in shown[suite]]
        if len(by) == 1 and by[0] not in _OTHERS:
            alone[by[0]].append(number)
        else:
            title = bugs[number].title if number in bugs else "?"
            rows.append([str(number), _text(title), *(found.describe(shown[suite].get(number, [])) for suite in suites)])
    rest = [f"{suite} only: {', '.join(map(str, numbers))}." for suite, numbers in alone.items()]
    return "\n\n".join(["## Bugs that several suites show", table(rows), "## Bugs that one suite shows", *rest])


def _map(found: Findings, suite: str, bugs: dict[int, Bug]) -> str:
    """A row for each red test of a suite: its bug, and the case here that shows it best; or why it is not a bug."""
    rows = [["test", "bug", "our case"]]
    for entry in sorted(found.reds[suite], key=lambda e: e.pattern):
        bug = bugs.get(entry.bug or 0)
        ours = code(bug.case) if bug else _text(entry.reason)
        rows.append([code(entry.pattern.removeprefix(f"{suite}/")), str(entry.bug or ""), ours])
    return f"## {suite}: what is red, and which case of this project shows the same\n\n{table(rows)}"


def _counterparts(folder: Path, suite: str) -> str:
    """A row for each test of a suite: the globs here that test the same, and how many cases they select."""
    loaded = catalogue.load(folder)
    ids = sorted(i for i in loaded.cases if i.startswith("kernels/"))
    functions = sorted({i.split("/")[3].partition(".")[0] for i in ids if i.startswith("kernels/api/")})
    rows = [(row.glob, row.khronos) for row in import_suite_module(folder / "kernels", "coverage").rows()]

    @cache
    def select(glob: str) -> list[str]:
        first = glob.partition("*")[0]
        return choose(ids[bisect.bisect_left(ids, first) : bisect.bisect_right(ids, f"{first}\x7f")], glob)

    find: Callable[..., tuple[str, ...] | None] = import_suite_module(folder / suite, "counterparts").counterparts

    def ours(case: Case) -> tuple[str, ...] | None:
        if suite == "piglit":
            return find(case.id.removeprefix("piglit/"), select, functions)
        return find(str(PurePath(case.params["program"]).parent), case.params["subtest"], select, functions, rows)

    tests = [c for c in loaded.cases.values() if c.id.startswith(f"{suite}/") and not c.kind.endswith(".subtest")]
    if not tests:
        raise UsageError(f"--map {suite}: there is none here; name it with --{suite} DIR")
    lines = [["test", "our cases", "how many"]]
    for case in tests:
        globs = ours(case)
        count = len({i for glob in globs or () for i in select(glob)})
        words = ", ".join(map(code, globs)) if globs else "none" if globs is None else "not of OpenCL, or not of Rusticl"
        lines.append([code(case.id.removeprefix(f"{suite}/")), words, str(count or "")])
    return table(lines)


def _text(words: str) -> str:
    """Text of this project's own files for a cell."""
    return words.replace("|", "\\|")


if __name__ == "__main__":
    sys.exit(run("compare_suites", __doc__, add_parser, main, sys.argv[1:]))
