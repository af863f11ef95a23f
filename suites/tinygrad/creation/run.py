"""The operations of the family: tensors made only from numbers, on the device."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from runner import check
from runner.device import Device

from ..bounded import Bounded
from ..inputs import draw
from ..ops import Op, exactly
from ..results import compare, launches, read, tensor
from . import references as ref


def _on_device(name: str, *args: Any, **how: Any) -> Any:
    """A constructor's result as a tensor of the device: without a device, the CPU would compute it."""
    from tinygrad import Device as Devices
    from tinygrad import Tensor

    result = getattr(Tensor, name)(*args, **how)
    # before 0.13 it is the device's already, and `clone` takes no device
    return result.clone() if result.device == Devices.DEFAULT else result.clone(device=Devices.DEFAULT)


def _tensor(name: str, *args: Any, **how: Any) -> Any:
    from tinygrad import Tensor

    return getattr(Tensor, name)(*args, **how)


def _grid(x: Any) -> Any:
    """An operand, its row and column numbers and their order, in one kernel."""
    rows, columns = x.shape
    if isinstance(x, np.ndarray):
        i, j = np.arange(rows, dtype=x.dtype)[:, None], np.arange(columns, dtype=x.dtype)
        return np.where(i <= j, x + i * 7, j - x)
    i, j = _tensor("arange", rows).unsqueeze(1), _tensor("arange", columns)
    return (i <= j).where(x + i * 7, j - x)


def _likes(x: Any) -> Any:
    if isinstance(x, np.ndarray):
        return x * 3 + 1 + np.full_like(x, 5) * x
    return x * (x.ones_like() + x.full_like(2)) + x.zeros_like() + x.const_like(1) + x.full_like(5) * x


OPS: dict[str, Op] = {
    "arange": Op(lambda **args: _on_device("arange", **args), ref.arange),
    "linspace": Op(lambda **args: _on_device("linspace", **args), ref.linspace),
    "eye": Op(
        lambda n, m, dtype: _on_device("eye", n, m, dtype=dtype),
        lambda n, m, dtype: Bounded.exact(np.eye(n, m, dtype=dtype)),
    ),
    "eye_times": Op(
        lambda x: _tensor("eye", *x.shape, dtype=x.dtype) * x + x.T.triu(1).T,
        exactly(lambda x: np.eye(*x.shape, dtype=x.dtype) * x + np.tril(x, -1)),
    ),
    "grid": Op(_grid, exactly(_grid)),
    "likes": Op(_likes, exactly(_likes)),
    "reversed_arange": Op(
        lambda x: x[_tensor("arange", x.shape[0] - 1, -1, -2)], exactly(lambda x: x[np.arange(x.shape[0] - 1, -1, -2)])
    ),
}


def check_constant(device: Device, *, dtype: str, method: str, shape: Sequence[int], value: int | str, noopt: int) -> None:
    """A tensor of one number: every element is written, up to the last, and nothing after it."""
    tinygrad = device.tinygrad()
    extents = tuple(shape)
    number = ref.number(value, dtype)
    like = tensor(tinygrad, draw(device.rng, dtype, extents, "small"))
    with tinygrad.Context(NOOPT=noopt):
        match method:
            case "full":
                result = tinygrad.Tensor.full(extents, number, dtype=dtype)
            case "full_like":
                result = like.full_like(number)
            case "zeros" | "ones":
                result = getattr(tinygrad.Tensor, method)(*extents, dtype=dtype)
            case _:
                result = getattr(like, method)()
        (got,) = read(tinygrad, result)
    check.equal(f"{method}: type", got.dtype.name, dtype)
    want = np.full(extents, number, dtype)
    check.equal(method, got.view(np.uint8) if dtype == "bool" else got, want.view(np.uint8) if dtype == "bool" else want)
    if got.dtype.kind == "f":
        check.equal(f"{method}: sign", np.signbit(got[got == 0]), np.signbit(want[got == 0]))


def check_empty(device: Device, *, dtype: str) -> None:
    """A buffer without content has its shape and type, and can be written."""
    tinygrad = device.tinygrad()
    drawn = draw(device.rng, dtype, (37, 11), "small")
    x = tensor(tinygrad, drawn)
    for name, created in (("empty", tinygrad.Tensor.empty(37, 11, dtype=dtype)), ("empty_like", x.empty_like())):
        check.equal(f"{name}: shape", list(created.shape), [37, 11])
        created.assign(x * 3)
        with launches(tinygrad):
            created.realize()
        compare(f"{name} after an assignment", created.numpy(), Bounded.exact(drawn * drawn.dtype.type(3)))


def check_values(device: Device) -> None:
    """Python's numbers, bytes and numpy's arrays to the device, and back in each of tinygrad's ways."""
    tinygrad = device.tinygrad()
    operand = tinygrad.Tensor([[1, -2, 3], [4, 5, -6]], dtype="int32").realize()
    result = (operand * 3).contiguous()
    with launches(tinygrad):
        result.realize()
    want = [[3, -6, 9], [12, 15, -18]]
    check.equal("tolist", result.tolist(), want)
    check.equal("numpy", result.numpy(), np.array(want, np.int32))
    check.equal("data", result.data().tolist(), want)
    check.equal("item", result.sum().item(), 15)
    check.equal("bytes", (tinygrad.Tensor(bytes(range(7))) + 1).tolist(), list(range(1, 8)))
    check.equal("half a list", (tinygrad.Tensor([0.5, -1.5]) * 2).tolist(), [1.0, -3.0])
    check.equal("booleans", tinygrad.Tensor([True, False]).logical_not().tolist(), [False, True])
    drawn = draw(device.rng, "int64", (7, 9), "full")
    check.equal("an array in Fortran's order", (tinygrad.Tensor(np.asfortranarray(drawn)) + 1).numpy(), drawn + 1)
    check.equal("a strided array", (tinygrad.Tensor(drawn[::2, ::-3]) + 1).numpy(), drawn[::2, ::-3] + 1)
    check.equal("clone", tensor(tinygrad, drawn).clone().numpy(), drawn)
