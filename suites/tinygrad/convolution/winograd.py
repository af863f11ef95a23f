"""The bound of tinygrad's Winograd convolution, which sums other terms than the definition.

F(4x4, 3x3) of Lavin and Gray, Fast Algorithms for Convolutional Neural Networks: y = A' ((G g G') * (B' d B)) A for
each tile of 6 x 6. Its intermediate numbers are larger than those of the definition, and so are their roundings.
"""

import numpy as np

from ..bounded import Array, Bounded
from ..networks import contraction
from ..precision import ulp
from .windows import Ints, conv, places, sides, windows

WEIGHTS = np.array(
    [[1 / 4, 0, 0], [-1 / 6] * 3, [-1 / 6, 1 / 6, -1 / 6], [1 / 24, 1 / 12, 1 / 6], [1 / 24, -1 / 12, 1 / 6], [0, 0, 1]]
)
INPUTS = np.array(
    [
        [4, 0, -5, 0, 1, 0],
        [0, -4, -4, 1, 1, 0],
        [0, 4, -4, -1, 1, 0],
        [0, -2, -1, 2, 1, 0],
        [0, 2, -1, -2, 1, 0],
        [0, 4, 0, -5, 0, 1],
    ]
)
RESULTS = np.array([[1, 1, 1, 1, 1, 0], [0, 1, -1, 2, -2, 0], [0, 1, 1, 4, 4, 0], [0, 1, -1, 8, -8, 1]])


def _by(matrix: Array, x: Bounded, axis: str, other: str) -> Bounded:
    """The matrix applied to two axes of x (its letters are abc, axis, other), each product and sum rounded."""
    constant = Bounded(matrix.astype(float), ulp(matrix.astype(float), x.dtype) / 2, x.dtype)
    once = x.einsum(f"abc{axis}{other},z{axis}->abcz{other}", constant)
    return once.einsum(f"abcz{other},y{other}->abczy", constant)


def winograd(x: Bounded, weight: Bounded, padding: Ints = 0) -> Bounded:
    """The convolution of (n, c, h, w) with (o, c, 3, 3), stride 1, with the bound of the tiles."""
    want = conv(x, weight, padding=padding)
    pads = sides(padding, 2)
    by = []
    for n, (before, after) in zip(x.value.shape[2:], pads, strict=True):
        more = -(n + before + after - 2) % 4
        by.append(places(n, 6, 4, 1, (before, after + more)))
    tiles = x.moved(lambda a: windows(a, by).transpose(0, 1, 2, 4, 3, 5))
    n, c, rows, columns = tiles.value.shape[:4]
    data = _by(INPUTS, tiles.moved(lambda a: a.reshape(n, c, rows * columns, 6, 6)), "i", "j")
    o = weight.value.shape[0]
    kernels = _by(WEIGHTS, weight.moved(lambda a: a[None]), "i", "j").moved(lambda a: a[0])
    sums = contraction(data, kernels, "nctij,ocij->notij")
    flat = _by(RESULTS, sums, "i", "j").moved(
        lambda a: a.reshape(n, o, rows, columns, 4, 4).swapaxes(3, 4).reshape(n, o, rows * 4, columns * 4)
    )
    height, width = want.value.shape[2:]
    result = flat.moved(lambda a: a[..., :height, :width])
    if not np.allclose(result.value, want.value, rtol=1e-12, atol=1e-12):
        raise ValueError("the tiles do not make the convolution")
    return result
