"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from runner.model import Case

from ..areas import Area
from ..coverage import Row
from .table import FAR, LINEAR, Space, spaces, splits, text

_SECTION = "OpenCL C 3.0, 6.15.1; OpenCL API 3.0, clEnqueueNDRangeKernel"
ROWS = [
    Row(
        "kernels/ndrange/space/*",
        "Identifiers of index spaces in one to three dimensions",
        _SECTION,
        "thread_dimensions",
    ),
    Row(
        "kernels/ndrange/split/*",
        "Counts of work-groups, one dimension after another",
        _SECTION,
        "thread_dimensions",
    ),
    Row("kernels/ndrange/far/*", "Offsets beyond 31 and 32 bits", _SECTION, "basic"),
    Row("kernels/ndrange/beyond/*", "Dimensions that do not exist", "OpenCL C 3.0, 6.15.1", "basic"),
    Row("kernels/ndrange/linear/*", "Linear identifiers and enqueued sizes", "OpenCL C 3.0, 6.15.1", "basic"),
    Row("kernels/ndrange/required/*", "reqd_work_group_size", "OpenCL C 3.0, 6.9.2", "basic"),
    Row(
        "kernels/ndrange/hint/*",
        "work_group_size_hint, vec_type_hint: launches of other sizes",
        "OpenCL C 3.0, 6.9.2",
        "basic",
    ),
    Row("kernels/ndrange/large.*", "Many work-items and work-groups", _SECTION, "thread_dimensions"),
    Row("kernels/ndrange/largest.*", "The largest work-group in each dimension", _SECTION, "api"),
    Row(
        "kernels/ndrange/empty.*",
        "Launches without work-items",
        "OpenCL API 3.0, clEnqueueNDRangeKernel",
        "api",
    ),
]
_PREMERGE = {
    "12x4x8.by4x2x2.at5x70000x3",
    "33.by11",
    "7x13.free",
    "15x14.by5x2.at0x9",
    "1x1x251.free",
    "1009.free.at70000",
}
FUNCTIONS = (
    "global_id",
    "local_id",
    "group_id",
    "global_size",
    "local_size",
    "num_groups",
    "global_offset",
    "enqueued_local_size",
)
REQUIRED = ((1, 1, 1), (64, 1, 1), (7, 3, 1), (1, 9, 2), (4, 4, 4), (1, 1, 13), (32, 2, 1))
HINTS = {
    "work_group_size": ("work_group_size_hint(8, 2, 3)",),
    "vec_type": ("vec_type_hint(float4)",),
    "both": ("work_group_size_hint(8, 2, 3)", "vec_type_hint(uchar16)"),
}
LARGE = {
    "1d": (1 << 20,),
    "2d": (1024, 1024),
    "3d": (128, 64, 128),
    "groups_1d": (1 << 16,),
    "groups_2d": (1 << 8, 1 << 8),
    "groups_y": (1, 70001),
    "groups_z": (1, 1, 70001),
    "groups_xyz": (3, 1, 70001),
    "prime": (65521,),
}
EMPTY = ((0,), (0, 4), (4, 0), (0, 0), (3, 0, 2), (0, 1, 1), (2, 2, 0))
_AREA = Area("ndrange", premerge=("far.*", "largest.*", "linear.*"))


def cases() -> Iterator[Case]:
    """Index spaces."""
    for space in spaces():
        yield _case("space", space, space.name in _PREMERGE)
    for space in splits():
        yield _case("split", space, space.size in ((14, 6, 2), (4, 12, 10), (2, 6, 18)))
    for offset, given in FAR.items():
        size, local = ((48, 4, 3)[: len(offset)], (16, 2, 3)[: len(offset)])
        yield _case("far", Space(size, local if given else None, offset), offset == (2**32 - 5,), ("int64",))
    for name in FUNCTIONS:
        requires = ("opencl_c_3.0",) if name.startswith("enqueued") else ()
        for dimensions in (1, 2, 3):
            params: dict[str, Any] = {"function": f"get_{name}", "dimensions": dimensions}
            premerge = dimensions == 3
            yield _AREA.case(
                f"beyond/{name}.{dimensions}d",
                "beyond",
                *requires,
                premerge=premerge,
                in_group="ndrange.enqueued" if requires else "ndrange.beyond",
                params=params,
            )
    for space in LINEAR:
        yield _case("linear", space, space.size == (4, 6, 8), ("opencl_c_3.0",))
    for required in REQUIRED:
        for form in ("given", "free", "refused", "refused_y", "refused_z"):
            params = {"required": list(required), "form": form}
            premerge = form == "given" or required == (7, 3, 1)
            yield _AREA.case(f"required/{text(required)}.{form}", "required", premerge=premerge, params=params)
    for name, attributes in HINTS.items():
        yield _AREA.case(f"hint/{name}", "hint", premerge=name == "both", attributes=attributes)
    for name, size in LARGE.items():
        params = {"size": list(size), "local": [1] * len(size) if name.startswith("groups") else None}
        yield _AREA.case(f"large.{name}", "large", premerge=True, in_group="ndrange.large", params=params)
    for dimension in range(3):
        yield _AREA.case(f"largest.{'xyz'[dimension]}", "largest", dimension=dimension)
    for size in EMPTY:
        premerge = size in ((0,), (3, 0, 2))
        yield _AREA.case(
            f"empty.{text(size)}", "empty", "execute", premerge=premerge, in_group="ndrange.empty", size=list(size)
        )


def _case(folder: str, space: Space, premerge: bool, requires: tuple[str, ...] = ()) -> Case:
    params: dict[str, Any] = {
        "size": list(space.size),
        "local": space.local and list(space.local),
        "offset": space.offset and list(space.offset),
    }
    kind = "linear" if folder == "linear" else "identifiers"
    return _AREA.case(
        f"{folder}/{space.name}", f"{kind}", *requires, premerge=premerge, in_group=f"ndrange.{kind}", params=params
    )
