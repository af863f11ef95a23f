"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case


def cases() -> Iterator[Case]:
    """Work-groups and the memory that they share."""
    for name in ("reduction", "transpose", "scan", "global_fence", "async_copy", "private_array"):
        yield Case(f"kernels/workgroup/{name}", f"workgroup.{name}")
    yield Case("kernels/workgroup/struct", "workgroup.struct", requires=("int64",))
