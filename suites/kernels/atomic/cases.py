"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case

from ..areas import Area
from ..coverage import Row
from .table import BASE, EXTENDED, extensions_of

_SECTION = "OpenCL C 3.0, 6.15.12.8"
ROWS = [
    Row("kernels/atomic/returned/*", "Legacy atomics, with what they return", _SECTION, "atomics"),
    Row("kernels/atomic/unused/*", "Legacy atomics whose result nobody uses", _SECTION, "atomics"),
    Row(
        "kernels/atomic/atom/*",
        "Atomics by the names of the 32-bit extensions",
        "cl_khr_*_int32_*_atomics",
        "atomics",
    ),
    Row(
        "kernels/atomic/wide/*",
        "64-bit atomics",
        "cl_khr_int64_base_atomics, cl_khr_int64_extended_atomics",
        "atomics",
    ),
    Row("kernels/atomic/place/*", "Atomics on members, vectors and through functions", _SECTION, "atomics"),
]
SPACES = ("global", "local")
PLACES = (
    "struct_member",
    "vector_component",
    "in_function",
    "many_cells",
    "neighbours",
    "two_dimensions",
    "in_loop",
    "divergent",
    "between_stores",
    "signed",
    "sub_range",
)
_AREA = Area("atomic", typed=False)


def cases() -> Iterator[Case]:
    """Legacy atomics: op x type x memory, with and without their results."""
    for space in SPACES:
        for op in (*BASE, *EXTENDED):
            for t in ("int", "uint"):
                yield _case(
                    f"returned/{op}.{t}.{space}",
                    op,
                    t,
                    space,
                )
                if op != "cmpxchg":
                    yield _case(f"unused/{op}.{t}.{space}", op, t, space, form="unused")
                yield _case(f"atom/{op}.{t}.{space}", op, t, space, "atom")
        yield _case(f"returned/xchg.float.{space}", "xchg", "float", space)
        yield _case(f"unused/xchg.float.{space}", "xchg", "float", space, form="unused")
        for op in (*BASE, *EXTENDED):
            for t in ("long", "ulong"):
                yield _case(f"wide/{op}.{t}.{space}", op, t, space, "atom")
        for place in PLACES:
            params = {"place": place, "space": space}
            yield _AREA.case(f"place/{place}.{space}", "place", params=params)


def _case(
    name: str,
    op: str,
    t: str,
    space: str,
    prefix: str = "atomic",
    form: str = "returned",
) -> Case:
    params = {"operation": op, "type": t, "space": space, "prefix": prefix, "form": form}
    return _AREA.case(name, "operation", *extensions_of(op, t, space, prefix), params=params)
