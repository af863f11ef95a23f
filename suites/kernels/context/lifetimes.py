"""The lifetimes of objects, and their contexts (OpenCL API 3.0, 4.4 and the retain and release calls of 5)."""

import ctypes
from dataclasses import dataclass

import numpy as np

from runner import check
from runner.device import Device

from ..kit.opencl import SUCCESS, call, create, sizes

SOURCE = b"__kernel void f(__global int *r) { r[get_global_id(0)] = 42; }"


@dataclass(frozen=True, slots=True)
class ObjectType:
    """The functions of a class of objects, and the enums of its reference count and its context."""

    info: str
    retain: str
    release: str
    count: int
    context: int


_MEMORY = ObjectType("clGetMemObjectInfo", "clRetainMemObject", "clReleaseMemObject", 0x1105, 0x1106)
_EVENT = ObjectType("clGetEventInfo", "clRetainEvent", "clReleaseEvent", 0x11D2, 0x11D4)
KINDS = {
    "queue": ObjectType("clGetCommandQueueInfo", "clRetainCommandQueue", "clReleaseCommandQueue", 0x1092, 0x1090),
    "buffer": _MEMORY,
    "sub_buffer": _MEMORY,
    "image": _MEMORY,
    "sampler": ObjectType("clGetSamplerInfo", "clRetainSampler", "clReleaseSampler", 0x1150, 0x1151),
    "program": ObjectType("clGetProgramInfo", "clRetainProgram", "clReleaseProgram", 0x1160, 0x1161),
    "kernel": ObjectType("clGetKernelInfo", "clRetainKernel", "clReleaseKernel", 0x1192, 0x1193),
    "user_event": _EVENT,
    "event": _EVENT,
}


class OwnContext:
    """Objects in a context of their own, which are made and released without pyopencl."""

    def __init__(self, d: Device) -> None:
        self.d = d
        self.context = self._create("clCreateContext", 0, 1, (ctypes.c_void_p * 1)(d.device.int_ptr), 0, 0)

    def _create(self, function: str, *arguments: object) -> int:
        handle, error = create(function, *arguments)
        check.equal(function, error, SUCCESS, stage="api")
        return handle

    def queue(self, bits: int = 0) -> int:
        return self._create("clCreateCommandQueue", self.context, self.d.device.int_ptr, bits)

    def buffer(self) -> int:
        return self._create("clCreateBuffer", self.context, 1, 4096, 0)

    def image(self) -> int:
        form = (ctypes.c_uint32 * 2)(0x10B5, 0x10D2)
        words = (ctypes.c_uint64 * 9)(0x10F1, 8, 4, 0, 0, 0, 0, 0, 0)
        return self._create("clCreateImage", self.context, 1, form, words, 0)

    def program(self) -> int:
        text = (ctypes.c_char_p * 1)(SOURCE)
        program = self._create("clCreateProgramWithSource", self.context, 1, text, 0)
        check.equal("clBuildProgram", call("clBuildProgram", program, 0, 0, 0, 0, 0), SUCCESS, stage="api")
        return program

    def make(self, kind: str) -> int:
        """An object of a kind. Its source is released at once, because the object must not need it."""
        match kind:
            case "queue" | "buffer" | "image" | "program":
                return int(getattr(self, kind)())
            case "sub_buffer":
                parent = self.buffer()
                handle = self._create("clCreateSubBuffer", parent, 1, 0x1220, sizes([0, 64]))
                call("clReleaseMemObject", parent)
                return handle
            case "sampler":
                return self._create("clCreateSampler", self.context, 0, 0x1132, 0x1140)
            case "kernel":
                program = self.program()
                handle = self._create("clCreateKernel", program, b"f")
                call("clReleaseProgram", program)
                return handle
            case "user_event":
                return self._create("clCreateUserEvent", self.context)
        queue, event = self.queue(), ctypes.c_void_p()
        got = call("clEnqueueMarkerWithWaitList", queue, 0, 0, ctypes.byref(event))
        check.equal("clEnqueueMarkerWithWaitList", got, SUCCESS, stage="api")
        call("clFinish", queue)
        call("clReleaseCommandQueue", queue)
        return event.value or 0

    def close(self) -> None:
        call("clReleaseContext", self.context)


def ask(kind: str, handle: int, name: int) -> int:
    """An answer of 4 or 8 bytes."""
    room = ctypes.c_uint64()
    got = call(KINDS[kind].info, handle, name, 8, ctypes.byref(room), 0)
    check.equal(KINDS[kind].info, got, SUCCESS, stage="api")
    return room.value


def check_references(d: Device, *, kind: str) -> None:
    """Retain and release change the reference count."""
    row = KINDS[kind]
    own = OwnContext(d)
    handle = own.make(kind)
    first = ask(kind, handle, row.count)
    # An implementation may hold references to an event, for its queue, and to a program, while it works with it.
    counted = kind not in ("event", "program")
    if counted:
        check.equal("count of a new object", first, 1, stage="api")
    for function, more in ((row.retain, 1), (row.retain, 2), (row.release, 1), (row.release, 0)):
        check.equal(function, call(function, handle), SUCCESS, stage="api")
        if counted:
            check.equal(f"count after {function}", ask(kind, handle, row.count), first + more, stage="api")
    check.true("it still answers", ask(kind, handle, row.context) == own.context, stage="api")
    if kind == "user_event":
        call("clSetUserEventStatus", handle, 0)
    check.equal(row.release, call(row.release, handle), SUCCESS, stage="api")
    own.close()


def check_of(d: Device, *, kind: str) -> None:
    """An object of a second context reports this context."""
    own = OwnContext(d)
    handle = own.make(kind)
    context = ask(kind, handle, KINDS[kind].context)
    check.true("its context is the one that it was made in", context == own.context, stage="api")
    check.true("and not another on the same device", context != d.context.int_ptr, stage="api")
    if kind == "user_event":
        call("clSetUserEventStatus", handle, 0)
    call(KINDS[kind].release, handle)
    own.close()


def check_released_before(d: Device, *, kind: str) -> None:
    """An object still works after the caller has released its context, because it holds a reference."""
    own = OwnContext(d)
    # A kernel is launched, a program makes a kernel, memory is written and read, a sampler is queried.
    works = kind in ("queue", "buffer", "sub_buffer", "image", "kernel", "program")
    queue = own.queue() if works and kind != "queue" else 0
    memory = own.buffer() if kind in ("kernel", "program", "queue") else 0
    handle = own.make(kind)
    own.close()
    check.true("its context is still there", ask(kind, handle, KINDS[kind].context) == own.context, stage="api")
    match kind:
        case "kernel":
            run_kernel(queue, handle, memory)
        case "program":
            kernel, error = create("clCreateKernel", handle, b"f")
            check.equal("clCreateKernel", error, SUCCESS, stage="api")
            run_kernel(queue, kernel, memory)
            call("clReleaseKernel", kernel)
        case "queue":
            write_and_read(handle, memory)
        case "buffer" | "sub_buffer":
            write_and_read(queue, handle)
        case "image":
            host, zeros = np.zeros(16, np.uint8), sizes([0, 0, 0])
            color = (ctypes.c_float * 4)(1, 0, 1, 0)
            got = call("clEnqueueFillImage", queue, handle, color, zeros, sizes([8, 4, 1]), 0, 0, 0)
            check.equal("clEnqueueFillImage", got, SUCCESS, stage="api")
            arguments = (queue, handle, 1, zeros, sizes([4, 1, 1]), 0, 0, host.ctypes.data, 0, 0, 0)
            check.equal("clEnqueueReadImage", call("clEnqueueReadImage", *arguments), SUCCESS, stage="api")
            check.equal("pixels", host, np.array([255, 0, 255, 0] * 4, np.uint8))
        case "user_event":
            check.equal("clSetUserEventStatus", call("clSetUserEventStatus", handle, 0), SUCCESS, stage="api")
            check.equal("status", ask(kind, handle, 0x11D3), 0, stage="api")
        case "event":
            check.equal("status", ask(kind, handle, 0x11D3), 0, stage="api")
    for release, thing in ((KINDS[kind].release, handle), ("clReleaseMemObject", memory), ("clReleaseCommandQueue", queue)):
        if thing:
            check.equal(release, call(release, thing), SUCCESS, stage="api")


def run_kernel(queue: int, kernel: int, memory: int) -> None:
    """Launch four items that write 42, and compare."""
    pointer = ctypes.byref(ctypes.c_void_p(memory))
    size = ctypes.sizeof(ctypes.c_void_p)
    check.equal("clSetKernelArg", call("clSetKernelArg", kernel, 0, size, pointer), SUCCESS, stage="api")
    got = call("clEnqueueNDRangeKernel", queue, kernel, 1, 0, sizes([4]), 0, 0, 0, 0)
    check.equal("clEnqueueNDRangeKernel", got, SUCCESS, stage="api")
    host = np.zeros(4, np.int32)
    got = call("clEnqueueReadBuffer", queue, memory, 1, 0, 16, host.ctypes.data, 0, 0, 0)
    check.equal("clEnqueueReadBuffer", got, SUCCESS, stage="api")
    check.equal("result", host, np.full(4, 42, np.int32))


def write_and_read(queue: int, memory: int) -> None:
    """Write eight bytes, read them back, and compare."""
    out, back = np.arange(1, 9, dtype=np.uint8), np.zeros(8, np.uint8)
    for function, host in (("clEnqueueWriteBuffer", out), ("clEnqueueReadBuffer", back)):
        got = call(function, queue, memory, 1, 8, 8, host.ctypes.data, 0, 0, 0)
        check.equal(function, got, SUCCESS, stage="api")
    check.equal("bytes", back, out)


def check_queue(d: Device, *, what: str) -> None:
    """clReleaseCommandQueue flushes the queue, and its commands are still done."""
    own = OwnContext(d)
    queue, memory, event = own.queue(), own.buffer(), ctypes.c_void_p()
    other = own.queue() if what == "two_queues_one_released" else 0
    pattern = ctypes.byref(ctypes.c_int32(7))
    got = call("clEnqueueFillBuffer", queue, memory, pattern, 4, 0, 64, 0, 0, ctypes.byref(event))
    check.equal("clEnqueueFillBuffer", got, SUCCESS, stage="api")
    check.equal("clReleaseCommandQueue", call("clReleaseCommandQueue", queue), SUCCESS, stage="api")
    if what == "release_before_event":
        # Only the event is left to query.
        call("clReleaseMemObject", memory)
        own.close()
    wait = (ctypes.c_void_p * 1)(event)
    check.equal("clWaitForEvents", call("clWaitForEvents", 1, wait), SUCCESS, stage="api")
    check.equal("status of the command", ask("event", event.value or 0, 0x11D3), 0, stage="api")
    call("clReleaseEvent", event)
    if what == "release_before_event":
        return
    reader = other or own.queue()
    host = np.zeros(16, np.int32)
    call("clEnqueueReadBuffer", reader, memory, 1, 0, 64, host.ctypes.data, 0, 0, 0)
    check.equal("what the command wrote", host, np.full(16, 7, np.int32))
    call("clReleaseCommandQueue", reader)
    call("clReleaseMemObject", memory)
    own.close()
