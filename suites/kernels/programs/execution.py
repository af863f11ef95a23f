"""Runs a .cl file on the device, and compares with the values of its annotation."""

from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import check
from runner.check import Mismatch
from runner.device import Device, error_name

from ..kit.scalar import np_type
from .annotation import read
from .arguments import Argument
from .cases import FOLDER
from .values import Number, Shape


def check_computed(device: Device, *, file: str, test: str) -> None:
    """Every arg_out holds its wanted value."""
    program = read(FOLDER / file)
    run = next(t for t in program.tests if t.name == test)
    kernel = cl.Kernel(device.build(program.source, program.options), run.kernel)
    memory = [set_up(device, argument) for argument in run.arguments]
    device.launch(kernel, run.global_size, run.local_size, *memory, offset=run.offset)
    for index, argument in enumerate(run.arguments):
        if argument.wanted is not None:
            want = array(argument.shape, argument.wanted)
            got = read_back(device, argument, memory[index])
            width = slice(3) if argument.shape.width == 3 else slice(None)
            what = f"{run.kernel}: argument {index}"
            if run.fails:
                check.true(f"{what} differs from the values that must not come", bool((got != want).any()))
            else:
                compare(what, argument, got[..., width], want[..., width])


def check_refused(device: Device, *, file: str) -> None:
    """The compiler refuses the program."""
    program = read(FOLDER / file)
    try:
        device.build(program.source, program.options)
    except Mismatch:
        refused = True
    else:
        refused = False
    check.true(f"{file} is refused", refused, stage="build")


def array(shape: Shape, values: tuple[Number, ...]) -> NDArray[Any]:
    """Numbers in their memory layout: one row per element; three components take the room of four."""
    rows = np.array(values, np_type(shape.scalar)).reshape(-1, shape.width)
    if shape.width == 3:
        rows = np.concatenate([rows, np.zeros((len(rows), 1), rows.dtype)], axis=1)
    return rows[:, 0] if shape.width == 1 else rows


def set_up(device: Device, argument: Argument, pad: bytes = b"", unset: int = 0xA5) -> Any:
    """The object that a kernel gets for an argument. A buffer ends with `pad`; without a content, its bytes are `unset`."""
    shape = argument.shape
    if sampler := argument.sampler:
        addressing = getattr(cl.addressing_mode, sampler.addressing)
        return cl.Sampler(device.context, sampler.normalized, addressing, getattr(cl.filter_mode, sampler.filter))
    if argument.initial is None and argument.wanted is None and not argument.random:
        return cl.LocalMemory(shape.size_bytes)
    if argument.random:
        content = device.rng.integers(0, 256, shape.size_bytes, np.uint8)
    elif argument.initial is None:  # no particular value is expected
        content = np.full(shape.size_bytes, unset, np.uint8)
    else:
        content = array(argument.initial_shape or shape, argument.initial)
    if argument.image:
        return _image(device, argument, content)
    if shape.count is None:
        return np.frombuffer(content.tobytes(), content.dtype)[0] if shape.width == 1 else content.tobytes()
    return device.buffer(np.frombuffer(content.tobytes() + pad, np.uint8) if pad else content)


def _image(device: Device, argument: Argument, content: NDArray[Any]) -> cl.Image:
    assert argument.image
    order = getattr(cl.channel_order, argument.image.order)
    kind = getattr(cl.channel_type, argument.image.kind)
    access = cl.mem_flags.READ_ONLY if argument.wanted is None else cl.mem_flags.WRITE_ONLY
    size = argument.image.width, argument.image.height
    try:
        image = cl.create_image(device.context, access, cl.ImageFormat(order, kind), shape=size)
    except cl.Error as error:
        raise check.Mismatch(
            f"api: an image of {argument.image.order}, {argument.image.kind}: {error_name(error)}"
        ) from error
    if argument.wanted is None:
        device.copy(image, content, origin=(0, 0), region=size)
    return image


def read_back(device: Device, argument: Argument, memory: Any) -> NDArray[Any]:
    """The content of an argument, in the form of `array`."""
    form = array(argument.shape, (0,) * argument.shape.numbers)
    if argument.image:
        size = argument.image.width, argument.image.height
        return device.read_image(memory, form.dtype, form.shape, (0, 0), size)
    return device.read(memory, form.dtype, form.shape)


def compare(what: str, argument: Argument, got: NDArray[Any], want: NDArray[Any]) -> None:
    """Compare with the tolerance of the annotation. Raises Mismatch."""
    if argument.in_ulp:
        check.ulp(what, got, [want], argument.tolerance)
    elif argument.tolerance:
        check.close(what, got, want, atol=argument.tolerance)
    else:
        check.equal(what, got, want)
