"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case, Tier

from ..coverage import Row
from ..needs import needs
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
_PREMERGE = {
    "all",
    "any",
    "broadcast.int",
    "broadcast.half",
    "reduce_add.int",
    "reduce_max.float",
    "scan_inclusive_add.uint",
    "scan_exclusive_min.long",
    "scan_exclusive_add.double",
    "shuffle.int",
    "shuffle_xor.float",
    "shuffle_up.uchar",
    "shuffle_down.long",
    "ballot",
    "ballot_bit_count",
    "elect",
    "non_uniform_reduce_mul.int",
    "lt_mask",
    "non_uniform_scan_exclusive_xor.ushort",
    "clustered_reduce_add.float",
    "rotate.int",
    "broadcast_first.double",
}


def cases() -> Iterator[Case]:
    """Sub-groups: what they are, and each builtin on each of its types."""
    for shape in SHAPES:
        tier = Tier.PREMERGE if shape in ((37,), (4, 2, 3)) else Tier.FULL
        params = {"local": list(shape)}
        for kind in ("ids", "size"):
            name = f"kernels/subgroup/{kind}.{'x'.join(map(str, shape))}"
            yield Case(name, f"subgroup.{kind}", params, _NEEDS, tier, group="subgroup.ids")
    for memory in ("local", "global"):
        for scope in ("", ".sub_group", ".work_group"):
            tier = Tier.PREMERGE if not scope and memory == "local" else Tier.FULL
            params = {"memory": memory, "scope": scope[1:]}
            yield Case(f"kernels/subgroup/barrier.{memory}{scope}", "subgroup.barrier", params, _NEEDS, tier)
    for name, f in FUNCTIONS.items():
        scalar = f.type.split(".")[0].rstrip("0123456789")
        requires = (*_NEEDS, *((f.extension,) if f.extension else ()), *needs(scalar))
        tier = Tier.PREMERGE if name in _PREMERGE else Tier.FULL
        folder = "ext" if f.extension else "core"
        yield Case(f"kernels/subgroup/{folder}/{name}", "subgroup.function", {"function": name}, requires, tier)
