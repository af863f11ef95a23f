"""What each operation is: indexing, gather and scatter, sorting."""

from __future__ import annotations

import numpy as np

from ..ops import Op, exactly
from ..references import gather, gather_gradient, in_order, scatter_add

OPS: dict[str, Op] = {
    "gather": Op(lambda x, index, axis: x.gather(axis, index), gather, gather_gradient),
    "scatter_add": Op(lambda x, index, y: x.scatter_reduce(0, index, y, "sum"), scatter_add),
    "take": Op(lambda x, index: x[index], exactly(lambda x, index: x[index])),
    "take_pairs": Op(lambda x, i, j: x[i, j], exactly(lambda x, i, j: x[i, j])),
    "one_hot": Op(
        lambda x, classes: x.one_hot(classes).cast("int32"),  # it has no type of its own
        exactly(lambda x, classes: (x[:, None] == np.arange(classes)).astype(np.int32)),
    ),
    "masked_fill": Op(
        lambda x, mask: x.masked_fill(mask, 2.5),
        exactly(lambda x, mask: np.where(mask, x.dtype.type(2.5), x)),
        bits=True,
    ),
    "sort": Op(lambda x, descending: x.sort(descending=descending)[0], exactly(in_order)),
    "topk": Op(lambda x, k: x.topk(k)[0], exactly(lambda x, k: in_order(x, True)[..., :k])),
}
