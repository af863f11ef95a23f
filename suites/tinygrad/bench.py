"""Single operations on one device: arithmetic (GFLOPS), memory (GB/s), the cost of a launch (microseconds).

The workload of `runner bench ops`, imported only in a bench child. An operation is captured by TinyJit and replayed. A
sample is the mean over the replays that fit into SAMPLE_S; only the last of them is waited for, so the throughput is
that of a busy queue.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

SAMPLE_S, SMALL_SAMPLE_S, SAMPLES = 0.05, 0.005, 9
WARM = 3  # calls until TinyJit replays
CHAIN = 100  # kernels of the chain that measures a launch
ENQUEUED = 1000  # empty kernels, for the cost of OpenCL itself
_BIG, _SMALL = (((256, 512, 1024), 1 << 22, 56), ((64,), 1 << 16, 8))  # matmul sizes, elements, rows of an image

_EMPTY = "kernel void empty(global int *x) { if (get_global_id(0) == 1) x[0] = 1; }"


@dataclass(frozen=True, slots=True)
class Operation:
    """`apply` on tensors of `operands`, which does `work` (floating-point operations, or bytes moved)."""

    name: str
    unit: str  # GFLOPS or GB/s
    work: float
    operands: list[NDArray[Any]]
    apply: Callable[..., Any]
    reference: Callable[..., NDArray[Any]]


def operations(dtype: str, *, small: bool) -> Iterator[Operation]:
    """Every operation in one type; `small` for a machine that only shows that it works."""
    sizes, count, side = _SMALL if small else _BIG
    rng = np.random.default_rng(0)

    def draw(*shape: int) -> NDArray[Any]:
        return rng.standard_normal(shape, np.float32).astype(dtype)

    for n in sizes:
        operands = [draw(n, n), draw(n, n)]
        yield Operation(f"matmul {n}x{n}x{n}", "GFLOPS", 2.0 * n**3, operands, lambda a, b: a @ b, np.matmul)
    image, weight = draw(1, 64, side, side), draw(64, 64, 3, 3)
    yield Operation(
        f"conv 3x3, 64 to 64 channels of {side}x{side}",
        "GFLOPS",
        2.0 * 64 * 64 * 9 * side * side,
        [image, weight],
        lambda x, w: x.conv2d(w, padding=1),
        _conv,
    )
    x, y = draw(count // 1024, 1024), draw(count // 1024, 1024)
    yield Operation("copy (negated)", "GB/s", 2.0 * x.nbytes, [x], lambda a: -a, np.negative)
    yield Operation("a * b + a", "GB/s", 3.0 * x.nbytes, [x, y], lambda a, b: a * b + a, lambda a, b: a * b + a)
    yield Operation("sum of rows", "GB/s", 1.0 * x.nbytes, [x], lambda a: a.sum(-1), lambda a: a.sum(-1))
    yield Operation("transpose", "GB/s", 2.0 * x.nbytes, [x], lambda a: a.T.contiguous(), np.transpose)


@dataclass(frozen=True, slots=True)
class Timed:
    """A call that is measured: `scale / seconds` is in `unit`, or `scale * seconds` unless `per_second`."""

    name: str
    unit: str
    call: Callable[[], Any]
    wait: Callable[[], Any]
    scale: float
    per_second: bool = False
    error: float = 0.0


def measure(request: dict[str, Any]) -> dict[str, Any]:
    """Every operation in float32 and half (if the device has it), a launch, and OpenCL's own share of it.

    The samples are taken in rounds over all operations, so that other load on the machine affects all of them alike.
    """
    timed = list(_all(request))
    sample_s = SMALL_SAMPLE_S if request["small"] else SAMPLE_S
    times = [_replays(each, sample_s) for each in timed]
    samples: list[list[float]] = [[] for _ in timed]
    for _ in range(SAMPLES):
        for each, count, found in zip(timed, times, samples, strict=True):
            begun_s = time.monotonic()
            for _ in range(count):
                each.call()
            each.wait()
            seconds = (time.monotonic() - begun_s) / count
            found.append(each.scale / seconds if each.per_second else each.scale * seconds)
    return {
        "measures": [
            {"name": each.name, "unit": each.unit, "samples": found, "error": each.error}
            for each, found in zip(timed, samples, strict=True)
        ]
    }


def _all(request: dict[str, Any]) -> Iterator[Timed]:
    import tinygrad
    from tinygrad.device import Device

    backend: Any = Device[Device.DEFAULT]
    supported = {dtype.name for dtype in backend.renderer.supported_dtypes()}
    for dtype, name in (("float32", "float"), ("float16", "half")):
        if name in supported:
            for operation in operations(dtype, small=request["small"]):
                yield _operation(tinygrad, backend, operation, dtype)
    yield _launch(tinygrad, backend)
    if request["opencl"]:
        yield from _enqueues()


def _replays(timed: Timed, sample_s: float) -> int:
    """The number of calls that fill a sample."""
    timed.wait()
    begun_s = time.monotonic()
    timed.call()
    timed.wait()
    return max(1, round(sample_s / max(time.monotonic() - begun_s, 1e-6)))


def _operation(tinygrad: Any, backend: Any, operation: Operation, dtype: str) -> Timed:
    tensors = [tinygrad.Tensor(array).realize() for array in operation.operands]
    call = tinygrad.TinyJit(lambda *operands: operation.apply(*operands).realize())
    for _ in range(WARM):
        out = call(*tensors)
    got = out.numpy().astype(np.float64)
    want = operation.reference(*(a.astype(np.float64) for a in operation.operands))
    # The root mean square of the error, relative to that of the result: a wrong operation must not be timed.
    error = float(np.sqrt(np.mean((got - want) ** 2) / np.mean(want**2)))
    name, scale = f"{operation.name} {dtype}", operation.work / 1e9
    return Timed(name, operation.unit, lambda: call(*tensors), backend.synchronize, scale, True, error)


def _launch(tinygrad: Any, backend: Any) -> Timed:
    """tinygrad's own cost of one kernel of a captured chain, including the driver's."""

    def chain(x: Any) -> Any:
        for _ in range(CHAIN):
            x = (x + 1).contiguous()
        return x.realize()

    call, start = tinygrad.TinyJit(chain), tinygrad.Tensor(np.zeros(1, np.float32)).realize()
    for _ in range(WARM):
        out = call(start)
    error = abs(float(out.numpy()[0]) - CHAIN) / CHAIN
    return Timed("launch by tinygrad", "us", lambda: call(start), backend.synchronize, 1e6 / CHAIN, error=error)


def _enqueues() -> Iterator[Timed]:
    """OpenCL's cost of an empty kernel: in a full queue, and if each one is waited for."""
    import pyopencl as cl

    context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
    queue = cl.CommandQueue(context)
    kernel = cl.Kernel(cl.Program(context, _EMPTY).build(), "empty")
    argument = cl.Buffer(context, cl.mem_flags.READ_WRITE, size=4)
    kernel.set_args(argument)

    def full() -> None:
        assert argument  # must outlive the launch: the kernel does not keep it
        for _ in range(ENQUEUED):
            cl.enqueue_nd_range_kernel(queue, kernel, (1,), (1,))

    def waited() -> None:
        cl.enqueue_nd_range_kernel(queue, kernel, (1,), (1,))
        queue.finish()

    full()
    yield Timed("launch by OpenCL, queued", "us", full, queue.finish, 1e6 / ENQUEUED)
    yield Timed("launch by OpenCL, waited for", "us", waited, queue.finish, 1e6)


def _conv(x: NDArray[Any], weight: NDArray[Any]) -> NDArray[Any]:
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))
    product: NDArray[Any] = np.tensordot(windows, weight, axes=((1, 4, 5), (1, 2, 3)))
    return product.transpose(0, 3, 1, 2)
