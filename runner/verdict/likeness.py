"""A new failure beside what is known of other drivers and releases: the same message, or whether it fails there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from runner.expectations.sightings import Listing, load_listings
from runner.expectations.target import ALL, Target
from runner.model import Status, TestId
from runner.run_config import folders_in
from runner.verdict.judge import BAD, signature_matches
from runner.verdict.report import Report, Row

_LEAST = 8  # characters of a signature; a shorter one, SIGSEGV, is that of any bug


def find_alike(test_id: TestId, messages: Sequence[str], listings: Sequence[Listing], own: Target) -> tuple[int, str] | None:
    """The bug that a test's failures look like, and the layer that knows it. The driver's own files come before others'."""
    nearest = sorted(listings, key=lambda x: (x.layer.driver != own.driver, -len(x.layer.name), x.layer.name))
    for listing in nearest:
        entry = listing.entries.get(test_id)
        if not messages or not entry or not entry.bug or len(entry.signature) < _LEAST:
            continue
        if all(signature_matches(m, entry) for m in messages):
            return entry.bug, listing.layer.name
    return None


def seen_elsewhere(test_id: TestId, listings: Sequence[Listing], own: Target) -> str:
    """Which other drivers with a device are expected to fail a test, and which to pass it; "" of a compile run."""
    executed = [x for x in listings if x.layer.mode == "" and not x.layer.variant]
    drivers = sorted({x.layer.driver for x in executed if x.entries} - {ALL, own.driver})
    if own.mode == "compile" or not drivers:
        return ""
    failing = {x.layer.driver for x in executed if (e := x.entries.get(test_id)) and e.statuses != {Status.PASS}}
    there = drivers if ALL in failing else [name for name in drivers if name in failing]
    rest = ", ".join(name for name in drivers if name not in there)
    if not there:
        return f"on {rest} it is expected to pass: red here alone so far"
    return f"red on {', '.join(there)} too" + (f", expected to pass on {rest}" if rest else "")


def name_alike(report: Report) -> Report:
    """The report, whose red rows name the bug that they look like, or who fails too. A green one costs nothing."""
    red = {row.id for row in report.red if row.result}
    folder = report.record.config.expectations
    if not red or not folder or not folders_in(folder)[-1].is_dir():
        return report
    listings = load_listings(folder)

    def named(row: Row) -> Row:
        if row.id not in red or row.result is None:
            return row
        # The attempts' own words: the row's may quote the entry that did not hold.
        message = next((a.message for a in reversed(row.result.attempts) if a.status in BAD), "")
        if alike := find_alike(row.id, (message,), listings, report.target):
            return replace(row, message=f"{row.message} (as bug {alike[0]} on {alike[1]} (same message))")
        elsewhere = seen_elsewhere(row.id, listings, report.target)
        return replace(row, message=f"{row.message} ({elsewhere})") if elsewhere else row

    return replace(report, rows=tuple(map(named, report.rows)))
