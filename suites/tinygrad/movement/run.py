"""What each operation is: movement: no arithmetic, every element in its place."""

from __future__ import annotations

import numpy as np

from ..ops import Op, exactly
from ..references import strided

OPS: dict[str, Op] = {
    "permute": Op(lambda x, order: x.permute(order), exactly(lambda x, order: x.transpose(order)), bits=True),
    "pad": Op(
        lambda x, padding: x.pad([tuple(p) for p in padding]),
        exactly(lambda x, padding: np.pad(x, padding)),
        lambda g, x, padding: [
            g.moved(
                lambda a: a[tuple(slice(p, p + n) for (p, _), n in zip(padding, x.value.shape, strict=True))]
            )
        ],
        bits=True,
    ),
    "shrink": Op(
        lambda x, bounds: x.shrink([tuple(b) for b in bounds]),
        exactly(lambda x, bounds: x[tuple(slice(*b) for b in bounds)]),
        bits=True,
    ),
    "flip": Op(lambda x, axes: x.flip(axes), exactly(lambda x, axes: np.flip(x, axes)), bits=True),
    "expand": Op(
        lambda x, shape: x.expand(shape), exactly(lambda x, shape: np.broadcast_to(x, shape)), bits=True
    ),
    "cat": Op(
        lambda *x, axis: x[0].cat(*x[1:], dim=axis), exactly(lambda *x, axis: np.concatenate(x, axis=axis))
    ),
    "strided": Op(strided, exactly(strided), bits=True),
    "triu": Op(lambda x: x.triu(), exactly(np.triu)),
}
