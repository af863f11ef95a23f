"""How each driver's compiler prints the statistics of a kernel (compilers.toml), and how they are read: pure."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

_TABLES = Path(__file__).with_name("compilers.toml")
_NUMBER = re.compile(r"[0-9]{1,15}(\.[0-9]*)?")  # what a case prints may only look like a compiler's line
# Of these a kernel is the better, the more it has; of all other metrics, the less.
MORE = frozenset({"max_waves", "threads", "work_group_items"})
Block = tuple[str, dict[str, float]]  # a variant and its metrics


@dataclass(frozen=True, slots=True)
class ListingFormat:
    """How one compiler prints; compilers.toml explains the fields."""

    line: re.Pattern[str]
    metrics: Mapping[str, str]
    word: re.Pattern[str] = re.compile(r"(?<![\d.])(?P<value>\d[\d.]{0,30}(?::\d{1,15}){0,9}) (?P<label>[^\d\s][^,]*)")
    counts: Mapping[str, re.Pattern[str]] = field(default_factory=dict)


@cache
def compilers() -> Mapping[str, ListingFormat]:
    """The formats by the compilers' names."""
    found = {}
    for name, table in tomllib.loads(_TABLES.read_text(encoding="utf-8")).items():
        patterns = {key: re.compile(table[key]) for key in ("line", "word") if key in table}
        counts = {metric: re.compile(pattern) for metric, pattern in table.get("counts", {}).items()}
        found[name] = ListingFormat(metrics=table["metrics"], counts=counts, **patterns)
    return found


def parse(lines: Iterable[str], names: Sequence[str]) -> list[Block]:
    """The variant and the metrics of each kernel of a listing, in the order in which they were printed."""
    found: list[Block] = []
    tables = [compilers()[name] for name in names]
    counts = {metric: 0 for table in tables for metric in table.counts}
    for line in lines:
        for table in tables:
            match = table.line.search(line)
            if match:
                values = dict(_values(table, match["words"]))
                variant = match.groupdict().get("variant") or ""
                if not found or found[-1][0] != variant or values.keys() & found[-1][1].keys():
                    # Every kernel has instructions: where none was counted, none was listed.
                    counted = {m: counts.pop(m) for m in table.counts}
                    found.append((variant, {m: n for m, n in counted.items() if n or m != "instructions"}))
                    counts |= dict.fromkeys(table.counts, 0)
                found[-1][1].update(values)
                break
            for metric, pattern in table.counts.items():
                if match := pattern.search(line):
                    counts[metric] += int(match.groupdict().get("times") or 1)  # a few digits: see the patterns
    return found


def _values(table: ListingFormat, words: str) -> Iterator[tuple[str, float]]:
    for word in table.word.finditer(words):
        for label, value in zip(word["label"].strip().split(":"), word["value"].split(":"), strict=False):
            if (metric := table.metrics.get(label)) and _NUMBER.fullmatch(value):
                yield metric, float(value) if "." in value else int(value)
