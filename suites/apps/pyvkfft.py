"""pyvkfft: VkFFT's transforms, whose kernels it generates for each size, compared with numpy's in double."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runner import check
from runner.check import NothingTested
from runner.device import Device

_ROWS = 3  # transforms of one dimension at a time


@dataclass(frozen=True, slots=True)
class Transform:
    """Over all dimensions of `sizes`. Kind: c2c, inverse, r2c, c2r, or dct and dst with their type."""

    kind: str
    sizes: tuple[int, ...]
    double: bool

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the input: one dimension has several rows."""
        return self.sizes if len(self.sizes) > 1 else (_ROWS, *self.sizes)


def check_compare(device: Device, *, kind: str, sizes: Sequence[int], double: bool) -> None:
    """`kind`, `sizes`, `double`: the fields of a Transform."""
    own = Transform(kind, tuple(sizes), double)
    inputs, want = example(own, device.rng)
    judge(_transform(device, own, inputs, want), want, own)


def example(own: Transform, rng: np.random.Generator) -> tuple[NDArray[Any], NDArray[Any]]:
    """An input in the precision of the transform, and its result in double."""
    values = rng.standard_normal(own.shape).astype(np.float64 if own.double else np.float32)
    axes = tuple(range(-len(own.sizes), 0))
    if own.kind == "r2c":
        return values, np.fft.rfftn(values.astype(float), axes=axes)
    if own.kind == "c2r":  # the spectrum of a real signal
        inputs = np.fft.rfftn(values, axes=axes).astype(np.complex64)
        return inputs, np.fft.irfftn(inputs.astype(complex), own.sizes, axes)
    if own.kind.startswith("d"):
        return values, values.astype(float) @ trigonometric(own.kind, own.sizes[-1]).T
    inputs = np.empty(own.shape, np.complex128 if own.double else np.complex64)
    inputs.real, inputs.imag = values, rng.standard_normal(own.shape)
    transform = np.fft.ifftn if own.kind == "inverse" else np.fft.fftn
    return inputs, transform(inputs.astype(complex), axes=axes)


def trigonometric(kind: str, n: int) -> NDArray[np.float64]:
    """The matrix (n, n) of a real transform, unnormalised, as FFTW's manual defines REDFT and RODFT."""
    k, j = np.arange(n)[:, None], np.arange(n)[None]
    ends = np.where(j % (n - 1) == 0, 0.5, 1.0)  # the ends count once, all others twice
    first, last = np.where(j == 0, 0.5, 1.0), np.where(j == n - 1, 0.5, 1.0)
    matrices = {
        "dct1": ends * np.cos(np.pi * j * k / (n - 1)),
        "dct2": np.cos(np.pi * (j + 0.5) * k / n),
        "dct3": first * np.cos(np.pi * j * (k + 0.5) / n),
        "dct4": np.cos(np.pi * (j + 0.5) * (k + 0.5) / n),
        "dst1": np.sin(np.pi * (j + 1) * (k + 1) / (n + 1)),
        "dst2": np.sin(np.pi * (j + 0.5) * (k + 1) / n),
        "dst3": last * np.sin(np.pi * (j + 1) * (k + 0.5) / n),
        "dst4": np.sin(np.pi * (j + 0.5) * (k + 0.5) / n),
    }
    return np.asarray(2 * matrices[kind])


def judge(got: NDArray[Any], want: NDArray[Any], own: Transform) -> None:
    """Each element, relative to the largest: 16 steps of the precision for each doubling of the size."""
    size = int(np.prod(own.sizes))
    step = float(np.finfo(np.float64 if own.double else np.float32).eps)
    check.equal("shape", got.shape, want.shape)
    check.true("the reference is not zero", bool(np.any(want)))
    distance = np.abs(got - want) / np.max(np.abs(want))
    check.close("distance, of the largest element", distance, np.zeros(want.shape), atol=16 * step * np.log2(size))


def _transform(device: Device, own: Transform, inputs: NDArray[Any], want: NDArray[Any]) -> NDArray[Any]:
    try:
        fft: Any = import_module("pyvkfft.opencl")
        arrays: Any = import_module("pyopencl.array")
    except ImportError as error:
        raise NothingTested(f"pyvkfft: {error}") from error
    real = {own.kind[:3]: int(own.kind[3])} if own.kind.startswith("d") else {}
    half = own.kind in ("r2c", "c2r")
    shape, dtype = (want.shape, np.dtype(np.float32)) if own.kind == "c2r" else (inputs.shape, inputs.dtype)
    plan = fft.VkFFTApp(shape, dtype, device.queue, ndim=len(own.sizes), inplace=not half, r2c=half, norm=1, **real)
    source = arrays.to_device(device.queue, inputs)
    if half:
        narrow = np.dtype(np.float64 if own.double else np.float32)
        target = narrow if own.kind == "c2r" else np.result_type(narrow, 1j)
        result = arrays.empty(device.queue, want.shape, target)
        return np.asarray((plan.ifft if own.kind == "c2r" else plan.fft)(source, result).get())
    return np.asarray((plan.ifft if own.kind == "inverse" else plan.fft)(source).get())
