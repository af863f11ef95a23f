"""CLBlast: its tuners build every variant of a kernel, and compare each result with that of a reference kernel."""

import re
from collections.abc import Sequence

from runner import check
from runner.check import Mismatch
from runner.device import Device
from runner.program import Ended, run_program

from .home import open_home

_COLOUR = re.compile(r"\x1b\[\d+m")


def check_tune(_: Device, *, tuner: str, options: Sequence[str]) -> None:
    """Every variant builds, and has the reference's result."""
    folder, environment = open_home("clblast")
    words = [f"clblast_tuner_{tuner}", *options, "-runs", "1"]
    judge(run_program(words, folder, environment))


def judge(ended: Ended) -> None:
    """Check the rows of the printed table: the last column is a variant's result."""
    rows = [[cell.strip() for cell in _COLOUR.sub("", line).split("|")] for line in ended.output.splitlines()]
    variants = {row[1]: row for row in rows if len(row) > 8 and (row[1].isdigit() or row[1] == "ref")}
    for number, row in variants.items():
        if not row[-2].endswith(("results match", "reference OK")):
            stage = (
                "value" if "match" in row[-2] or "L2" in row[-2] else "build" if not row[6].startswith("OK") else "enqueue"
            )
            raise Mismatch(f"{stage}: variant {number} ({row[3]}): {row[6]}: {row[-2]}")
    if ended.code:
        raise Mismatch(f"enqueue: exit {ended.code}: {ended.reasons[-1][:200]}")
    check.true("variants were compared with the reference", len(variants) > 1)
