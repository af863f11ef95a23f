"""Where bugs are seen: the entries of all expectation files that name them."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from runner.expectations.bugs import Bug
from runner.expectations.files import parse_file
from runner.expectations.folder import migrate
from runner.expectations.target import ALL, Target, is_read, parse_name
from runner.lines import read_given
from runner.model import Expectation, FileKind, Status
from runner.run_config import folders_in

_MEASURED = re.compile(r"Measured: ((?:[^.]|\.(?!\s|$))+)")  # in the head of a file, up to the end of the sentence


@dataclass(frozen=True, slots=True)
class Listing:
    """One expectation file, as far as bugs go. `measured` is what its head says about where."""

    layer: Target
    entries: dict[str, Expectation]  # by pattern
    measured: str
    named: Counter[int]  # how many of its entries name a bug, by its number; 0 for none


def load_listings(expectations: str | Path) -> list[Listing]:
    """Every file of the project's expectations except the floors. Raises UsageError if one cannot be read."""
    listings = []
    for path in sorted(folders_in(expectations)[-1].glob("*/*.txt")):
        layer, kind = parse_name(path)
        if kind == "device":
            continue
        text = migrate(read_given(path), path)
        entries = {e.key: e for e in parse_file(text, FileKind(kind), str(path)).entries}
        head = " ".join(line.lstrip("# ") for line in text.split("\n\n")[0].splitlines())
        stated = _MEASURED.search(head)
        listings.append(Listing(layer, entries, stated[1] if stated else "", Counter(e.bug for e in entries.values())))
    return listings


def count_by_driver(listings: Sequence[Listing]) -> dict[int, Counter[str]]:
    """For each bug that entries name, how many there are in each driver's files; `all` is every driver's."""
    counts: dict[int, Counter[str]] = {}
    for listing in listings:
        for entry in listing.entries.values():
            if entry.bug:
                counts.setdefault(entry.bug, Counter())[listing.layer.driver] += 1
    return counts


def find_sightings(bug: Bug, listings: Sequence[Listing]) -> Iterator[tuple[Listing, int]]:
    """Each target with a file of its own on which entries of the bug decide, and how many; the narrow ones if they add.

    An entry of `all/` counts for each driver that was measured in that mode and release.
    """
    affected: dict[Target, tuple[Listing, int]] = {}
    naming = [x.layer for x in listings if x.named[bug.number]]
    targets: dict[Target, Listing] = {}
    for x in sorted(listings, key=lambda x: not x.named[bug.number]):  # of a target's files the first that names it
        ours = x.layer.driver != ALL or (x.layer.tinygrad and x.named[bug.number])
        if ours and any(n.applies_to(x.layer) for n in naming):
            targets.setdefault(x.layer, x)
    for target in sorted(targets, key=lambda t: (t.rank, t.name)):
        own = targets[target]
        entries = deciding_entries(target, listings).values()
        count = sum(e.bug == bug.number for e in entries)
        broader = any(other.applies_to(target) for other in affected)
        if count and (not broader or own.named[bug.number]):
            affected[target] = own, count
    return iter(sorted(affected.values(), key=lambda found: found[0].layer.name))


def deciding_entries(target: Target, listings: Sequence[Listing]) -> dict[str, Expectation]:
    """The entries that decide on a target, by pattern: the most specific if there are several; none if that is a Pass."""
    found: dict[str, Expectation] = {}
    for listing in sorted((x for x in listings if x.layer.applies_to(target)), key=lambda x: x.layer.rank):
        for pattern, entry in listing.entries.items():
            if is_read(entry, listing.layer, target):
                found[pattern] = entry
    return {pattern: e for pattern, e in found.items() if e.statuses != {Status.PASS}}
