"""The gradients that the tinygrad suite derives are those of its references: finite differences say the same."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from mutation import SUITES

from runner.importing import import_suite_module


def _module(name: str) -> Any:
    return import_suite_module(SUITES / "tinygrad", name)


def _soft_loss(x: Any, y: Any) -> Any:
    return _module("nn.losses").cross_entropy(x, y.abs(), label_smoothing=0.25)


def _hidden(*operands: Any) -> Any:
    return _module("networks").lstm_cell(*operands)[0]


CASES: dict[str, tuple[Callable[[], Callable[..., Any]], tuple[tuple[int, ...], ...], dict[str, Any]]] = {
    "matmul": (lambda: _module("networks").matmul, ((2, 1, 3, 4), (3, 4, 5)), {}),
    "einsum": (lambda: _module("matmul.run").einsum, ((3, 4), (2, 4, 5), (3, 5)), {"formula": "bi,oij,bj->bo"}),
    "softmax": (lambda: _module("networks").softmax, ((3, 7),), {"axis": 0}),
    "layernorm": (lambda: _module("networks").layernorm, ((3, 4, 5),), {"axis": (1, 2)}),
    "rmsnorm": (lambda: _module("networks").rmsnorm, ((3, 7),), {}),
    "softplus": (lambda: _module("networks").softplus, ((3, 7),), {}),
    "lstm": (lambda: _hidden, ((3, 4), (3, 2), (3, 2), (8, 4), (8, 2), (8,), (8,)), {}),
    "attention": (
        lambda: _module("networks").attention,
        ((2, 4, 3, 4), (2, 2, 3, 4), (2, 2, 3, 2)),
        {"enable_gqa": True, "is_causal": True},
    ),
    "conv": (
        lambda: _module("convolution.windows").conv,
        ((1, 4, 6, 5), (4, 2, 3, 2), (4,)),
        {"groups": 2, "stride": [2, 1], "padding": [0, 1, 2, 1]},
    ),
    "winograd": (lambda: _module("convolution.winograd").winograd, ((1, 2, 7, 6), (2, 2, 3, 3)), {"padding": 1}),
    "conv_transpose": (
        lambda: _module("convolution.windows").conv_transpose,
        ((1, 2, 3, 4), (2, 3, 2, 3)),
        {"stride": 2, "output_padding": 1},
    ),
    "avg_pool": (
        lambda: _module("convolution.windows").avg_pool,
        ((1, 2, 7, 6),),
        {"kernel_size": (3, 2), "stride": 2, "padding": 1, "ceil_mode": True, "count_include_pad": False},
    ),
    "max_pool": (
        lambda: _module("convolution.windows").max_pool,
        ((1, 2, 7, 6),),
        {"kernel_size": (3, 2), "stride": 2, "padding": 1},
    ),
    "interpolate": (lambda: _module("convolution.windows").interpolate, ((2, 5, 4),), {"size": [7, 3]}),
    "cross_entropy": (lambda: _soft_loss, ((4, 5), (4, 5)), {}),
    "binary_crossentropy_logits": (
        lambda: _module("nn.losses").binary_crossentropy_logits,
        ((4, 5), (4, 5), (5,)),
        {"reduction": "none"},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_derived_gradient_is_that_of_finite_differences(name: str) -> None:
    reference, shapes, args = CASES[name]
    bounded, numeric = _module("bounded").Bounded, _module("numeric")
    rng = np.random.default_rng(0)
    # distinct by an eighth: no maximum changes and no sign, within the steps of the differences
    operands = [((rng.permutation(int(np.prod(s))) + 0.5) / 8 - np.prod(s) / 16).reshape(s) / 2 for s in shapes]
    with np.errstate(all="ignore"):
        result = reference()(*map(bounded.exact, operands), **args)
        cotangent = bounded.exact(rng.standard_normal(result.value.shape))
        derived = _module("derivative").derived(reference())(cotangent, *map(bounded.exact, operands), **args)
        wants = numeric.gradient(reference(), cotangent, operands, args, 1)
    for got, want in zip(derived, wants, strict=True):
        np.testing.assert_allclose(got.value, want.value, rtol=1e-6, atol=1e-7)
        assert (got.error >= 0).all()
