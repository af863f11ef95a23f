"""Kernels on images. tinygrad silently uses buffers if it cannot have images, so each case checks for images."""

import ctypes
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from runner import check
from runner.device import Device

from ..bounded import Array, Bounded
from ..derivative import derived
from ..inputs import draw
from ..networks import matmul, softmax
from ..results import compare, launches, read, tensor
from .references import conv2d

FORMATS = {0x10DD: "float16", 0x10DE: "float32"}  # CL_HALF_FLOAT, CL_FLOAT


@contextmanager
def images(least: int = 1, of: str = "") -> Iterator[list[tuple[int, int, str]]]:
    """Yield width, height and type of each image that kernels get; `check.NothingTested` if fewer than `least`."""
    from tinygrad.runtime import ops_cl

    created: list[tuple[int, int, str]] = []
    inner = ops_cl.cl.clCreateImage

    def noted(context: Any, flags: Any, form: Any, description: Any, *rest: Any) -> Any:
        kind = FORMATS[form.image_channel_data_type]
        created.append((description.image_width, description.image_height, kind))
        return inner(context, flags, form, description, *rest)

    ops_cl.cl.clCreateImage = noted
    try:
        yield created
    finally:
        ops_cl.cl.clCreateImage = inner
    if len([kind for *_, kind in created if of in ("", kind)]) < least:
        raise check.NothingTested(f"images of {of or 'any type'}: {created}, and not {least}")


def _stored(x: Bounded, kind: str) -> Bounded:
    """As an image holds it. write_imagef rounds to half, to the nearest or to zero (OpenCL C 3.0, 8.3.2): 1 ULP."""
    return x if kind == "float32" else x.cast(np.float16).widened(2.0).cast(np.float32)


def _conv2d(x: Any, w: Any, stride: int = 1, padding: int = 0, groups: int = 1) -> Any:
    return x.conv2d(w, groups=groups, stride=stride, padding=padding)


def check_stored(device: Device, *, op: str, shapes: Sequence[Sequence[int]], stored: str, args: Any) -> None:
    """A contraction whose operands tinygrad puts into images, of floats or (FLOAT16=1) of halves.

    Small whole numbers are exact in both, and so is their sum.
    """
    tinygrad = device.tinygrad()
    for domain in ("small", "normal"):
        arrays = [draw(device.rng, "float32", shape, domain) for shape in shapes]
        on = [tensor(tinygrad, a) for a in arrays]
        with tinygrad.Context(IMAGE=1, FLOAT16=int(stored == "float16")), images(2, stored):
            (got,) = read(tinygrad, on[0] @ on[1] if op == "matmul" else _conv2d(*on, **args))
        x, y = (Bounded.exact(a) for a in arrays)
        if domain == "normal":
            x, y = _stored(x, stored), _stored(y, stored)
        want = matmul(x, y) if op == "matmul" else conv2d(x, y, **args)
        compare(f"{op}, {domain}", got, want)


_ELEMENTWISE: dict[str, tuple[Callable[[Any], Any], Callable[[Bounded], Bounded]]] = {
    "scaled": (lambda x: x * 4 - 1, lambda x: x * 4.0 - 1.0),
    "turned": (lambda x: x.reshape(-1, 4).flip(0).contiguous(), lambda x: x.moved(lambda a: a.reshape(-1, 4)[::-1])),
    "padded": (  # reads beyond the image's ends, behind a gate
        lambda x: x.reshape(-1, 4).pad(((8, 8), (0, 0))) + 1,
        lambda x: x.moved(lambda a: np.pad(a.reshape(-1, 4), ((8, 8), (0, 0)))) + 1.0,
    ),
    "summed": (
        lambda x: x.reshape(-1, 4) + x.reshape(-1, 4).roll(1, 0),
        lambda x: (r := x.moved(lambda a: a.reshape(-1, 4))) + r.moved(lambda a: np.roll(a, 1, 0)),
    ),
}


def _pitch_alignment(device: Device) -> int:
    """CL_DEVICE_IMAGE_PITCH_ALIGNMENT, at least 1; pyopencl has no name for it."""
    from tinygrad.runtime import ops_cl

    value = ctypes.c_uint32()
    handle = ctypes.cast(device.device.int_ptr, ops_cl.cl.cl_device_id)
    ops_cl.cl.clGetDeviceInfo(handle, ops_cl.cl.CL_DEVICE_IMAGE_PITCH_ALIGNMENT, 4, ctypes.byref(value), None)
    return max(1, value.value)


def check_elementwise(device: Device, *, op: str, count: int, dtype: str) -> None:
    """Kernels without a sum, on images of all proportions; halves become images of halves.

    tinygrad keeps a buffer if its bytes are not a multiple of the pitch alignment: on Adreno, one of 67 pixels.
    """
    tinygrad = device.tinygrad()
    apply, reference = _ELEMENTWISE[op]
    x = draw(device.rng, dtype, (count,), "integral")
    on = tensor(tinygrad, x)
    fits = x.nbytes % _pitch_alignment(device) == 0
    with tinygrad.Context(IMAGE=1), images(int(fits), of=dtype):
        (got,) = read(tinygrad, apply(on))
    want = reference(Bounded.exact(x))
    compare(op, got, want.widened(2.0) if dtype == "float16" else want)  # as in _stored


def check_gradient(device: Device, *, op: str) -> None:
    """The gradients of a contraction, on images."""
    tinygrad = device.tinygrad()
    shapes = ((20, 36), (36, 24)) if op == "matmul" else ((1, 8, 8, 8), (8, 8, 3, 3))
    arrays = [draw(device.rng, "float32", shape, "normal") for shape in shapes]
    on = [tensor(tinygrad, a) for a in arrays]
    with tinygrad.Context(IMAGE=1), images(4):
        result = on[0] @ on[1] if op == "matmul" else _conv2d(*on)
        cotangent = draw(device.rng, "float32", result.shape, "normal")
        gradients = result.gradient(*on, gradient=tensor(tinygrad, cotangent))
        found = read(tinygrad, *gradients)
    reference = derived(matmul if op == "matmul" else conv2d)
    wants = reference(*(Bounded.exact(a) for a in (cotangent, *arrays)))
    for i, (got, want) in enumerate(zip(found, wants, strict=True)):
        assert want is not None
        compare(f"d {op} / d operand {i}", got, want)


def _draws(device: Device, tinygrad: Any, *shapes: tuple[int, ...]) -> tuple[list[Array], list[Any]]:
    arrays = [draw(device.rng, "float32", shape, "small") for shape in shapes]
    return arrays, [tensor(tinygrad, a.copy()) for a in arrays]


def _conv(x: Array, w: Array, padding: int) -> Array:
    return conv2d(Bounded.exact(x), Bounded.exact(w), padding=padding).value.astype(np.float32)


def _network(device: Device, tinygrad: Any) -> None:
    """Two convolutions and a product: a result written as one image is read as another."""
    (x, w, v, m), on = _draws(device, tinygrad, (1, 4, 8, 8), (8, 4, 3, 3), (4, 8, 1, 1), (64, 12))
    (got,) = read(tinygrad, on[0].conv2d(on[1], padding=1).relu().conv2d(on[2]).reshape(4, 64) @ on[3])
    inner = np.maximum(_conv(x, w, 1), 0)
    compare("network", got, Bounded.exact((_conv(inner, v, 0).reshape(4, 64) @ m).astype(np.float32)))


def _replayed(device: Device, tinygrad: Any) -> None:
    """A captured program makes new images from each call's buffers."""
    step = tinygrad.TinyJit(lambda x, w: (x @ w).contiguous().realize())
    for i in range(5):
        (x, w), on = _draws(device, tinygrad, (20, 36), (36, 24))
        with launches(tinygrad):
            result = step(*on)
        compare(f"call {i}", result.numpy(), Bounded.exact(x @ w))


def _many_images(device: Device, tinygrad: Any) -> None:
    """A kernel with nine images (tinygrad #13769)."""
    arrays, on = _draws(device, tinygrad, *[(64, 64)] * 8)
    total = on[0]
    for i, one in enumerate(on[1:], 2):
        total = total + one * i
    (got,) = read(tinygrad, total)
    compare("sum", got, Bounded.exact(sum(a * np.float32(i) for i, a in enumerate(arrays, 1))))  # type: ignore[arg-type]


def _shared(device: Device, tinygrad: Any) -> None:
    """One buffer as an operand of two products, as an image of different proportions in each."""
    (x, w, v), on = _draws(device, tinygrad, (48, 32), (32, 16), (48, 20))
    got = read(tinygrad, on[0] @ on[1], on[0].transpose(0, 1) @ on[2])
    compare("first", got[0], Bounded.exact(x @ w))
    compare("second", got[1], Bounded.exact(x.T @ v))


def _unaligned_copy(device: Device, tinygrad: Any) -> None:
    """Rows of 17 pixels taken from rows of 19: no power of two divides the pitch."""
    (x,), (on,) = _draws(device, tinygrad, (23, 19 * 4))
    (got,) = read(tinygrad, on.reshape(23, 19, 4)[:, 1:18].contiguous() + 1)
    compare("window", got, Bounded.exact(x.reshape(23, 19, 4)[:, 1:18] + np.float32(1)))


def _attention(device: Device, tinygrad: Any) -> None:
    arrays = [draw(device.rng, "float32", (16, 32), "normal") for _ in range(3)]
    q, k, v = (tensor(tinygrad, a) for a in arrays)
    (got,) = read(tinygrad, ((q @ k.transpose(0, 1)) * 0.25).softmax() @ v)
    a, b, c = map(Bounded.exact, arrays)
    compare("attention", got, matmul(softmax(a.einsum("mk,nk->mn", b) * 0.25), c))


def _assigned(device: Device, tinygrad: Any) -> None:
    """A buffer that is an image in every kernel is updated in place."""
    (x, w), on = _draws(device, tinygrad, (32, 32), (32, 32))
    want = x
    for i in range(3):
        with launches(tinygrad):
            on[0].assign((on[0].minimum(8).maximum(-8) @ on[1]).contiguous()).realize()
        want = np.clip(want, -8, 8) @ w
        compare(f"x after {i + 1}", on[0].numpy(), Bounded.exact(want))


_PROGRAMS = (_network, _replayed, _many_images, _shared, _unaligned_copy, _attention, _assigned)
PROGRAMS = {body.__name__[1:]: body for body in _PROGRAMS}


def check_program(device: Device, *, what: str) -> None:
    """Several kernels; small whole numbers, so that most results are exact."""
    tinygrad = device.tinygrad()
    with tinygrad.Context(IMAGE=1), images(2):
        PROGRAMS[what](device, tinygrad)
