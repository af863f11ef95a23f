"""The catalogue of softmax and normalisations."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case

from ..rows import BOTH, F32_HALF, Row, op_cases


def rows() -> Iterator[Row]:
    yield Row("nn", "softmax", [((33, 65), "normal")], F32_HALF, variants=("",))
    yield Row("nn", "softmax", [((33, 65), "normal")], variants=("noopt", "backward"))
    yield Row("nn", "log_softmax", [((33, 65), "normal")])
    yield Row("nn", "layernorm", [((33, 65), "normal")], variants=BOTH)


def cases() -> Iterator[Case]:
    yield from op_cases("nn", rows())
