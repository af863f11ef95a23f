"""The catalogue of contractions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runner.model import Case

from ..rows import F32_ALL, Operand, Row, op_cases


def rows() -> Iterator[Row]:
    def product(left: Sequence[int], right: Sequence[int], domain: str = "normal") -> list[Operand]:
        return [(left, domain), (right, domain)]

    yield Row("matmul", "matmul", product((64, 64), (64, 64)), F32_ALL, name="square")
    yield Row("matmul", "matmul", product((37, 41), (41, 29)), variants=("", "noopt", "backward"), name="odd")
    yield Row("matmul", "matmul", product((1, 129), (129, 65)), name="row")
    yield Row("matmul", "matmul", product((3, 17, 23), (3, 23, 19)), name="batched")
    yield Row("matmul", "matmul", product((2, 3, 17, 23), (23, 5)), name="broadcast")
    yield Row("matmul", "matmul", product((65, 127), (127, 33), "small"), ("float32", "int32"), name="exact")


def cases() -> Iterator[Case]:
    yield from op_cases("matmul", rows())
