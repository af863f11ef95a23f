"""The same kernel on tinygrad's CPU device: the result that a launch should have left, and how far it may differ.

Imported only in the child.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runner.launches import Observed

Bytes = NDArray[np.uint8]
UNITS = 8
"""Units in the last place that an output may be away, and by which the inputs are moved to see what roundings do to it.

OpenCL C 3.0, 7.4, grants an operation that tinygrad uses 4 ulp at most (sin, exp2 and log2 3 to 4, division 2.5), and
tinygrad's CPU code makes its own: 8 for one operation. A longer kernel rounds its intermediate values, and an output
then moves as it does when its inputs are rounded otherwise. By one unit would not do: behind an intermediate value that
is much larger than the output such a move is lost in most elements, and shows only in some.
"""
MOVES = 8
"""How often each floating-point input is moved, up or down at random; an output may be twice the largest effect away."""


@dataclass(frozen=True, slots=True)
class Deviation:
    """One buffer after a launch: what the device left, what the CPU left, and where they are too far apart.

    Elements in the type of the buffer (bfloat16 widened to float32); `allowed` is the largest distance, 0 for
    integers, whose bits must be equal.
    """

    buffer: str
    position: int  # among the kernel's buffers
    got: NDArray[Any]
    want: NDArray[Any]
    allowed: NDArray[np.float64]
    wrong: NDArray[np.bool_]
    want_bytes: Bytes

    @property
    def message(self) -> str:
        """The first wrong element, as `output buffer 0 [12]: got 16640 want 2.5 (493 of 1031 wrong)`."""
        at = int(np.argmax(self.wrong))
        return (
            f"output buffer {self.position} [{at}]: got {self.got[at]} want {self.want[at]}, "
            f"{self.allowed[at]:.2g} allowed ({np.count_nonzero(self.wrong)} of {self.wrong.size} wrong)"
        )


class Oracle:
    """tinygrad's CPU device, or its PYTHON device if the CPU's compiler (clang) is missing."""

    def __init__(self) -> None:
        import tinygrad.device

        devices: Any = tinygrad.device.Device
        try:
            devices["CPU"].renderer  # noqa: B018  # opens it
            self.name = "CPU"
        except Exception as error:
            self.name = "PYTHON"
            print(f"tinygrad's CPU device does not open ({error}); its PYTHON device computes instead")
        self._device: Any = devices[self.name]
        self._rng = np.random.default_rng(0)

    def run(self, observed: Observed, before: Mapping[str, Bytes]) -> dict[str, Bytes]:
        """The buffers after the kernel, from the content `before`. Raises what tinygrad raises."""
        from tinygrad.codegen import to_program
        from tinygrad.device import Buffer
        from tinygrad.dtype import dtypes
        from tinygrad.engine.realize import get_runtime

        program: Any = to_program(observed.kernel, self._device.renderer)
        runtime: Any = get_runtime(self.name, program)
        held = {}
        for name, content in before.items():
            held[name] = Buffer(self.name, content.size, dtypes.uint8, preallocate=True)
            held[name].allocator._copyin(held[name]._buf, content.copy().data)
        global_size, local_size = program.arg.launch_dims(dict(observed.variables))
        runtime(
            *(held[a.buffer]._buf for a in observed.arguments if a.buffer),
            global_size=global_size,
            local_size=local_size or (1, 1, 1),
            vals=program.arg.vals(dict(observed.variables)),
        )
        self._device.synchronize()
        after = {}
        for name, buffer in held.items():
            after[name] = np.empty(buffer.nbytes, np.uint8)
            buffer.allocator._copyout(after[name].data, buffer._buf)
        return after

    def compare(self, observed: Observed) -> list[Deviation]:
        """Each buffer of a launch that the kernel changed, on the device or on the CPU. Raises LookupError for one
        without a schedule item, and what tinygrad raises.
        """
        if observed.kernel is None:
            raise LookupError("no schedule item: not a kernel that tinygrad made of tensors")
        wants = self.run(observed, observed.before)
        found: dict[str, tuple[int, str]] = {}
        for position, argument in enumerate(a for a in observed.arguments if a.buffer):
            found.setdefault(argument.buffer, (position, argument.dtype))
        changed = {
            name: place
            for name, place in found.items()
            if not np.array_equal(wants[name], observed.before[name])
            or not np.array_equal(observed.after[name], observed.before[name])
        }
        moved = None
        deviations = []
        for name, (position, dtype) in changed.items():
            got, want = elements(observed.after[name], dtype), elements(wants[name], dtype)
            allowed = np.zeros(want.shape)
            wrong = observed.after[name] != wants[name]
            wrong = wrong.reshape(want.size, -1).any(axis=1)
            if want.dtype.kind == "f" and wrong.any():
                moved = self._moved(observed) if moved is None else moved
                effects = [_distance(elements(each[name], dtype), want) for each in moved]
                allowed = UNITS * _ulp(want, dtype) + 2 * np.max(effects, axis=0)
                wrong &= ~(_distance(got, want) <= allowed)
            deviations.append(Deviation(name, position, got, want, allowed, wrong, wants[name]))
        return deviations

    def try_compare(self, number: int, observed: Observed) -> list[Deviation] | None:
        """As `compare`, of the launch of this number; None if tinygrad has no answer, and the reason is printed."""
        try:
            return self.compare(observed)
        except Exception as error:
            text = str(error).strip().split("\n", 1)[0][:200]
            where = f"kernel {number}: {observed.launch.name}: no answer of tinygrad's {self.name}"
            print(f"{where}: {type(error).__name__}: {text}")
            return None

    def _moved(self, observed: Observed) -> list[dict[str, Bytes]]:
        """What the CPU leaves when every floating-point input is UNITS units in the last place away, up or down."""
        kinds = {a.buffer: a.dtype for a in observed.arguments if a.buffer}
        return [self.run(observed, {n: self._move(c, kinds[n]) for n, c in observed.before.items()}) for _ in range(MOVES)]

    def _move(self, content: Bytes, dtype: str) -> Bytes:
        values = elements(content, dtype)
        if values.dtype.kind != "f":
            return content
        size = content.size // values.size
        bits = content.view(f"u{size}")
        # In bits, whose order is that of the magnitudes. Zeros and what is next to them, infinities and NaN stay.
        magnitude = bits & np.array(2 ** (8 * size - 1) - 1, bits.dtype)
        down = self._rng.integers(0, 2, bits.size).astype(bool)
        other = np.where(down, bits - np.array(UNITS, bits.dtype), bits + np.array(UNITS, bits.dtype))
        stays = (magnitude <= UNITS) | ~np.isfinite(values) | ~np.isfinite(elements(other.view(np.uint8), dtype))
        return np.where(stays, bits, other).view(np.uint8)


def elements(content: Bytes, dtype: str) -> NDArray[Any]:
    """Bytes as elements; bfloat16 widened to float32, an unknown type (the 8-bit floats) as its bytes."""
    if dtype == "bfloat16":
        return (content.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
    if dtype == "bool":
        return content  # as bytes: any but 0 is true to numpy, and only 1 is right
    try:
        return content.view(np.dtype(dtype))
    except TypeError:
        return content


def _distance(got: NDArray[Any], want: NDArray[Any]) -> NDArray[np.float64]:
    """|got - want|; 0 for two of the same infinity or NaN, infinite if only one of them is not finite."""
    with np.errstate(all="ignore"):
        away = np.abs(got.astype(np.float64) - want.astype(np.float64))
    same = (got == want) | (np.isnan(got) & np.isnan(want))
    return np.where(same, 0.0, np.where(np.isfinite(got) & np.isfinite(want), away, np.inf))


def _ulp(want: NDArray[Any], dtype: str) -> NDArray[np.float64]:
    """One unit in the last place of each value; of the largest finite one if it is not finite."""
    top = np.finfo(want.dtype).max
    size = np.minimum(np.abs(np.nan_to_num(want, nan=0.0, posinf=top, neginf=top)), top / 2)
    unit: NDArray[np.float64] = np.spacing(size).astype(np.float64)
    if want.dtype == np.float32:  # whose denormals a device may flush (OpenCL C 3.0, 7.5.3)
        unit = np.maximum(unit * (1 << 16 if dtype == "bfloat16" else 1), np.finfo(np.float32).tiny / UNITS)
    return unit
