"""The reference of convolutions, by windows: the result of a kernel on images, without its packing."""

import numpy as np

from ..bounded import Array, Bounded


def conv2d(x: Bounded, weight: Bounded, stride: int = 1, padding: int = 0, groups: int = 1) -> Bounded:
    """Cross-correlation of (n, c, h, w) with (o, c / groups, height, width)."""
    outputs, channels, *size = weight.value.shape

    def windows(a: Array, group: int) -> Array:
        part = a[:, group * channels : (group + 1) * channels]
        padded = np.pad(part, ((0, 0), (0, 0), (padding, padding), (padding, padding)))
        every = np.lib.stride_tricks.sliding_window_view(padded, size, axis=(2, 3))
        return every[:, :, ::stride, ::stride]

    each = outputs // groups
    parts = [
        x.moved(lambda a, g=g: windows(a, g)).einsum(  # type: ignore[misc]
            "nchwij,ocij->nohw",
            weight.moved(lambda a, g=g: a[g * each : (g + 1) * each]),  # type: ignore[misc]
        )
        for g in range(groups)
    ]
    if groups == 1:
        return parts[0]
    value, error = (np.concatenate(p, 1) for p in zip(*((p.value, p.error) for p in parts), strict=True))
    return Bounded(value, error, x.dtype)
