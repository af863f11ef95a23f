"""cl_ext_buffer_device_address: buffers whose device address the application knows."""

import ctypes
import itertools

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

from ..kit import opencl
from . import address

PRIVATE, ADDRESS, POINTERS = 0x5000, 0x5001, 0x5002
SOURCE = """
__kernel void blend(__global uint *a, __global const uint *b) {
    size_t i = get_global_id(0);
    a[i] = a[i] * 3 + b[i];
}
typedef struct node { __global struct node *next; ulong value; } node;
__kernel void walk(__global node *first, __global ulong *out) {
    ulong sum = 0, count = 0;
    for (__global node *n = first; n && count < 1000; n = n->next, count++) sum = sum * 31 + n->value;
    out[0] = sum;
    out[1] = count;
}
__kernel void gather(__global ulong *table, __global uint *out) {
    size_t i = get_global_id(0);
    out[i] = *(__global const uint *)table[i];
}
"""


def addressed(device: Device, size: int) -> cl.Buffer:
    """A buffer with a device address."""
    properties = (ctypes.c_uint64 * 3)(PRIVATE, 1, 0)
    arguments = (device.context.int_ptr, properties, 1, size, 0)
    handle, error = opencl.create("clCreateBufferWithProperties", *arguments)
    check.equal("clCreateBufferWithProperties", error, "CL_SUCCESS", stage="api")
    return cl.Buffer.from_int_ptr(handle, False)


def query(buffer: cl.Buffer) -> tuple[str, int]:
    """Query the address; returns the error's name and the address."""
    value = ctypes.c_uint64(0)
    return opencl.call("clGetMemObjectInfo", buffer.int_ptr, ADDRESS, 8, ctypes.byref(value), 0), value.value


def place(buffer: cl.Buffer) -> int:
    """The address of a buffer, which must have one."""
    error, value = query(buffer)
    check.equal("CL_MEM_DEVICE_ADDRESS_EXT", error, "CL_SUCCESS", stage="api")
    check.true("the address is not 0", value != 0)
    return value


def set_pointer(device: Device, kernel: cl.Kernel, index: int, value: int) -> str:
    """Call clSetKernelArgDevicePointerEXT; returns the error's name."""
    return address.call(device, "clSetKernelArgDevicePointerEXT", kernel.int_ptr, index, value)


def check_address_stable(device: Device, *, count: int) -> None:
    """A buffer's address stays the same, and buffers have different addresses."""
    buffers = [addressed(device, 4096) for _ in range(count)]
    first = [place(b) for b in buffers]
    for buffer in buffers:
        cl.enqueue_fill_buffer(device.queue, buffer, np.uint32(7), 0, 4096)
        check.equal("contents", device.read(buffer, np.uint32, 1024), np.full(1024, 7, np.uint32))
    check.equal("addresses after use", [place(b) for b in buffers], first)
    ordered = sorted(first)
    check.true("the buffers lie apart", all(b - a >= 4096 for a, b in itertools.pairwise(ordered)))


def check_address_sub(device: Device) -> None:
    """The address of a sub-buffer is its parent's plus its origin."""
    step = max(int(device.device.mem_base_addr_align) // 8, 4)
    parent = addressed(device, 4 * step)
    sub = parent.get_sub_region(3 * step, step)
    check.equal("distance", place(sub) - place(parent), 3 * step)


def check_address_argument(device: Device, *, at: int) -> None:
    """A kernel accesses a buffer through its address. `at`: offset in words."""
    a, b = addressed(device, 1024), addressed(device, 1024)
    one, two = (device.rng.integers(0, 1 << 32, 256, dtype=np.uint32) for _ in range(2))
    device.copy(a, one)
    device.copy(b, two)
    kernel = device.build(SOURCE).blend
    for index, buffer in enumerate((a, b)):
        error = set_pointer(device, kernel, index, place(buffer) + 4 * at)
        check.equal("clSetKernelArgDevicePointerEXT", error, "CL_SUCCESS", stage="api")
    cl.enqueue_nd_range_kernel(device.queue, kernel, (256 - at,), None)
    one[at:] = one[at:] * np.uint32(3) + two[at:]
    check.equal("buffer", device.read(a, np.uint32, 256), one)


def use(kernel: cl.Kernel, *buffers: cl.Buffer) -> None:
    """Tell the driver which buffers a kernel reaches indirectly."""
    pointers = (ctypes.c_uint64 * len(buffers))(*(place(b) for b in buffers))
    error = opencl.call("clSetKernelExecInfo", kernel.int_ptr, POINTERS, 8 * len(buffers), pointers)
    check.equal("clSetKernelExecInfo", error, "CL_SUCCESS", stage="api")


def check_address_list(device: Device, *, count: int) -> None:
    """A list over several buffers, linked by the host with addresses of the device."""
    nodes = [addressed(device, 16) for _ in range(count)]
    values = device.rng.integers(0, 1 << 32, count, dtype=np.uint64)
    for n, node in enumerate(nodes):
        following = place(nodes[n + 1]) if n + 1 < count else 0
        device.copy(node, np.array([following, values[n]], np.uint64))
    kernel, out = device.build(SOURCE).walk, device.buffer(np.zeros(2, np.uint64))
    use(kernel, *nodes)
    check.equal("argument", set_pointer(device, kernel, 0, place(nodes[0])), "CL_SUCCESS", stage="api")
    kernel.set_arg(1, out)
    cl.enqueue_nd_range_kernel(device.queue, kernel, (1,), None)
    total = 0
    for value in values:
        total = (total * 31 + int(value)) % (1 << 64)
    check.equal("sum and count", device.read(out, np.uint64, 2), np.array([total, count], np.uint64))


def check_address_table(device: Device) -> None:
    """A table of addresses into the middle of buffers."""
    buffers = [addressed(device, 64) for _ in range(4)]
    contents = [device.rng.integers(0, 1 << 32, 16, dtype=np.uint32) for _ in buffers]
    for buffer, content in zip(buffers, contents, strict=True):
        device.copy(buffer, content)
    rows = [(n % 4, n * 5 % 16) for n in range(32)]
    table = np.array([place(buffers[b]) + 4 * i for b, i in rows], np.uint64)
    kernel, out = device.build(SOURCE).gather, device.buffer(np.zeros(32, np.uint32))
    use(kernel, *buffers)
    device.launch(kernel, [32], None, device.buffer(table), out)
    check.equal("gathered", device.read(out, np.uint32, 32), np.array([contents[b][i] for b, i in rows]))


def check_address_error(device: Device, *, mistake: str) -> None:
    """Mistakes with addresses are refused. `mistake`: its name."""
    kernel = device.build(SOURCE).blend
    if mistake == "index":
        error, want = set_pointer(device, kernel, 2, place(addressed(device, 64))), "CL_INVALID_ARG_INDEX"
    elif mistake == "null_kernel":
        error, want = address.call(device, "clSetKernelArgDevicePointerEXT", 0, 0, 0), "CL_INVALID_KERNEL"
    else:
        error, want = query(device.buffer(64))[0], "CL_INVALID_OPERATION"
    check.equal(mistake, error, want, stage="api")


def check_address_unsupported(device: Device) -> None:
    """The property is refused without the extension, and kept with it (API 3.0, 5.2.1).

    CL_INVALID_OPERATION is for a device without it, CL_INVALID_PROPERTY for a platform that does not know the property.
    """
    properties, got = (ctypes.c_uint64 * 3)(PRIVATE, 1, 0), (ctypes.c_uint64 * 3)()
    arguments = (device.context.int_ptr, properties, 1, 64, 0)
    handle, error = opencl.create("clCreateBufferWithProperties", *arguments)
    has = "cl_ext_buffer_device_address" in device.device.extensions.split()
    if has or error not in ("CL_INVALID_OPERATION", "CL_INVALID_PROPERTY"):
        check.equal("clCreateBufferWithProperties", error, "CL_SUCCESS" if has else "CL_INVALID_OPERATION", stage="api")
    check.equal("a handle is given", handle != 0, has, stage="api")
    if has:
        opencl.call("clGetMemObjectInfo", handle, 0x110A, 24, got, 0)
        check.equal("CL_MEM_PROPERTIES", list(got), list(properties))
        opencl.call("clReleaseMemObject", handle)
