"""A new failure compared with other drivers and releases: a bug with the same message, or where the test fails."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from runner.cases.catalogue import Catalogue
from runner.expectations.sightings import Listing, load_listings
from runner.expectations.target import ALL, Target, parse_name
from runner.ids import glob_pattern, is_glob
from runner.lines import read_given
from runner.model import Expectation, FileKind, Status, TestId
from runner.run_config import folders_in
from runner.verdict.judge import BAD, signature_matches
from runner.verdict.report import Report, ReportRow

_MIN_SIGNATURE_CHARS = 8  # characters of a signature; a shorter one, such as SIGSEGV, fits any bug


def find_similar(
    test_id: TestId, messages: Sequence[str], listings: Sequence[Listing], own: Target
) -> tuple[int, str] | None:
    """The bug that a test's failures look like, and the layer that has it. The driver's own files come before others'."""
    nearest = sorted(listings, key=lambda x: (x.layer.driver != own.driver, -len(x.layer.name), x.layer.name))
    for listing in nearest:
        entry = listing.entries.get(test_id)
        if not messages or not entry or not entry.bug or len(entry.signature) < _MIN_SIGNATURE_CHARS:
            continue
        if all(signature_matches(m, entry) for m in messages):
            return entry.bug, listing.layer.name
    return None


class Elsewhere:
    """The implementations that were measured on a device, by their files: where a test fails, and where it does not."""

    def __init__(self, expectations: str, listings: Sequence[Listing]) -> None:
        """`listings` are those of the folder `expectations`, where the floors are."""
        on_device = [x for x in listings if not x.layer.mode and not x.layer.variant]
        on_device = [x for x in on_device if x.entries or not (x.measured or "nothing").startswith("nothing")]
        layers: dict[str, list[Target]] = {}
        for layer in (x.layer for x in on_device):
            layers.setdefault(layer.driver, []).append(layer)
        layers.pop(ALL, None)
        self._listings = {
            driver: [x for x in on_device if any(x.layer.applies_to(own) for own in owns)]
            for driver, owns in sorted(layers.items())
        }
        self._globs = {x.layer.name: [e for e in x.entries.values() if is_glob(e.pattern)] for x in on_device}
        self._floors: dict[str, set[str]] = {}
        for path in sorted(folders_in(expectations)[-1].glob("*/*-device.txt")):
            layer, _ = parse_name(path)
            if not layer.mode:
                self._floors.setdefault(layer.driver, set()).update(read_given(path).splitlines())

    def find(self, test_id: TestId, message: str, needs: Collection[str]) -> tuple[list[str], list[str]]:
        """The drivers that fail a test, in this way if an entry is a family's, and those that are to pass it.

        One that skips it, or lacks a feature that it needs, is neither.
        """
        failing, passing = [], []
        for driver, listings in self._listings.items():
            kinds = {e.kind for x in listings for e in self._entries(x, test_id, message)}
            if kinds - {FileKind.SKIPS}:
                failing.append(driver)
            elif not kinds and set(needs) <= self._floors.get(driver, set(needs)):
                passing.append(driver)
        return failing, passing

    def _entries(self, listing: Listing, test_id: TestId, message: str) -> Iterator[Expectation]:
        if (exact := listing.entries.get(test_id)) and exact.statuses != {Status.PASS}:
            yield exact
        for entry in self._globs[listing.layer.name]:
            if glob_pattern(entry.pattern).fullmatch(test_id) and (not entry.is_family or signature_matches(message, entry)):
                yield entry

    def in_words(self, test_id: TestId, message: str, needs: Collection[str], own: Target) -> str:
        """For a test that fails on a target; "" if no other implementation was measured, or for a compile run."""
        failing, passing = ([name for name in names if name != own.driver] for names in self.find(test_id, message, needs))
        if own.mode == "compile" or not (failing or passing):
            return ""
        passes = f"expected to pass on {', '.join(passing)}"
        if not failing:
            return f"{passes}: only red here so far"
        count = f"red on {len(failing) + 1} of {len(failing) + 1 + len(passing)}, on {', '.join(failing)} too"
        return f"{count}; {passes}" if passing else count


def requirements_of(loaded: Catalogue, test_id: TestId) -> tuple[str, ...]:
    """What a device must have for a test; () for a test that is not in the catalogue."""
    case = loaded.cases.get(test_id)
    return (*loaded.suite_of(test_id).requires, *case.requires) if case else ()


def name_similar(report: Report, loaded: Catalogue) -> Report:
    """The report, its red rows with the bug that they look like, or who fails too. A green one costs nothing."""
    red = {row.id for row in report.red if row.result}
    folder = report.record.config.expectations
    if not red or not folder or not folders_in(folder)[-1].is_dir():
        return report
    listings = load_listings(folder)
    elsewhere = Elsewhere(folder, listings)

    def named(row: ReportRow) -> ReportRow:
        if row.id not in red or row.result is None:
            return row
        # The attempts' own words: the row's may quote the entry that did not hold.
        message = next((a.message for a in reversed(row.result.attempts) if a.status in BAD), "")
        if alike := find_similar(row.id, (message,), listings, report.target):
            return replace(row, message=f"{row.message} (as bug {alike[0]} on {alike[1]} (same message))")
        others = elsewhere.in_words(row.id, message, requirements_of(loaded, row.id), report.target)
        return replace(row, message=f"{row.message} ({others})") if others else row

    return replace(report, rows=tuple(map(named, report.rows)))
