"""What lint says about a line: `path:line: what: next step`, or JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True, order=True)
class LintFinding:
    """One problem. `check` names the rule, for scripts."""

    path: str
    line: int
    check: str
    what: str
    next: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.what}: {self.next}"

    @classmethod
    def at(cls, source: str, check: str, what: str, next_step: str) -> LintFinding:
        """`source` is path:line, as an Expectation has it."""
        path, line = source.rsplit(":", 1)
        return cls(path, int(line), check, what, next_step)


def print_findings(findings: Sequence[LintFinding], form: str, counts: dict[str, int] | None = None) -> None:
    """`form` is text or json; `counts` are further numbers for the end."""
    by_check = dict(sorted(Counter(f.check for f in findings).items()))
    if form == "json":
        print(json.dumps({"findings": [asdict(f) for f in findings], "checks": by_check, **(counts or {})}, indent=1))
        return
    for finding in findings:
        print(finding)
    words = [f"{n} {check}" for check, n in by_check.items()]
    print(f"{len(findings)} findings{': ' if words else ''}{', '.join(words)}")
    for name, number in (counts or {}).items():
        print(f"{number:8} {name.replace('_', ' ')}")
