"""What each operation is: convolutions and pooling."""

from __future__ import annotations

from ..networks import avg_pool2d, conv2d, conv2d_gradient, max_pool2d
from ..ops import Op

OPS: dict[str, Op] = {
    "conv2d": Op(lambda x, w, **args: x.conv2d(w, **args), conv2d, conv2d_gradient),
    "max_pool2d": Op(lambda x, size, stride: x.max_pool2d(size, stride), max_pool2d),
    "avg_pool2d": Op(lambda x, size, stride: x.avg_pool2d(size, stride), avg_pool2d),
}
