"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case


def cases() -> Iterator[Case]:
    """Index spaces."""
    for name in ("identifiers", "odd_sizes"):
        yield Case(f"kernels/ndrange/{name}", f"ndrange.{name}")
