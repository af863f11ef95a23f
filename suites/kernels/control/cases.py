"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case

from ..areas import Area
from ..coverage import Row

ROWS = [
    Row("kernels/control/*", "code generation around conditions", "OpenCL C 3.0, 6.5 and 7.5", "basic"),
]
_AREA = Area("control")


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
    yield _AREA.case("signed_zero", "signed_zero", premerge=True)
