"""Programs of assembled modules, and the kernel that most cases share."""

import ctypes
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import check
from runner.check import Mismatch
from runner.device import Device, error_name, first_error

from .assembler import assemble
from .opencl import create

# f(r, a, ...): each item works on the element of its global id; %x is a's, and %y becomes r's.
_STORE = """
%at_r = OpInBoundsPtrAccessChain %global_{0} %r %i
OpStore %at_r %y Aligned {1}"""
_KERNEL = """
OpEntryPoint Kernel %kernel "f" %gid
OpDecorate %gid BuiltIn GlobalInvocationId
%gid = OpVariable %input_v3size Input
%type_kernel = OpTypeFunction %void {types}
%kernel = OpFunction %void None %type_kernel
{parameters}
%entry = OpLabel
%id = OpLoad %v3size %gid
%i = OpCompositeExtract %size %id 0
{loads}
{body}
{store}
OpReturn
OpFunctionEnd
{functions}
"""


def kernel_text(result: str, operands: Mapping[str, str], body: str, functions: str = "") -> str:
    """A module with the kernel f(global result *r, global type *p_name, ...), which loads each operand.

    `operands` are types by name; `body` computes %y from the operands, each of which is %name, and from %i, the item's
    number. A body without %y stores its results itself.
    """
    types = " ".join(f"%global_{t}" for t in (result, *operands.values()))
    parameters = [f"%r = OpFunctionParameter %global_{result}"]
    loads = []
    for name, type_name in operands.items():
        parameters.append(f"%p_{name} = OpFunctionParameter %global_{type_name}")
        loads.append(f"%at_{name} = OpInBoundsPtrAccessChain %global_{type_name} %p_{name} %i")
        loads.append(f"%{name} = OpLoad %{type_name} %at_{name} Aligned {alignment(type_name)}")
    return _KERNEL.format(
        types=types,
        parameters="\n".join(parameters),
        loads="\n".join(loads),
        body=body,
        functions=functions,
        store=_STORE.format(result, alignment(result)) if "%y = " in body else "",
    )


def stored_rows(lines: list[str], type_name: str, items: int) -> str:
    """The body that computes %y0, %y1, ... and stores each in a row of its own, one element per item."""
    text = list(lines)
    for k in range(sum(line.startswith("%y") for line in lines)):
        text.append(f"%to{k} = OpIAdd %size %i %size_{k * items}")
        text.append(f"%at{k} = OpInBoundsPtrAccessChain %global_{type_name} %r %to{k}")
        text.append(f"OpStore %at{k} %y{k} Aligned {alignment(type_name)}")
    return "\n".join(text)


def split(type_name: str) -> tuple[str, int]:
    """The type of the components and their number: v4uint is ("uint", 4)."""
    head = type_name.removeprefix("v").rstrip("abcdefghijklmnopqrstuvwxyz")
    return (type_name[1 + len(head) :], int(head)) if head.isdigit() else (type_name, 1)


def alignment(type_name: str) -> int:
    """The size of a type in memory in bytes: three components take the room of four."""
    component, width = split(type_name)
    return np.dtype(DTYPES[component]).itemsize * (4 if width == 3 else width)


# Integers are computed unsigned; the bodies interpret them as the instruction does.
DTYPES: dict[str, Any] = {
    "uchar": np.uint8,
    "ushort": np.uint16,
    "uint": np.uint32,
    "ulong": np.uint64,
    "half": np.float16,
    "float": np.float32,
    "double": np.float64,
}


def from_words(device: Device, words: bytes) -> tuple[cl.Program | None, str]:
    """Call clCreateProgramWithIL; returns the program (None if there is none) and the error's name."""
    data = ctypes.create_string_buffer(words, len(words))
    handle, error = create("clCreateProgramWithIL", device.context.int_ptr, data, len(words))
    return cl.Program.from_int_ptr(handle, retain=False) if handle else None, error


def program(device: Device, text: str, version: tuple[int, int] = (1, 0)) -> cl.Program:
    """Assemble a module and create its program, without a build. Raises `check.Mismatch` with the stage build."""
    words = assemble(text, address_bits=device.device.address_bits, version=version)
    prog, error = from_words(device, words)
    if prog is None:
        raise Mismatch(f"build: clCreateProgramWithIL: {error}")
    return prog


def build(device: Device, text: str, options: str = "", version: tuple[int, int] = (1, 0)) -> cl.Program:
    """Assemble and build. The message of a refusal is `build: ` and the first error line of the log."""
    prog = program(device, text, version)
    try:
        built = prog.build(options=options)
    except cl.Error as error:
        log = prog.get_build_info(device.device, cl.program_build_info.LOG)
        raise Mismatch(f"build: {error_name(error)}: {first_error(log)}") from error
    if not device.executes:
        check.true("its kernels can be created", len(built.all_kernels()) > 0, stage="build")
    return built


def compute(device: Device, text: str, result: str, inputs: list[NDArray[Any]], items: int) -> NDArray[Any]:
    """Run the kernel of `kernel_text`; returns r, of the shape (items,) or (items, width)."""
    component, width = split(result)
    room = 4 if width == 3 else width
    target = device.buffer(np.full(items * room, 0x5A, np.uint8).astype(DTYPES[component]))
    device.launch(build(device, text).f, [items], None, target, *(device.buffer(data) for data in inputs))
    got = device.read(target, DTYPES[component], items * room)
    return got if width == 1 else got.reshape(items, room)[:, :width]


def memory(values: NDArray[Any], type_name: str) -> NDArray[Any]:
    """Values of the shape (n,) in the memory layout of vectors of a type, for n / width items of the kernel.

    Three components take the room of four.
    """
    _, width = split(type_name)
    if width != 3:
        return values
    rows = values[: len(values) // 3 * 3].reshape(-1, 3)
    return np.concatenate([rows, np.zeros((len(rows), 1), values.dtype)], axis=1)
