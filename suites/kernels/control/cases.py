"""The cases of the area."""

from collections.abc import Iterator
from itertools import product

from runner.model import Case

from ..areas import Area, combine
from .table import FORMS

_AREA = Area("control")
WIDTHS = (1, 2, 3, 4, 8, 16)


def cases() -> Iterator[Case]:
    """Code generation around conditions."""
    yield from _AREA.each("float_select.{type}", "float_select", combine(type=("char", "ushort", "int")))
    for type_name in ("char", "uchar", "short", "int", "float"):
        for zero, other in (("", 7), (".zero", 0)):
            yield _AREA.case(f"guarded_load.{{type}}{zero}", "guarded_load", "int64", type=type_name, other=other)
    yield _AREA.case("guarded_load.loop", "guarded_loop", "int64")
    yield from _AREA.each("literal.{suffix}", "literal", combine(suffix=("l", "ul", "ll")), "int64")
    yield _AREA.case("loop", "loop")
    rows = combine(type=("int", "uint", "short", "float"), known=(True, False))
    # On a busy machine Mesa 22.3 compiles some of them for a minute.
    yield from _AREA.each("counted_loop.{type}{known:|.to_a_value}", "counted", rows, timeout_s=120)
    yield _AREA.case("two_exits", "exits")
    yield from _begun_loads()
    yield _AREA.case("signed_zero", "signed_zero")
    yield from _private_arrays()
    yield from _trips()
    yield from _AREA.each("process/rounding.{mode}", "rounding", combine(mode=("to_nearest", "to_zero")), "execute")
    yield _AREA.case("process/traps", "traps", "execute")
    yield _AREA.case("process/descriptors", "descriptors", "execute", rounds=50)


def _begun_loads() -> Iterator[Case]:
    """Loads from each kind of memory that are used in another block than the one that issues them."""
    forms = ("one_arm", "both_arms", "other_in_each_arm", "carried", "behind_a_loop", "nested", "switched", "left_early")
    for params in combine(form=forms, space=("global", "local", "constant")):
        for type_name, width in (("uint", 1), ("ushort", 1), ("float", 1), ("uint", 4)):
            more = {**params, "type": type_name, "width": width, "uniform": False}
            yield _AREA.case("begun_load/{form}.{space}.{type}{width}", "begun_load", params=more)
        more = {**params, "type": "uint", "width": 1, "uniform": True}
        yield _AREA.case("begun_load/{form}.{space}.uniform", "begun_load", params=more)


def _trips() -> Iterator[Case]:
    """Loops whose number of trips the compiler does not know."""
    ways = (("stored", "plain"), ("stored", "continue"), ("stored", "nested"), ("chosen", "plain"), ("chosen", "continue"))
    for start, tested, (way, ending) in product((True, False), (True, False), ways):
        params = {"start": start, "tested": tested, "way": way, "ending": ending}
        when = "at_once" if start == tested else "later"
        yield _AREA.case(f"first_trip.{{start:set|clear}}.{when}.{{way}}.{{ending}}", "first_trip", params=params)
    rows = combine(type=("int", "uint", "short", "uchar", "long", "float", "half", "double"))
    yield from _AREA.each("bounded.{type}", "bounded", rows)
    forms = ("read", "backwards", "from_end", "written", "member", "found", "square")
    yield from _AREA.each("along_array.{form}.{length}", "along_array", combine(length=(1, 2, 5, 8, 13), form=forms))
    yield from _AREA.each("many_constants.{type}", "many_constants", combine(type=("int", "short", "long", "float", "half")))
    yield from _AREA.each("rotated.{type}", "rotated", combine(type=("uchar", "ushort", "uint", "ulong", "float", "half")))
    pairs = "short int, ushort uint, ushort int, half float, char int, uchar uint, int long, uint ulong, char short"
    for narrow, wide in map(str.split, pairs.split(",")):
        yield _AREA.case("narrowed.{narrow}.{wide}", "narrowed", narrow=narrow, wide=wide)


# The form for each width of a type.
_FORMS = {
    "int": "loop counted index written nested partial",
    "float": "copied structure loop counted index written",
    "char": "nested partial copied structure loop counted",
    "long": "index written nested partial copied structure",
    "half": "loop counted index written nested partial",
    "double": "copied structure loop counted index written",
}


def _private_arrays() -> Iterator[Case]:
    """Every form with int4, and every width of int and other types."""
    wide = [("int", 4, form) for form in FORMS]
    wide += [(n, width, form) for n, forms in _FORMS.items() for width, form in zip(WIDTHS, forms.split(), strict=True)]
    for name, width, form in dict.fromkeys(wide):
        yield _AREA.case("private_array/{type}{width}.{form}", "private_array", type=name, width=width, form=form)
