"""Shared virtual memory: allocation, and the commands on it (API 3.0, 5.6.1)."""

import ctypes
from typing import Any

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

from ..kit import opencl
from ..kit.gate import ERROR, gates, own_device, reached, settles, status_of, stays
from ..kit.opencl import call
from .data import SOURCE, random_words
from .memory import Shared, allocate, release, shared, succeed
from .table import COMMANDS

FREED = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint32, ctypes.POINTER(ctypes.c_void_p), ctypes.c_void_p)


def check_free(device: Device, *, count: int, callback: bool, gated: bool) -> None:
    """clEnqueueSVMFree, with and without a callback."""
    blocks = [Shared(device, "coarse", 64 + 64 * n) for n in range(count)]
    pointers = [m.pointer for m in blocks]
    received: list[Any] = []

    @FREED  # type: ignore[untyped-decorator]
    def freed(queue: Any, number: int, array: Any, data: Any) -> None:
        received.append((queue, number, [array[n] for n in range(number)] if array else [], data))

    array = (ctypes.c_void_p * count)(*pointers)
    own = cl.CommandQueue(device.context)
    with gates(device) as (gate,):
        wait = (1, (ctypes.c_void_p * 1)(gate.event.int_ptr)) if gated else (0, 0)
        last = ctypes.c_void_p()
        notify = freed if callback else 0
        error = call("clEnqueueSVMFree", own.int_ptr, count, array if count else 0, notify, 77, *wait, ctypes.byref(last))
        for n in range(count):
            array[n] = 0xBAD  # the application may change the list after the call
        call("clFlush", own.int_ptr)
        check.equal("clEnqueueSVMFree", error, "CL_SUCCESS", stage="api")
        event = cl.Event.from_int_ptr(last.value, False)
        if gated:
            check.true("clEnqueueSVMFree waits for its event", stays([event]))
            check.equal("callbacks of clEnqueueSVMFree before its event", len(received), 0)
        gate.open()
    kind = ctypes.c_uint32()
    call("clGetEventInfo", event.int_ptr, 0x11D1, 4, ctypes.byref(kind), 0)
    check.equal("CL_EVENT_COMMAND_TYPE of clEnqueueSVMFree", kind.value, COMMANDS["free"])
    check.true("the command completes", settles(event))
    check.equal("status", status_of(event), 0)
    if callback:
        check.true("the callback comes", reached(lambda: bool(received)))
        check.true("clEnqueueSVMFree passes its queue", received[0][0] == own.int_ptr)
        passed = [each[1:] for each in received] == [(count, pointers, 77)]
        check.equal("what the callback was passed", passed, True)
        for pointer in pointers:
            release(device, pointer)
    for each in blocks:
        each.pointer = 0


def check_freed(device: Device, *, by: str, count: int) -> None:
    """Each freed pointer is not an allocation any more (5.6.1: clEnqueueSVMMigrateMem)."""
    queue = device.queue.int_ptr
    blocks = [Shared(device, "coarse", 64 + 64 * n) for n in range(count)]
    pointers = [m.pointer for m in blocks]

    @FREED  # type: ignore[untyped-decorator]
    def keeps(*_: Any) -> None:
        """With a callback, the application has to free the memory, in the callback or later."""

    if by == "clSVMFree":
        for pointer in pointers:
            release(device, pointer)
    else:
        array = (ctypes.c_void_p * len(pointers))(*pointers)
        callback = keeps if by.endswith(".callback") else 0
        succeed("clEnqueueSVMFree", queue, len(pointers), array, callback, 0, 0, 0, 0)
        device.queue.finish()
    kept = by.endswith(".callback")
    for n, each in enumerate(blocks):
        wanted = (ctypes.c_void_p * 1)(pointers[n]), (ctypes.c_size_t * 1)(64)
        error = call("clEnqueueSVMMigrateMem", queue, 1, *wanted, 0, 0, 0, 0)
        words = f"clEnqueueSVMMigrateMem of allocation {n} after {by}"
        check.equal(words, error, "CL_SUCCESS" if kept else "CL_INVALID_VALUE", stage="api")
        if not kept:
            each.pointer = 0
    for each in blocks:
        each.free()


def check_migrate(device: Device, *, flags: int, sized: bool) -> None:
    """clEnqueueSVMMigrateMem keeps the contents."""
    with shared(device, "coarse", 4096, 256) as (a, b):
        one, two = random_words(device, 1024), random_words(device, 64)
        a.put(one)
        b.put(two)
        pointers, sizes = (ctypes.c_void_p * 2)(a.pointer, b.pointer), (ctypes.c_size_t * 2)(4096, 256)
        which = sizes if sized else 0
        succeed("clEnqueueSVMMigrateMem", device.queue.int_ptr, 2, pointers, which, flags, 0, 0, 0)
        if not flags & 2:  # else the contents are undefined
            check.equal("first", a.get().view(np.uint32), one)
            check.equal("second", b.get().view(np.uint32), two)
        a.put(two)
        check.equal("written afterwards", a.get()[:256].view(np.uint32), two)


def check_buffer(device: Device, *, kind: str, at: int) -> None:
    """A buffer whose host pointer is an allocation (API 3.0, 5.5.6, CL_MEM_USES_SVM_POINTER)."""
    data = random_words(device, 256)
    with shared(device, kind, 1024 + at) as (memory,):
        memory.put(np.concatenate([np.zeros(at // 4, np.uint32), data]))
        hostbuf = memory.bytes[at:]
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.USE_HOST_PTR
        buffer, uses = cl.Buffer(device.context, flags, hostbuf=hostbuf), ctypes.c_uint32(9)
        call("clGetMemObjectInfo", buffer.int_ptr, 0x1109, 4, ctypes.byref(uses), 0)
        check.equal("CL_MEM_USES_SVM_POINTER", uses.value, 1)
        ones = device.buffer(np.ones(256, np.uint32))
        device.launch(device.build(SOURCE).blend, [256], None, buffer, ones)
        check.equal("through the buffer", device.read(buffer, np.uint32, 256), data * np.uint32(3) + np.uint32(1))
        device.queue.finish()
        buffer.release()


def check_plain_buffer(device: Device) -> None:
    """CL_MEM_USES_SVM_POINTER is false for a buffer without an SVM pointer."""
    uses = ctypes.c_uint32(9)
    buffer = device.buffer(64)
    succeed("clGetMemObjectInfo", buffer.int_ptr, 0x1109, 4, ctypes.byref(uses), 0)
    check.equal("CL_MEM_USES_SVM_POINTER", uses.value, 0)


def check_alignment(device: Device, *, alignment: int, flags: int) -> None:
    """An allocation has the alignment that was asked for, or that of the largest type."""
    pointers = [allocate(device, flags, size, alignment) for size in (1, 63, 4096)]
    for pointer in pointers:
        check.true("clSVMAlloc returns memory", pointer != 0, stage="api")
        check.equal("remainder of the pointer", pointer % (alignment or 128), 0)
    check.equal("different pointers", len(set(pointers)), 3)
    for pointer in pointers:
        release(device, pointer)


def check_refused(device: Device, *, flags: int, size: int | None, alignment: int, needs: int | None) -> None:
    """clSVMAlloc returns NULL, unless the device has the capability of bit `needs`. `size`: None for one byte too many."""
    if size is None:
        size = int(device.device.max_mem_alloc_size) + 1
    capable = bool(getattr(device.device, "svm_capabilities", 0) >> needs & 1) if needs is not None else False
    pointer = allocate(device, flags, size, alignment)
    check.equal("clSVMAlloc returns memory", pointer != 0, capable, stage="api")
    if pointer:
        release(device, pointer)


def check_unsupported(device: Device, *, call: str) -> None:
    """A device without SVM returns CL_INVALID_OPERATION (API 3.0, 4.2, appendix H); with SVM the call succeeds."""
    capable = bool(getattr(device.device, "svm_capabilities", 0) & 1)
    pointer = allocate(device, 1, 64)
    check.equal("clSVMAlloc returns memory", pointer != 0, capable, stage="api")
    host = (ctypes.c_uint8 * 128)()
    used, queue = pointer or ctypes.addressof(host), device.queue.int_ptr
    arguments = {
        "clEnqueueSVMMemcpy": (queue, 1, used, used + 32, 16),
        "clEnqueueSVMMemFill": (queue, used, (ctypes.c_uint32 * 1)(7), 4, 64),
        "clEnqueueSVMMap": (queue, 1, 1, used, 64),
        "clEnqueueSVMMigrateMem": (queue, 1, (ctypes.c_void_p * 1)(used), 0, 0),
    }[call]
    error = opencl.call(call, *arguments, 0, 0, 0)
    check.equal(call, error, "CL_SUCCESS" if capable else "CL_INVALID_OPERATION", stage="api")
    if call == "clEnqueueSVMMap" and capable:
        succeed("clEnqueueSVMUnmap", queue, used, 0, 0, 0)
    device.queue.finish()
    release(device, pointer)


def check_command(device: Device, *, command: str, fails: bool) -> None:
    """A command behind a user event: it has its type, waits, and fails if the event does."""
    own = own_device(device) if fails else device
    blocks = [Shared(own, "coarse", 256) for _ in range(2)]
    data, ground = random_words(device, 64), random_words(device, 64)
    blocks[0].put(data)
    blocks[1].put(ground)
    queue, (source, target) = cl.CommandQueue(own.context), (m.pointer for m in blocks)
    if command == "unmap":
        succeed("clEnqueueSVMMap", queue.int_ptr, 1, 3, target, 256, 0, 0, 0)
    kind, handle = ctypes.c_uint32(), ctypes.c_void_p()
    with gates(own) as (gate,):
        arguments: dict[str, tuple[Any, ...]] = {
            "memcpy": ("clEnqueueSVMMemcpy", 0, target, source, 256),
            "memfill": ("clEnqueueSVMMemFill", target, data.ctypes.data, 4, 256),
            "map": ("clEnqueueSVMMap", 0, 3, target, 256),
            "unmap": ("clEnqueueSVMUnmap", target),
            "migrate": ("clEnqueueSVMMigrateMem", 1, (ctypes.c_void_p * 1)(target), 0, 0),
        }
        name, *more = arguments[command]
        wait = (1, (ctypes.c_void_p * 1)(gate.event.int_ptr), ctypes.byref(handle))
        succeed(name, queue.int_ptr, *more, *wait)
        event = cl.Event.from_int_ptr(handle.value, False)
        queue.flush()
        check.true(f"{name} waits for its event", stays([event]))
        call("clGetEventInfo", event.int_ptr, 0x11D1, 4, ctypes.byref(kind), 0)
        check.equal(f"CL_EVENT_COMMAND_TYPE of {name}", kind.value, COMMANDS[command])
        gate.open(ERROR if fails else 0)
        check.true("the command ends", settles(event))
    check.equal("status is an error", status_of(event) < 0, bool(fails))
    if command == "map" and not fails:
        succeed("clEnqueueSVMUnmap", queue.int_ptr, target, 0, 0, 0)
    queue.finish() if not fails else None
    if not (fails and command in ("map", "unmap")):
        want = {"memcpy": data, "memfill": np.full(64, data[0])}.get(command, ground)
        check.equal("memory", blocks[1].get().view(np.uint32), ground if fails else want)
    for each in blocks:
        each.free()
