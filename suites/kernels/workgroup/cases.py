"""The cases of the area."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from runner.model import Case

from ..areas import Area, combine
from .table import BARRIER_FORMS, COLLECTIVE, REDUCTIONS, SCALARS, SCANNED, SHAPES, TRANSPOSED, VECTORS

_LAYOUTS = (
    *("several_arrays", "odd_arrays", "array_of_structs", "struct_of_arrays", "packed_structs", "struct_copies"),
    *("union", "three_dimensions", "one_scalar", "bytes_of_words", "words_of_vectors", "pointers", "passed_on"),
    *("member_pointer", "volatile"),
)
# Forms of copies with events, with the sizes of their groups.
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
    *("straight", "loop", "loop_from_buffer", "if_group", "function", "switch_group", "return_group"),
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
        yield _AREA.case("exchange/{type}.{space}", "exchange", type=t, space="declared", shapes=[[64]])
        yield _AREA.case("exchange/{type}.{space}", "exchange", type=t, space="argument", shapes=[[23]])
    for shape in SHAPES:
        params: dict[str, Any] = {"type": "uint", "space": "argument", "shapes": [list(shape)]}
        name = f"exchange/shape.{'x'.join(map(str, shape))}"
        yield _AREA.case(name, "exchange", in_group="workgroup.shape", params=params)
    for operation, types in REDUCTIONS.items():
        for t, (space, items) in types.items():
            params = {"type": t, "operation": operation, "space": space, "items": items}
            yield _AREA.case("reduction/{operation}.{type}.{space}", "reduction", params=params)
    yield from _AREA.each("scan/{type}.{form}", "scan", combine(type=SCANNED, form=("inclusive", "exclusive")))
    for t, oblong in TRANSPOSED.items():
        yield _AREA.case("transpose/{type}.{tile}.padded", "transpose", type=t, tile=[8, 8], pad=1)
        yield _AREA.case("transpose/{type}.{tile}", "transpose", type=t, tile=list(oblong), pad=0)
    for bins, local in ((16, [64]), (64, [64]), (256, [8, 8]), (200, [4, 4, 3])):
        yield _AREA.case("histogram/{bins}.{local}", "histogram", bins=bins, local=local)


def _layout() -> Iterator[Case]:
    yield from _AREA.each("layout/{form}", "turn", combine(form=_LAYOUTS))
    yield _AREA.case("layout/aligned", "aligned", "int64")
    yield _AREA.case("layout/sizes", "sizes", sizes=[4096, 1, 64, 8192, 3, 1021], attribute="", factor=7)
    # With a group size that is known at the build, a driver may compile before the argument is set (bug 452).
    required = "__attribute__((reqd_work_group_size(32, 1, 1)))"
    yield _AREA.case("layout/required", "sizes", sizes=[1021], attribute=required, factor=13)
    yield _AREA.case("layout/whole", "whole")
    for static, sizes in (
        *((4096, [4096]), (4096, [16384]), (1024, [31744]), (8192, [24576])),
        *((16384, [8192, 8192]), (20000, [4100, 5000]), (3, [12288, 1, 16384])),
    ):
        name = ".".join(map(str, (static, *sizes)))
        yield _AREA.case(f"layout/beside.{name}", "beside", static=static, sizes=sizes)
    yield from _AREA.each("layout/declared.{size}", "declared", combine(size=(8192, 16384, 24000)))


def _barriers() -> Iterator[Case]:
    for memory, forms in (("local", BARRIER_FORMS), ("global", _GLOBAL)):
        barrier = f"barrier(CLK_{memory.upper()}_MEM_FENCE)"
        rows = combine(form=forms, memory=[memory], barrier=[barrier], options=[""])
        yield from _AREA.each("barrier/{form}.{memory}", "control", rows)
    for form, (name, barrier) in product(("straight", "nested_loops", "two_functions"), _BARRIERS.items()):
        options, requires = ("-cl-std=CL3.0", ("opencl_c_3.0",)) if "work_group" in barrier else ("", ())
        params = {"form": form, "memory": "local", "barrier": barrier, "options": options}
        yield _AREA.case(f"barrier/{form}.{name}", "control", *requires, params=params)


def _copies() -> Iterator[Case]:
    for t in (*SCALARS, *VECTORS):
        if t != "char16":  # its build takes a second on llvmpipe; float16 has as many components
            rows = combine(type=[t], form=VECTORS.get(t, ("in", "in_strided", "out", "out_strided")))
            yield from _AREA.each("async/{type}.{form}", "copy", rows, in_group="workgroup.copy.{type}")
    for form, local in _EVENTS.items():
        yield _AREA.case("async/{form}", "copy_events", form=form, local=list(local))


def _collectives() -> Iterator[Case]:
    requires = ("opencl_c_3.0", "__opencl_c_work_group_collective_functions")
    yield from _AREA.each("collective/{function}", "collective_vote", combine(function=("all", "any")), *requires)
    for t in COLLECTIVE:
        rows = combine(type=[t], dimensions=(1, 2, 3))
        yield from _AREA.each("collective/broadcast.{dimensions}d.{type}", "collective_broadcast", rows, *requires)
        forms = ("reduce", "scan_inclusive", "scan_exclusive")
        rows = combine(type=[t], form=forms, operation=("add", "min", "max"))
        yield from _AREA.each("collective/{form}_{operation}.{type}", "collective_reduce", rows, *requires)
    for name, expression in _OFFERED.items():
        yield _AREA.case(f"collective/offered.{name}", "collective_offered", "opencl_c_3.0", expression=expression)
