"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case

from ..areas import Area
from ..coverage import Row
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
ROWS = [
    Row("kernels/preprocessor/limit/*", "limits of integers", "OpenCL C 3.0, 6.15.3.2", "basic"),
    Row("kernels/preprocessor/float/*", "constants of floats", "OpenCL C 3.0, 6.15.2", "basic"),
    Row("kernels/preprocessor/predefined/*", "predefined macros", "OpenCL C 3.0, 6.12", "preprocessor"),
    Row("kernels/preprocessor/condition/*", "#if", "OpenCL C 3.0, 6.12; C99, 6.10.1", "compiler"),
    Row("kernels/preprocessor/replacement/*", "macros", "OpenCL C 3.0, 6.12; C99, 6.10.3", "compiler"),
    Row("kernels/preprocessor/option/*", "-D", "OpenCL API 3.0, 5.8.6.1", "compiler"),
    Row("kernels/preprocessor/refused/*", "directives to be refused", "C99, 6.10", ""),
    Row("kernels/preprocessor/header/*", "headers of clCompileProgram", "OpenCL API 3.0, 5.8.5", "compiler"),
    Row("kernels/preprocessor/folder/*", "-I", "OpenCL API 3.0, 5.8.6.1", "compiler"),
    Row("kernels/preprocessor/apart/*", "builds that a boundary tells apart", "OpenCL API 3.0, 5.8.4, 5.8.5", ""),
    Row("kernels/preprocessor/key/*", "builds that differ in one input, with a cache", "OpenCL API 3.0, 5.8.4, 5.8.5", ""),
    Row("kernels/preprocessor/changed/*", "included files that change", "OpenCL C 3.0, 6.12; C99, 6.10.2", ""),
]
_AREA = Area("preprocessor")


def cases() -> Iterator[Case]:
    """Macros and directives with their values, headers, and sources to be refused."""
    for family, rows in FAMILIES.items():
        for name, macro in rows.items():
            yield _AREA.case(
                f"{family}/{name}",
                "value",
                *macro.requires,
                premerge=True,
                family=family,
                name=name,
            )
    for name in REFUSED:
        yield _AREA.case(f"refused/{name}", "refused", premerge=True, name=name)
    for name in (*HEADERS, *HEADERS_REFUSED):
        yield _AREA.case(f"header/{name}", "header", premerge=True, name=name)
    for form in ("quotes", "angles", "nested", "second_folder", "one_letter", "double_quotes"):
        yield _AREA.case(f"folder/{form}", "folder", premerge=form == "one_letter", name=form)
    for name in PAIRS:
        yield _AREA.case(f"apart/{name}", "pair", "execute", premerge=name == "option_option", name=name, elsewhere=False)
    yield _AREA.case("apart/option_option.new_process", "pair", "execute", name="option_option", elsewhere=True)
    for name in KEYS:
        early = name in ("option", "standard", "header_text")
        yield _AREA.case(f"key/{name}", "key", "execute", premerge=early, name=name, elsewhere=False)
    for name in ("source", "option", "standard"):
        yield _AREA.case(f"key/{name}.new_process", "key", "execute", name=name, elsewhere=True)
    for name in ("absolute", "working_folder", "nested", "macro", "embedded", "folder", "folder_embedded"):
        yield _AREA.case(f"changed/{name}", "changed", "execute", premerge=name == "absolute", name=name, elsewhere=False)
    yield _AREA.case("changed/absolute.new_process", "changed", "execute", name="absolute", elsewhere=True)
