"""Dropout: which elements are kept, how many, and that the gradient drops the same ones."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from runner import check
from runner.device import Device
from runner.releases import training

from ..bounded import Bounded
from ..inputs import draw
from ..results import compare, read, tensor


def seeded(device: Device) -> Any:
    """tinygrad with its generator initialised: its state comes from the host, which `read` does not allow."""
    tinygrad = device.tinygrad()
    tinygrad.Tensor.manual_seed(int(device.rng.integers(2**31)))
    tinygrad.Tensor.rand(1).realize()
    return tinygrad


def _require_share(what: str, dropped: Any, p: float) -> None:
    """Require a share p of n independent choices, within six standard deviations."""
    check.close(what, dropped.mean(), p, atol=6 * np.sqrt(p * (1 - p) / dropped.size))


def check_dropout(device: Device, *, p: float, dtype: str, shape: Sequence[int], noopt: int) -> None:
    """Each element is 0 or x / (1 - p); a share p is dropped, different ones each time, and these have no gradient."""
    tinygrad = seeded(device)
    x = draw(device.rng, dtype, shape, "unit")  # never 0
    g = draw(device.rng, dtype, shape, "unit")
    on = tensor(tinygrad, x)
    with tinygrad.Context(NOOPT=noopt):
        with training(tinygrad):
            result, again = on.dropout(p), on.dropout(p)
            (back,) = result.gradient(on, gradient=tensor(tinygrad, g))
            got, other, gradient = read(tinygrad, result, again, back)
        (plain,) = read(tinygrad, on.dropout(p) + 0)
    kept = got != 0
    scaled = Bounded.exact(x) / (1 - p)
    compare("dropout", got, scaled.moved(lambda a: a * kept))
    compare("gradient", gradient, (Bounded.exact(g) / (1 - p)).moved(lambda a: a * kept))
    _require_share("share dropped", ~kept, p)
    _require_share("share dropped the second time", other == 0, p)
    # two independent masks agree in a share p p + (1 - p)(1 - p) of the elements
    _require_share("share in which two masks differ", (other != 0) != kept, 2 * p * (1 - p))
    halves = kept.ravel()[: kept.size // 2 * 2].reshape(2, -1)
    _require_share("share in which the two halves differ", halves[0] != halves[1], 2 * p * (1 - p))
    compare("without training", plain, Bounded.exact(x))


def check_attention_dropout(device: Device) -> None:
    """With equal keys every weight is 1 / n: with an identity as the values, the result is the mask of the weights."""
    tinygrad = seeded(device)
    n, p = 64, 0.25
    query = draw(device.rng, "float32", (1, 2, 33, 8), "normal")
    key, value = np.ones((1, 2, n, 8), np.float32), np.broadcast_to(np.eye(n, dtype=np.float32), (1, 2, n, n))
    q, k, v = (tensor(tinygrad, np.ascontiguousarray(a)) for a in (query, key, value))
    with training(tinygrad):
        (got,) = read(tinygrad, q.scaled_dot_product_attention(k, v, dropout_p=p))
    dropped = got == 0
    weight = np.where(dropped, 0, 1 / (n * (1 - p)))
    # softmax of equal scores: exp(0) = 1 and its sum n are exact; 1/n, the scaling and its constant are rounded
    compare("weights", got, Bounded(weight, weight * 2.0**-20, np.dtype(np.float32)))
    _require_share("share dropped", dropped, p)
