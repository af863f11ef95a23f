"""The sections of the specification that each part of the suite tests, and the Khronos tests of the same rules."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from runner.ids import choose
from runner.model import Case, Tier


@dataclass(frozen=True, slots=True)
class CoverageRow:
    """One row of coverage.csv; each case belongs to one.

    `glob` selects the cases; `section` is a section of the OpenCL 3.0 specifications ("OpenCL C 3.0, 6.15.3",
    "OpenCL API 3.0, 5.2.4"), numbered as in revision 3.0.19, here and everywhere (other revisions differ); `khronos`
    is the folder below test_conformance of OpenCL-CTS, "" if there is none.
    """

    glob: str
    title: str
    section: str
    khronos: str


def rows() -> list[CoverageRow]:
    """The rows of all areas, in the order of the areas."""
    with Path(__file__).with_suffix(".csv").open(encoding="utf-8", newline="") as file:
        return [CoverageRow(f"kernels/{row.pop('cases')}", **row) for row in csv.DictReader(file)]


def page(cases: Sequence[Case]) -> str:
    """The coverage of the suite as a Markdown table, for all of its cases."""
    lines = ["| area | what | specification | cases | in premerge | Khronos |", "|---|---|---|---:|---:|---|"]
    by_area: dict[str, list[str]] = {}
    for case in cases:
        by_area.setdefault(case.id.split("/")[1], []).append(case.id)
    premerge = {case.id for case in cases if case.tier == Tier.PREMERGE}
    for row in rows():
        area = row.glob.split("/")[1]
        found = choose(by_area.get(area, ()), row.glob)
        early = len(premerge.intersection(found))
        lines.append(f"| {area} | {row.title} | {row.section} | {len(found)} | {early} | {row.khronos} |")
    lines.append(f"| all | | | {len(cases)} | {len(premerge)} | |")
    return "\n".join(lines)
