"""What the doctor says: findings in sections, each with the next step if there is one. The texts are in advice.toml."""

import os
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

_PACKAGES = Path(__file__).with_name("system_packages.txt")
_ADVICE = Path(__file__).with_name("advice.toml")


class Level(StrEnum):
    """OK: works. NOTE: information. PROBLEM: does not work, or hides something that does."""

    OK = "ok"
    NOTE = "note"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding about the machine, with the next step if there is one."""

    level: Level
    text: str
    step: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """The findings about one part of the machine."""

    name: str
    findings: tuple[Finding, ...]


_MARKS = {Level.OK: "ok", Level.NOTE: "-", Level.PROBLEM: "!!"}


@cache
def advice() -> dict[str, Any]:
    """The tables of advice.toml by their names."""
    return tomllib.loads(_ADVICE.read_text(encoding="utf-8"))


def find(name: str, /, level: Level | None = None, **values: object) -> Finding:
    """The entry `name` of advice.toml with the values for its text and step; `level` if it is not the entry's own."""
    entry = advice()[name]
    text, step = (entry.get(key, "").format(**values).rstrip() for key in ("text", "step"))
    return Finding(level or Level(entry["level"]), text, step)


def render_text(sections: Iterable[Section]) -> str:
    """A block a section, a line a finding, its next step indented below."""
    lines: list[str] = []
    for section in sections:
        lines += ["", section.name] if lines else [section.name]
        for finding in section.findings:
            lines.append(f"  {_MARKS[finding.level]:2} {finding.text}")
            lines += [f"       -> {finding.step}"] if finding.step else []
    return "\n".join(lines)


def install_step(os_release: Path = Path("/etc/os-release")) -> str:
    """The command that installs Mesa's OpenCL, the ICD loader and clang on this distribution."""
    if os.environ.get("RUNNER_ROOT_PACKAGES"):
        return "the root of ci/in-root should have it: run with --refresh"
    text = os_release.read_text(encoding="utf-8", errors="replace") if os_release.is_file() else ""
    names = re.findall(r'^ID(?:_LIKE)?="?([^"\n]*)', text, re.M)
    own = [word for name in names for word in name.split()]
    lines = [re.split(r" {2,}", line.strip(), maxsplit=1) for line in _PACKAGES.read_text().splitlines()]
    for word in own:
        for distributions, command in lines:
            if word in distributions.lower().split(", "):
                return command
    return "install Mesa's OpenCL (Rusticl), an OpenCL ICD loader and clang"
