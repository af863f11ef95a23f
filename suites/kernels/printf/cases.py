"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case

from .table import FORMATS


def cases() -> Iterator[Case]:
    """What printf prints."""
    for name, (type_name, rows) in FORMATS.items():
        params = {"type": type_name, "rows": rows}
        yield Case(f"kernels/printf/{name}", "printf.formats", params, ("printf", "execute"))
    yield Case("kernels/printf/items", "printf.items", requires=("printf", "execute"))
