"""How each driver's compiler prints the statistics of a kernel (compilers.toml), and how they are read: pure."""

import hashlib
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

_TABLES = Path(__file__).with_name("compilers.toml")
_NUMBER = re.compile(r"[0-9]{1,15}(\.[0-9]*)?")  # what a case prints may only look like a compiler's line
# Of these a kernel is the better, the more it has; of all other metrics, the less.
MORE = frozenset({"max_waves", "threads", "work_group_items"})


class ListedKernel(NamedTuple):
    """What was printed of one kernel: its variant, its metrics, a digest of its disassembly ("": none was printed)."""

    variant: str
    metrics: dict[str, float]
    code: str = ""


@dataclass(frozen=True, slots=True)
class ListingFormat:
    """How one compiler prints; compilers.toml explains the fields."""

    line: re.Pattern[str]
    metrics: Mapping[str, str]
    word: re.Pattern[str] = re.compile(r"(?<![\d.])(?P<value>\d[\d.]{0,30}(?::\d{1,15}){0,9}) (?P<label>[^\d\s][^,]*)")
    counts: Mapping[str, re.Pattern[str]] = field(default_factory=dict)
    code: re.Pattern[str] | None = None
    code_begins: re.Pattern[str] | None = None
    code_follows: bool = False


@cache
def compilers() -> Mapping[str, ListingFormat]:
    """The formats by the compilers' names."""
    found = {}
    for name, table in tomllib.loads(_TABLES.read_text(encoding="utf-8")).items():
        patterns = {key: re.compile(table[key]) for key in ("line", "word", "code", "code_begins") if key in table}
        counts = {metric: re.compile(pattern) for metric, pattern in table.get("counts", {}).items()}
        follows = table.get("code_follows", False)
        found[name] = ListingFormat(metrics=table["metrics"], counts=counts, code_follows=follows, **patterns)
    return found


def parse(lines: Iterable[str], names: Sequence[str]) -> list[ListedKernel]:
    """What each kernel of a listing is, in the order in which they were printed."""
    found: list[tuple[str, dict[str, float], ListingFormat]] = []
    codes: list[list[str]] = [[]]  # what was disassembled before each of them, and after the last
    tables = [compilers()[name] for name in names]
    counts = {metric: 0 for table in tables for metric in table.counts}
    for line in lines:
        for table in tables:
            match = table.line.search(line)
            if match:
                values = dict(_values(table, match["words"]))
                variant = match.groupdict().get("variant") or ""
                if not found or found[-1][0] != variant or values.keys() & found[-1][1].keys():
                    # Every kernel has instructions: if none was counted, none was listed.
                    counted = {m: counts.pop(m) for m in table.counts}
                    found.append((variant, {m: n for m, n in counted.items() if n or m != "instructions"}, table))
                    counts |= dict.fromkeys(table.counts, 0)
                    codes.append([])
                found[-1][1].update(values)
                break
            for metric, pattern in table.counts.items():
                if match := pattern.search(line):
                    counts[metric] += int(match.groupdict().get("times") or 1)  # a few digits: see the patterns
            if table.code_begins and table.code_begins.search(line):
                codes[-1].clear()
            elif table.code and (match := table.code.search(line)):
                codes[-1].append(match["code"])
    return [
        ListedKernel(variant, metrics, _digest(codes[place + table.code_follows]))
        for place, (variant, metrics, table) in enumerate(found)
    ]


def _digest(code: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(code).encode()).hexdigest()[:16] if code else ""


def _values(table: ListingFormat, words: str) -> Iterator[tuple[str, float]]:
    for word in table.word.finditer(words):
        for label, value in zip(word["label"].strip().split(":"), word["value"].split(":"), strict=False):
            if (metric := table.metrics.get(label)) and _NUMBER.fullmatch(value):
                yield metric, float(value) if "." in value else int(value)
