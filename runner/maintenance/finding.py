"""A finding of lint about an entry: `path:line: what: next step`, or JSON."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from runner.lines import tell


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
    """`form` is text, json or codequality; `counts` are further numbers for the end."""
    if form == "codequality":
        tell(json.dumps([_issue(finding) for finding in findings], indent=1))
        return
    by_check = dict(sorted(Counter(f.check for f in findings).items()))
    if form == "json":
        tell(json.dumps({"findings": [asdict(f) for f in findings], "checks": by_check, **(counts or {})}, indent=1))
        return
    for finding in findings:
        tell(finding)
    words = [f"{n} {check}" for check, n in by_check.items()]
    tell(f"{len(findings)} findings{': ' if words else ''}{', '.join(words)}")
    for name, number in (counts or {}).items():
        tell(f"{number:8} {name.replace('_', ' ')}")


def _issue(finding: LintFinding) -> dict[str, Any]:
    """In the form of GitLab's Code Quality; the fingerprint stays when lines above it come and go."""
    path = Path(finding.path).resolve()
    shown = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
    return {
        "description": f"{finding.what}: {finding.next}",
        "check_name": finding.check,
        "fingerprint": hashlib.sha256(f"{shown}\0{finding.check}\0{finding.what}".encode()).hexdigest(),
        "severity": "blocker" if finding.check == "parse" else "minor",
        "location": {"path": shown.as_posix(), "lines": {"begin": finding.line}},
    }
