"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from runner.model import Case

from ..areas import Area
from ..coverage import Row
from ..kit.needs import needs
from .table import FUNCTIONS, SHAPES

_SECTION = "OpenCL C 3.0, 6.15.20"
ROWS = [
    Row("kernels/subgroup/ids.*", "Sub-groups: identifiers and queries", _SECTION, "subgroups"),
    Row("kernels/subgroup/size.*", "Sub-groups: the size of one that is not full", _SECTION, "subgroups"),
    Row("kernels/subgroup/barrier.*", "Sub-group barriers", _SECTION, "subgroups"),
    Row("kernels/subgroup/core/*", "Sub-group votes, broadcasts, reductions and scans", _SECTION, "subgroups"),
    Row("kernels/subgroup/ext/*", "The sub-group extensions", f"{_SECTION} (cl_khr_subgroup_*)", "subgroups"),
]
_NEEDS = ("opencl_c_3.0", "subgroups")
_AREA = Area("subgroup")


def cases() -> Iterator[Case]:
    """Sub-groups: what they are, and each builtin on each of its types."""
    for shape, kind in product(SHAPES, ("ids", "size")):
        yield _AREA.case(f"{kind}.{{local}}", kind, *_NEEDS, in_group="subgroup.ids", local=list(shape))
    for memory, scope in product(("local", "global"), ("", "sub_group", "work_group")):
        yield _AREA.case(f"barrier.{memory}{scope and '.'}{scope}", "barrier", *_NEEDS, memory=memory, scope=scope)
    for name, f in FUNCTIONS.items():
        scalar = f.type.split(".")[0].rstrip("0123456789")
        requires = (*_NEEDS, *((f.extension,) if f.extension else ()), *needs(scalar))
        yield _AREA.case(f"{'ext' if f.extension else 'core'}/{name}", "function", *requires, function=name)
