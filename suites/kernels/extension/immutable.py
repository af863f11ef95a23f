"""cl_ext_immutable_memory_objects: the host and kernels read them; commands that would write are refused."""

import ctypes
from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import check
from runner.device import Device

from ..kit import opencl

IMMUTABLE, USE_HOST_PTR, COPY_HOST_PTR = 1 << 6, 1 << 3, 1 << 5
_COUNT = 1024
SOURCE = """
__kernel void from_global(__global const uint *a, __global uint *r) { r[get_global_id(0)] = a[get_global_id(0)] + 5; }
__kernel void from_constant(__constant uint *a, __global uint *r) { r[get_global_id(0)] = a[get_global_id(0)] + 5; }
"""
Words = NDArray[np.uint32]


def _ask(device: Device, function: str, *arguments: Any) -> str:
    return opencl.call(function, device.queue.int_ptr, *arguments, 0, 0, 0)


def _refused(device: Device, buffer: cl.Buffer) -> None:
    """Require that every command which would change the buffer is refused."""
    data, one = np.full(_COUNT, 77, np.uint32), (opencl.sizes([8, 4, 1]), 8, 32, 8, 32)
    pointer, other = data.ctypes.data, device.buffer(data)
    zero = opencl.sizes([0, 0, 0])
    calls: list[tuple[Any, ...]] = [
        ("clEnqueueWriteBuffer", buffer.int_ptr, 1, 0, 64, pointer),
        ("clEnqueueWriteBufferRect", buffer.int_ptr, 1, zero, zero, *one, pointer),
        ("clEnqueueCopyBuffer", other.int_ptr, buffer.int_ptr, 0, 0, 64),
        ("clEnqueueCopyBufferRect", other.int_ptr, buffer.int_ptr, zero, zero, *one),
        ("clEnqueueFillBuffer", buffer.int_ptr, pointer, 4, 0, 64),
    ]
    for function, *arguments in calls:
        check.equal(function, _ask(device, function, *arguments), "CL_INVALID_OPERATION", stage="api")
    for flags in (2, 4):
        where, error = opencl.create("clEnqueueMapBuffer", device.queue.int_ptr, buffer.int_ptr, 1, flags, 0, 64, 0, 0, 0)
        check.equal(f"clEnqueueMapBuffer, flags {flags}", error, "CL_INVALID_OPERATION", stage="api")
        check.equal("the pointer that comes with it", where, 0, stage="api")
    device.queue.finish()


def _read(device: Device, buffer: cl.Buffer, want: Words) -> None:
    """Read the buffer by the host, by a copy, and by a kernel as constant memory."""
    check.equal("what the host reads", device.read(buffer, np.uint32, len(want)), want)
    copied = device.buffer(np.zeros(len(want), np.uint32))
    device.copy(copied, buffer, byte_count=want.nbytes)
    check.equal("what a copy reads", device.read(copied, np.uint32, len(want)), want)
    mapped, _ = cl.enqueue_map_buffer(device.queue, buffer, cl.map_flags.READ, 0, len(want), np.uint32)
    check.equal("what a map shows", mapped.copy(), want)
    mapped.base.release(device.queue)
    _launch(device, "from_constant", buffer, want)


def _launch(device: Device, name: str, buffer: cl.Buffer, want: Words) -> None:
    target = device.buffer(np.zeros(len(want), np.uint32))
    device.launch(getattr(device.build(SOURCE), name), [len(want)], None, buffer, target)
    check.equal(f"what the kernel {name} reads", device.read(target, np.uint32, len(want)), want + np.uint32(5))


def _buffer_from_host(device: Device, memory: str) -> tuple[cl.Buffer, Words, Words]:
    """A buffer, its content, and the host's memory that it uses, which must live as long as the buffer."""
    data = device.rng.integers(0, 2**32, _COUNT, dtype=np.uint32)
    content = data.copy()
    flags = IMMUTABLE | {"use": USE_HOST_PTR, "copy": COPY_HOST_PTR}[memory]
    buffer = cl.Buffer(device.context, flags, hostbuf=data)
    if memory == "copy":
        data[:] = 0  # the call has made the copy
    return buffer, content, data


def check_immutable_buffer(device: Device, *, memory: str) -> None:
    """Commands that would change an immutable buffer are refused, without effect. `memory`: "use" or "copy"."""
    buffer, want, _data = _buffer_from_host(device, memory)
    _read(device, buffer, want)
    _refused(device, buffer)
    _read(device, buffer, want)
    device.queue.finish()


def check_immutable_global(device: Device, *, memory: str) -> None:
    """A kernel may read an immutable buffer through a pointer to const global memory. `memory`: "use" or "copy"."""
    buffer, want, _data = _buffer_from_host(device, memory)
    _launch(device, "from_global", buffer, want)


def check_immutable_sub_buffer(device: Device, *, what: str) -> None:
    """A sub-buffer without flags inherits that it is immutable (5.2.1). `what`: reads, refused, flags."""
    buffer, want, _data = _buffer_from_host(device, "copy")
    at = device.device.mem_base_addr_align // 8
    part, want = buffer.get_sub_region(at, 1024), want[at // 4 :][:256]
    if what == "flags":
        value = ctypes.c_uint64(0)
        error = opencl.call("clGetMemObjectInfo", part.int_ptr, 0x1101, 8, ctypes.byref(value), 0)
        check.equal("clGetMemObjectInfo", error, "CL_SUCCESS", stage="api")
        check.equal("CL_MEM_IMMUTABLE_EXT in CL_MEM_FLAGS", value.value & IMMUTABLE, IMMUTABLE)
    elif what == "refused":
        _refused(device, part)
        _read(device, part, want)
    else:
        _read(device, part, want)


def check_immutable_image(device: Device, *, memory: str) -> None:
    """An immutable image from the host's memory. `memory`: "use" or "copy"."""
    data = device.rng.integers(0, 256, (8, 16, 4), dtype=np.uint8)
    content = data.copy()
    flags = IMMUTABLE | {"use": USE_HOST_PTR, "copy": COPY_HOST_PTR}[memory]
    form = cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.UNSIGNED_INT8)
    image = cl.create_image(device.context, flags, form, (16, 8), hostbuf=data)
    if memory == "copy":
        data[:] = 0
    source = """__kernel void f(read_only image2d_t i, __global uint4 *r) {
    int x = get_global_id(0), y = get_global_id(1);
    r[y * 16 + x] = read_imageui(i, (int2)(x, y));
}
"""
    kernel, zero, region = device.build(source).f, opencl.sizes([0, 0, 0]), opencl.sizes([16, 8, 1])
    other = device.buffer(np.full(512, 9, np.uint8))
    calls: list[tuple[Any, ...]] = [
        ("clEnqueueWriteImage", image.int_ptr, 1, zero, region, 0, 0, np.zeros(512, np.uint8).ctypes.data),
        ("clEnqueueFillImage", image.int_ptr, (ctypes.c_uint32 * 4)(1, 2, 3, 4), zero, region),
        ("clEnqueueCopyBufferToImage", other.int_ptr, image.int_ptr, 0, zero, region),
    ]
    for refused in ((), calls):
        for function, *arguments in refused:
            check.equal(function, _ask(device, function, *arguments), "CL_INVALID_OPERATION", stage="api")
        check.equal("what the host reads", device.read_image(image, np.uint8, content.shape, (0, 0, 0), (16, 8, 1)), content)
        target = device.buffer(np.zeros((8, 16, 4), np.uint32))
        device.launch(kernel, [16, 8], None, image, target)
        check.equal("what a kernel reads", device.read(target, np.uint32, content.shape), content.astype(np.uint32))
    device.queue.finish()
