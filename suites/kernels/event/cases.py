"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case


def cases() -> Iterator[Case]:
    """Events of commands, markers and users."""
    for name in ("marker", "commands", "error", "callback", "profiling"):
        yield Case(f"kernels/event/{name}", f"event.{name}", requires=("execute",))
