"""Queries of a kernel about the sizes of work-groups and sub-groups (OpenCL API 3.0, 5.9.4, 5.10)."""

import ctypes
import math
from collections.abc import Sequence

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

from ..kit.opencl import SUCCESS, call, library, name_of, sizes
from .queries import ask, number

SOURCE = """
__kernel void empty(void) {}
__kernel void ids(__global int *r) { r[get_global_id(0)] = get_local_size(0); }
__kernel void arrays(__global int *r) {
    __local int l[256]; int i = get_local_id(0);
    l[i] = r[i]; barrier(CLK_LOCAL_MEM_FENCE); r[i] = l[(i + 1) % get_local_size(0)];
}
__kernel void argument(__global int *r, __local int *l) { l[get_local_id(0)] = 1; r[0] = l[0]; }
__kernel void two(__global int *r, __local int *l, __local int *k) {
    l[get_local_id(0)] = k[get_local_id(0)] = 1; r[0] = l[0] + k[0];
}
__kernel void both(__global int *r, __local int *l) {
    __local int m[64]; int i = get_local_id(0);
    m[i] = r[i]; l[i] = r[i + 64]; barrier(CLK_LOCAL_MEM_FENCE); r[i] = m[(i + 1) % 64] + l[(i + 1) % 64];
}
"""
SIZE, COMPILE_SIZE, LOCAL, MULTIPLE, PRIVATE = 0x11B0, 0x11B1, 0x11B2, 0x11B3, 0x11B4


def group_info(device: Device, kernel: cl.Kernel, name: int) -> bytes:
    """An answer of clGetKernelWorkGroupInfo."""
    return ask("clGetKernelWorkGroupInfo", kernel.int_ptr, device.device.int_ptr, name)


def size_ts(answer: bytes) -> list[int]:
    """The numbers in an answer that is an array of size_t."""
    return list((ctypes.c_size_t * (len(answer) // ctypes.sizeof(ctypes.c_size_t))).from_buffer_copy(answer))


def check_required_size(device: Device, *, size: Sequence[int]) -> None:
    """The query and the kernel have the size of reqd_work_group_size."""
    source = (
        f"__kernel __attribute__((reqd_work_group_size({size[0]}, {size[1]}, {size[2]})))"
        " void f(__global int *r) { r[get_group_id(0) * 3 + 0] = get_local_size(0);"
        " r[get_group_id(0) * 3 + 1] = get_local_size(1); r[get_group_id(0) * 3 + 2] = get_local_size(2); }"
    )
    kernel = device.build(source).f
    check.equal("compile work-group size", size_ts(group_info(device, kernel, COMPILE_SIZE)), size, stage="api")
    most = size_ts(group_info(device, kernel, SIZE))[0]
    check.true("the required group is not larger than the largest", math.prod(size) <= most, stage="api")
    result = device.buffer(np.zeros(6, np.int32))
    device.launch(kernel, (2 * size[0], size[1], size[2]), size, result)
    check.equal("get_local_size", device.read(result, np.int32, (2, 3)), np.array([size, size], np.int32))


def check_group_info(device: Device, *, query: str) -> None:
    """The answers of clGetKernelWorkGroupInfo. `query`: one of them."""
    program = device.build(SOURCE)
    if query == "size":
        size = number(group_info(device, program.ids, SIZE))
        check.true(
            "1 <= CL_KERNEL_WORK_GROUP_SIZE <= CL_DEVICE_MAX_WORK_GROUP_SIZE",
            1 <= size <= device.device.max_work_group_size,
            stage="api",
        )
    elif query == "compile_size":
        sizes = size_ts(group_info(device, program.ids, COMPILE_SIZE))
        check.equal("compile work-group size of none", sizes, [0, 0, 0], stage="api")
    elif query == "local":
        got = number(group_info(device, program.arrays, LOCAL))
        check.true("CL_KERNEL_LOCAL_MEM_SIZE counts an array of 1024 bytes", got >= 1024, stage="api")
        most = device.device.local_mem_size
        check.true("and is not larger than the device's local memory", got <= most, stage="api")
    elif query in ("local_argument", "local_both"):
        kernel = program.two if query == "local_argument" else program.both
        static = 256 if query == "local_both" else 0
        before = number(group_info(device, kernel, LOCAL))
        check.true(
            f"an argument that is not set counts for nothing, arrays {static} bytes",
            static <= before < static + 1024,
            stage="api",
        )
        for index, size in enumerate((2048, 4096)[: 2 - bool(static)], 1):
            kernel.set_arg(index, cl.LocalMemory(size))
            grown = number(group_info(device, kernel, LOCAL)) - before
            what = f"CL_KERNEL_LOCAL_MEM_SIZE counts {size} bytes more for argument {index}, and alignment"
            check.true(what, size <= grown < size + 256, stage="api")
            before += grown
    elif query == "multiple":
        got, most = (number(group_info(device, program.ids, n)) for n in (MULTIPLE, SIZE))
        check.true("1 <= the preferred multiple <= the largest work-group", 1 <= got <= most, stage="api")
    elif query == "private":
        answer = group_info(device, program.ids, PRIVATE)
        check.equal("bytes of the answer", len(answer), 8, stage="api")
        check.true("a kernel without variables needs little private memory", number(answer) < 1 << 20, stage="api")
    else:
        kernel = program.ids
        with_null = ask("clGetKernelWorkGroupInfo", kernel.int_ptr, 0, SIZE)
        want = group_info(device, kernel, SIZE)
        check.equal("NULL means the one device", number(with_null), number(want), stage="api")


def check_launch_largest(device: Device) -> None:
    """A group of CL_KERNEL_WORK_GROUP_SIZE items runs."""
    kernel = device.build(SOURCE).ids
    most = min(number(group_info(device, kernel, SIZE)), device.device.max_work_item_sizes[0])
    result = device.buffer(np.zeros(2 * most, np.int32))
    device.launch(kernel, (2 * most,), (most,), result)
    check.equal("get_local_size(0)", device.read(result, np.int32, 2 * most), np.full(2 * most, most, np.int32))


def suggest(device: Device, kernel: cl.Kernel, size: Sequence[int], offset: Sequence[int] | None = None) -> list[int]:
    """The answer of clGetKernelSuggestedLocalWorkSizeKHR."""
    find = library().clGetExtensionFunctionAddressForPlatform
    find.restype = ctypes.c_void_p
    address = find(ctypes.c_void_p(device.device.platform.int_ptr), b"clGetKernelSuggestedLocalWorkSizeKHR")
    check.true("the function has an address", bool(address), stage="api")
    pointer = ctypes.c_void_p
    routine = ctypes.CFUNCTYPE(ctypes.c_int32, pointer, pointer, ctypes.c_uint32, pointer, pointer, pointer)(address)
    suggested = sizes([12345] * len(size))
    at = sizes(offset or [0] * len(size))
    error = routine(device.queue.int_ptr, kernel.int_ptr, len(size), at, sizes(size), suggested)
    check.equal("clGetKernelSuggestedLocalWorkSizeKHR", name_of(error), SUCCESS, stage="api")
    return list(suggested)


def _fits(device: Device, kernel: cl.Kernel, size: Sequence[int], got: list[int]) -> None:
    most = number(group_info(device, kernel, SIZE))
    within = all(1 <= g <= m for g, m in zip(got, device.device.max_work_item_sizes, strict=False))
    check.true(f"each dimension of {got} is one that the device has", within, stage="api")
    check.true(f"{got} is a work-group that the kernel can have", math.prod(got) <= most, stage="api")
    even = all(s % g == 0 for s, g in zip(size, got, strict=True))
    check.true(f"{got} divides {size}, as the program has uniform work-groups", even, stage="api")


def check_suggested(device: Device, *, size: Sequence[int]) -> None:
    """A suggested local size can be launched."""
    kernel = device.build(SOURCE, "-cl-std=CL1.2").empty
    got = suggest(device, kernel, size)
    _fits(device, kernel, size, got)
    arguments = (device.queue.int_ptr, kernel.int_ptr, len(size), 0, sizes(size), sizes(got), 0, 0, 0)
    check.equal("its launch", call("clEnqueueNDRangeKernel", *arguments), SUCCESS, stage="api")
    device.queue.finish()


def check_suggested_for(device: Device, *, word: str) -> None:
    """clGetKernelSuggestedLocalWorkSizeKHR for a kernel with a required size, an offset or local memory."""
    if word == "required":
        kernel = device.build("__kernel __attribute__((reqd_work_group_size(4, 2, 1))) void f(void) {}").f
        check.equal("suggestion", suggest(device, kernel, [16, 6, 3]), [4, 2, 1], stage="api")
    elif word == "offset":
        kernel = device.build(SOURCE, "-cl-std=CL1.2").empty
        _fits(device, kernel, [24, 10], suggest(device, kernel, [24, 10], [5, 3]))
    else:
        kernel = device.build(SOURCE, "-cl-std=CL1.2").argument
        kernel.set_args(device.buffer(64), cl.LocalMemory(1024))
        _fits(device, kernel, [256], suggest(device, kernel, [256]))


SUB_GROUPS = """
__kernel void f(__global int *r) {
    if (get_local_id(0) + get_local_id(1) + get_local_id(2) == 0) { r[0] = 1; }
}
"""
MAX_SIZE, COUNT, LOCAL_FOR_COUNT, MAX_NUMBER, COMPILE_NUMBER = 0x2033, 0x2034, 0x11B8, 0x11B9, 0x11BA


def sub_group_info(
    device: Device, kernel: cl.Kernel, name: int, inputs: Sequence[int], results: int = 1, *, null: bool = False
) -> list[int]:
    """An answer of clGetKernelSubGroupInfo, which has `results` numbers of type size_t."""
    room = sizes([99999] * results)
    where = 0 if null else device.device.int_ptr
    arguments = (kernel.int_ptr, where, name, 8 * len(inputs), sizes(inputs) if inputs else 0, 8 * results, room, 0)
    check.equal("clGetKernelSubGroupInfo", call("clGetKernelSubGroupInfo", *arguments), SUCCESS, stage="api")
    return list(room)


def check_sub_group_count(device: Device, *, size: Sequence[int]) -> None:
    """Size and number of sub-groups agree with each other, and with the kernel's. `size`: of the work-group."""
    kernel = device.build(SUB_GROUPS).f
    largest = sub_group_info(device, kernel, MAX_SIZE, size)[0]
    count = sub_group_info(device, kernel, COUNT, size)[0]
    items = math.prod(size)
    check.true("the largest sub-group has at least one item", largest >= 1, stage="api")
    check.true(
        "CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE: as many sub-groups as hold the group, and none empty",
        1 <= count <= items <= count * largest,
        stage="api",
    )
    check.equal("sub-groups of the group", count, -(-items // largest), stage="api")
    most = sub_group_info(device, kernel, MAX_NUMBER, [])[0]
    check.true("not more than the kernel may have", count <= most, stage="api")


def check_sub_group_local(device: Device, *, count: int | str) -> None:
    """The local size for a number of sub-groups has that number. `count`: "most" for as many as the kernel may have."""
    kernel = device.build(SUB_GROUPS).f
    wanted = sub_group_info(device, kernel, MAX_NUMBER, [])[0] if count == "most" else int(count)
    size = sub_group_info(device, kernel, LOCAL_FOR_COUNT, [wanted])[0]
    if size == 0:  # the kernel cannot have that many
        most = sub_group_info(device, kernel, MAX_NUMBER, [])[0]
        check.true(
            "CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT is 0 only for more sub-groups than the kernel may have",
            wanted > most,
            stage="api",
        )
        return
    largest = sub_group_info(device, kernel, MAX_SIZE, [size])[0]
    check.equal("sub-groups in that local size", sub_group_info(device, kernel, COUNT, [size])[0], wanted, stage="api")
    check.equal("items in it, without a partial sub-group", size, wanted * largest, stage="api")


def check_sub_group_info(device: Device, *, query: str) -> None:
    """The answers of clGetKernelSubGroupInfo. `query`: one of them."""
    kernel = device.build(SUB_GROUPS).f
    most = sub_group_info(device, kernel, MAX_NUMBER, [])[0]
    match query:
        case "max_number":
            top = device.device.max_num_sub_groups
            check.true("1 <= CL_KERNEL_MAX_NUM_SUB_GROUPS <= the device's", 1 <= most <= top, stage="api")
        case "compile_number":
            got = sub_group_info(device, kernel, COMPILE_NUMBER, [])
            check.equal("number of sub-groups of none declared", got, [0], stage="api")
        case "dimensions_of_local_size":
            got = sub_group_info(device, kernel, LOCAL_FOR_COUNT, [1], 3)
            check.equal("the other dimensions", got[1:], [1, 1], stage="api")
        case "too_many":
            got = sub_group_info(device, kernel, LOCAL_FOR_COUNT, [max(most, 1) * 64 + 1], 3)
            check.equal("local size for more sub-groups than there can be", got, [0, 0, 0], stage="api")
        case "null_device":
            got = sub_group_info(device, kernel, COUNT, [16], null=True)
            check.equal("NULL means the one device", got, sub_group_info(device, kernel, COUNT, [16]), stage="api")
