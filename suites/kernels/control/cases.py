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
_ARRAYS = (
    *("private_array/int4.loop", "private_array/int4.partial", "private_array/int4.copied"),
    *("private_array/int8.nested", "private_array/int16.partial", "private_array/float.copied"),
    *("private_array/char3.copied", "private_array/char4.structure", "private_array/long8.copied"),
    *("private_array/half3.index", "private_array/double.copied"),
)
_AREA = Area("control", premerge=(*_ARRAYS, "private_array/*.copied", "private_array/int*.partial", "process/traps"))
WIDTHS = (1, 2, 3, 4, 8, 16)


def cases() -> Iterator[Case]:
    """Code generation around conditions."""
    for type_name in ("char", "ushort", "int"):
        yield _AREA.case(f"float_select.{type_name}", "float_select", premerge=True, type=type_name)
    for type_name in ("char", "uchar", "short", "int", "float"):
        for name, other in (("", 7), (".zero", 0)):
            params = {"type": type_name, "other": other}
            yield _AREA.case(f"guarded_load.{type_name}{name}", "guarded_load", "int64", premerge=True, params=params)
    yield _AREA.case("guarded_load.loop", "guarded_loop", "int64", premerge=True)
    for suffix in ("l", "ul", "ll"):
        yield _AREA.case(f"literal.{suffix}", "literal", "int64", premerge=True, suffix=suffix)
    yield _AREA.case("loop", "loop", premerge=True)
    for name, known in itertools.product(("int", "uint", "short", "float"), (True, False)):
        params = {"type": name, "known": known}
        case_name, early = f"counted_loop.{name}{'' if known else '.to_a_value'}", known or name == "int"
        # Mesa 22.3 compiles some for a minute on a busy machine.
        yield _AREA.case(case_name, "counted", premerge=early, timeout_s=120, params=params)
    yield _AREA.case("two_exits", "exits", premerge=True)
    yield _AREA.case("signed_zero", "signed_zero", premerge=True)
    yield from _private_arrays()
    yield from _trips()
    for mode in ("to_nearest", "to_zero"):
        yield _AREA.case(f"process/rounding.{mode}", "rounding", "execute", premerge=mode == "to_zero", mode=mode)
    yield _AREA.case("process/traps", "traps", "execute")
    yield _AREA.case("process/descriptors", "descriptors", "execute", rounds=50)


def _trips() -> Iterator[Case]:
    """Loops of trips that the compiler does not know."""
    for start, tested, (way, ending) in itertools.product(
        (True, False),
        (True, False),
        (("stored", "plain"), ("stored", "continue"), ("stored", "nested"), ("chosen", "plain"), ("chosen", "continue")),
    ):
        name = f"first_trip.{'set' if start else 'clear'}.{'at_once' if start == tested else 'later'}.{way}.{ending}"
        params = {"start": start, "tested": tested, "way": way, "ending": ending}
        yield _AREA.case(name, "first_trip", premerge=ending == "plain" or start == tested, params=params)
    for type_name in ("int", "uint", "short", "uchar", "long", "float", "half", "double"):
        early = type_name in ("int", "uint", "float")
        yield _AREA.case(f"bounded.{type_name}", "bounded", *needs(type_name), premerge=early, type=type_name)
    forms = ("read", "backwards", "from_end", "written", "member", "found", "square")
    for length, form in itertools.product((1, 2, 5, 8, 13), forms):
        yield _AREA.case(f"along_array.{form}.{length}", "along_array", premerge=length == 5, length=length, form=form)
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
        early = narrow in ("short", "ushort", "half")
        name, params = f"narrowed.{narrow}.{wide}", {"narrow": narrow, "wide": wide}
        yield _AREA.case(name, "narrowed", *needs(narrow, wide), premerge=early, params=params)


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
