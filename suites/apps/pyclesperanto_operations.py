"""A separate process: one operation of pyclesperanto on the device, and of scipy on the CPU. Prints one line of JSON.

python3 pyclesperanto_operations.py OPERATION: {"device": ..., "alike": one shape, "error": largest distance, "spread":
largest value of the CPU's}
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

cle: Any = import_module("pyclesperanto")
nd: Any = import_module("scipy.ndimage")

_RNG = np.random.default_rng(7)


def _smooth(*shape: int) -> NDArray[np.float32]:
    """Blobs, from 0 to 255."""
    blurred = nd.gaussian_filter(_RNG.uniform(0, 1, shape), 2)
    return ((blurred - blurred.min()) * (255 / np.ptp(blurred))).astype(np.float32)


A, OTHER, VOLUME = _smooth(60, 72), _smooth(60, 72), _smooth(20, 24, 28)
MASK = (A > 150).astype(np.uint8)
_WIDE = A.astype(float)
_BOX = {"radius_x": 2, "radius_y": 1, "connectivity": "box"}  # 3 rows of 5
_RING = np.array([[-1, -1, -1], [-1, 8, -1], [-1, -1, -1]])
_SQUARE, _NEAREST = np.ones((3, 3)), {"mode": "nearest"}  # beyond an edge the image repeats it

# name: (pyclesperanto's operation, the same in numpy or scipy in double)
OPERATIONS: dict[str, tuple[Callable[[], Any], Callable[[], ArrayLike]]] = {
    "add_images_weighted": (lambda: cle.add_images_weighted(A, OTHER, factor1=1, factor2=2), lambda: _WIDE + 2 * OTHER),
    "binary_erode": (
        lambda: cle.binary_erode(MASK, radius_x=1, radius_y=1, connectivity="box"),
        lambda: nd.minimum_filter(MASK, 3, **_NEAREST),
    ),
    "connected_components": (
        lambda: cle.connected_component_labeling(MASK, connectivity="box"),
        lambda: nd.label(MASK, _SQUARE)[0],
    ),
    "gaussian_blur": (
        lambda: cle.gaussian_blur(A, sigma_x=2, sigma_y=1),
        lambda: nd.gaussian_filter(_WIDE, (1, 2), **_NEAREST),
    ),
    "gaussian_blur.3d": (
        lambda: cle.gaussian_blur(VOLUME, sigma_x=1, sigma_y=2, sigma_z=1),
        lambda: nd.gaussian_filter(VOLUME.astype(float), (1, 2, 1), **_NEAREST),
    ),
    "histogram": (
        lambda: cle.histogram(A, num_bins=16, minimum_intensity=0, maximum_intensity=255),
        lambda: np.bincount(np.floor(_WIDE / 255 * 15 + 0.5).astype(int).ravel(), minlength=16),  # nearest of 16 values
    ),
    "laplace": (lambda: cle.laplace(A, connectivity="box"), lambda: nd.convolve(_WIDE, _RING, **_NEAREST)),
    "maximum_filter": (lambda: cle.maximum_filter(A, **_BOX), lambda: nd.maximum_filter(A, (3, 5), **_NEAREST)),
    "maximum_z_projection": (lambda: cle.maximum_z_projection(VOLUME), lambda: VOLUME.max(0)),
    "mean_filter": (lambda: cle.mean_filter(A, **_BOX), lambda: nd.uniform_filter(_WIDE, (3, 5), **_NEAREST)),
    "median": (lambda: cle.median(A, **_BOX), lambda: nd.median_filter(A, (3, 5), **_NEAREST)),
    "minimum_filter.3d": (
        lambda: cle.minimum_filter(VOLUME, radius_x=1, radius_y=1, radius_z=1, connectivity="box"),
        lambda: nd.minimum_filter(VOLUME, 3, **_NEAREST),
    ),
    "multiply_matrix": (lambda: cle.multiply_matrix(A[:, :60].copy(), OTHER), lambda: _WIDE[:, :60] @ OTHER),
    "power": (lambda: cle.power(A, scalar=1.5), lambda: _WIDE**1.5),
    "sobel": (lambda: cle.sobel(A), lambda: np.hypot(nd.sobel(_WIDE, 0, **_NEAREST), nd.sobel(_WIDE, 1, **_NEAREST))),
    "sum_of_all_pixels": (lambda: cle.sum_of_all_pixels(A), _WIDE.sum),
    "sum_y_projection": (lambda: cle.sum_y_projection(VOLUME), lambda: VOLUME.astype(float).sum(1)),
    "translate": (lambda: cle.translate(A, translate_x=3, translate_y=-2), lambda: nd.shift(A, (-2, 3), order=0)),
    "transpose_xy": (lambda: cle.transpose_xy(A), lambda: A.T),
    "variance_filter": (
        lambda: cle.variance_filter(A, **_BOX),
        lambda: nd.generic_filter(_WIDE, lambda window: window.var(), (3, 5), **_NEAREST),
    ),
}


def main(name: str) -> None:
    """Run the operation twice, and print the result."""
    operation, reference = OPERATIONS[name]
    got, want = np.asarray(operation(), np.float64), np.asarray(reference(), np.float64)
    alike = got.shape == want.shape
    result = {
        "device": cle.get_device().name,
        "alike": alike,
        "error": float(np.max(np.abs(got - want))) if alike else np.inf,
        "far": 1.0,  # no threshold decides anything
        "spread": float(np.max(np.abs(want))),
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main(sys.argv[1])
