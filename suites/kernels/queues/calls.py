"""Queues: their properties, what flush, finish and release do, and the order of commands (API 3.0, 5.1, 5.16)."""

import ctypes
from collections.abc import Sequence

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

from ..event.table import CALLS
from ..extension import address
from ..kit import opencl
from ..kit.gate import Blocking, gates, settles, status_of, stays, wait_for, zeros
from ..kit.opencl import call, create, queried
from . import sequence
from .table import PROPERTIES

INFO = {"context": 0x1090, "device": 0x1091, "references": 0x1092, "properties": 0x1093}


def ask(queue: int, what: int) -> int:
    """An answer of clGetCommandQueueInfo, of up to 8 bytes."""
    value, size = ctypes.c_uint64(0), ctypes.c_size_t(0)
    call("clGetCommandQueueInfo", queue, what, 0, 0, ctypes.byref(size))
    error = call("clGetCommandQueueInfo", queue, what, size.value, ctypes.byref(value), 0)
    check.equal(f"clGetCommandQueueInfo {what:#x}", error, "CL_SUCCESS", stage="api")
    return value.value


def open_queue(device: Device, function: str, properties: Sequence[int] | int) -> tuple[int, str]:
    """A queue by one of the three functions. `properties`: a number, or an array without its end; [] stands for NULL."""
    if isinstance(properties, int):
        return create(function, device.context.int_ptr, device.device.int_ptr, properties)
    array = (ctypes.c_uint64 * (len(properties) + 1))(*properties, 0) if properties else 0
    if function.endswith("KHR"):
        return address.create(device, function, device.context.int_ptr, device.device.int_ptr, array or None)
    return create(function, device.context.int_ptr, device.device.int_ptr, array)


def work(device: Device, handle: int) -> None:
    """Require that the queue executes its commands."""
    queue, target = cl.CommandQueue.from_int_ptr(handle), zeros(device)
    model = sequence.BufferModel(device, queue)
    for operation in ("fill", "kernel", "copy", "kernel"):
        model.step(operation, [])
        cl.enqueue_barrier(queue)
    model.check()
    check.equal("another buffer", device.read(target, np.uint32, 64), np.zeros(64))


def check_create(device: Device, *, function: str, properties: str) -> None:
    """A queue works, and its queries tell how it was made. `properties`: a name of PROPERTIES."""
    wanted = PROPERTIES[properties]
    argument: list[int] | int = wanted or 0
    if "With" in function:
        argument = [] if wanted is None else [0x1093, wanted]
    queue, error = open_queue(device, function, argument)
    check.equal(function, error, "CL_SUCCESS", stage="api")
    check.equal("CL_QUEUE_CONTEXT is its context", ask(queue, INFO["context"]) == device.context.int_ptr, True)
    check.equal("CL_QUEUE_DEVICE is its device", ask(queue, INFO["device"]) == device.device.int_ptr, True)
    check.equal("CL_QUEUE_REFERENCE_COUNT", ask(queue, INFO["references"]), 1)
    check.equal("CL_QUEUE_PROPERTIES", ask(queue, INFO["properties"]), wanted or 0)
    call("clRetainCommandQueue", queue)
    check.equal("after a retain", ask(queue, INFO["references"]), 2)
    call("clReleaseCommandQueue", queue)
    check.equal("after a release", ask(queue, INFO["references"]), 1)
    work(device, queue)


def check_properties_array(device: Device, *, given: Sequence[int] | None) -> None:
    """CL_QUEUE_PROPERTIES_ARRAY is the array that was given, in its order and with its end; it is empty if that was NULL, or
    if clCreateCommandQueue made the queue (`given` is None).
    """
    function = "clCreateCommandQueue" if given is None else "clCreateCommandQueueWithProperties"
    queue, error = open_queue(device, function, 2 if given is None else given)
    check.equal(function, error, "CL_SUCCESS", stage="api")
    size, values = ctypes.c_size_t(99), (ctypes.c_uint64 * 8)(*[99] * 8)
    error = call("clGetCommandQueueInfo", queue, 0x1098, 64, values, ctypes.byref(size))
    check.equal("clGetCommandQueueInfo", error, "CL_SUCCESS", stage="api")
    listed = [*given, 0] if given else []
    check.equal("bytes of CL_QUEUE_PROPERTIES_ARRAY", size.value, 8 * len(listed))
    check.equal("CL_QUEUE_PROPERTIES_ARRAY", list(values)[: len(listed)], listed)
    call("clReleaseCommandQueue", queue)


def check_size(device: Device) -> None:
    """CL_QUEUE_SIZE of a queue on the host is refused with CL_INVALID_COMMAND_QUEUE (API 3.0, 5.1)."""
    size = ctypes.c_uint32(0)
    error = call("clGetCommandQueueInfo", device.queue.int_ptr, 0x1094, 4, ctypes.byref(size), 0)
    check.equal("CL_QUEUE_SIZE", error, "CL_INVALID_COMMAND_QUEUE", stage="api")


def check_device_default(device: Device) -> None:
    """CL_QUEUE_DEVICE_DEFAULT is NULL on a device without queues of its own (API 3.0, appendix A, Device-Side Enqueue)."""
    default = ctypes.c_void_p(1)
    size = ctypes.c_size_t(0)
    room = ctypes.sizeof(default)
    error = call("clGetCommandQueueInfo", device.queue.int_ptr, 0x1095, room, ctypes.byref(default), ctypes.byref(size))
    check.equal("CL_QUEUE_DEVICE_DEFAULT", error, "CL_SUCCESS", stage="api")
    check.equal("its size", size.value, room, stage="api")
    if not any(queried("clGetDeviceInfo", device.device.int_ptr, 0x1070)):  # CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES
        check.equal("the device's default queue", default.value or 0, 0, stage="api")


def check_refused(device: Device, *, given: Sequence[int], allowed: Sequence[str], unless: str) -> None:
    """Properties that are invalid, or that the device lacks, are refused. `allowed`: any of these errors is right."""
    has = unless in device.device.extensions.split()
    queue, error = open_queue(device, "clCreateCommandQueueWithProperties", given)
    if has:
        check.equal("clCreateCommandQueueWithProperties", error, "CL_SUCCESS", stage="api")
        work(device, queue)
    else:
        check.true(f"{error} is one of {', '.join(allowed)}", error in allowed, stage="api")
        check.equal("queue", queue, 0, stage="api")


def pending(device: Device, queue: cl.CommandQueue, kind: str, target: cl.Buffer, wait: list[cl.Event]) -> cl.Event:
    """Enqueue a command of a kind; all but markers and barriers set the first 16 words to 5."""
    if kind == "marker":
        return cl.enqueue_marker(queue, wait)
    if kind == "barrier":
        return cl.enqueue_barrier(queue, wait)
    if kind == "kernel":
        kernel = device.build("__kernel void f(__global uint *a) { a[get_global_id(0)] = 5; }").f
        kernel.set_args(target)
        return cl.enqueue_nd_range_kernel(queue, kernel, (16,), None, wait_for=wait)
    return cl.enqueue_fill_buffer(queue, target, np.uint32(5), 0, 64, wait_for=wait)


def new_queue(device: Device, out_of_order: bool) -> cl.CommandQueue:
    """A queue that executes in order or out of order."""
    properties = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE if out_of_order else 0
    return cl.CommandQueue(device.context, properties=properties)


def check_sync(device: Device, *, call: str, kind: str, out_of_order: bool) -> None:
    """clFlush does not wait, clFinish does (API 3.0, 5.16)."""
    queue, target = new_queue(device, out_of_order), zeros(device)
    name = CALLS[kind]
    with gates(device) as (gate,):
        event = pending(device, queue, kind, target, [gate.event])
        waiting = Blocking(lambda: opencl.call(call, queue.int_ptr))
        if call == "clFlush":
            check.true("clFlush returns", waiting.over())
            check.true(f"{name} waits", stays([event]))
        else:
            check.true(f"clFinish waits for {name}", not waiting.over(0.01))
        gate.open()
        check.true(f"{call} returns", waiting.over())
        check.true(f"{name} completes", settles(event))
    check.equal(call, waiting.answer, "CL_SUCCESS", stage="api")
    check.equal("status", status_of(event), 0)
    want = np.zeros(64, np.uint32)
    want[:16] = 0 if kind in ("marker", "barrier") else 5
    check.equal("memory", device.read(target, np.uint32, 64), want)


def check_empty(device: Device, *, call: str, used: bool) -> None:
    """A queue without commands, or one whose commands are complete (`used`), has nothing to wait for."""
    queue, target = cl.CommandQueue(device.context), zeros(device)
    if used:
        pending(device, queue, "fill", target, [])
        opencl.call("clFinish", queue.int_ptr)
    for _ in range(3):
        waiting = Blocking(lambda: opencl.call(call, queue.int_ptr))
        check.true(f"{call} returns", waiting.over())
        check.equal(call, waiting.answer, "CL_SUCCESS", stage="api")
    check.equal("memory", device.read(target, np.uint32, 16), np.full(16, 5 if used else 0))


def check_finish_waits(device: Device, *, out_of_order: bool) -> None:
    """clFinish waits for the last command, not only for the first (API 3.0, 5.16)."""
    queue, target = new_queue(device, out_of_order), zeros(device)
    with gates(device, 1) as (gate,):
        cl.enqueue_fill_buffer(queue, target, np.uint32(5), 0, 64)
        last = cl.enqueue_fill_buffer(queue, target, np.uint32(6), 64, 64, wait_for=[gate.event])
        finish = Blocking(lambda: call("clFinish", queue.int_ptr))
        check.true("clFinish waits for the last command", not finish.over(0.1))
        gate.open()
        check.true("clFinish returns", finish.over())
        check.equal("status of the last command", status_of(last), 0)


def check_release(device: Device, *, kind: str, count: int) -> None:
    """A released queue still runs its commands (API 3.0, 5.1: an implicit flush)."""
    queue, target = cl.CommandQueue(device.context), zeros(device)
    for _ in range(count):
        event = pending(device, queue, kind, target, [])
    del queue
    check.true("the last command completes", settles(event))
    check.equal("status", status_of(event), 0)
    want = np.zeros(64, np.uint32)
    want[:16] = 0 if kind == "marker" else 5
    check.equal("memory", device.read(target, np.uint32, 64), want)


def check_across(device: Device, *, by: str) -> None:
    """A command of one queue waits for one of another queue, which was submitted by flush, finish, read or wait."""
    one, two, target = cl.CommandQueue(device.context), cl.CommandQueue(device.context), zeros(device)
    first = pending(device, one, "kernel", target, [])
    word = np.zeros(1, np.uint32)
    if by == "read":
        waiting = Blocking(lambda: cl.enqueue_copy(one, word, target))
    elif by == "wait":
        waiting = Blocking(lambda: wait_for([first.int_ptr]))
    else:
        waiting = Blocking(lambda: call(by, one.int_ptr))
    check.true(f"{by} returns", waiting.over())
    second = cl.enqueue_fill_buffer(two, target, np.uint32(6), 32, 64, wait_for=[first])
    two.flush()
    check.true("the second queue completes", settles(second))
    want = np.repeat(np.array([5, 6, 0], np.uint32), (8, 16, 40))
    check.equal("memory", device.read(target, np.uint32, 64), want)


def check_mark(device: Device, *, kind: str, listed: bool, out_of_order: bool) -> None:
    """A marker or barrier with a wait list waits for it, and one without a list waits for all earlier commands.

    A barrier also holds back later commands.
    """
    queue, target = new_queue(device, out_of_order), zeros(device)
    with gates(device, 2) as (gate, other):
        first = cl.enqueue_fill_buffer(queue, target, np.uint32(5), 0, 64, wait_for=[gate.event])
        second = cl.enqueue_fill_buffer(queue, target, np.uint32(6), 64, 64)
        waits = [other.event] if listed else []
        mark = (cl.enqueue_marker if kind == "marker" else cl.enqueue_barrier)(queue, waits)
        third = cl.enqueue_fill_buffer(queue, target, np.uint32(7), 32, 64)
        queue.flush()
        held = [first, mark, third] if kind == "barrier" else [first, mark]
        if not listed:
            other.open()
            check.true("they wait for the first command", stays(held))
            gate.open()
        else:
            gate.open()
            check.true("the first command completes", settles(first))
            check.true("they wait for the wait list", stays(held[1:]))
            other.open()
        for name, event in (("mark", mark), ("second", second), ("third", third)):
            check.true(f"{name} completes", settles(event))
    words = device.read(target, np.uint32, 64)
    if kind == "barrier" or not out_of_order:  # else the third command need not be the last
        check.equal("memory", words, np.repeat(np.array([5, 7, 6, 0], np.uint32), (8, 16, 8, 32)))
    else:
        check.equal("memory", words[[0, 31, 32]], [5, 6, 0])
