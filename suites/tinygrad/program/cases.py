"""The catalogue of programs of several kernels."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case, Tier

METHODS = {
    "realize": "tinygrad/program/*",
    "contiguous": "tinygrad/program/*",
    "gradient": "tinygrad/*.backward",
}


def cases() -> Iterator[Case]:
    for name in ("jit_replay", "jit_assign", "several_outputs", "sgd"):
        yield Case(f"tinygrad/program/{name}.float32", f"program.{name}", tier=Tier.PREMERGE)
