"""The tiers of a suite's cases: its `tiers.txt`, which is the one place that says when a case runs.

A line names an area; those below it are indented and give a tier and globs of names in the area:

    kernels/event
      premerge  [!g]*
      full      wait/released_chain.500

The last glob that matches a case decides; a case that none matches is in the full tier.
"""

import re
from collections.abc import Iterator
from fnmatch import translate
from pathlib import Path

from runner.model import Tier, UsageError
from runner.shapes import read_text
from runner.spelling import closest

NAME = "tiers.txt"
_Rule = tuple[Tier, str, int]  # a glob of names, and its line


class Tiers:
    """The rules of one file. Raises UsageError, naming the line, for one that cannot be read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rules: dict[str, list[_Rule]] = {}  # by area, the last of them first
        for area, rule in _rules(path):
            self.rules.setdefault(area, []).insert(0, rule)
        # One pattern an area, whose first matching group is the rule: a suite has thousands of cases.
        self._patterns = {
            area: re.compile("|".join(f"({translate(glob)})" for _, glob, _ in rules)) for area, rules in self.rules.items()
        }

    def tier_of(self, test_id: str) -> Tier:
        """The tier of a case."""
        rule = self._rule_of(test_id)
        return rule[0] if rule else Tier.FULL

    def why(self, test_id: str) -> str:
        """The line that decides, and its glob."""
        rule = self._rule_of(test_id)
        return f"{self.path}:{rule[2]}: {rule[1]}" if rule else f"{self.path}: no glob matches"

    def _rule_of(self, test_id: str) -> _Rule | None:
        suite, area, name = test_id.split("/", 2)
        pattern = self._patterns.get(f"{suite}/{area}")
        found = pattern.fullmatch(name) if pattern else None
        return self.rules[f"{suite}/{area}"][found.lastindex - 1] if found and found.lastindex else None


def _rules(path: Path) -> Iterator[tuple[str, _Rule]]:
    area = ""
    for number, line in enumerate(read_text(path).splitlines(), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if not line.startswith(" "):
            if len(words) > 1 or words[0].count("/") != 1:
                raise UsageError(f"{path}:{number}: {line!r} is not an area; write SUITE/AREA, and what is of it indented")
            area = words[0]
            continue
        word, *globs = words
        if word not in [*Tier] or not globs or not area:
            raise UsageError(f"{path}:{number}: write a tier and globs below an area{closest(word, [*map(str, Tier)])}")
        yield from ((area, (Tier(word), glob, number)) for glob in globs)
