"""Specialisation constants through clSetProgramSpecializationConstant (OpenCL API 3.0, 5.8.3)."""

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyopencl as cl

from runner import check
from runner.check import Mismatch
from runner.device import Device, error_name

from ..kit import spirv
from ..kit.opencl import call
from ..kit.spirv import DTYPES, kernel_text
from .modules_table import SPEC_OPERANDS, SPEC_OPERATIONS, SPEC_RELATIONS, SPEC_TYPES
from .snippets import text_of

_BOOL = """
OpDecorate %s SpecId 9
%s = OpSpecConstant{default} %bool
%y = OpSelect %uint %s %uint_5 %uint_6"""


def specialise(prog: cl.Program, spec_id: int, value: np.generic) -> str:
    """Set a constant to a value of its type; returns the error's name."""
    data = ctypes.create_string_buffer(value.tobytes(), value.nbytes)
    return call("clSetProgramSpecializationConstant", prog.int_ptr, spec_id, value.nbytes, data)


def _require(prog: cl.Program, spec_id: int, value: np.generic) -> None:
    error = specialise(prog, spec_id, value)
    check.equal("clSetProgramSpecializationConstant", error, "CL_SUCCESS", stage="api")


def _answer(device: Device, prog: cl.Program, dtype: Any = np.uint32) -> Any:
    """The word that the kernel stores for x = 0."""
    try:
        prog.build()
    except cl.Error as error:
        raise Mismatch(f"build: {error_name(error)}") from error
    target = device.buffer(np.full(1, 77).astype(dtype))
    device.launch(prog.f, [1], [1], target, device.buffer(np.zeros(2, np.uint32)))
    return device.read(target, dtype, 1)[0]


def _text(name: str) -> str:
    return text_of("specialisation", name)[0]


def _module(device: Device, body: str, result: str = "uint") -> cl.Program:
    return spirv.program(device, kernel_text(result, {"x": "uint"}, body))


def check_spec_type(device: Device, *, type: str, set: bool) -> None:
    """A constant of each type has its default, or the value that is `set`."""
    default, other = SPEC_TYPES[type]
    dtype = DTYPES[type]
    prog = _module(
        device, f"OpDecorate %s SpecId 7\n%s = OpSpecConstant %{type} {default}\n%y = OpCopyObject %{type} %s", type
    )
    number = float if type in ("half", "float", "double") else int

    def to(text: str) -> Any:
        return dtype(number(text))

    if set:
        _require(prog, 7, to(other))
    want = to(other if set else default)
    check.equal(f"a specialisation constant of {type}", _answer(device, prog, dtype), want)


def check_spec_bool(device: Device, *, default: str, set: int | None) -> None:
    """OpSpecConstantTrue and OpSpecConstantFalse. `set`: a number of 8 bits, or None if the constant is not set."""
    prog = _module(device, _BOOL.format(default=default))
    if set is not None:
        _require(prog, 9, np.uint8(set))
    truth = set != 0 if set is not None else default == "True"
    check.equal("%s ? 5 : 6", int(_answer(device, prog)), 5 if truth else 6)


def check_spec_two(device: Device, *, set: Sequence[Sequence[int]], sum: int) -> None:
    """Two constants, of which some are set. `set`: pairs of id and value; `sum`: the result."""
    prog = _module(device, _text("sum"))
    for spec_id, value in set:
        _require(prog, spec_id, np.uint32(value) if spec_id == 3 else np.uint16(value))
    check.equal("1000 * %s0 + %s1", int(_answer(device, prog)), sum)


def check_spec_again(device: Device) -> None:
    """A value holds for all later builds until it is set again."""
    prog = _module(device, _text("sum"))
    check.equal("built before it is set", int(_answer(device, prog)), 16005)
    _require(prog, 3, np.uint32(1))
    check.equal("set, and built again", int(_answer(device, prog)), 1005)
    check.equal("built once more", int(_answer(device, prog)), 1005)
    _require(prog, 70000, np.uint16(2))
    check.equal("the other set too", int(_answer(device, prog)), 1002)


def check_spec_two_programs(device: Device) -> None:
    """The constants of one program are not those of another from the same module."""
    one, two = _module(device, _text("sum")), _module(device, _text("sum"))
    _require(one, 3, np.uint32(1))
    check.equal("of the other program", int(_answer(device, two)), 16005)
    check.equal("of the program", int(_answer(device, one)), 1005)


def check_spec_kept(device: Device, *, way: str) -> None:
    """A value belongs to the next build (5.8.3): the executable has it, also from its binary, and no later value.

    `way`: "binary" if the program is made again from its binary; "later" if another value is set after the build;
    "new_kernel" if then a kernel is created, too.
    """
    prog = _module(device, _text("sum"))
    _require(prog, 3, np.uint32(1))
    _require(prog, 70000, np.uint16(2))
    prog.build()
    kernel, what = prog.f, "1000 * %s0 + %s1"
    if way == "binary":
        binary = prog.get_info(cl.program_info.BINARIES)[0]
        kernel = cl.Program(device.context, [device.device], [binary]).build().f
        what += ", of the executable's binary"
    else:
        _require(prog, 3, np.uint32(7))
        kernel = kernel if way == "later" else cl.Kernel(prog, "f")
        what += ", although another value was set after the build"
    target = device.buffer(np.full(1, 77, np.uint32))
    device.launch(kernel, [1], [1], target, device.buffer(np.zeros(2, np.uint32)))
    check.equal(what, int(device.read(target, np.uint32, 1)[0]), 1002)


def check_spec_bitcast(device: Device) -> None:
    """OpSpecConstantOp Bitcast of a float that is set."""
    body = "OpDecorate %s SpecId 7\n%s = OpSpecConstant %float 0.5\n%t = OpSpecConstantOp %uint Bitcast %s\n"
    prog = _module(device, f"{body}%y = OpCopyObject %uint %t")
    _require(prog, 7, np.float32(-1.5))
    check.equal("OpSpecConstantOp Bitcast of -1.5", int(_answer(device, prog)), 0xBFC00000)


def check_spec_composite(device: Device) -> None:
    """OpSpecConstantComposite of a constant that is set."""
    prog = _module(device, _text("composite"))
    _require(prog, 3, np.uint32(100))
    check.equal("%v[1] * %v[2]", int(_answer(device, prog)), 400)


def check_spec_size_of_array(device: Device) -> None:
    """An array in private memory, whose length is a constant that is set."""
    prog = _module(device, _text("size_of_array"))
    _require(prog, 3, np.uint32(50))
    check.equal("first and last of 50", int(_answer(device, prog)), 49)


def check_spec_operation(device: Device, *, op: str) -> None:
    """OpSpecConstantOp on constants that are set."""
    a, b = SPEC_OPERANDS
    unary = op in ("SNegate", "Not")
    head = "OpDecorate %a SpecId 1\nOpDecorate %b SpecId 2\n%a = OpSpecConstant %uint 1\n%b = OpSpecConstant %uint 1\n"
    operands = "%a" if unary else "%a %b"
    if op in SPEC_RELATIONS:
        body = f"{head}%t = OpSpecConstantOp %bool {op} {operands}\n%y = OpSelect %uint %t %uint_1 %uint_0"
        want = int(SPEC_RELATIONS[op])
    else:
        body = f"{head}%t = OpSpecConstantOp %uint {op} {operands}\n%y = OpCopyObject %uint %t"
        want = SPEC_OPERATIONS[op]
    prog = _module(device, body)
    _require(prog, 1, np.uint32(a))
    _require(prog, 2, np.uint32(b))
    check.equal(f"OpSpecConstantOp {op} {a:#x} {b:#x}", int(_answer(device, prog)), want)


def check_spec_error(device: Device, *, spec_id: int, size: int, value: bool, error: str, source: bool) -> None:
    """clSetProgramSpecializationConstant refuses a call. `value`: whether it has one; `source`: a program from OpenCL C."""
    prog = cl.Program(device.context, "__kernel void f() {}") if source else _module(device, _text("sum"))
    data = ctypes.create_string_buffer(16) if value else 0
    returned = call("clSetProgramSpecializationConstant", prog.int_ptr, spec_id, size, data)
    check.equal("clSetProgramSpecializationConstant", returned, error, stage="api")
    if not source:
        check.equal("and nothing has changed", int(_answer(device, prog)), 16005)


def check_spec_error_null(device: Device) -> None:
    """clSetProgramSpecializationConstant refuses NULL instead of a program."""
    error = call("clSetProgramSpecializationConstant", 0, 3, 4, ctypes.create_string_buffer(4))
    check.equal("clSetProgramSpecializationConstant", error, "CL_INVALID_PROGRAM", stage="api")
