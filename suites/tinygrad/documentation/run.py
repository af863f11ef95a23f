"""tinygrad's own examples on the device: what they print must be what tinygrad's CPU prints.

The only family without an oracle of its own: it does not see an error that tinygrad has on every device. Each method is
compared with numpy or exact numbers in its own family; the examples are whole programs, which only tinygrad can run.
Integers, booleans, shapes and texts must be equal. Floats have a bound that grows with the largest tensor, whose sum has
a rounding for each element: 25 elements or fewer in all but five examples, so 5e-6 of the largest number printed in
float; 8e-5 for layernorm (1,280) and 5e-4 for batchnorm (8,192).
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np

from runner import check
from runner.device import Device

from ..precision import unit_roundoff
from ..results import watched
from .examples import examples, preamble, silent

SEED = 42  # if an example sets none
# The longest chain of operations in an example, without its sums over a tensor, is scaled_dot_product_attention: two
# products of matrices (8 + 4 roundings), the scale, a softmax (exp2 with 3 ULP, 8 terms, 1/x with 2.5 ULP, three
# products): 32 roundings of half an ULP. Two devices are compared, so twice that.
ROUNDINGS = 64
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|\b(?:nan|inf)\b")


def check_example(device: Device, *, method: str, number: int, noopt: bool, launches: bool) -> None:
    """One example, after those before it in the docstring, compared with tinygrad's CPU device in this process."""
    tinygrad = device.tinygrad()
    with tinygrad.Context(NOOPT=int(noopt)), watched(tinygrad) as seen:
        got, _ = play(tinygrad, method, number)
    if seen.elsewhere:
        raise check.NothingTested(f"{seen.elsewhere} of {seen.ran} kernels and copies were not the device's")
    if launches and not seen.launched:
        raise check.NothingTested("no kernel was launched on the device")
    want, elements = _control(tinygrad, method, number)
    check.equal("prints", len(got), len(want))
    for i, (mine, its) in enumerate(zip(got, want, strict=True), 1):
        scale = (ROUNDINGS + elements) * max((size(x) for x in its), default=0.0)
        check.equal(f"print {i}: arguments", len(mine), len(its))
        for one, other in zip(mine, its, strict=True):
            same(f"print {i}", one, other, scale)


def play(tinygrad: Any, method: str, number: int) -> tuple[list[tuple[Any, ...]], int]:
    """Run an example on the default device.

    Returns the arguments of each of its prints, with all digits if they are text, and the number of elements of its
    largest tensor.
    """
    printed: list[tuple[Any, ...]] = []
    space: dict[str, Any] = {"print": lambda *words: printed.append(words)}
    *before, source = examples(tinygrad.Tensor, method)[:number]
    with np.printoptions(), _on_the_device(tinygrad):
        tinygrad.Tensor.manual_seed(SEED)
        exec(preamble(tinygrad.Tensor), space)
        np.set_printoptions(precision=9, threshold=1 << 20)
        for earlier in before:
            exec(silent(earlier), space)
        exec(source, space)
    tensors = [t for t in space.values() if isinstance(t, tinygrad.Tensor)]
    return printed, max((t.numel() for t in tensors), default=1)


def same(what: str, got: Any, want: Any, scale: float) -> None:
    """Require the same type, form and text, and floats within `scale` unit roundoffs of their type, an absolute bound."""
    check.equal(f"{what}: type", type(got).__name__, type(want).__name__)
    match want:
        case np.ndarray():
            check.equal(f"{what}: type", got.dtype.name, want.dtype.name)
            check.equal(f"{what}: shape", got.shape, want.shape)
            if want.dtype.kind == "f":
                check.close(what, got, want.astype(np.float64), atol=scale * unit_roundoff(want.dtype))
            else:
                check.equal(what, got, want)
        case list() | tuple():
            check.equal(f"{what}: length", len(got), len(want))
            for one, other in zip(got, want, strict=True):
                same(what, one, other, scale)
        case float():
            same(what, np.array([got], np.float32), np.array([want], np.float32), scale)
        case str():
            check.equal(what, _NUMBER.sub("#", got), _NUMBER.sub("#", want))
            same(what, _numbers(got), _numbers(want), scale)
        case _:
            check.equal(what, str(got), str(want))


def size(value: Any) -> float:
    """The largest finite magnitude in what was printed."""
    match value:
        case str():
            return size(_numbers(value))
        case list() | tuple():
            return max((size(v) for v in value), default=0.0)
        case np.ndarray() | float() | int():
            numbers = np.abs(np.asarray(value, dtype=np.float64))
            return float(np.max(numbers, where=np.isfinite(numbers), initial=0.0))
    return 0.0


def _numbers(text: str) -> Any:
    return np.array(_NUMBER.findall(text), dtype=np.float32)


@cache
def _control(tinygrad: Any, method: str, number: int) -> tuple[list[tuple[Any, ...]], int]:
    with _default_device(tinygrad, "CPU"):
        return play(tinygrad, method, number)


@contextmanager
def _default_device(tinygrad: Any, name: str) -> Iterator[None]:
    device = tinygrad.Device
    if hasattr(type(device).DEFAULT, "fset"):  # a property since 0.13, which reads DEV
        with tinygrad.Context(DEV=name):
            yield
        return
    old, device.DEFAULT = device.DEFAULT, name
    try:
        yield
    finally:
        device.DEFAULT = old


@contextmanager
def _on_the_device(tinygrad: Any) -> Iterator[None]:
    """Have tensors without a device, such as arange's, computed on the default one: tinygrad would use the CPU."""
    inner = tinygrad.Tensor._buffer

    def buffer(tensor: Any) -> Any:
        return inner(tensor if tensor.device else tensor.clone(tinygrad.Device.DEFAULT))

    tinygrad.Tensor._buffer = buffer
    try:
        yield
    finally:
        tinygrad.Tensor._buffer = inner
