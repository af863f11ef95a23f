"""cl_khr_semaphore: binary semaphores between queues."""

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

from ..kit import opencl
from ..kit.gate import settles, status_of, zeros
from .address import call, create, succeed

TYPE, BINARY = 0x203D, 1
INFO = {"context": 0x2039, "references": 0x203A, "payload": 0x203C, "type": TYPE}
WAIT, SIGNAL = "clEnqueueWaitSemaphoresKHR", "clEnqueueSignalSemaphoresKHR"


@contextmanager
def semaphores(device: Device, count: int = 1) -> Iterator[list[int]]:
    """Binary semaphores, released at the end."""
    handles = []
    try:
        for _ in range(count):
            properties = (ctypes.c_uint64 * 3)(TYPE, BINARY, 0)
            handle, error = create(device, "clCreateSemaphoreWithPropertiesKHR", device.context.int_ptr, properties)
            check.equal("clCreateSemaphoreWithPropertiesKHR", error, "CL_SUCCESS", stage="api")
            handles.append(handle)
        yield handles
    finally:
        for handle in handles:
            call(device, "clReleaseSemaphoreKHR", handle)


def require_guarded_info(device: Device, semaphore: int) -> None:
    """Require that each answer of clGetSemaphoreInfoKHR writes only its bytes."""
    from ..api.guards import GuardedBuffer

    for what, name in INFO.items():
        guarded = GuardedBuffer(64)
        arguments = (device, "clGetSemaphoreInfoKHR", semaphore, name)
        succeed(*arguments, 64, guarded.address, guarded.returned_address)
        guarded.require_kept(f"clGetSemaphoreInfoKHR {what}", guarded.returned)


def ask(device: Device, semaphore: int, what: str) -> int:
    """An answer of clGetSemaphoreInfoKHR."""
    value, size = ctypes.c_uint64(0), ctypes.c_size_t(0)
    succeed(device, "clGetSemaphoreInfoKHR", semaphore, INFO[what], 8, value, size)
    check.true(f"size of {what}", size.value in (4, 8))
    return value.value % (1 << 8 * size.value)


def enqueue(device: Device, name: str, queue: cl.CommandQueue, handles: list[int], wait: list[cl.Event]) -> cl.Event:
    """Enqueue a signal or a wait; returns its event."""
    array, event = (ctypes.c_void_p * len(handles))(*handles), ctypes.c_void_p()
    waits = (ctypes.c_void_p * len(wait))(*(e.int_ptr for e in wait)) if wait else None
    succeed(device, name, queue.int_ptr, len(handles), array, None, len(wait), waits, event)
    return cl.Event.from_int_ptr(event.value, False)


def check_semaphore_info(device: Device) -> None:
    """The queries of a new semaphore."""
    with semaphores(device) as (one,):
        check.equal("type", ask(device, one, "type"), BINARY)
        require_guarded_info(device, one)
        check.equal("references", ask(device, one, "references"), 1)
        check.equal("payload", ask(device, one, "payload"), 0)
        check.equal("context is its context", ask(device, one, "context") == device.context.int_ptr, True)
        succeed(device, "clRetainSemaphoreKHR", one)
        check.equal("references after a retain", ask(device, one, "references"), 2)
        succeed(device, "clReleaseSemaphoreKHR", one)
        check.equal("references after a release", ask(device, one, "references"), 1)


def check_semaphore_payload(device: Device, *, rounds: int) -> None:
    """The payload is 1 after a signal, and 0 again after a wait."""
    with semaphores(device) as (one,):
        for _ in range(rounds):
            enqueue(device, SIGNAL, device.queue, [one], [])
            device.queue.finish()
            check.equal("payload after a signal", ask(device, one, "payload"), 1)
            enqueue(device, WAIT, device.queue, [one], [])
            device.queue.finish()
            check.equal("payload after a wait", ask(device, one, "payload"), 0)


def check_semaphore_command(device: Device) -> None:
    """The events of the signal and the wait."""
    kind = ctypes.c_uint32()
    with semaphores(device) as (one,):
        events = [enqueue(device, name, device.queue, [one], []) for name in (SIGNAL, WAIT)]
        device.queue.flush()
        for event, want in zip(events, (0x2043, 0x2042), strict=True):
            check.true("the command completes", settles(event))
            check.equal("status", status_of(event), 0)
            opencl.call("clGetEventInfo", event.int_ptr, 0x11D1, 4, ctypes.byref(kind), 0)
            check.equal("CL_EVENT_COMMAND_TYPE", kind.value, want)


def check_semaphore_order(device: Device, *, rounds: int, count: int, waits: bool) -> None:
    """After its wait, a queue sees what another one did before its signal."""
    one, two, target = cl.CommandQueue(device.context), cl.CommandQueue(device.context), zeros(device)
    copies = device.buffer(np.zeros(64 * rounds, np.uint32))
    with semaphores(device, 2 * count) as handles:
        there, back = handles[:count], handles[count:]
        for n in range(rounds):
            filled = cl.enqueue_fill_buffer(one, target, np.uint32(n + 1), 0, 256)
            enqueue(device, SIGNAL, one, there, [filled] if waits else [])
            one.flush()
            enqueue(device, WAIT, two, there, [])
            cl.enqueue_copy(two, copies, target, dst_offset=256 * n, byte_count=256)
            enqueue(device, SIGNAL, two, back, [])
            two.flush()
            enqueue(device, WAIT, one, back, [])
            one.flush()
        last = cl.enqueue_marker(two)
        two.flush()
        check.true("the second queue completes", settles(last))
        one.finish()
    want = np.repeat(np.arange(1, rounds + 1, dtype=np.uint32), 64)
    check.equal("copies", device.read(copies, np.uint32, len(want)), want)


def check_semaphore_error(device: Device, *, mistake: str) -> None:
    """Mistakes with semaphores are refused. `mistake`: its name."""
    queue = device.queue.int_ptr
    with semaphores(device) as (one,):
        handles = (ctypes.c_void_p * 1)(one)
        nothing = (ctypes.c_void_p * 1)(0)
        create_it = "clCreateSemaphoreWithPropertiesKHR"
        if mistake == "create_null_properties":
            error, want = create(device, create_it, device.context.int_ptr, None)[1], ["CL_INVALID_VALUE"]
        elif mistake == "create_null_context":
            properties = (ctypes.c_uint64 * 3)(TYPE, BINARY, 0)
            error, want = create(device, create_it, None, properties)[1], ["CL_INVALID_CONTEXT"]
        elif mistake == "create_unknown_property":
            properties = (ctypes.c_uint64 * 5)(TYPE, BINARY, 0x7777, 1, 0)
            error = create(device, create_it, device.context.int_ptr, properties)[1]
            want = ["CL_INVALID_PROPERTY"]
        elif mistake == "wait_for_none":
            error, want = call(device, WAIT, queue, 0, handles, None, 0, None, None), ["CL_INVALID_VALUE"]
        elif mistake == "signal_null_list":
            error, want = call(device, SIGNAL, queue, 1, None, None, 0, None, None), ["CL_INVALID_VALUE"]
        elif mistake == "wait_null_semaphore":
            error = call(device, WAIT, queue, 1, nothing, None, 0, None, None)
            want = ["CL_code -1142"]  # CL_INVALID_SEMAPHORE_KHR
        else:
            error = call(device, "clGetSemaphoreInfoKHR", one, 0x7777, 0, None, None)
            want = ["CL_INVALID_VALUE"]
        check.true(f"{mistake}: {error} is one of {want}", error in want, stage="api")
