"""What each part of the suite answers to: the specification, and the Khronos tests of the same rule."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the coverage page. An area's `cases.py` lists its own as ROWS; each case belongs to one.

    `glob` selects the cases; `section` is of the OpenCL 3.0 specifications ("OpenCL C 3.0, 6.15.3",
    "OpenCL API 3.0, 5.2.4"); `khronos` the folder below test_conformance of OpenCL-CTS, "" where there is none.
    """

    glob: str
    title: str
    section: str
    khronos: str
