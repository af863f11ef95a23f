"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case


def cases() -> Iterator[Case]:
    """Buffers and their transfers."""
    for name in ("offsets", "fill", "sub_buffer", "map", "host_pointer"):
        yield Case(f"kernels/memory/{name}", f"memory.{name}", requires=("execute",))
    for path in ("write", "read", "copy"):
        params = {"path": path}
        yield Case(f"kernels/memory/rectangles.{path}", "memory.rectangles", params, ("execute",))
