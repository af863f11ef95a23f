"""The cases of the area."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from runner.model import Case

from ..areas import Area
from ..coverage import Row
from ..kit.needs import needs
from .table import FORMS

ROWS = [
    Row(
        "kernels/control/*", "conditions, private arrays, the process around", "OpenCL C 3.0, 6.5 and 7.5; C99, 7.6", "basic"
    ),
]
_AREA = Area("control")
WIDTHS = (1, 2, 3, 4, 8, 16)


def cases() -> Iterator[Case]:
    """Code generation around conditions."""
    for type_name in ("char", "ushort", "int"):
        yield _AREA.case(f"float_select.{type_name}", "float_select", type=type_name)
    for type_name in ("char", "uchar", "short", "int", "float"):
        for name, other in (("", 7), (".zero", 0)):
            params = {"type": type_name, "other": other}
            yield _AREA.case(f"guarded_load.{type_name}{name}", "guarded_load", "int64", params=params)
    yield _AREA.case("guarded_load.loop", "guarded_loop", "int64")
    for suffix in ("l", "ul", "ll"):
        yield _AREA.case(f"literal.{suffix}", "literal", "int64", suffix=suffix)
    yield _AREA.case("loop", "loop")
    for name, known in itertools.product(("int", "uint", "short", "float"), (True, False)):
        params = {"type": name, "known": known}
        case_name = f"counted_loop.{name}{'' if known else '.to_a_value'}"
        # Mesa 22.3 compiles some for a minute on a busy machine.
        yield _AREA.case(case_name, "counted", timeout_s=120, params=params)
    yield _AREA.case("two_exits", "exits")
    yield from _begun_loads()
    yield _AREA.case("signed_zero", "signed_zero")
    yield from _private_arrays()
    yield from _trips()
    for mode in ("to_nearest", "to_zero"):
        yield _AREA.case(f"process/rounding.{mode}", "rounding", "execute", mode=mode)
    yield _AREA.case("process/traps", "traps", "execute")
    yield _AREA.case("process/descriptors", "descriptors", "execute", rounds=50)


def _begun_loads() -> Iterator[Case]:
    """A load of each memory that is used in another block than the one that begins it."""
    forms = ("one_arm", "both_arms", "other_in_each_arm", "carried", "behind_a_loop", "nested", "switched", "left_early")
    for form, space in itertools.product(forms, ("global", "local", "constant")):
        for type_name, width in (("uint", 1), ("ushort", 1), ("float", 1), ("uint", 4)):
            params = {"form": form, "space": space, "type": type_name, "width": width, "uniform": False}
            name = f"begun_load/{form}.{space}.{type_name}{width if width > 1 else ''}"
            yield _AREA.case(name, "begun_load", params=params)
        params = {"form": form, "space": space, "type": "uint", "width": 1, "uniform": True}
        yield _AREA.case(f"begun_load/{form}.{space}.uniform", "begun_load", params=params)


def _trips() -> Iterator[Case]:
    """Loops of trips that the compiler does not know."""
    for start, tested, (way, ending) in itertools.product(
        (True, False),
        (True, False),
        (("stored", "plain"), ("stored", "continue"), ("stored", "nested"), ("chosen", "plain"), ("chosen", "continue")),
    ):
        name = f"first_trip.{'set' if start else 'clear'}.{'at_once' if start == tested else 'later'}.{way}.{ending}"
        params = {"start": start, "tested": tested, "way": way, "ending": ending}
        yield _AREA.case(name, "first_trip", params=params)
    for type_name in ("int", "uint", "short", "uchar", "long", "float", "half", "double"):
        yield _AREA.case(f"bounded.{type_name}", "bounded", *needs(type_name), type=type_name)
    forms = ("read", "backwards", "from_end", "written", "member", "found", "square")
    for length, form in itertools.product((1, 2, 5, 8, 13), forms):
        yield _AREA.case(f"along_array.{form}.{length}", "along_array", length=length, form=form)
    for narrow, wide in (
        ("short", "int"),
        ("ushort", "uint"),
        ("ushort", "int"),
        ("half", "float"),
        ("char", "int"),
        ("uchar", "uint"),
        ("int", "long"),
        ("uint", "ulong"),
        ("char", "short"),
    ):
        name, params = f"narrowed.{narrow}.{wide}", {"narrow": narrow, "wide": wide}
        yield _AREA.case(name, "narrowed", *needs(narrow, wide), params=params)


# The form of each width of a type.
_FORMS = {
    "int": "loop counted index written nested partial",
    "float": "copied structure loop counted index written",
    "char": "nested partial copied structure loop counted",
    "long": "index written nested partial copied structure",
    "half": "loop counted index written nested partial",
    "double": "copied structure loop counted index written",
}


def _private_arrays() -> Iterator[Case]:
    """Every form of int4, and every width of int and other types."""
    wide = [("int", 4, form) for form in FORMS]
    wide += [(n, width, form) for n, forms in _FORMS.items() for width, form in zip(WIDTHS, forms.split(), strict=True)]
    for name, width, form in dict.fromkeys(wide):
        vector = name if width == 1 else f"{name}{width}"
        params = {"type": name, "width": width, "form": form}
        yield _AREA.case(f"private_array/{vector}.{form}", "private_array", *needs(name), params=params)
