"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case


def cases() -> Iterator[Case]:
    """Atomics of 32 bits."""
    kinds = {"add": "add", "sub": "add", "inc": "add", "dec": "add", "min": "extreme", "max": "extreme"}
    kinds |= {"xchg": "exchange", "cmpxchg": "compare_exchange", "bits": "bits"}
    for space in ("global", "local"):
        for name, kind in kinds.items():
            params = {"operation": name, "space": space}
            yield Case(f"kernels/atomic/{name}.{space}", f"atomic.{kind}", params)
