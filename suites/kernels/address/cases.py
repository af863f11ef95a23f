"""The cases of the area."""

from collections.abc import Iterator

from runner.model import Case

from ..areas import Area, combine
from .forms import FORMS

PASSED = ["char", "ushort", "int", "ulong", "float", "double", "half", "float4", "uchar3", "short8", "long2", "int16"]
SINGLE = [
    *("uchar2", "char16", "short3", "ushort8", "int4", "uint2", "float3", "float16", "long2", "ulong4", "double3"),
    "half4",
]
TABLES = {
    "char": ("-128", "127", "0", "-1", "65"),
    "uchar": ("255", "0", "1", "128"),
    "short": ("-32768", "32767", "-2", "9"),
    "ushort": ("65535", "0x8000", "3"),
    "int": ("-2147483647", "2147483647", "-5", "0x1234567"),
    "uint": ("4294967295U", "0x80000000U", "7U"),
    "long": ("-9223372036854775807L", "0x7FFFFFFFFFFFFFFFL", "-1L"),
    "ulong": ("0xFFFFFFFFFFFFFFFFUL", "0x8000000000000001UL", "2UL"),
    "float": ("0x1.8p+3f", "-0x1p-126f", "0x1.fffffep+127f", "0x0p+0f", "-0x0p+0f"),
    "double": ("0x1.8p+3", "-0x1p-1022", "0x1.fffffffffffffp+1023", "-0x0p+0"),
    "half": ("0x1.8p+3h", "-0x1p-14h", "0x1.ffcp+15h"),
    "int2": ("1", "-2", "3", "4"),
    "float4": ("0x1p+0f", "0x1p+1f", "0x1p+2f", "0x1p+3f", "-0x1p+0f", "-0x1p+1f", "-0x1p+2f", "-0x1p+3f"),
    "uchar8": tuple(map(str, range(8, 24))),
    "short16": tuple(map(str, range(-16, 16))),
    "ulong2": ("0xFFFFFFFFFFFFFFFFUL", "1UL", "0x8000000000000000UL", "5UL"),
}
_FEATURE = {
    "generic": ("opencl_c_3.0", "__opencl_c_generic_address_space"),
    "writable": ("opencl_c_3.0", "__opencl_c_program_scope_global_variables"),
}
_AREA = Area("address")


def cases() -> Iterator[Case]:
    """Address spaces, and variables in them."""
    yield _AREA.case("struct", "struct", "int64")
    yield _AREA.case("private_array", "private_array")
    yield _AREA.case("private_views", "private_views", "int64")
    rows = combine(type=PASSED, space=("global", "local", "constant", "private"))
    yield from _AREA.each("passed/{type}.{space}", "passed", rows)
    yield from _AREA.each("aligned/{space}", "aligned", combine(space=("local", "private", "constant")), "int64")
    yield from _AREA.each("single/{type}.{space}", "single", combine(type=SINGLE, space=("local", "global")))
    far = [
        *combine(type=("uchar", "ushort", "uint", "ulong"), space=("local", "global")),
        {"type": "uint", "space": "private"},
    ]
    for params in (row | {"back": back} for row in far for back in (False, True)):
        yield _AREA.case("far/{type}.{space}{back:.back}", "far", params=params)
    for table, forms in FORMS.items():
        requires = _FEATURE.get(table, ())
        options = "-cl-std=CL3.0" if requires else ""
        for form in forms:
            wide = ("int64",) if form in ("longs", "union") else ()
            yield _AREA.case("{table}/{form}", "turn", *requires, *wide, table=table, form=form, options=options)
    for t, values in TABLES.items():
        yield _AREA.case("table/{type}", "constants", type=t, values=list(values))
