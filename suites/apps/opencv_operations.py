"""A separate process: one operation of OpenCV on the device and on the CPU. Prints one line of JSON.

python3 opencv_operations.py OPERATION: {"device": ..., "error": largest distance, "spread": largest value of the CPU's}
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

cv2: Any = import_module("cv2")

_SIZE = 128  # px: the kernels do the same at any size
_RNG = np.random.default_rng(7)


def _smooth(channels: int, dtype: str) -> NDArray[Any]:
    """An image with structure of all sizes, 128 by 128."""
    noise = _RNG.uniform(0, 255, (_SIZE, _SIZE, channels)).astype(np.float32)
    blurred = cv2.GaussianBlur(noise, (0, 0), 3).reshape(_SIZE, _SIZE, channels)
    image = (blurred - blurred.min()) * (255 / np.ptp(blurred))
    image = (0.8 * image + 0.2 * noise).squeeze()
    return np.ascontiguousarray(image.astype(dtype) if dtype == "uint8" else image / 255)


GREY, COLOUR, FLOATS = _smooth(1, "uint8"), _smooth(3, "uint8"), _smooth(1, "float32")
OTHER, OTHER_FLOATS = np.ascontiguousarray(GREY[::-1]), np.ascontiguousarray(FLOATS.T)
_KERNEL = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
_AFFINE = np.array([[0.9, 0.1, 3], [-0.1, 1.1, -2]])
_PERSPECTIVE = np.array([[0.9, 0.1, 3], [-0.1, 1.1, -2], [1e-4, -2e-4, 1]])
_Y, _X = np.mgrid[:_SIZE, :_SIZE].astype(np.float32)
_MAP_X, _MAP_Y = _X + 3 * np.sin(_Y / 9), _Y + 3 * np.cos(_X / 7)

# name: (operation, inputs); every input is a Mat for the CPU and a UMat for the device.
OPERATIONS: dict[str, tuple[Callable[..., Any], tuple[NDArray[Any], ...]]] = {
    "add.u8": (cv2.add, (GREY, OTHER)),
    "subtract.u8": (cv2.subtract, (GREY, OTHER)),
    "absdiff.u8": (cv2.absdiff, (GREY, OTHER)),
    "multiply.u8": (lambda a, b: cv2.multiply(a, b, scale=1 / 128), (GREY, OTHER)),
    "multiply.f32": (cv2.multiply, (FLOATS, OTHER_FLOATS)),
    "divide.f32": (cv2.divide, (FLOATS, OTHER_FLOATS + np.float32(0.5))),
    "addWeighted.u8": (lambda a, b: cv2.addWeighted(a, 0.3, b, 0.6, 5), (GREY, OTHER)),
    "bitwise_and.u8": (cv2.bitwise_and, (GREY, OTHER)),
    "bitwise_xor.u8": (cv2.bitwise_xor, (GREY, OTHER)),
    "bitwise_not.u8": (cv2.bitwise_not, (GREY,)),
    "min.f32": (cv2.min, (FLOATS, OTHER_FLOATS)),
    "max.u8": (cv2.max, (GREY, OTHER)),
    "compare.u8": (lambda a, b: cv2.compare(a, b, cv2.CMP_GT), (GREY, OTHER)),
    "inRange.u8": (lambda a: cv2.inRange(a, (60, 60, 60), (190, 190, 190)), (COLOUR,)),
    "sqrt.f32": (cv2.sqrt, (FLOATS,)),
    "exp.f32": (cv2.exp, (FLOATS,)),
    "log.f32": (cv2.log, (FLOATS + np.float32(0.1),)),
    "pow.f32": (lambda a: cv2.pow(a, 2.5), (FLOATS,)),
    "magnitude.f32": (cv2.magnitude, (FLOATS, OTHER_FLOATS)),
    "phase.f32": (lambda a, b: cv2.phase(a, b, angleInDegrees=True), (FLOATS, OTHER_FLOATS)),
    "normalize.f32": (lambda a: cv2.normalize(a, None, 0, 1, cv2.NORM_MINMAX), (FLOATS,)),
    "convertScaleAbs.u8": (lambda a: cv2.convertScaleAbs(a, alpha=1.5, beta=-40), (GREY,)),
    "LUT.u8": (lambda a: cv2.LUT(a, np.arange(255, -1, -1, dtype=np.uint8)), (GREY,)),
    "flip.u8": (lambda a: cv2.flip(a, 1), (COLOUR,)),
    "transpose.f32": (cv2.transpose, (FLOATS[:, :100].copy(),)),
    "repeat.u8": (lambda a: cv2.repeat(a, 2, 3), (GREY,)),
    "copyMakeBorder.u8": (lambda a: cv2.copyMakeBorder(a, 3, 5, 7, 2, cv2.BORDER_REFLECT_101), (GREY,)),
    "split.u8": (lambda a: cv2.split(a)[1], (COLOUR,)),
    "merge.u8": (lambda a, b: cv2.merge([a, b, a]), (GREY, OTHER)),
    "dft.f32": (lambda a: cv2.dft(a, flags=cv2.DFT_COMPLEX_OUTPUT), (FLOATS,)),
    "sum.u8": (lambda a: np.array(cv2.sumElems(a)), (COLOUR,)),
    "norm.f32": (lambda a: np.array([cv2.norm(a, cv2.NORM_L2)]), (FLOATS,)),
    "minMaxLoc.u8": (lambda a: np.array(cv2.minMaxLoc(a)[:2]), (GREY,)),
    "countNonZero.u8": (lambda a: np.array([cv2.countNonZero(a)]), (GREY // 128,)),
    "reduce.f32": (lambda a: cv2.reduce(a, 0, cv2.REDUCE_SUM), (FLOATS,)),
    "blur.u8": (lambda a: cv2.blur(a, (5, 3)), (GREY,)),
    "boxFilter.f32": (lambda a: cv2.boxFilter(a, -1, (7, 7)), (FLOATS,)),
    "GaussianBlur.u8": (lambda a: cv2.GaussianBlur(a, (5, 5), 1.2), (GREY,)),
    "GaussianBlur.f32": (lambda a: cv2.GaussianBlur(a, (9, 9), 2), (FLOATS,)),
    "medianBlur.u8": (lambda a: cv2.medianBlur(a, 5), (GREY,)),
    "bilateralFilter.u8": (lambda a: cv2.bilateralFilter(a, 7, 40, 5), (GREY,)),
    "filter2D.f32": (lambda a: cv2.filter2D(a, -1, np.array([[1, 2, 1], [0, 3, -1], [2, 0, 1]], np.float32)), (FLOATS,)),
    "sepFilter2D.f32": (
        lambda a: cv2.sepFilter2D(a, -1, np.array([1, 2, 1], np.float32), np.array([1, 0, -1], np.float32)),
        (FLOATS,),
    ),
    "Sobel.f32": (lambda a: cv2.Sobel(a, -1, 1, 0, ksize=3), (FLOATS,)),
    "Scharr.f32": (lambda a: cv2.Scharr(a, -1, 0, 1), (FLOATS,)),
    "Laplacian.f32": (lambda a: cv2.Laplacian(a, -1, ksize=3), (FLOATS,)),
    "Canny.u8": (lambda a: cv2.Canny(a, 60, 150), (GREY,)),
    "cornerHarris.f32": (lambda a: cv2.cornerHarris(a, 5, 3, 0.04), (FLOATS,)),
    "cornerMinEigenVal.f32": (lambda a: cv2.cornerMinEigenVal(a, 5), (FLOATS,)),
    "erode.u8": (lambda a: cv2.erode(a, _KERNEL), (GREY,)),
    "dilate.f32": (lambda a: cv2.dilate(a, _KERNEL), (FLOATS,)),
    "morphologyEx.u8": (lambda a: cv2.morphologyEx(a, cv2.MORPH_GRADIENT, _KERNEL), (GREY,)),
    "pyrDown.u8": (cv2.pyrDown, (GREY,)),
    "pyrUp.f32": (cv2.pyrUp, (FLOATS,)),
    "resize.nearest": (lambda a: cv2.resize(a, (200, 77), interpolation=cv2.INTER_NEAREST), (GREY,)),
    "resize.linear": (lambda a: cv2.resize(a, (200, 77)), (FLOATS,)),
    "resize.area": (lambda a: cv2.resize(a, (32, 32), interpolation=cv2.INTER_AREA), (FLOATS,)),
    "warpAffine.linear": (lambda a: cv2.warpAffine(a, _AFFINE, (128, 128)), (FLOATS,)),
    "warpAffine.nearest": (lambda a: cv2.warpAffine(a, _AFFINE, (128, 128), flags=cv2.INTER_NEAREST), (GREY,)),
    "warpPerspective.linear": (lambda a: cv2.warpPerspective(a, _PERSPECTIVE, (128, 128)), (FLOATS,)),
    "remap.linear": (lambda a, x, y: cv2.remap(a, x, y, cv2.INTER_LINEAR), (FLOATS, _MAP_X, _MAP_Y)),
    "threshold.u8": (lambda a: cv2.threshold(a, 120, 255, cv2.THRESH_BINARY)[1], (GREY,)),
    "equalizeHist.u8": (cv2.equalizeHist, (GREY,)),
    "calcHist.u8": (lambda a: cv2.calcHist([a], [0], None, [256], [0, 256]), (GREY,)),
    "integral.u8": (cv2.integral, (GREY,)),
    "matchTemplate.f32": (lambda a, t: cv2.matchTemplate(a, t, cv2.TM_CCOEFF_NORMED), (FLOATS, FLOATS[40:52, 60:75].copy())),
    "CLAHE.u8": (lambda a: cv2.createCLAHE(3.0, (4, 4)).apply(a), (GREY,)),
    **{
        f"cvtColor.{name}": (lambda a, code=code: cv2.cvtColor(a, code), (COLOUR,))
        for name, code in {
            "gray": cv2.COLOR_BGR2GRAY,
            "rgb": cv2.COLOR_BGR2RGB,
            "hsv": cv2.COLOR_BGR2HSV,
            "hls": cv2.COLOR_BGR2HLS,
            "lab": cv2.COLOR_BGR2Lab,
            "luv": cv2.COLOR_BGR2Luv,
            "xyz": cv2.COLOR_BGR2XYZ,
            "yuv": cv2.COLOR_BGR2YUV,
            "ycrcb": cv2.COLOR_BGR2YCrCb,
        }.items()
    },
}


def main(name: str) -> None:
    """Run the operation twice, and print the result."""
    operation, inputs = OPERATIONS[name]
    cv2.ocl.setUseOpenCL(False)
    want = np.asarray(operation(*inputs), np.float64)
    cv2.ocl.setUseOpenCL(True)
    output = operation(*(cv2.UMat(one) for one in inputs))
    got = np.asarray(output.get() if isinstance(output, cv2.UMat) else output, np.float64)
    alike = got.shape == want.shape
    distance = np.abs(got - want) if alike else np.array([np.inf])
    device = cv2.ocl.Device.getDefault().name() if cv2.ocl.useOpenCL() else ""
    result = {
        "device": device,
        "alike": alike,
        "error": float(np.max(distance)),
        "far": float(np.mean(distance > 2)),  # the share of elements more than two steps away, where an edge is decided
        "spread": float(np.max(np.abs(want))),
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main(sys.argv[1])
