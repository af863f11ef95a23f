"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case

from ..areas import Area
from ..coverage import Row
from ..kit.needs import needs
from .table import ALSO, FLOATS, KINDS, scalar_of

ROWS = [Row(f"kernels/algebra/{kind}.*", title, "OpenCL C 3.0, 6.4, 6.5, 6.15", "") for kind, (title, _) in KINDS.items()]
_AREA = Area("algebra")


def cases() -> Iterator[Case]:
    """Every kind of expression on its types."""
    for kind, (_, types) in KINDS.items():
        for name in types:
            scalar, width = scalar_of(name)
            more = (*(["ulong"] if kind != "same" and width == 1 else []), *ALSO.get((kind, scalar in FLOATS), ()))
            params = {"what": kind, "type": scalar, **({"width": width} if width > 1 else {})}
            yield _AREA.case(f"{kind}.{name}", "expressions", *needs(scalar, *more), params=params)
