"""reikna: its computations, whose kernels it generates from templates, compared with numpy's in double or integers."""

import os
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runner import check
from runner.check import NothingTested
from runner.device import Device
from runner.sources import APPS_VARIABLE

_Arrays = tuple[NDArray[Any], ...]
_Computation = tuple[Any, NDArray[Any], _Arrays]  # reikna's object, its expected result, its inputs


def check_compare(device: Device, *, computation: str) -> None:
    """A computation of COMPUTATIONS on the device, compared with numpy's."""
    folder = str(Path(os.environ[APPS_VARIABLE], "reikna"))
    sys.path.insert(0, folder)
    try:
        cluda: Any = import_module("reikna.cluda")
        procedure, want, inputs = COMPUTATIONS[computation](device.rng)
    except ImportError as error:
        raise NothingTested(f"reikna: {error}") from error
    finally:
        sys.path.remove(folder)
    thread = cluda.ocl_api().Thread(device.queue)
    narrow = {np.dtype(np.float64): np.float32, np.dtype(np.complex128): np.complex64}.get(want.dtype, want.dtype)
    output = thread.array(want.shape, narrow)
    procedure.compile(thread)(output, *(thread.to_device(one) for one in inputs))
    judge(np.asarray(output.get()), want)


def judge(got: NDArray[Any], want: NDArray[Any]) -> None:
    """Integers exactly; floats within 16 steps of single precision for each doubling of the size, of the largest one."""
    check.true("the reference is not zero", bool(np.any(want)))
    if want.dtype.kind in "iu":
        check.equal("result", got, want)
        return
    check.equal("shape", got.shape, want.shape)
    distance = np.abs(got - want) / np.max(np.abs(want))
    allowed = 16 * float(np.finfo(np.float32).eps) * np.log2(max(want.size, 2))
    check.close("distance, of the largest element", distance, np.zeros(want.shape), atol=allowed)


def _complex(rng: np.random.Generator, *shape: int) -> NDArray[Any]:
    return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(np.complex64)


def _fft(*shape: int, axes: tuple[int, ...]) -> Callable[[np.random.Generator], _Computation]:
    def make(rng: np.random.Generator) -> _Computation:
        signal = _complex(rng, *shape)
        return import_module("reikna.fft").FFT(signal, axes=axes), np.fft.fftn(signal.astype(complex), axes=axes), (signal,)

    return make


def _shift(rng: np.random.Generator) -> _Computation:
    signal = rng.integers(-99, 99, (6, 50)).astype(np.int32)
    return import_module("reikna.fft").FFTShift(signal, axes=(1,)), np.fft.fftshift(signal, 1), (signal,)


def _transpose(rng: np.random.Generator) -> _Computation:
    matrix = rng.integers(-99, 99, (60, 50)).astype(np.int32)
    return import_module("reikna.algorithms").Transpose(matrix), matrix.T.copy(), (matrix,)


def _reduce(axis: int) -> Callable[[np.random.Generator], _Computation]:
    def make(rng: np.random.Generator) -> _Computation:
        algorithms, values = import_module("reikna.algorithms"), rng.integers(-999, 999, (70, 900)).astype(np.int32)
        own = algorithms.Reduce(values, algorithms.predicate_sum(np.int32), axes=(axis,))
        return own, values.sum(axis, dtype=np.int32), (values,)

    return make


def _scan(exclusive: bool) -> Callable[[np.random.Generator], _Computation]:
    def make(rng: np.random.Generator) -> _Computation:
        algorithms, values = import_module("reikna.algorithms"), rng.integers(-999, 999, 5000).astype(np.int32)
        sums = values.cumsum(dtype=np.int32)
        own = algorithms.Scan(values, algorithms.predicate_sum(np.int32), exclusive=exclusive)
        return own, sums - values if exclusive else sums, (values,)

    return make


def _multiply(rng: np.random.Generator) -> _Computation:
    a, b = rng.standard_normal((60, 70)).astype(np.float32), rng.standard_normal((70, 50)).astype(np.float32)
    return import_module("reikna.linalg").MatrixMul(a, b), a.astype(float) @ b, (a, b)


def _multiply_complex(rng: np.random.Generator) -> _Computation:
    a, b = _complex(rng, 33, 70), _complex(rng, 70, 21)
    return import_module("reikna.linalg").MatrixMul(a, b), a.astype(complex) @ b, (a, b)


def _norm(rng: np.random.Generator) -> _Computation:
    values = rng.standard_normal((60, 70)).astype(np.float32)
    want = np.asarray(np.linalg.norm(values.astype(float)))
    return import_module("reikna.linalg").EntrywiseNorm(values, order=2), want, (values,)


COMPUTATIONS: dict[str, Callable[[np.random.Generator], _Computation]] = {
    "fft.16": _fft(4, 16, axes=(1,)),
    "fft.60": _fft(4, 60, axes=(1,)),
    "fft.1000": _fft(4, 1000, axes=(1,)),
    "fft.4096": _fft(2, 4096, axes=(1,)),
    "fft.32x48": _fft(32, 48, axes=(0, 1)),
    "fftshift": _shift,
    "transpose": _transpose,
    "reduce.rows": _reduce(1),
    "reduce.columns": _reduce(0),
    "scan.inclusive": _scan(False),
    "scan.exclusive": _scan(True),
    "matrixmul.float": _multiply,
    "matrixmul.complex": _multiply_complex,
    "norm": _norm,
}
