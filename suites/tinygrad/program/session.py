"""The common parts of the programs: tensors, and calls that must do something on the device."""

from collections.abc import Callable, Iterator
from typing import Any

from runner.device import Device

from ..bounded import Array, Bounded
from ..inputs import draw
from ..results import compare, launches, tensor

SHAPE = (7, 37)
CALLS = 5  # the first runs, the second captures, the rest replay


class Session:
    """Tensors of drawn int32 arrays, and calls that must launch kernels."""

    def __init__(self, device: Device) -> None:
        self.tinygrad, self.rng = device.tinygrad(), device.rng

    def draws(self, shape: tuple[int, ...] = SHAPE) -> tuple[Array, Any]:
        """The tensor has a copy: tinygrad's copy to the device may still be pending when the body changes the array."""
        array = draw(self.rng, "int32", shape, "full")
        return array, tensor(self.tinygrad, array.copy())

    def steps(self, shape: tuple[int, ...] = SHAPE, calls: int = CALLS) -> Iterator[tuple[int, Array, Any]]:
        for step in range(calls):
            yield step, *self.draws(shape)

    def run(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        with launches(self.tinygrad):
            return function(*args, **kwargs)

    def same(self, what: str, got: Any, want: Array) -> None:
        compare(what, got.numpy(), Bounded.exact(want))
