"""Modules as programs (OpenCL API 3.0, 5.8.1), and invalid modules, which must be refused.

One file: the bodies of the cases in one table of modules.
"""

import ctypes
import re
import struct
from collections.abc import Sequence

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import check
from runner.device import Device

from ..kit import spirv
from ..kit.assembler import assemble
from ..kit.opencl import call, create, handles, sizes
from ..kit.spirv import kernel_text
from .modules_table import BAD_TEXTS, BAD_WORDS, BUILT_INS
from .specialisation import specialise

_PLUS_7 = kernel_text("uint", {"x": "uint"}, "%y = OpIAdd %uint %x %uint_7")
# k(r) stores one word.
_STORE_KERNEL = """
%{name} = OpFunction %void None %type_store
%r_{name} = OpFunctionParameter %global_uint
%entry_{name} = OpLabel
OpStore %r_{name} %uint_{value} Aligned 4
OpReturn
OpFunctionEnd
"""
_STORE_TYPE = "%type_store = OpTypeFunction %void %global_uint\n"


def _words(device: Device, text: str, version: tuple[int, int] = (1, 0)) -> bytes:
    return assemble(text, address_bits=device.device.address_bits, version=version)


def _refusal(device: Device, words: bytes) -> tuple[str, str]:
    """The call that refuses a module, and its error; ("", "") if no call does."""
    prog, error = spirv.from_words(device, words)
    if prog is None or error != "CL_SUCCESS":
        return "clCreateProgramWithIL", error
    error = call("clBuildProgram", prog.int_ptr, 1, handles([device.device]), 0, 0, 0)
    if error == "CL_SUCCESS":
        return "", ""
    log = prog.get_build_info(device.device, cl.program_build_info.LOG)
    check.true("the build log of a refused module is not empty", bool(log.strip("\0 \n")), stage="build")
    return "clBuildProgram", error


def _require_refusal(device: Device, what: str, words: bytes) -> None:
    where, error = _refusal(device, words)
    check.true(f"{what} is refused", where != "", stage="build")
    allowed = {"clCreateProgramWithIL": "CL_INVALID_VALUE", "clBuildProgram": "CL_BUILD_PROGRAM_FAILURE"}[where]
    check.equal(f"error of {where}", error, allowed, stage="build")


def check_bad_text(device: Device, *, name: str) -> None:
    """A module that breaks one rule is refused."""
    old, new = BAD_TEXTS[name]
    text = _PLUS_7.replace(old, new, 1)
    check.true("the module differs from the good one", text != _PLUS_7)
    _require_refusal(device, name, _words(device, text))


def check_bad_words(device: Device, *, name: str) -> None:
    """A module with one wrong word, or one that ends too early, is refused."""
    change = BAD_WORDS[name]
    words = list(struct.unpack(f"={len(_words(device, _PLUS_7)) // 4}I", _words(device, _PLUS_7)))
    if isinstance(change, int):
        words = words[:change]
    else:
        words[change[0]] = change[1]
    _require_refusal(device, name, struct.pack(f"={len(words)}I", *words))


def check_cut_bytes(device: Device, *, bytes: int) -> None:
    """A module whose length is not a whole number of words is refused. `bytes`: the number that is cut off."""
    _require_refusal(device, "a broken word", _words(device, _PLUS_7)[:-bytes])


def check_create_error(device: Device, *, missing: str, error: str) -> None:
    """clCreateProgramWithIL refuses wrong arguments. `missing`: context, il or length."""
    words = _words(device, _PLUS_7)
    context = 0 if missing == "context" else device.context.int_ptr
    data = 0 if missing == "il" else np.frombuffer(words, np.uint8).ctypes.data
    length = 0 if missing == "length" else len(words)
    handle, returned = create("clCreateProgramWithIL", context, data, length)
    check.true("no program comes with the error", handle == 0, stage="api")
    check.equal("clCreateProgramWithIL", returned, error, stage="api")


def _il(prog: cl.Program) -> NDArray[np.uint8]:
    """CL_PROGRAM_IL, which pyopencl would decode as text."""
    size = ctypes.c_size_t(0)
    error = call("clGetProgramInfo", prog.int_ptr, cl.program_info.IL, 0, 0, ctypes.byref(size))
    check.equal("size of CL_PROGRAM_IL", error, "CL_SUCCESS", stage="api")
    if size.value == 0:
        return np.zeros(0, np.uint8)
    data = ctypes.create_string_buffer(size.value)
    error = call("clGetProgramInfo", prog.int_ptr, cl.program_info.IL, size.value, data, 0)
    check.equal("CL_PROGRAM_IL", error, "CL_SUCCESS", stage="api")
    return np.frombuffer(data.raw, np.uint8)


def check_il_query(device: Device) -> None:
    """CL_PROGRAM_IL is the module, also after a build; CL_PROGRAM_SOURCE and the kernel's attributes are empty."""
    words = _words(device, _PLUS_7)
    prog = spirv.program(device, _PLUS_7)
    check.equal("CL_PROGRAM_IL", _il(prog), np.frombuffer(words, np.uint8))
    built = prog.build()
    check.equal("CL_PROGRAM_IL, built", _il(built), np.frombuffer(words, np.uint8))
    check.equal("CL_PROGRAM_SOURCE", built.get_info(cl.program_info.SOURCE), "")
    check.equal("CL_KERNEL_ATTRIBUTES", built.f.get_info(cl.kernel_info.ATTRIBUTES), "")


def check_il_query_of_source(device: Device) -> None:
    """CL_PROGRAM_IL of a program from OpenCL C is empty."""
    prog = device.build("__kernel void f() {}")
    check.equal("CL_PROGRAM_IL", _il(prog), np.zeros(0, np.uint8))


def check_versions(device: Device) -> None:
    """CL_DEVICE_IL_VERSION lists SPIR-V_<major>.<minor>, and CL_DEVICE_ILS_WITH_VERSION has the same versions."""
    text = device.device.il_version
    names = text.split()
    check.true(f"all of {text!r} are versions", all(re.fullmatch(r"[\w-]+_\d+\.\d+", n) for n in names))
    check.true(f"{text!r} names SPIR-V_1.0 or later", any(n.startswith("SPIR-V_1.") for n in names))
    listed = {f"{v.name}_{v.version >> 22}.{v.version >> 12 & 1023}" for v in device.device.ils_with_version}
    check.equal("CL_DEVICE_ILS_WITH_VERSION", sorted(listed), sorted(names))


def check_each_version(device: Device) -> None:
    """A module of each version that the device lists works."""
    found = re.findall(r"SPIR-V_(\d+)\.(\d+)", device.device.il_version)
    check.true("there is a version", bool(found))
    for major, minor in found:
        built = spirv.build(device, _PLUS_7, version=(int(major), int(minor)))
        target = device.buffer(np.zeros(4, np.uint32))
        device.launch(built.f, [4], None, target, device.buffer(np.arange(4, dtype=np.uint32)))
        check.equal(f"SPIR-V {major}.{minor}", device.read(target, np.uint32, 4), np.arange(7, 11))


def check_entry_points(device: Device, *, names: Sequence[str]) -> None:
    """Several kernels in a module have the right names and results."""
    text = _STORE_TYPE + "".join(
        f'OpEntryPoint Kernel %k{n} "{name}"\n' + _STORE_KERNEL.format(name=f"k{n}", value=100 + n)
        for n, name in enumerate(names)
    )
    built = spirv.build(device, text)
    check.equal("CL_PROGRAM_NUM_KERNELS", built.get_info(cl.program_info.NUM_KERNELS), len(names))
    listed = built.get_info(cl.program_info.KERNEL_NAMES).split(";")
    check.equal("CL_PROGRAM_KERNEL_NAMES", sorted(listed), sorted(names))
    for n, name in enumerate(names):
        target = device.buffer(np.zeros(1, np.uint32))
        device.launch(cl.Kernel(built, name), [1], [1], target)
        check.equal(f"kernel {name}", int(device.read(target, np.uint32, 1)[0]), 100 + n)


def check_unlisted_function(device: Device) -> None:
    """A function that is not an entry point is not a kernel."""
    text = _STORE_TYPE + 'OpEntryPoint Kernel %one "one"\n' + _STORE_KERNEL.format(name="one", value=1)
    text += _STORE_KERNEL.format(name="two", value=2) + 'OpName %two "two"\n'
    built = spirv.build(device, text)
    check.equal("CL_PROGRAM_KERNEL_NAMES", built.get_info(cl.program_info.KERNEL_NAMES), "one")
    _, error = create("clCreateKernel", built.int_ptr, b"two")
    check.equal("clCreateKernel of the other", error, "CL_INVALID_KERNEL_NAME", stage="api")


def check_execution_mode(device: Device, *, mode: str, size: Sequence[int]) -> None:
    """LocalSize is CL_KERNEL_COMPILE_WORK_GROUP_SIZE, and another size is refused; hints change nothing."""
    text = _PLUS_7 + f"OpExecutionMode %kernel {mode} {' '.join(map(str, size))}\n"
    kernel = spirv.build(device, text).f
    info = cl.kernel_work_group_info.COMPILE_WORK_GROUP_SIZE
    required = mode == "LocalSize"
    check.equal(
        "CL_KERNEL_COMPILE_WORK_GROUP_SIZE", kernel.get_work_group_info(info, device.device), size if required else [0, 0, 0]
    )
    target = device.buffer(np.zeros(8, np.uint32))
    source = device.buffer(np.arange(8, dtype=np.uint32))
    device.launch(kernel, [8], [size[0]] if required else [2], target, source)
    check.equal("values", device.read(target, np.uint32, 8), np.arange(7, 15))
    if required:
        kernel.set_args(target, source)
        error = call(
            "clEnqueueNDRangeKernel",
            device.queue.int_ptr,
            kernel.int_ptr,
            1,
            0,
            np.array([8], np.uintp).ctypes.data,
            np.array([1], np.uintp).ctypes.data,
            0,
            0,
            0,
        )
        check.equal("another group size", error, "CL_INVALID_WORK_GROUP_SIZE", stage="enqueue")


# Nothing has a name here, and each argument differs in kind from its neighbours.
_ARGUMENTS = """
OpEntryPoint Kernel %kernel "f"
%S = OpTypeStruct %uint %ulong
%type_kernel = OpTypeFunction %void %uchar %constant_uint %global_uint %local_uint %v3uint %function_S %ulong
OpDecorate %s FuncParamAttr ByVal
OpDecorate %s Alignment 8
%kernel = OpFunction %void None %type_kernel
%a = OpFunctionParameter %uchar
%c = OpFunctionParameter %constant_uint
%r = OpFunctionParameter %global_uint
%l = OpFunctionParameter %local_uint
%v = OpFunctionParameter %v3uint
%s = OpFunctionParameter %function_S
%u = OpFunctionParameter %ulong
%entry = OpLabel
%a1 = OpUConvert %uint %a
OpStore %l %a1 Aligned 4
%parts0 = OpLoad %uint %l Aligned 4
%atc = OpInBoundsPtrAccessChain %constant_uint %c %size_1
%parts1 = OpLoad %uint %atc Aligned 4
%parts2 = OpCompositeExtract %uint %v 2
%ats0 = OpInBoundsAccessChain %function_uint %s %uint_0
%parts3 = OpLoad %uint %ats0 Aligned 8
%ats1 = OpInBoundsAccessChain %function_ulong %s %uint_1
%wide = OpLoad %ulong %ats1 Aligned 8
%parts4 = OpUConvert %uint %wide
%high = OpShiftRightLogical %ulong %u %ulong_32
%parts5 = OpUConvert %uint %high
"""


def check_arguments(device: Device) -> None:
    """A kernel with arguments of each kind, none of which has a name."""
    text = _ARGUMENTS
    for k in range(6):
        text += f"%at{k} = OpInBoundsPtrAccessChain %global_uint %r %size_{k}\nOpStore %at{k} %parts{k} Aligned 4\n"
    kernel = spirv.build(device, text + "OpReturn\nOpFunctionEnd\n").f
    check.equal("CL_KERNEL_NUM_ARGS", kernel.num_args, 7, stage="api")
    target = device.buffer(np.zeros(6, np.uint32))
    constant = device.buffer(np.array([11, 22], np.uint32))
    struct_ = np.array([(33, 44 + (1 << 32))], np.dtype([("a", "u4"), ("b", "u8")], align=True))[0]
    vector = np.array([1, 2, 55, 4], np.uint32)
    device.launch(
        kernel, [1], [1], np.uint8(200), constant, target, cl.LocalMemory(4), vector, struct_, np.uint64(66 << 32 | 5)
    )
    names = "uchar, constant, uint3, struct, struct's ulong, ulong"
    check.equal(f"what arguments hold: {names}", device.read(target, np.uint32, 6), [200, 22, 55, 33, 44, 66])


_SIZE_BODY = """
OpDecorate %ws BuiltIn WorkgroupSize
%ws = OpVariable %input_v3size Input
%all = OpLoad %v3size %ws
%w0 = OpCompositeExtract %size %all 0
%w1 = OpCompositeExtract %size %all 1
%w2 = OpCompositeExtract %size %all 2
%tens = OpIMul %size %w1 %size_10
%hundreds = OpIMul %size %w2 %size_100
%some = OpIAdd %size %w0 %tens
%every = OpIAdd %size %some %hundreds
%y = Op{narrowed} %uint %every
"""


def check_size(device: Device, *, mode: str, size: Sequence[int], how: str) -> None:
    """A required work-group size, by literals or by ids of constants, which the host and the kernel see; a hint is not one.

    `how`: the constants of a mode with ids: constants, specialisation constants with their defaults, or set ones.
    """
    required, parts = "Hint" not in mode, [str(v) for v in size]
    text = kernel_text(
        "uint", {}, _SIZE_BODY.format(narrowed="UConvert" if device.device.address_bits == 64 else "CopyObject")
    ).replace('"f" %gid', '"f" %gid %ws')
    if mode.endswith("Id"):
        parts = [f"%uint_{v}" if how == "constant" else f"%s{v}" for v in size]
        if how != "constant":
            text += "".join(
                f"OpDecorate %s{v} SpecId {v}\n%s{v} = OpSpecConstant %uint {v if how == 'default' else 1}\n" for v in size
            )
    text += f"OpExecutionMode{'Id' * mode.endswith('Id')} %kernel {mode} {' '.join(parts)}\n"
    prog = spirv.program(device, text, version=(1, 2) if mode.endswith("Id") else (1, 0))
    for value in size if how == "set" else ():
        error = specialise(prog, value, np.uint32(value))
        check.equal("clSetProgramSpecializationConstant", error, "CL_SUCCESS", stage="api")
    kernel = prog.build().f
    told = kernel.get_work_group_info(cl.kernel_work_group_info.COMPILE_WORK_GROUP_SIZE, device.device)
    check.equal(f"CL_KERNEL_COMPILE_WORK_GROUP_SIZE of {mode}", told, size if required else [0, 0, 0], stage="api")
    for local in [size] if required else (size, [1, 1, 2]):
        target = device.buffer(np.zeros(2 * size[0], np.uint32))
        device.launch(kernel, [2 * v for v in size], local, target)
        seen = device.read(target, np.uint32, 2 * size[0])
        x, y, z = local
        check.equal(f"WorkgroupSize of {mode}, as x + 10 y + 100 z", seen, np.full(2 * size[0], x + 10 * y + 100 * z))
    for other in [[2, 4, 3], [4, 3, 2], [2, 3, 1]] if required else []:
        kernel.set_args(target)
        arguments = (device.queue.int_ptr, kernel.int_ptr, 3, 0, sizes([12, 12, 12]), sizes(other), 0, 0, 0)
        error = call("clEnqueueNDRangeKernel", *arguments)
        check.equal(f"a launch of {mode} {size} by {other}", error, "CL_INVALID_WORK_GROUP_SIZE", stage="enqueue")


def check_harmless(device: Device, *, lines: str, version: Sequence[int]) -> None:
    """Lines that mean nothing to the device do not change a module's result."""
    text = _PLUS_7 + lines
    built = spirv.build(device, text, version=(version[0], version[1]))
    target = device.buffer(np.zeros(4, np.uint32))
    device.launch(built.f, [4], None, target, device.buffer(np.arange(4, dtype=np.uint32)))
    check.equal("x + 7", device.read(target, np.uint32, 4), np.arange(7, 11))


_EXPORT = """
OpCapability Linkage
OpDecorate %twice LinkageAttributes "twice" {kind}
%type_w = OpTypeFunction %uint %uint
%twice = OpFunction %uint None %type_w
%p = OpFunctionParameter %uint
"""
_TWICE = "%tb = OpLabel\n%q = OpIAdd %uint %p %p\nOpReturnValue %q\n"


def check_link(device: Device, *, library: str) -> None:
    """A module is linked with a function from another module, or from OpenCL C. `library`: "il" or "source"."""
    declaration = _EXPORT.format(kind="Import") + "OpFunctionEnd\n"  # it comes before all functions with a body
    main = kernel_text("uint", {"x": "uint"}, "%y = OpFunctionCall %uint %twice %x")
    user = spirv.program(device, declaration + main)
    if library == "il":
        other = spirv.program(device, _EXPORT.format(kind="Export") + _TWICE + "OpFunctionEnd\n")
    else:
        other = cl.Program(device.context, "uint twice(uint x) { return 2 * x; }")
    for part in (user, other):
        error = call("clCompileProgram", part.int_ptr, 1, handles([device.device]), 0, 0, 0, 0, 0, 0)
        check.equal("clCompileProgram", error, "CL_SUCCESS", stage="build")
    handle, error = create(
        "clLinkProgram", device.context.int_ptr, 1, handles([device.device]), 0, 2, handles([user, other]), 0, 0
    )
    check.equal("clLinkProgram", error, "CL_SUCCESS", stage="build")
    linked = cl.Program.from_int_ptr(handle, retain=False)
    target = device.buffer(np.zeros(4, np.uint32))
    device.launch(linked.f, [4], None, target, device.buffer(np.arange(4, dtype=np.uint32)))
    check.equal("twice(x)", device.read(target, np.uint32, 4), 2 * np.arange(4))


def check_binary(device: Device) -> None:
    """A program that is made from the binary of one that was made from IL works."""
    built = spirv.build(device, _PLUS_7)
    again = cl.Program(device.context, [device.device], [built.get_info(cl.program_info.BINARIES)[0]]).build()
    target = device.buffer(np.zeros(4, np.uint32))
    device.launch(again.f, [4], None, target, device.buffer(np.arange(4, dtype=np.uint32)))
    check.equal("x + 7", device.read(target, np.uint32, 4), np.arange(7, 11))


# Three dimensions, with offsets that equal nothing else.
_GLOBAL, _LOCAL, _OFFSET = (4, 6, 2), (2, 3, 1), (5, 8, 13)
_BUILT_IN = """
OpEntryPoint Kernel %kernel "f" %gid {also}
OpDecorate %gid BuiltIn GlobalInvocationId
%gid = OpVariable %input_v3size Input
{variable}
%type_kernel = OpTypeFunction %void %global_size
%kernel = OpFunction %void None %type_kernel
%r = OpFunctionParameter %global_size
%entry = OpLabel
%id = OpLoad %v3size %gid
%x0 = OpCompositeExtract %size %id 0
%y0 = OpCompositeExtract %size %id 1
%z0 = OpCompositeExtract %size %id 2
%x1 = OpISub %size %x0 %size_5
%y1 = OpISub %size %y0 %size_8
%z1 = OpISub %size %z0 %size_13
%zy = OpIMul %size %z1 %size_6
%zy1 = OpIAdd %size %zy %y1
%zyx = OpIMul %size %zy1 %size_4
%n = OpIAdd %size %zyx %x1
%n3 = OpIMul %size %n %size_3
%b = OpLoad %{type} %{variable_name}
"""
_STORE_PART = """
%at{k} = OpIAdd %size %n3 %size_{k}
%to{k} = OpInBoundsPtrAccessChain %global_size %r %at{k}
OpStore %to{k} %part{k} Aligned {alignment}
"""


def check_built_in(device: Device, *, name: str) -> None:
    """A built-in variable has the right value in every item of a range with three dimensions and an offset."""
    type_name = BUILT_INS[name]
    same = name == "GlobalInvocationId"
    text = _BUILT_IN.format(
        also="" if same else "%v",
        type=type_name,
        variable_name="gid" if same else "v",
        variable="" if same else f"OpDecorate %v BuiltIn {name}\n%v = OpVariable %input_{type_name} Input",
    )
    bits = device.device.address_bits
    widen = "OpUConvert %size %b" if type_name == "uint" and bits == 64 else "OpCopyObject %size %b"
    for k in range(3):
        text += f"%part{k} = " + (f"OpCompositeExtract %size %b {k}" if type_name == "v3size" else widen)
        text += _STORE_PART.format(k=k, alignment=bits // 8)
    built = spirv.build(device, text + "OpReturn\nOpFunctionEnd\n")
    dtype = np.dtype(f"u{bits // 8}")
    items = int(np.prod(_GLOBAL))
    target = device.buffer(np.zeros(3 * items, dtype))
    device.launch(built.f, _GLOBAL, _LOCAL, target, offset=_OFFSET)
    got = device.read(target, dtype, (items, 3))
    z, y, x = np.unravel_index(np.arange(items), _GLOBAL[::-1])
    id_, size, local = np.stack([x, y, z], -1), np.array(_GLOBAL), np.array(_LOCAL)
    inside = id_ % local
    want = {
        "GlobalInvocationId": id_ + _OFFSET,
        "LocalInvocationId": inside,
        "WorkgroupId": id_ // local,
        "NumWorkgroups": size // local,
        "WorkgroupSize": local,
        "EnqueuedWorkgroupSize": local,
        "GlobalSize": size,
        "GlobalOffset": np.array(_OFFSET),
        "GlobalLinearId": np.arange(items)[:, None],
        "LocalInvocationIndex": (inside[:, 2] * 6 + inside[:, 1] * 2 + inside[:, 0])[:, None],
        "WorkDim": np.array([3]),
    }[name]
    check.equal(name, got, np.broadcast_to(want, (items, 3)).astype(dtype))
