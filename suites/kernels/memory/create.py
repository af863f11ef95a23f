"""Buffers and their flags: where the memory comes from, who may access it, what the queries answer."""

import ctypes
import time
from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import check
from runner.device import Device

from ..kit.opencl import call, create, handles, sizes
from .table import ACCESS, COPY_HOST_PTR, HOST_ACCESS, HOST_MEMORY, HOST_OPERATIONS, MAP_FLAGS, OPERATION_CALLS, USE_HOST_PTR
from .transfer import Bytes, random_bytes

SOURCE = """
__kernel void both(__global uchar *a) { a[get_global_id(0)] ^= 0x5a; }
__kernel void put(__global uchar *a) { a[get_global_id(0)] = get_global_id(0) * 7 + 3; }
__kernel void get(__global const uchar *a, __global uchar *b) { b[get_global_id(0)] = a[get_global_id(0)] + 1; }
"""
SIZE = 1024


def query(buffer: cl.Buffer, what: int, kind: Any) -> Any:
    """An answer of clGetMemObjectInfo. `kind`: its ctypes type."""
    value = kind()
    error = call("clGetMemObjectInfo", buffer.int_ptr, what, ctypes.sizeof(kind), ctypes.byref(value), 0)
    check.equal(f"clGetMemObjectInfo {what:#x}", error, "CL_SUCCESS", stage="api")
    return value.value


def contents(device: Device, buffer: cl.Buffer, size: int = SIZE, offset: int = 0) -> Bytes:
    """The bytes of a buffer, even if the host may not read it: the device copies them first."""
    plain = device.buffer(np.zeros(size, np.uint8))
    device.copy(plain, buffer, byte_count=size, src_offset=offset)
    return device.read(plain, np.uint8, size)


def check_flags(device: Device, *, access: str, memory: str, host: str) -> None:
    """Contents and queries of a buffer with a combination of flags. `access`, `memory`, `host`: names of table.py."""
    flags = ACCESS[access] | HOST_MEMORY[memory] | HOST_ACCESS[host]
    data = random_bytes(device, SIZE)
    from_host = flags & (USE_HOST_PTR | COPY_HOST_PTR)
    source = data.copy()
    buffer = cl.Buffer(device.context, flags, size=0 if from_host else SIZE, hostbuf=source if from_host else None)
    check.equal("CL_MEM_FLAGS", query(buffer, 0x1101, ctypes.c_uint64), flags)
    check.equal("CL_MEM_TYPE", query(buffer, 0x1100, ctypes.c_uint32), 0x10F0)
    check.equal("CL_MEM_SIZE", query(buffer, 0x1102, ctypes.c_size_t), SIZE)
    pointer = source.ctypes.data if flags & USE_HOST_PTR else None
    check.equal("CL_MEM_HOST_PTR", query(buffer, 0x1103, ctypes.c_void_p), pointer)
    check.equal("CL_MEM_OFFSET", query(buffer, 0x1108, ctypes.c_size_t), 0)
    check.equal("CL_MEM_ASSOCIATED_MEMOBJECT", query(buffer, 0x1107, ctypes.c_void_p), None)
    if memory in ("copy", "alloc_copy"):
        source[:] = 0  # the call has made the copy
    if not from_host:
        cl.enqueue_fill_buffer(device.queue, buffer, np.uint8(77), 0, SIZE)
        data[:] = 77
    check.equal("contents", contents(device, buffer), data)
    program = device.build(SOURCE)
    index = np.arange(SIZE)
    if access == "ro":
        out = device.buffer(np.zeros(SIZE, np.uint8))
        device.launch(program.get, [SIZE], None, buffer, out)
        check.equal("what the kernel read", device.read(out, np.uint8, SIZE), data + np.uint8(1))
    else:
        device.launch(program.both if access == "rw" else program.put, [SIZE], None, buffer)
        data = data ^ np.uint8(0x5A) if access == "rw" else (index * 7 + 3).astype(np.uint8)
        check.equal("what the kernel left", contents(device, buffer), data)
    if flags & USE_HOST_PTR and host in ("any", "host_ro"):
        mapped, _ = cl.enqueue_map_buffer(device.queue, buffer, MAP_FLAGS["read"], 0, SIZE, np.uint8)
        check.equal("distance of the mapping from host_ptr", mapped.ctypes.data - source.ctypes.data, 0)
        check.equal("memory of the host", source.copy(), data)
        mapped.base.release(device.queue)
    device.queue.finish()


def ask(device: Device, operation: str, buffer: cl.Buffer, host: NDArray[np.uint8]) -> str:
    """Do one operation of the host on bytes 3 to 67 of a buffer; returns the error's name."""
    queue, handle, pointer, tail = device.queue.int_ptr, buffer.int_ptr, host.ctypes.data, (0, 0, 0)
    if operation in ("read", "write"):
        return call(f"clEnqueue{operation.title()}Buffer", queue, handle, 1, 3, 64, pointer, *tail)
    if operation.endswith("_rect"):
        name = f"clEnqueue{operation[:-5].title()}BufferRect"
        box = (sizes([3, 0, 0]), sizes([0, 0, 0]), sizes([8, 8, 1]), 8, 0, 8, 0)
        return call(name, queue, handle, 1, *box, pointer, *tail)
    flags = MAP_FLAGS[operation[4:]]
    where, error = create("clEnqueueMapBuffer", queue, handle, 1, flags, 3, 64, *tail)
    if where:
        if flags == MAP_FLAGS["read"]:
            ctypes.memmove(pointer, where, 64)
        else:
            ctypes.memmove(where, pointer, 64)
        check.equal("unmap", call("clEnqueueUnmapMemObject", queue, handle, where, *tail), "CL_SUCCESS")
    device.queue.finish()
    return error


def check_host_access(device: Device, *, host: str, operation: str, sub: str) -> None:
    """The operations that the host may do on a buffer with these flags work, and others are refused.

    `sub`: a sub-buffer has "inherited" the flag, or has its "own"; "" without a sub-buffer.
    """
    data = random_bytes(device, 2 * 4096)
    flags = ACCESS["rw"] | COPY_HOST_PTR | (HOST_ACCESS[host] if sub != "own" else 0)
    buffer, base = cl.Buffer(device.context, flags, hostbuf=data), 0
    used = buffer
    if sub:
        base = 4096
        used = buffer.get_sub_region(base, SIZE, HOST_ACCESS[host] if sub == "own" else 0)
        want = ACCESS["rw"] | HOST_ACCESS[host]
        check.equal("CL_MEM_FLAGS of the sub-buffer", query(used, 0x1101, ctypes.c_uint64) & ~COPY_HOST_PTR, want)
    mine = random_bytes(device, 64)
    here, reads = mine.copy(), operation in ("read", "read_rect", "map_read")
    error = ask(device, operation, used, here)
    refused = host in HOST_OPERATIONS[operation]
    words = f"{OPERATION_CALLS[operation]}, {operation} of {host}"
    check.equal(words, error, "CL_INVALID_OPERATION" if refused else "CL_SUCCESS", stage="api")
    part = slice(base + 3, base + 67)
    check.equal("memory of the host", here, data[part] if reads and not refused else mine)
    if not reads and not refused:
        data[part] = mine
    check.equal("buffer", contents(device, buffer, len(data)), data)


def check_size(device: Device, *, size: int, shift: int, memory: str) -> None:
    """Odd sizes, from unaligned memory of the host."""
    block = random_bytes(device, size + shift + 64)
    data = block[shift : shift + size]
    flags = ACCESS["rw"] | HOST_MEMORY[memory]
    buffer = cl.Buffer(device.context, flags, hostbuf=data)
    want, around = data ^ np.uint8(0x5A), block[shift + size :].copy()
    device.launch(device.build(SOURCE).both, [size], None, buffer)
    check.equal("buffer", device.read(buffer, np.uint8, size), want)
    if flags & USE_HOST_PTR:
        mapped, _ = cl.enqueue_map_buffer(device.queue, buffer, MAP_FLAGS["read"], 0, size, np.uint8)
        check.equal("memory of the host", data.copy(), want)
        mapped.base.release(device.queue)
        device.queue.finish()
    check.equal("memory behind it", block[shift + size :], around)


def check_properties(device: Device, *, given: bool | None) -> None:
    """CL_MEM_PROPERTIES are those that were given, and none if that was NULL (API 3.0, 5.5.6)."""
    properties = (ctypes.c_uint64 * 1)(0) if given else 0
    size = ctypes.c_size_t(99)
    if given is None:
        buffer, error = create("clCreateBuffer", device.context.int_ptr, 1, 64, 0)
    else:
        buffer, error = create("clCreateBufferWithProperties", device.context.int_ptr, properties, 1, 64, 0)
    check.equal("clCreateBuffer...", error, "CL_SUCCESS", stage="api")
    query_error = call("clGetMemObjectInfo", buffer, 0x110A, 0, 0, ctypes.byref(size))
    check.equal("clGetMemObjectInfo", query_error, "CL_SUCCESS", stage="api")
    check.equal("bytes of CL_MEM_PROPERTIES", size.value, 8 if given else 0)
    check.equal("release", call("clReleaseMemObject", buffer), "CL_SUCCESS", stage="api")


NOTIFY = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)


def check_destructor(device: Device, *, used: str, count: int) -> None:
    """Callbacks are called once, in reverse order, when the last reference and command are gone (API 3.0, 5.5.1).

    `used`: how the buffer was used before: nothing, kernel, map, retained, sub.
    """
    received: list[int] = []
    notify = NOTIFY(lambda _, number: received.append(number or 0))
    buffer, error = create("clCreateBuffer", device.context.int_ptr, 1, 8192, 0)
    check.equal("clCreateBuffer", error, "CL_SUCCESS", stage="api")
    for number in range(count):
        error = call("clSetMemObjectDestructorCallback", buffer, notify, number)
        check.equal("clSetMemObjectDestructorCallback", error, "CL_SUCCESS", stage="api")
    late: list[int] = []
    if used == "kernel":
        kernel = device.build(SOURCE).put
        call("clSetKernelArg", kernel.int_ptr, 0, 8, handles_of(buffer))
        call("clEnqueueNDRangeKernel", device.queue.int_ptr, kernel.int_ptr, 1, 0, sizes([64]), 0, 0, 0, 0)
        call("clSetKernelArg", kernel.int_ptr, 0, 8, 0)
    elif used == "retained":
        call("clRetainMemObject", buffer)
        late.append(buffer)
    elif used == "sub":
        child, error = create("clCreateSubBuffer", buffer, 1, 0x1220, sizes([4096, 64]))
        check.equal("clCreateSubBuffer", error, "CL_SUCCESS", stage="api")
        late.append(child)
    call("clReleaseMemObject", buffer)
    device.queue.finish()
    if late:
        check.equal("callbacks while a reference is left", list(received), [])
        call("clReleaseMemObject", late[0])
    end = time.monotonic() + 2  # the object may be deleted a little after its last command
    while len(received) < count and time.monotonic() < end:
        call("clFinish", device.queue.int_ptr)
    check.equal("callbacks", received, list(range(count))[::-1])


def handles_of(handle: int) -> Any:
    """A pointer to one handle that pyopencl does not know."""
    return (ctypes.c_void_p * 1)(handle)


def check_lifetime(device: Device, *, count: int) -> None:
    """A released buffer lives until the commands that were enqueued before have ended. `count`: of launches in a row."""
    out = device.buffer(np.zeros(64 * count, np.uint8))
    kernel, want = device.build(SOURCE).get, []
    for n in range(count):
        data = random_bytes(device, 64)
        part = device.buffer(data)
        staged = device.buffer(np.zeros(64, np.uint8))
        device.launch(kernel, [64], None, part, staged)
        cl.enqueue_copy(device.queue, out, staged, dst_offset=64 * n, byte_count=64)
        part.release()
        staged.release()
        want.append(data + np.uint8(1))
    check.equal("results", device.read(out, np.uint8, 64 * len(want)), np.concatenate(want))


def check_references(device: Device) -> None:
    """CL_MEM_REFERENCE_COUNT and CL_MEM_MAP_COUNT count, and CL_MEM_CONTEXT is right."""
    buffer = device.buffer(64)
    check.equal("CL_MEM_REFERENCE_COUNT", query(buffer, 0x1105, ctypes.c_uint32), 1)
    call("clRetainMemObject", buffer.int_ptr)
    check.equal("CL_MEM_REFERENCE_COUNT after a retain", query(buffer, 0x1105, ctypes.c_uint32), 2)
    call("clReleaseMemObject", buffer.int_ptr)
    check.equal("CL_MEM_REFERENCE_COUNT after a release", query(buffer, 0x1105, ctypes.c_uint32), 1)
    check.equal("CL_MEM_CONTEXT", query(buffer, 0x1106, ctypes.c_void_p), device.context.int_ptr)
    check.equal("an array of handles", handles([buffer])[0], buffer.int_ptr)
