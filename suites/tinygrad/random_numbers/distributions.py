"""The distributions of the drawn numbers, with thresholds that a right generator exceeds once in 10**9.

A statistic of chi-square with k degrees exceeds k + 2 sqrt(k x) + 2 x with a probability below exp(-x) (Laurent and
Massart 2000, lemma 1), and a mean of n numbers in an interval of length c is off by t with one below
2 exp(-2 n t**2 / c**2) (Hoeffding 1963). The seeds are fixed: such a case always fails or never does.
"""

from collections.abc import Callable
from math import log, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np

from runner import check
from runner.device import Device
from runner.releases import training

from ..bounded import Array
from ..results import read
from .draws import weights_of

COUNT = 1 << 17
LIMIT = log(1e9)


def _fits(what: str, counts: Array, chances: Array) -> None:
    """Pearson's statistic of the counts, for the probabilities of their classes."""
    expected = counts.sum() * chances
    check.true(f"{what}: every kind expects 20 or more", bool((expected >= 20).all()))
    statistic = float(((counts - expected) ** 2 / expected).sum())
    degrees = counts.size - 1
    allowed = degrees + 2 * sqrt(degrees * LIMIT) + 2 * LIMIT
    check.close(f"{what}: chi-square of {degrees} degrees", statistic, 0.0, atol=allowed)
    # A statistic near 0 is just as improbable: the numbers would be arranged, not drawn (the lemma's lower tail).
    check.true(f"{what}: not more even than chance", statistic >= degrees - 2 * sqrt(degrees * LIMIT))


def _even(what: str, kinds: Array, count: int) -> None:
    _fits(what, np.bincount(kinds, minlength=count), np.full(count, 1 / count))


def _mean(what: str, values: Array, want: float, interval: float) -> None:
    allowed = interval * sqrt(log(2e9) / (2 * values.size))
    check.close(f"{what}: mean", values.mean(dtype=np.float64), want, atol=allowed)


def _uniform(what: str, values: Array) -> None:
    check.true(f"{what} in [0, 1)", bool(((values >= 0) & (values < 1)).all()))
    _even(what, (values * 256).astype(np.int64), 256)
    _mean(what, values, 0.5, 1.0)
    _mean(f"{what}: squared distance", (values.astype(np.float64) - 0.5) ** 2, 1 / 12, 0.25)


def _bits(tinygrad: Any) -> None:
    """Each bit is set in half of the words, and so is the difference of each pair of neighbouring bits."""
    key, counter = (tinygrad.Tensor(words, dtype="uint32").realize() for words in ([3, 5], [0, 0]))
    (got,) = read(tinygrad, tinygrad.Tensor.random_bits(key, counter, COUNT))
    for bit in range(32):
        _mean(f"bit {bit}", got >> np.uint32(bit) & 1, 0.5, 1.0)
        _mean(f"bits {bit}, {bit + 1}", (got ^ np.roll(got, 1)) >> np.uint32(bit) & 1, 0.5, 1.0)


def _rand(tinygrad: Any) -> None:
    _uniform("rand", read(tinygrad, tinygrad.Tensor.rand(COUNT))[0])


def _rand_pairs(tinygrad: Any) -> None:
    """Neighbours, and numbers half a draw apart, are independent: 16 x 16 classes of pairs."""
    (got,) = read(tinygrad, tinygrad.Tensor.rand(COUNT))
    kinds = (got * 16).astype(np.int64)
    _even("neighbours", kinds[::2] * 16 + kinds[1::2], 256)
    _even("halves", kinds[: COUNT // 2] * 16 + kinds[COUNT // 2 :], 256)


def _rand_float16(tinygrad: Any) -> None:
    _uniform("rand of float16", read(tinygrad, tinygrad.Tensor.rand(COUNT, dtype="float16"))[0].astype(np.float32))


def _randn(tinygrad: Any) -> None:
    """64 classes of the same probability, by the quantiles."""
    (got,) = read(tinygrad, tinygrad.Tensor.randn(COUNT))
    edges = [NormalDist().inv_cdf(i / 64) for i in range(1, 64)]
    _even("randn", np.searchsorted(edges, got), 64)


def _randn_tails(tinygrad: Any) -> None:
    """Rare classes: beyond 2, 2.5, 3 and 3.3 on either side."""
    (got,) = read(tinygrad, tinygrad.Tensor.randn(COUNT))
    edges = [-3.3, -3.0, -2.5, -2.0, 2.0, 2.5, 3.0, 3.3]
    chances = np.diff([0.0, *(NormalDist().cdf(e) for e in edges), 1.0])
    _fits("tails", np.bincount(np.searchsorted(edges, got), minlength=9), chances)


def _randint(tinygrad: Any) -> None:
    (got,) = read(tinygrad, tinygrad.Tensor.randint(COUNT, low=-3, high=8))
    _even("randint", got + 3, 11)


def _randint_bytes(tinygrad: Any) -> None:
    (got,) = read(tinygrad, tinygrad.Tensor.randint(COUNT, low=0, high=255, dtype="uint8"))
    _even("bytes", got.astype(np.int64), 255)


def _uniform_scaled(tinygrad: Any) -> None:
    (got,) = read(tinygrad, tinygrad.Tensor.uniform(COUNT, low=-3.5, high=9.0))
    check.true("in [-3.5, 9]", bool(((got >= -3.5) & (got <= 9.0)).all()))
    _even("uniform", np.minimum((got.astype(np.float64) + 3.5) / 12.5 * 100, 99).astype(np.int64), 100)


def _dropout(tinygrad: Any) -> None:
    ones = tinygrad.Tensor(np.ones(COUNT, dtype=np.float32)).realize()
    with training(tinygrad):
        (got,) = read(tinygrad, ones.dropout(0.25))
    check.true("0 or 4/3", bool(((got == 0) | (np.abs(got - 4 / 3) < 1e-6)).all()))
    _mean("kept", got != 0, 0.75, 1.0)


def _multinomial(tinygrad: Any) -> None:
    """Each class as often as its weight says; the class of weight 0 never."""
    weights = weights_of((13,))
    (got,) = read(tinygrad, tinygrad.Tensor(weights).realize().multinomial(8192, replacement=True))
    counts = np.bincount(got, minlength=13)
    check.equal("the kind of weight 0", counts[weights == 0], np.zeros(int((weights == 0).sum()), dtype=np.int64))
    _fits("multinomial", counts[weights > 0], weights[weights > 0] / weights.sum())


def _multinomial_chosen(tinygrad: Any) -> None:
    """The first of a choice without replacement is each class as often as its weight says."""
    weights = np.tile(np.arange(1, 6, dtype=np.float32), (2048, 1))
    (got,) = read(tinygrad, tinygrad.Tensor(weights).realize().multinomial(2))
    check.true("no kind twice", bool((got[:, 0] != got[:, 1]).all()))
    _fits("first", np.bincount(got[:, 0], minlength=5), weights[0] / weights[0].sum())


def _randperm(tinygrad: Any) -> None:
    """Orders of three, by the ranks of three draws: each of the six equally often, as in `randperm`."""
    (got,) = read(tinygrad, tinygrad.Tensor.rand(4096, 3).argsort(1))
    check.equal("sums of a permutation", got.sum(1), np.full(4096, 3))
    _even("orders", np.unique(got[:, 0] * 3 + got[:, 1], return_inverse=True)[1], 6)


BODIES: dict[str, Callable[[Any], None]] = {
    "bits": _bits,
    "rand": _rand,
    "rand_pairs": _rand_pairs,
    "rand_float16": _rand_float16,
    "randn": _randn,
    "randn_tails": _randn_tails,
    "randint": _randint,
    "randint_bytes": _randint_bytes,
    "uniform": _uniform_scaled,
    "dropout": _dropout,
    "multinomial": _multinomial,
    "multinomial_chosen": _multinomial_chosen,
    "randperm": _randperm,
}


def check_distribution(device: Device, *, what: str) -> None:
    """A fixed seed, one draw on the device, its statistics."""
    tinygrad = device.tinygrad()
    tinygrad.Tensor.manual_seed(2026)
    tinygrad.Tensor.rand(1).realize()  # copies the seed to the device
    BODIES[what](tinygrad)
