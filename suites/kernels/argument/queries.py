"""Queries of kernels and their arguments (OpenCL API 3.0, 5.9.4)."""

import ctypes

import pyopencl as cl

from runner import check
from runner.device import Device

from ..kit.opencl import SUCCESS, call
from ..kit.scalar import pragmas
from .table import DECLARATIONS

ADDRESS = {"GLOBAL": 0x119B, "LOCAL": 0x119C, "CONSTANT": 0x119D, "PRIVATE": 0x119E}
ACCESS = {"READ_ONLY": 0x11A0, "WRITE_ONLY": 0x11A1, "READ_WRITE": 0x11A2, "NONE": 0x11A3}
QUALIFIER = {"CONST": 1, "RESTRICT": 2, "VOLATILE": 4, "PIPE": 8}
_NAMES = {v: k for table in (ADDRESS, ACCESS) for k, v in table.items()}
TYPES = "struct pair { int a; float b; };\ntypedef struct pair pair_t;\n"


def ask(function: str, *leading: object) -> bytes:
    """The answer of a query; the first call asks for its size. `leading` ends with the parameter's name."""
    size = ctypes.c_size_t(0)
    check.equal(f"{function}: size", call(function, *leading, 0, 0, ctypes.byref(size)), SUCCESS, stage="api")
    room = ctypes.create_string_buffer(max(size.value, 1))
    error = call(function, *leading, size.value, room, 0)
    check.equal(f"{function}: value", error, SUCCESS, stage="api")
    return room.raw[: size.value]


def number(answer: bytes) -> int:
    """The integer in an answer of any size."""
    return int.from_bytes(answer, "little")


def text(answer: bytes) -> str:
    """The string in an answer, without its NUL."""
    check.true("a string ends with its NUL", answer.endswith(b"\0") and b"\0" not in answer[:-1], stage="api")
    return answer[:-1].decode(errors="backslashreplace")


def check_info(device: Device, *, declaration: str) -> None:
    """The five queries of one argument, which is the second of three."""
    row = DECLARATIONS[declaration]
    pragma = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" if "fp64" in row.requires else ""
    source = f"{pragma}{TYPES}__kernel void f(uchar before, {row.text}, __local short *after) {{}}"
    kernel = device.build(source, f"-cl-kernel-arg-info{' -cl-std=CL3.0' * ('__read_write' in source)}").f

    def answer(name: int) -> bytes:
        return ask("clGetKernelArgInfo", kernel.int_ptr, 1, name)

    address = number(answer(0x1196))
    # Images are in global memory but have no qualifier; a sampler may count as a constant.
    loose = {"image": ("GLOBAL", "PRIVATE"), "sampler_t": ("PRIVATE", "CONSTANT")}
    allowed = next((v for k, v in loose.items() if row.type_name.startswith(k)), (row.address,))
    check.true(
        f"CL_KERNEL_ARG_ADDRESS_QUALIFIER {_NAMES.get(address, address)} is {' or '.join(allowed)}",
        address in [ADDRESS[a] for a in allowed],
        stage="api",
    )
    got = number(answer(0x1197))
    check.equal("CL_KERNEL_ARG_ACCESS_QUALIFIER", _NAMES.get(got, hex(got)), row.access, stage="api")
    name = text(answer(0x1198))
    check.equal("CL_KERNEL_ARG_TYPE_NAME", name.replace(" ", ""), row.type_name.replace(" ", ""), stage="api")
    bits = number(answer(0x1199))
    check.equal(
        "CL_KERNEL_ARG_TYPE_QUALIFIER",
        " ".join(q for q, bit in QUALIFIER.items() if bits & bit),
        " ".join(q for q in QUALIFIER if q in row.qualifiers),
        stage="api",
    )
    check.equal("CL_KERNEL_ARG_NAME", text(answer(0x119A)), "x", stage="api")


def check_no_info(device: Device) -> None:
    """Argument information is only available with -cl-kernel-arg-info."""
    kernel = device.build("__kernel void f(int without_information) {}").f
    room = ctypes.create_string_buffer(64)
    got = call("clGetKernelArgInfo", kernel.int_ptr, 0, 0x119A, 64, room, 0)
    check.equal("clGetKernelArgInfo", got, "CL_KERNEL_ARG_INFO_NOT_AVAILABLE", stage="api")


KERNELS = "__kernel void one(int a) {}\n__kernel void a_long_name_0(void) {}\n__kernel void three(int a, int b, int c) {}"


def check_kernel_info(device: Device, *, query: str) -> None:
    """The answers of clGetKernelInfo. `query`: one of them."""
    program = device.build(KERNELS)
    kernels = {"one": 1, "a_long_name_0": 0, "three": 3}
    for name, count in kernels.items():
        kernel = cl.Kernel(program, name)
        match query:
            case "function_name":
                check.equal("name", text(ask("clGetKernelInfo", kernel.int_ptr, 0x1190)), name, stage="api")
            case "num_args":
                check.equal(name, number(ask("clGetKernelInfo", kernel.int_ptr, 0x1191)), count, stage="api")
            case "reference_count":
                for n in (1, 2):
                    check.equal(name, number(ask("clGetKernelInfo", kernel.int_ptr, 0x1192)), n, stage="api")
                    call("clRetainKernel", kernel.int_ptr)
                call("clReleaseKernel", kernel.int_ptr)
                call("clReleaseKernel", kernel.int_ptr)
                check.equal(name, number(ask("clGetKernelInfo", kernel.int_ptr, 0x1192)), 1, stage="api")
            case "context":
                got = number(ask("clGetKernelInfo", kernel.int_ptr, 0x1193))
                check.true("the kernel's context is its program's", got == device.context.int_ptr, stage="api")
            case "program":
                got = number(ask("clGetKernelInfo", kernel.int_ptr, 0x1194))
                check.true("the kernel's program is the one it was made of", got == program.int_ptr, stage="api")


ATTRIBUTES = {
    "none": ("", ()),
    "reqd": ("__attribute__((reqd_work_group_size(4, 2, 1)))", ("reqd_work_group_size(4,2,1)",)),
    "hint": ("__attribute__((work_group_size_hint(8, 1, 1)))", ("work_group_size_hint(8,1,1)",)),
    "reqd_3d": ("__attribute__((reqd_work_group_size(2, 3, 5)))", ("reqd_work_group_size(2,3,5)",)),
    "hint_3d": ("__attribute__((work_group_size_hint(2, 3, 5)))", ("work_group_size_hint(2,3,5)",)),
    "vec_type": ("__attribute__((vec_type_hint(float4)))", ("vec_type_hint(float4)",)),
    "two": (
        "__attribute__((work_group_size_hint(8, 1, 1))) __attribute__((vec_type_hint(uint2)))",
        ("work_group_size_hint(8,1,1)", "vec_type_hint(uint2)"),
    ),
}


def check_attributes(device: Device, *, attribute: str) -> None:
    """CL_KERNEL_ATTRIBUTES has the declared attributes, without the whitespace of their declaration."""
    declared, want = ATTRIBUTES[attribute]
    kernel = device.build(f"__kernel {declared} void f(void) {{}}").f
    got = text(ask("clGetKernelInfo", kernel.int_ptr, 0x1195)).replace(", ", ",")
    check.equal("attributes, sorted", " ".join(sorted(got.split())), " ".join(sorted(want)), stage="api")


def check_attributes_of_binary(device: Device, *, attribute: str) -> None:
    """CL_KERNEL_ATTRIBUTES is empty if no clCreateProgramWithSource was called (API 3.0, 5.9.4)."""
    declared, _ = ATTRIBUTES[attribute]
    program = device.build(f"__kernel {declared} void f(void) {{}}")
    binary = program.get_info(cl.program_info.BINARIES)[0]
    kernel = cl.Program(device.context, [device.device], [binary]).build().f
    got = text(ask("clGetKernelInfo", kernel.int_ptr, 0x1195))
    check.equal("CL_KERNEL_ATTRIBUTES of a binary's kernel", got, "", stage="api")


def check_vec_type_hint(device: Device, *, types: list[str]) -> None:
    """CL_KERNEL_ATTRIBUTES of a vec_type_hint of each type."""
    source = pragmas(types[0].rstrip("0123456789"))
    for n, name in enumerate(types):
        source += f"__kernel __attribute__((vec_type_hint({name}))) void f{n}(void) {{}}\n"
    program = device.build(source)
    for n, name in enumerate(types):
        kernel = getattr(program, f"f{n}")  # pyopencl releases it with its last reference, so it needs a name
        got = text(ask("clGetKernelInfo", kernel.int_ptr, 0x1195)) or "nothing"
        check.equal(f"CL_KERNEL_ATTRIBUTES, vec_type_hint of {name}", got, f"vec_type_hint({name})", stage="api")
