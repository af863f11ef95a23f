"""The cases of the area."""

from collections.abc import Iterator
from dataclasses import asdict

from runner.model import Case

from ..areas import Area, combine
from .table import FAR, LINEAR, Space, spaces, splits

FUNCTIONS = (
    *("global_id", "local_id", "group_id", "global_size", "local_size", "num_groups", "global_offset"),
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
_AREA = Area("ndrange")


def cases() -> Iterator[Case]:
    """Index spaces."""
    for space in spaces():
        yield _case("space", space)
    for space in splits():
        yield _case("split", space)
    for offset, given in FAR.items():
        size, local = ((48, 4, 3)[: len(offset)], (16, 2, 3)[: len(offset)])
        yield _case("far", Space(size, local if given else None, offset), ("int64",))
    for name in FUNCTIONS:
        requires, group = (("opencl_c_3.0",), "enqueued") if name.startswith("enqueued") else ((), "beyond")
        rows = combine(function=[f"get_{name}"], dimensions=(1, 2, 3))
        yield from _AREA.each(f"beyond/{name}.{{dimensions}}d", "beyond", rows, *requires, in_group=f"ndrange.{group}")
    functions = [f"get_{name}" for name in ("global_id", "local_id", "group_id", "global_size", "local_size", "num_groups")]
    yield from _AREA.each("only/{function}.{dimension}", "only", combine(function=functions, dimension=range(3)))
    for space in LINEAR:
        yield _case("linear", space, ("opencl_c_3.0",))
    rows = combine(required=map(list, REQUIRED), form=("given", "free", "refused", "refused_y", "refused_z"))
    yield from _AREA.each("required/{required}.{form}", "required", rows)
    for name, attributes in HINTS.items():
        yield _AREA.case(f"hint/{name}", "hint", attributes=attributes)
    yield _AREA.case("in_turns", "in_turns")
    for params in combine(access=("read", "write"), required=(False, True)):
        requires = ("opencl_c_3.0", "images", *("images_write",) * (params["access"] == "write"))
        yield _AREA.case("beside_image/{access}{required:.required}", "beside_image", *requires, params=params)
    for name, size in LARGE.items():
        params = {"size": list(size), "local": [1] * len(size) if name.startswith("groups") else None}
        yield _AREA.case(f"large.{name}", "large", in_group="ndrange.large", params=params)
    for dimension in range(3):
        yield _AREA.case(f"largest.{'xyz'[dimension]}", "largest", dimension=dimension)
    yield from _AREA.each("empty.{size}", "empty", combine(size=map(list, EMPTY)), "execute", in_group="ndrange.empty")


def _case(folder: str, space: Space, requires: tuple[str, ...] = ()) -> Case:
    params = {name: value and list(value) for name, value in asdict(space).items()}
    kind = "linear" if folder == "linear" else "identifiers"
    return _AREA.case(f"{folder}/{space.name}", kind, *requires, in_group=f"ndrange.{kind}", params=params)
