"""The catalogue of convolutions and pooling."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runner.model import Case

from ..rows import Operand, Row, op_cases


def rows() -> Iterator[Row]:
    def product(left: Sequence[int], right: Sequence[int], domain: str = "normal") -> list[Operand]:
        return [(left, domain), (right, domain)]

    image, weight = (2, 4, 13, 11), (6, 4, 3, 3)
    plain = {"stride": 1, "padding": 1, "groups": 1}
    yield Row("conv", "conv2d", product(image, weight), args=plain, variants=("", "noopt", "backward"))
    yield Row("conv", "conv2d", product(image, weight), ("float16",), args=plain)
    yield Row("conv", "conv2d", product(image, weight), args={**plain, "stride": 2}, name="stride")
    yield Row("conv", "conv2d", product(image, (6, 2, 3, 2)), args={**plain, "groups": 2}, name="groups")
    yield Row("conv", "conv2d", product(image, (5, 4, 1, 1)), args={**plain, "padding": 0}, name="pointwise")
    yield Row("pool", "max_pool2d", [(image, "distinct")], args={"size": 2, "stride": 2})
    yield Row("pool", "max_pool2d", [(image, "distinct")], args={"size": 3, "stride": 1}, name="overlap")
    yield Row("pool", "avg_pool2d", [(image, "normal")], args={"size": 3, "stride": 2})


def cases() -> Iterator[Case]:
    yield from op_cases("convolution", rows())
