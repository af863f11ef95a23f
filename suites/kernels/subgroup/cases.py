"""The cases of the area."""

from collections.abc import Iterator
from itertools import product

from runner.model import Case

from ..areas import Area
from ..kit.needs import needs
from .table import FUNCTIONS, SHAPES, SMALL

_NEEDS = ("opencl_c_3.0", "subgroups")
_AREA = Area("subgroup")


def cases() -> Iterator[Case]:
    """The division into sub-groups, and each builtin on each of its types."""
    for shape, kind in product(SHAPES, ("ids", "size")):
        yield _AREA.case(f"{kind}.{{local}}", kind, *_NEEDS, in_group="subgroup.ids", local=list(shape))
    for shape in ((1,), (8,), *SHAPES[2:]):
        params = {"local": list(shape), "required": True}
        yield _AREA.case("ids.required.{local}", "ids", *_NEEDS, in_group="subgroup.ids", params=params)
    for memory, scope in product(("local", "global"), ("", "sub_group", "work_group")):
        yield _AREA.case(f"barrier.{memory}{scope and '.'}{scope}", "barrier", *_NEEDS, memory=memory, scope=scope)
    for lane in (0, 1, 5, 8, 13, 31):
        yield _AREA.case("lane.{lane}", "lane", *_NEEDS, lane=lane)
    for name in ("uchar", "short", "int", "ulong", "half", "float", "double"):
        extended = ("cl_khr_subgroup_extended_types",) * (name in SMALL)
        yield _AREA.case("lane.all.{type}", "lanes", *_NEEDS, *extended, *needs(name), type=name)
    for name, f in FUNCTIONS.items():
        scalar = f.type.split(".")[0].rstrip("0123456789")
        requires = (*_NEEDS, *((f.extension,) if f.extension else ()), *needs(scalar))
        yield _AREA.case(f"{'ext' if f.extension else 'core'}/{name}", "function", *requires, function=name)
