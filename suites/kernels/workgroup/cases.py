"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from runner.model import Case

from ..areas import Area
from ..coverage import Row
from ..kit.needs import needs
from .table import BARRIER_FORMS, COLLECTIVE, REDUCTIONS, SCALARS, SCANNED, SHAPES, TRANSPOSED, VECTORS, split

_MEMORY, _BARRIER = "OpenCL C 3.0, 6.7.2, 6.15.8", "OpenCL C 3.0, 6.15.8"
ROWS = [
    Row("kernels/workgroup/exchange/*", "Local memory of every type, groups of many shapes", _MEMORY, "basic"),
    Row("kernels/workgroup/reduction/*", "Trees in local memory", _MEMORY, "basic"),
    Row("kernels/workgroup/scan/*", "Running sums in local memory", _MEMORY, "basic"),
    Row("kernels/workgroup/transpose/*", "Tiles in local memory", _MEMORY, "basic"),
    Row("kernels/workgroup/histogram/*", "Histograms in local memory", _MEMORY, "basic"),
    Row("kernels/workgroup/layout/*", "Arrays, structures, unions and sizes of local memory", _MEMORY, "basic"),
    Row("kernels/workgroup/barrier/*", "Barriers in control flow", _BARRIER, "basic"),
    Row("kernels/workgroup/async/*", "Async copies and prefetch", "OpenCL C 3.0, 6.15.11", "basic"),
    Row("kernels/workgroup/collective/*", "Work-group collectives", "OpenCL C 3.0, 6.15.16", "workgroups"),
]
_LAYOUTS = (
    "several_arrays",
    "odd_arrays",
    "array_of_structs",
    "struct_of_arrays",
    "packed_structs",
    "struct_copies",
    "union",
    "three_dimensions",
    "one_scalar",
    "bytes_of_words",
    "words_of_vectors",
    "pointers",
    "passed_on",
    "member_pointer",
    "volatile",
)
# With the sizes of their groups.
_EVENTS: dict[str, tuple[int, ...]] = {
    "two_events": (64,),
    "four_events": (16, 4),
    "shared_event": (4, 4, 4),
    "reversed_waits": (64,),
    "reused_event": (16, 4),
    "both_ways_at_once": (4, 4, 4),
    "two_buffers_in_turn": (64,),
    "in_a_branch": (16, 4),
    "in_a_function": (4, 4, 4),
    "from_the_middle": (64,),
    "count_at_run_time": (16, 4),
    "strides_apart": (4, 4, 4),
    "interleaved_out": (64,),
    "prefetch": (16, 4),
}
_BARRIERS = {
    "both": "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)",
    "work_group_barrier": "work_group_barrier(CLK_LOCAL_MEM_FENCE)",
    "scope": "work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group)",
}
_GLOBAL = (
    "straight",
    "loop",
    "loop_from_buffer",
    "if_group",
    "function",
    "switch_group",
    "return_group",
    "from_local_flag",
)
_OFFERED = {
    "all": "work_group_all(x)",
    "any": "work_group_any(x)",
    "broadcast": "work_group_broadcast(x, 0)",
    "reduce_add": "work_group_reduce_add(x)",
    "reduce_min": "work_group_reduce_min(x)",
    "scan_inclusive_max": "work_group_scan_inclusive_max(x)",
    "scan_exclusive_add": "work_group_scan_exclusive_add(x)",
}
_AREA = Area("workgroup")


def cases() -> Iterator[Case]:
    """Work-groups and the memory that they share."""
    yield from _local()
    yield from _layout()
    yield from _barriers()
    yield from _copies()
    yield from _collectives()


def _local() -> Iterator[Case]:
    for t in (*SCALARS, *VECTORS):
        for space in ("declared", "argument"):
            params: dict[str, Any] = {"type": t, "space": space, "shapes": [[64 if space == "declared" else 23]]}
            yield _AREA.case(f"exchange/{t}.{space}", "exchange", *needs(split(t)[0]), params=params)
    for shape in SHAPES:
        params = {"type": "uint", "space": "argument", "shapes": [list(shape)]}
        yield _AREA.case(
            f"exchange/shape.{'x'.join(map(str, shape))}", "exchange", in_group="workgroup.shape", params=params
        )
    for operation, types in REDUCTIONS.items():
        for t, (space, items) in types.items():
            params = {"type": t, "operation": operation, "space": space, "items": items}
            yield _AREA.case(f"reduction/{operation}.{t}.{space}", "reduction", *needs(t), params=params)
    for t in SCANNED:
        for form in ("inclusive", "exclusive"):
            yield _AREA.case(f"scan/{t}.{form}", "scan", *needs(t), type=t, form=form)
    for t, oblong in TRANSPOSED.items():
        for tile in ((8, 8), oblong):
            pad = 1 if tile == (8, 8) else 0
            name = f"transpose/{t}.{tile[0]}x{tile[1]}{'.padded' if pad else ''}"
            yield _AREA.case(name, "transpose", *needs(split(t)[0]), type=t, tile=list(tile), pad=pad)
    for bins, local in ((16, (64,)), (64, (64,)), (256, (8, 8)), (200, (4, 4, 3))):
        name = f"histogram/{bins}.{'x'.join(map(str, local))}"
        yield _AREA.case(name, "histogram", bins=bins, local=list(local))


def _layout() -> Iterator[Case]:
    for form in _LAYOUTS:
        yield _AREA.case(f"layout/{form}", "turn", form=form)
    yield _AREA.case("layout/aligned", "aligned", "int64")
    yield _AREA.case("layout/sizes", "sizes", sizes=[4096, 1, 64, 8192, 3, 1021], attribute="", factor=7)
    # A group size that is known at the build lets a driver compile before the argument is set (bug 452).
    required = "__attribute__((reqd_work_group_size(32, 1, 1)))"
    yield _AREA.case("layout/required", "sizes", sizes=[1021], attribute=required, factor=13)
    yield _AREA.case("layout/whole", "whole")
    for static, sizes in (
        (4096, [4096]),
        (4096, [16384]),
        (1024, [31744]),
        (8192, [24576]),
        (16384, [8192, 8192]),
        (20000, [4100, 5000]),
        (3, [12288, 1, 16384]),
    ):
        name = ".".join(map(str, (static, *sizes)))
        yield _AREA.case(f"layout/beside.{name}", "beside", static=static, sizes=sizes)
    for size in (8192, 16384, 24000):
        yield _AREA.case(f"layout/declared.{size}", "declared", size=size)


def _barriers() -> Iterator[Case]:
    for form in BARRIER_FORMS:
        params = {"form": form, "memory": "local", "barrier": "barrier(CLK_LOCAL_MEM_FENCE)", "options": ""}
        yield _AREA.case(f"barrier/{form}.local", "control", params=params)
    for form in _GLOBAL:
        params = {"form": form, "memory": "global", "barrier": "barrier(CLK_GLOBAL_MEM_FENCE)", "options": ""}
        yield _AREA.case(f"barrier/{form}.global", "control", params=params)
    for form in ("straight", "nested_loops", "two_functions"):
        for name, barrier in _BARRIERS.items():
            modern = "work_group" in barrier
            options, requires = ("-cl-std=CL3.0", ("opencl_c_3.0",)) if modern else ("", ())
            params = {"form": form, "memory": "local", "barrier": barrier, "options": options}
            yield _AREA.case(f"barrier/{form}.{name}", "control", *requires, params=params)


def _copies() -> Iterator[Case]:
    for t in (*SCALARS, *VECTORS):
        if t == "char16":  # builds for a second on llvmpipe; float16 has as many components
            continue
        for form in VECTORS.get(t, ("in", "in_strided", "out", "out_strided")):
            yield _AREA.case(
                f"async/{t}.{form}", "copy", *needs(split(t)[0]), in_group=f"workgroup.copy.{t}", type=t, form=form
            )
    for form, local in _EVENTS.items():
        yield _AREA.case(f"async/{form}", "copy_events", form=form, local=list(local))


def _collectives() -> Iterator[Case]:
    requires = ("opencl_c_3.0", "__opencl_c_work_group_collective_functions")
    for name in ("all", "any"):
        yield _AREA.case(f"collective/{name}", "collective_vote", *requires, function=name)
    for t in COLLECTIVE:
        for dimensions in (1, 2, 3):
            params: dict[str, Any] = {"type": t, "dimensions": dimensions}
            yield _AREA.case(
                f"collective/broadcast.{dimensions}d.{t}", "collective_broadcast", *requires, *needs(t), params=params
            )
        for form in ("reduce", "scan_inclusive", "scan_exclusive"):
            for operation in ("add", "min", "max"):
                params = {"form": form, "operation": operation, "type": t}
                yield _AREA.case(
                    f"collective/{form}_{operation}.{t}", "collective_reduce", *requires, *needs(t), params=params
                )
    for name, expression in _OFFERED.items():
        yield _AREA.case(f"collective/offered.{name}", "collective_offered", "opencl_c_3.0", expression=expression)
