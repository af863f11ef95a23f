"""The cases of the area."""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from importlib import import_module

from runner.model import Case

from ..areas import Area, combine
from .directives import CONDITIONS, OPTIONS, REFUSED, REPLACEMENT
from .headers import HEADERS, HEADERS_REFUSED
from .pairs import KEYS, PAIRS
from .table import FLOATS, LIMITS, PREDEFINED

FAMILIES = {
    "limit": LIMITS,
    "float": FLOATS,
    "predefined": PREDEFINED,
    "condition": CONDITIONS,
    "replacement": REPLACEMENT,
    "option": OPTIONS,
}
_AREA = Area("preprocessor")
# Cases of other areas whose kernels come from the cache: each kind of argument, given or implied, of variable and of call.
_CACHED_CASES: dict[str, Sequence[str]] = {
    "address": (
        *("constant/order", "constant/struct_table", "generic/three_spaces", "private/array", "struct/*"),
        *("table/double", "table/uchar", "writable/kept"),
    ),
    "argument": (
        *("image.two_*", "info.const_value", "info.constant_restrict", "info.global_const_volatile_restrict"),
        *("info.local_volatile", "info.read_write_image2d", "info.write_only_image2d", "many.mixed"),
        *("many.uchar_few_used", "pointer.constant", "pointer.local_two", "struct.char_short_char"),
        *("struct.long_array_3d", "struct.short_and_284", "unused.*.not_set", "unused.*.set", "unused.*_offset.*"),
        *("value.half3", "value.ulong2"),
    ),
    "image": (
        "function/*.straight",
        "kernel_query/1d_buffer.rgba.half",
        "kernel_query/2d_array.rgba.uint32",
        "read_write/3d.rgba.float",
        "sampler/2d.rgba.float.*.declared",
        "write/3d.rgba.uint8",
    ),
    "ndrange": ("linear/*", "required/7x3x1.given", "space/10x3x3.by5x1x3.at5x70000x3"),
    "printf": ("program.mixed_arguments", "program.returns_zero", "program.string_between_numbers"),
    "subgroup": ("core/any", "core/broadcast.half", "core/reduce_min.double", "core/scan_exclusive_add.long"),
}


def cases() -> Iterator[Case]:
    """Macros and directives with their values, headers, and sources that must be refused."""
    for family, rows in FAMILIES.items():
        for name, macro in rows.items():
            yield _AREA.case("{family}/{name}", "value", *macro.requires, family=family, name=name)
    yield from _AREA.each("refused/{name}", "refused", combine(name=REFUSED))
    yield from _AREA.each("header/{name}", "header", combine(name=(*HEADERS, *HEADERS_REFUSED)))
    forms = ("quotes", "angles", "nested", "second_folder", "one_letter", "double_quotes")
    yield from _AREA.each("folder/{name}", "folder", combine(name=forms))
    yield from _AREA.each("apart/{name}", "pair", combine(name=PAIRS), "execute", elsewhere=False)
    yield _AREA.case("apart/option_option.new_process", "pair", "execute", name="option_option", elsewhere=True)
    yield from _AREA.each("key/{name}", "key", combine(name=KEYS), "execute", elsewhere=False)
    remade = combine(name=("source", "option", "standard"))
    yield from _AREA.each("key/{name}.new_process", "key", remade, "execute", elsewhere=True)
    places = ("absolute", "working_folder", "nested", "macro", "embedded", "folder", "folder_joined", "folder_embedded")
    yield from _AREA.each("changed/{name}", "changed", combine(name=places), "execute", elsewhere=False)
    yield _AREA.case("changed/absolute.new_process", "changed", "execute", name="absolute", elsewhere=True)
    yield from cached_cases()


def cached_cases() -> Iterator[Case]:
    """Cases of other areas, under their own names, with kernels from the cache."""
    cached = Area("preprocessor", ("execute",))
    for area, globs in _CACHED_CASES.items():
        for case in import_module(f"..{area}.cases", __package__).cases():
            name = case.id.removeprefix("kernels/")
            if any(fnmatchcase(name.removeprefix(f"{area}/"), glob) for glob in globs):
                own = f"from_cache/{name.replace('/', '.')}"
                yield cached.case(own, "again", *case.requires, kind=case.kind, params_of=dict(case.params))
