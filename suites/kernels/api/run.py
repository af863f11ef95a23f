"""Error codes of the API: one call with one mistake each, everything else in order."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device
from runner.model import Case

from ..opencl import call, create, handles, sizes

NULL = 0
READ_WRITE, WRITE_ONLY, READ_ONLY = 1, 2, 4  # cl_mem_flags
MAP_READ, MAP_WRITE_INVALIDATE_REGION = 1, 4  # cl_map_flags
REGION = 0x1220  # CL_BUFFER_CREATE_TYPE_REGION

SOURCE = """
__kernel void f(__global int *r, int v, __local int *l) { l[0] = v; r[get_global_id(0)] = l[0]; }
__kernel __attribute__((reqd_work_group_size(4, 1, 1)))
void four(__global int *r) { r[get_global_id(0)] = 1; }
"""


def create_buffer(
    device: Device, flags: int, size: int, host: object = NULL, context: int | None = None
) -> str:
    own = device.context.int_ptr if context is None else context
    return create("clCreateBuffer", own, flags, size, host)[1]


def create_sub_buffer(device: Device, origin: int, size: int, parent: cl.Buffer | None = None) -> str:
    buffer = parent or device.buffer(16384)
    return create("clCreateSubBuffer", buffer.int_ptr, READ_WRITE, REGION, sizes([origin, size]))[1]


def sub_buffer_of_sub_buffer(device: Device) -> str:
    parent = device.buffer(16384)
    return create_sub_buffer(device, 0, 64, parent.get_sub_region(0, 8192))


def set_argument(device: Device, index: int, size: int, value: object) -> str:
    kernel = device.build(SOURCE).f
    return call("clSetKernelArg", kernel.int_ptr, index, size, value)


def launch(device: Device, size: list[int], local: list[int] | None, name: str = "f", dims: int = 1) -> str:
    """A launch with all arguments set; `dims` need not fit to the sizes."""
    kernel = getattr(device.build(SOURCE, "-cl-std=CL1.2"), name)
    out = device.buffer(1 << 16)
    kernel.set_args(*(out, np.int32(1), cl.LocalMemory(4))[: kernel.num_args])
    local_sizes = sizes(local) if local else NULL
    queue = device.queue.int_ptr
    arguments = (queue, kernel.int_ptr, dims, NULL, sizes(size), local_sizes, 0, NULL, NULL)
    error = call("clEnqueueNDRangeKernel", *arguments)
    device.queue.finish()
    return error


def launch_too_big(device: Device) -> str:
    """Each dimension is inside of CL_DEVICE_MAX_WORK_ITEM_SIZES; the product is too many."""
    widest = min(device.device.max_work_group_size, device.device.max_work_item_sizes[0])
    rows = device.device.max_work_group_size // widest + 1
    return launch(device, [widest, rows], [widest, rows], dims=2)


def launch_unset(device: Device) -> str:
    kernel = device.build(SOURCE).f
    kernel.set_arg(1, np.int32(1))
    arguments = (device.queue.int_ptr, kernel.int_ptr, 1, NULL, sizes([4]), NULL, 0, NULL, NULL)
    return call("clEnqueueNDRangeKernel", *arguments)


def read(device: Device, offset: int, size: int, *, target: bool = True, source: bool = True) -> str:
    buffer, host = device.buffer(64), ctypes.create_string_buffer(256)
    arguments = (1, offset, size, host if target else NULL, 0, NULL, NULL)
    return call("clEnqueueReadBuffer", device.queue.int_ptr, buffer.int_ptr if source else NULL, *arguments)


def copy(device: Device, source_at: int, target_at: int, size: int) -> str:
    buffer = device.buffer(64)
    arguments = (buffer.int_ptr, buffer.int_ptr, source_at, target_at, size, 0, NULL, NULL)
    return call("clEnqueueCopyBuffer", device.queue.int_ptr, *arguments)


def fill(device: Device, width: int, offset: int, size: int) -> str:
    buffer, pattern = device.buffer(64), ctypes.create_string_buffer(128)
    arguments = (pattern, width, offset, size, 0, NULL, NULL)
    return call("clEnqueueFillBuffer", device.queue.int_ptr, buffer.int_ptr, *arguments)


def read_rectangle(device: Device) -> str:
    buffer, host = device.buffer(256), ctypes.create_string_buffer(256)
    origin, region, row_pitch = sizes([0, 0, 0]), sizes([8, 4, 1]), 7
    arguments = (1, origin, origin, region, row_pitch, 0, 0, 0, host, 0, NULL, NULL)
    return call("clEnqueueReadBufferRect", device.queue.int_ptr, buffer.int_ptr, *arguments)


def map_buffer(device: Device, flags: int) -> str:
    buffer = device.buffer(64)
    arguments = (1, flags, 0, 64, 0, NULL, NULL)
    return create("clEnqueueMapBuffer", device.queue.int_ptr, buffer.int_ptr, *arguments)[1]


def mark(device: Device, count: int, events: object) -> str:
    return call("clEnqueueMarkerWithWaitList", device.queue.int_ptr, count, events, NULL)


def mark_after_none(device: Device) -> str:
    event = cl.UserEvent(device.context)
    event.set_status(cl.command_execution_status.COMPLETE)
    return mark(device, 0, handles([event]))


def set_status(device: Device, *statuses: int) -> str:
    """The answer to the last of the statuses; the event is complete at the end."""
    event = cl.UserEvent(device.context)
    errors = [call("clSetUserEventStatus", event.int_ptr, status) for status in statuses]
    call("clSetUserEventStatus", event.int_ptr, 0)
    return errors[-1]


def profile(device: Device) -> str:
    event = cl.enqueue_marker(device.queue)
    device.queue.finish()
    value = ctypes.c_uint64()
    return call("clGetEventProfilingInfo", event.int_ptr, 0x1280, 8, ctypes.byref(value), NULL)


def create_queue(device: Device, bits: int) -> str:
    properties = (ctypes.c_uint64 * 3)(0x1093, bits, 0)  # CL_QUEUE_PROPERTIES
    arguments = (device.context.int_ptr, device.device.int_ptr, properties)
    return create("clCreateCommandQueueWithProperties", *arguments)[1]


def device_info(device: Device, name: int, size: int) -> str:
    room = ctypes.create_string_buffer(256)
    return call("clGetDeviceInfo", device.device.int_ptr, name, size, room, NULL)


def device_ids(device: Device, kind: int) -> str:
    count = ctypes.c_uint32()
    return call("clGetDeviceIDs", device.device.platform.int_ptr, kind, 0, NULL, ctypes.byref(count))


def create_kernel(device: Device, name: bytes) -> str:
    program = device.build(SOURCE)
    return create("clCreateKernel", program.int_ptr, name)[1]


def create_kernel_too_early(device: Device) -> str:
    text = (ctypes.c_char_p * 1)(SOURCE.encode())
    program, _ = create("clCreateProgramWithSource", device.context.int_ptr, 1, text, NULL)
    error = create("clCreateKernel", program, b"f")[1]
    call("clReleaseProgram", program)
    return error


class Descriptor(ctypes.Structure):
    """cl_image_desc."""

    _fields_ = (
        ("kind", ctypes.c_uint32),
        *(
            (name, ctypes.c_size_t)
            for name in ("width", "height", "depth", "count", "row_pitch", "slice_pitch")
        ),
        *((name, ctypes.c_uint32) for name in ("levels", "samples")),
        ("memory", ctypes.c_void_p),
    )


def create_image(device: Device, width: int, order: int, channel_type: int, *, described: bool = True) -> str:
    form = (ctypes.c_uint32 * 2)(order, channel_type) if described else NULL
    descriptor = Descriptor(kind=cl.mem_object_type.IMAGE2D, width=width, height=4)
    arguments = (device.context.int_ptr, READ_WRITE, form, ctypes.byref(descriptor), NULL)
    return create("clCreateImage", *arguments)[1]


def create_sampler(device: Device, addressing: int, filtering: int) -> str:
    properties = (ctypes.c_uint64 * 7)(0x1152, 0, 0x1153, addressing, 0x1154, filtering, 0)
    return create("clCreateSamplerWithProperties", device.context.int_ptr, properties)[1]


RGBA, UNORM8, SHORT_565 = cl.channel_order.RGBA, cl.channel_type.UNORM_INT8, cl.channel_type.UNORM_SHORT_565

ROOM = ctypes.create_string_buffer(64)

MISTAKES: dict[str, Callable[[Device], str]] = {
    "buffer.size_zero": lambda d: create_buffer(d, READ_WRITE, 0),
    "buffer.null_context": lambda d: create("clCreateBuffer", NULL, READ_WRITE, 64, NULL)[1],
    "buffer.host_pointer_without_flag": lambda d: create_buffer(
        d, READ_WRITE, 64, ctypes.create_string_buffer(64)
    ),
    "buffer.flags_exclude_each_other": lambda d: create_buffer(d, READ_ONLY | WRITE_ONLY, 64),
    "sub_buffer.misaligned": lambda d: create_sub_buffer(d, 1, 64),
    "sub_buffer.beyond": lambda d: create_sub_buffer(d, 8192, 8193),
    "sub_buffer.size_zero": lambda d: create_sub_buffer(d, 0, 0),
    "sub_buffer.of_sub_buffer": sub_buffer_of_sub_buffer,
    "argument.index": lambda d: set_argument(d, 3, 4, ctypes.byref(ctypes.c_int32())),
    "argument.size": lambda d: set_argument(d, 1, 8, ctypes.byref(ctypes.c_int64())),
    "argument.local_with_value": lambda d: set_argument(d, 2, 4, ctypes.byref(ctypes.c_int32())),
    "launch.unset_argument": launch_unset,
    "launch.group_too_big": launch_too_big,
    "launch.group_not_dividing": lambda d: launch(d, [10], [4]),
    "launch.group_not_required": lambda d: launch(d, [8], [2], "four"),
    "launch.dimension_zero": lambda d: launch(d, [4] * 4, None, dims=0),
    "launch.dimension_four": lambda d: launch(d, [4] * 4, None, dims=4),
    "read.past_the_end": lambda d: read(d, 60, 5),
    "read.null_pointer": lambda d: read(d, 0, 64, target=False),
    "read.null_buffer": lambda d: read(d, 0, 64, source=False),
    "copy.overlap": lambda d: copy(d, 0, 15, 16),
    "copy.past_the_end": lambda d: copy(d, 0, 49, 16),
    "fill.pattern_of_three": lambda d: fill(d, 3, 0, 6),
    "fill.offset_no_multiple": lambda d: fill(d, 4, 2, 8),
    "rectangle.row_pitch": read_rectangle,
    "map.flags_exclude_each_other": lambda d: map_buffer(d, MAP_READ | MAP_WRITE_INVALIDATE_REGION),
    "wait_list.null": lambda d: mark(d, 1, NULL),
    "wait_list.count_zero": mark_after_none,
    "wait_list.null_event": lambda d: mark(d, 1, (ctypes.c_void_p * 1)(None)),
    "event.wait_for_none": lambda d: call("clWaitForEvents", 0, NULL),
    "event.user_status_twice": lambda d: set_status(d, 0, 0),
    "event.user_status_positive": lambda d: set_status(d, 1),
    "event.profiling_not_enabled": profile,
    "queue.property": lambda d: create_queue(d, 1 << 40),
    "device.info_unknown": lambda d: device_info(d, 0xDEAD, 256),
    "device.info_size": lambda d: device_info(d, cl.device_info.NAME, 1),
    "device.type": lambda d: device_ids(d, 1 << 20),
    "program.no_source": lambda d: create("clCreateProgramWithSource", d.context.int_ptr, 0, NULL, NULL)[1],
    "kernel.name": lambda d: create_kernel(d, b"no_such_kernel"),
    "kernel.not_built": create_kernel_too_early,
    "image.format": lambda d: create_image(d, 4, RGBA, SHORT_565),
    "image.width_zero": lambda d: create_image(d, 0, RGBA, UNORM8),
    "image.too_wide": lambda d: create_image(d, d.device.image2d_max_width + 1, RGBA, UNORM8),
    "image.null_format": lambda d: create_image(d, 4, RGBA, UNORM8, described=False),
    "sampler.filter": lambda d: create_sampler(d, cl.addressing_mode.CLAMP, 0xDEAD),
}


def check_error(device: Device, case: Case) -> None:
    """A mistake and its answer. Params: mistake, error."""
    mistake = case.params["mistake"]
    check.equal(mistake, MISTAKES[mistake](device), case.params["error"], stage="api")


BODIES = {"api.error": check_error}
