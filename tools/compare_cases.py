"""Every field of every case, here and in another state of this repository: `python3 -m tools.compare_cases REVISION`.

Prints each case that is missing, new, at another place in the order or different in a field, and exits with 1 if
there is one. A change that only concerns the form of the suites changes none.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from runner import ROOT
from runner.lines import tell

# The checkout whose cases it prints runs it, so that only its own modules matter.
_PRINT = """
import json, pathlib, sys
from runner.lines import tell
from runner.cases import catalogue
for header in sorted(pathlib.Path(sys.argv[1]).glob("*/suite.yaml")):
    for case in catalogue.load_suite(header.parent)[1]:
        tell(json.dumps(case.to_json()))
"""


def _cases_of(checkout: Path) -> dict[str, dict[str, Any]]:
    """Each case of a checkout by its id, in order, as plain JSON data."""
    command = [sys.executable, "-c", _PRINT, str(checkout / "suites")]
    environment = {**os.environ, "PYTHONPATH": str(checkout), "PYTHONDONTWRITEBYTECODE": "1"}
    printed = subprocess.run(command, cwd=checkout, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout
    return {case["id"]: case for case in map(json.loads, printed.splitlines())}


def _differences(before: dict[str, dict[str, Any]], now: dict[str, dict[str, Any]]) -> list[str]:
    lines = [f"missing {i}" for i in before if i not in now] + [f"new {i}" for i in now if i not in before]
    for test_id, old in before.items():
        new = now.get(test_id, old)
        lines += [f"{test_id}: {name}: {old[name]!r} -> {new[name]!r}" for name in old if old[name] != new[name]]
    orders = [[i for i in one if i in other] for one, other in ((before, now), (now, before))]
    moved = [i for i, j in zip(*orders, strict=True) if i != j]
    return lines + [f"order: from {i} on" for i in moved[:1]]


def main(revision: str) -> int:
    """Compare; returns the exit code."""
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(["git", "archive", revision], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
        subprocess.run(["tar", "x", "-C", folder], input=archive, check=True)
        before = _cases_of(Path(folder))
    now = _cases_of(ROOT)
    lines = _differences(before, now)
    tell("\n".join([*lines, f"{len(before)} cases of {revision}, {len(now)} here, {len(lines)} differences"]))
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
