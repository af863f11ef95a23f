"""The cases of the area: each has one symbol, or several that differ only in width."""

from collections.abc import Callable, Iterator
from typing import Any

from runner.model import Case

from ..areas import Area
from ..kit.needs import needs
from . import gentypes, others
from .overload import FLOATING, TYPES, Overload, vector

PARTS: dict[str, tuple[Callable[[], Iterator[Overload]], str, str]] = {
    "math": (gentypes.math, "Math builtins", "6.15.2"),
    "integer": (gentypes.integers, "Integer builtins", "6.15.3"),
    "common": (gentypes.common, "Common builtins", "6.15.4"),
    "geometric": (gentypes.geometric, "Geometric builtins", "6.15.5"),
    "relational": (gentypes.relational, "Relational builtins", "6.15.6"),
    "memory": (gentypes.memory, "vload, vstore and half in memory", "6.15.7"),
    "shuffle": (gentypes.shuffles, "shuffle", "6.15.13"),
    "copy": (gentypes.copies, "Asynchronous copies", "6.15.11"),
    "atomic": (others.atomics, "Atomics of OpenCL C 1.x", "6.15.12.8"),
    "c11_atomic": (others.c11_atomics, "Atomics of C11", "6.15.12.7"),
    "image": (others.images, "Image builtins", "6.15.15"),
    "work_item": (others.work_items, "Work-item functions, synchronisation, printf", "6.15.1"),
    "group": (others.groups, "Collectives", "6.15.16 and 6.15.20"),
}

_AREA = Area("link")


def conversions() -> Iterator[Overload]:
    """Every convert_: its type is the target, its variant the suffix and the source."""
    modes = ("", "_rte", "_rtz", "_rtp", "_rtn")
    for target in TYPES:
        suffixes = modes if target in FLOATING else (*modes, *(f"_sat{mode}" for mode in modes))
        for suffix in suffixes:
            for source in TYPES:
                for width in (1, 2, 3, 4, 8, 16):
                    to, operand = vector(target, width), vector(source, width)
                    wanted = needs(target, source)
                    yield Overload(f"convert_{to}{suffix}", target, width, source, to, (operand,), wanted)


def cases() -> Iterator[Case]:
    """A case for each symbol with scalars and with width 4, and one for all other widths together.

    Premerge has the former, without half and double.
    """
    wide: dict[str, list[Overload]] = {}
    for o in conversions():
        suffix = o.name.removeprefix(f"convert_{o.result}")
        if o.width in (1, 4):
            yield _case(f"convert/{o.result}{suffix}.{o.arguments[0]}", [o])
        else:
            wide.setdefault(f"wide/convert/{o.type}{suffix}.{o.variant}", []).append(o)
    for part, (overloads, _, _) in PARTS.items():
        for o in overloads():
            if o.width in (1, 4):
                of = f".{vector(o.type, o.width)}" if o.type else ""
                yield _case(f"{part}/{o.name}{of}{o.variant}", [o])
            else:
                name = o.name.replace(str(o.width), "", 1) if part == "memory" else o.name  # vload2, vstore_half16
                variant = "" if part == "shuffle" else o.variant
                wide.setdefault(f"wide/{part}/{name}.{o.type}{variant}", []).append(o)
    for case_id, together in wide.items():
        yield _case(case_id, together)


def _case(case_id: str, overloads: list[Overload]) -> Case:
    first = overloads[0]
    params: dict[str, Any] = {"overloads": [o._asdict() for o in overloads]}
    return _AREA.case(case_id, "link", *first.requires, params=params)
