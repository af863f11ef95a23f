"""What each operation is: reductions."""

from __future__ import annotations

import numpy as np

from ..networks import logsumexp, softmax
from ..ops import Op, exactly
from ..references import cumsum, max_gradient, prod, spread, std

OPS: dict[str, Op] = {
    "sum": Op(
        lambda x, axis=None: x.sum(axis),
        lambda x, axis=None: x.sum(axis),
        lambda g, x, axis: [spread(g, x, axis)],
    ),
    "prod": Op(
        lambda x, axis: x.prod(axis), prod, lambda g, x, axis: [spread(g * prod(x, axis), x, axis) / x]
    ),
    "max": Op(lambda x, axis: x.max(axis), exactly(np.max), max_gradient),
    "min": Op(lambda x, axis: x.min(axis), exactly(np.min)),
    "argmax": Op(
        lambda x, axis: x.argmax(axis), exactly(lambda x, axis: np.argmax(x, axis).astype(np.int32))
    ),
    "any": Op(lambda x, axis: x.any(axis), exactly(np.any)),
    "all": Op(lambda x, axis: x.all(axis), exactly(np.all)),
    "mean": Op(
        lambda x, axis: x.mean(axis),
        lambda x, axis: x.mean(axis),
        lambda g, x, axis: [spread(g * (1 / x.value.shape[axis]), x, axis)],
    ),
    "std": Op(lambda x, axis: x.std(axis), std),
    "logsumexp": Op(
        lambda x, axis: x.logsumexp(axis), logsumexp, lambda g, x, axis: [spread(g, x, axis) * softmax(x)]
    ),
    "cumsum": Op(lambda x, axis: x.cumsum(axis), cumsum),
}
