"""The cases of the area."""

from collections.abc import Iterator

from runner.model import Case

from ..areas import Area
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
_AREA = Area("forms")


def cases() -> Iterator[Case]:
    """Every form: it is refused with a log, or right."""
    for family, forms in FAMILIES.items():
        for name, form in forms.items():
            yield _AREA.case(f"{family}/{name}", "form", *form.requires, family=family, name=name)
