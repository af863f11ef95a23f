"""The cases of the area."""

from collections.abc import Iterator

from runner.model import Case

from ..areas import Area
from ..kit.needs import needs
from .table import ALSO, FLOATS, KINDS, SHARED, scalar_of

_AREA = Area("algebra")


def cases() -> Iterator[Case]:
    """Every kind of expression on its types."""
    named = [("", kind, types) for kind, (_, types) in KINDS.items()]
    for prefix, kind, types in (*named, *(("shared.", *row) for row in SHARED.items())):
        for name in types:
            scalar, width = scalar_of(name)
            more = (*(["ulong"] if kind != "same" and width == 1 else []), *ALSO.get((kind, scalar in FLOATS), ()))
            params = {"what": kind, "type": scalar, **({"width": width} if width > 1 else {})}
            params |= {"shared": True} if prefix else {}
            yield _AREA.case(f"{prefix}{kind}.{name}", "expressions", *needs(scalar, *more), params=params)
