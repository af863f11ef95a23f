"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case

from ..areas import Area
from ..coverage import Row
from .constructs import RECURSION, STATEMENT
from .declarations import ATTRIBUTE, DECLARATION, PRAGMA
from .intrinsics import BUILTIN
from .kinds import KIND
from .sizeless import SIZELESS

FAMILIES = {
    "recursion": RECURSION,
    "statement": STATEMENT,
    "declaration": DECLARATION,
    "attribute": ATTRIBUTE,
    "pragma": PRAGMA,
    "kind": KIND,
    "sizeless": SIZELESS,
    "builtin": BUILTIN,
}
ROWS = [
    Row("kernels/forms/recursion/*", "recursive functions", "OpenCL C 3.0, 6.11; OpenCL API 3.0, 5.8.4", ""),
    Row("kernels/forms/statement/*", "statements of C and GNU C", "OpenCL API 3.0, 5.8.4", ""),
    Row("kernels/forms/declaration/*", "declarations of C and GNU C", "OpenCL C 3.0, 6.11; OpenCL API 3.0, 5.8.4", ""),
    Row("kernels/forms/attribute/*", "attributes of other languages", "OpenCL C 3.0, 6.13; OpenCL API 3.0, 5.8.4", ""),
    Row("kernels/forms/pragma/*", "pragmas of other languages", "OpenCL API 3.0, 5.8.4", ""),
    Row("kernels/forms/kind/*", "types of other languages", "OpenCL C 3.0, 6.3; OpenCL API 3.0, 5.8.4", ""),
    Row("kernels/forms/sizeless/*", "members without a size", "OpenCL C 3.0, 6.3; OpenCL API 3.0, 5.8.4", ""),
    Row("kernels/forms/builtin/*", "builtins of clang", "OpenCL API 3.0, 5.8.4", ""),
]
_AREA = Area(
    "forms",
)


def cases() -> Iterator[Case]:
    """Each form: refused with a log, or right."""
    for family, forms in FAMILIES.items():
        for name, form in forms.items():
            yield _AREA.case(f"{family}/{name}", "form", *form.requires, family=family, name=name)
