"""A .cl file on the device, against the values of its annotation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import check
from runner.check import Mismatch
from runner.device import Device
from runner.model import Case

from ..scalar import np_type
from .annotation import Argument, read
from .cases import FOLDER
from .values import Number, Shape


def check_computed(device: Device, case: Case) -> None:
    """Every arg_out holds what it must. Params: file, test."""
    program = read(FOLDER / case.params["file"])
    test = next(t for t in program.tests if t.name == case.params["test"])
    kernel = cl.Kernel(device.build(program.source, program.options), test.kernel)
    memory = [_argument(device, argument) for argument in test.arguments]
    device.launch(kernel, test.global_size, test.local_size, *memory)
    for index, argument in enumerate(test.arguments):
        if argument.wanted is not None:
            want = array(argument.shape, argument.wanted)
            got = device.read(memory[index], want.dtype, want.shape)
            width = slice(3) if argument.shape.width == 3 else slice(None)
            _compare(f"{test.kernel}: argument {index}", argument, got[..., width], want[..., width])


def check_refused(device: Device, case: Case) -> None:
    """The compiler refuses the program. Params: file."""
    program = read(FOLDER / case.params["file"])
    try:
        device.build(program.source, program.options)
    except Mismatch:
        refused = True
    else:
        refused = False
    check.true(f"{case.params['file']} is refused", refused, stage="build")


def array(shape: Shape, values: tuple[Number, ...]) -> NDArray[Any]:
    """Numbers as they lie in memory: a row an element, whose three components take the room of four."""
    rows = np.array(values, np_type(shape.scalar)).reshape(-1, shape.width)
    if shape.width == 3:
        rows = np.concatenate([rows, np.zeros((len(rows), 1), rows.dtype)], axis=1)
    return rows[:, 0] if shape.width == 1 else rows


def _argument(device: Device, argument: Argument) -> Any:
    shape = argument.shape
    if argument.given is None and argument.wanted is None:
        return cl.LocalMemory(array(shape, (0,) * shape.numbers).nbytes)
    if argument.given is None:  # no value that anyone expects
        return device.buffer(np.full(array(shape, (0,) * shape.numbers).nbytes, 0xA5, np.uint8))
    given = array(shape, argument.given)
    if shape.count is not None:
        return device.buffer(given)
    return given[0] if shape.width == 1 else given[0].tobytes()


def _compare(what: str, argument: Argument, got: NDArray[Any], want: NDArray[Any]) -> None:
    if argument.in_ulp:
        check.ulp(what, got, [want], argument.tolerance)
    elif argument.tolerance:
        check.close(what, got, want, atol=argument.tolerance)
    else:
        check.equal(what, got, want)
