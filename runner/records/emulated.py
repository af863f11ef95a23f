"""The counts of the emulators of a run's processes, and how they are printed."""

import contextlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from runner.shapes import MALFORMED

Totals = Mapping[str, float]
_KINDS = {"fault": "faults", "hazard": "hazards", "race": "races", "undefined": "undefined reads", "unknown": "not emulated"}
_NAMES = ("launches", "lane_instructions", "seconds", *_KINDS)


def parse_totals(data: Mapping[str, object]) -> Totals:
    """Of one process, or of a journal's footer. Raises TypeError if one is not a number."""
    found: dict[str, float] = {}
    for name in _NAMES if data else ():
        value = data.get(name, 0)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise TypeError(f"{name}: {str(value)[:60]!r} is not a number")
        found[name] = value
    return found


def add_up(parts: Iterable[Totals]) -> Totals:
    """All of them together; empty if none has counted anything."""
    own = [part for part in parts if part]
    return {name: sum(part.get(name, 0) for part in own) for name in _NAMES} if own else {}


def read_files(paths: Iterable[Path]) -> Totals:
    """The sum of the counts in these files, which the emulators of all processes left."""
    found = []
    for path in paths:
        with contextlib.suppress(OSError, *MALFORMED):  # it was killed as it wrote
            found.append(parse_totals(json.loads(path.read_text(encoding="utf-8"))))
    return add_up(found)


def say(totals: Totals, cpu_s: float = 0.0) -> str:
    """In one line. `cpu_s` is the CPU time of all cases."""
    if not totals:
        return "no launch reached the emulator"
    of_all = f" of {cpu_s:.1f}" if cpu_s else ""
    marks = ", ".join(f"{words} {totals[kind]:,}" for kind, words in _KINDS.items())
    return (
        f"launches {totals['launches']:,}, lane-instructions {totals['lane_instructions']:,}, "
        f"CPU {totals['seconds']:.1f}{of_all} s; {marks}"
    )
