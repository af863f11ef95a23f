"""Threads of the application: several may call the API at the same time (API 3.0, appendix A).

Kernel objects are the exception, so each thread has its own. All threads are joined until a deadline, so that one that does
not return is a failure, and not a hang.
"""

import ctypes
import threading
import time
from typing import Any

import numpy as np
import pyopencl as cl

from runner import check
from runner.device import Device

from ..kit.gate import gates, own_device, settles, status_of
from ..kit.opencl import call
from .job import SOURCE, join_timeout_s, run_threads


def check_pipeline(device: Device, *, threads: int, user: bool) -> None:
    """Each thread waits for its neighbour's event and completes its own. `user`: they are user events."""
    words = device.buffer(np.ones(1, np.uint32))
    program = device.build("__kernel void f(__global uint *a, uint n) { a[0] = a[0] * 3 + n; }")
    kernels = [cl.Kernel(program, "f") for _ in range(threads)]
    queues = [cl.CommandQueue(device.context) for _ in range(threads)]
    events: list[Any] = [None] * threads
    ready = [threading.Event() for _ in range(threads)]
    if user:
        with gates(device, threads) as held:

            def signal(index: int) -> None:
                if index:
                    ready[index - 1].wait(join_timeout_s(device))
                    check.true("the neighbour's command completes", settles(events[index - 1]))
                kernels[index].set_args(words, np.uint32(index))
                wait = [held[index].event]
                events[index] = cl.enqueue_nd_range_kernel(queues[index], kernels[index], (1,), None, wait_for=wait)
                queues[index].flush()
                ready[index].set()
                held[index].open()

            run_threads(threads, signal, join_timeout_s(device))
    else:

        def follow(index: int) -> None:
            if index:
                ready[index - 1].wait(join_timeout_s(device))
            kernels[index].set_args(words, np.uint32(index))
            wait = [events[index - 1]] if index else []
            events[index] = cl.enqueue_nd_range_kernel(queues[index], kernels[index], (1,), None, wait_for=wait)
            queues[index].flush()
            ready[index].set()

        run_threads(threads, follow, join_timeout_s(device))
    for queue in queues:
        call("clFinish", queue.int_ptr)
    want = 1
    for n in range(threads):
        want = (want * 3 + n) % (1 << 32)
    check.equal("word", device.read(words, np.uint32, 1), [want])


def check_parts(device: Device, *, rounds: int) -> None:
    """Each thread has a queue and a part of the same two buffers: its map shows what its kernel wrote."""
    count, items = 2, 1 << 17
    wholes = [device.buffer(np.zeros(count * items, np.uint32)) for _ in range(2)]

    def write(index: int) -> None:
        parts = [whole.get_sub_region(index * items * 4, items * 4) for whole in wholes]
        queue = cl.CommandQueue(device.context)
        for part in parts:
            kernel = cl.Kernel(program, "f")
            kernel.set_args(part)
            cl.enqueue_fill_buffer(queue, part, np.uint32(0), 0, items * 4)
            cl.enqueue_nd_range_kernel(queue, kernel, (items,), None)
        queue.flush()
        maps = []
        for part in parts:  # the queue is in order, so the second command waits for the first
            flags, last = cl.map_flags.READ, part is parts[-1]
            maps.append(cl.enqueue_map_buffer(queue, part, flags, 0, (items,), np.uint32, is_blocking=last)[0])
        got = [mapped.copy() for mapped in maps]
        for mapped in maps:
            mapped.base.release(queue)
        queue.finish()
        for number, values in enumerate(got):
            check.equal(f"part {index} of buffer {number}", values, want)

    for salt in range(rounds):  # each round has a program that no launch has compiled yet
        program = device.build(
            f"""
__kernel void f(__global uint *o) {{
    uint x = get_global_id(0), y = x;
    for (uint n = 0; n < 300; n++) y = y * 1664525 + {salt};
    o[x] = y;
}}"""
        )
        want = np.arange(items, dtype=np.uint32)
        for _ in range(300):
            want = want * np.uint32(1664525) + np.uint32(salt)
        run_threads(count, write, join_timeout_s(device))


def check_waiters(device: Device, *, threads: int, by: str, fails: bool) -> None:
    """Many threads wait for one user event, by clWaitForEvents or clFinish, and all return."""
    own = own_device(device) if fails else device
    queue, target = cl.CommandQueue(own.context), own.buffer(np.zeros(16, np.uint32))
    answers: list[str] = []
    with gates(own) as (gate,):
        event = cl.enqueue_fill_buffer(queue, target, np.uint32(9), 0, 64, wait_for=[gate.event])
        queue.flush()
        pointer = event.int_ptr

        def wait(index: int) -> None:
            if index == 0:
                time.sleep(0.005)
                gate.open(-5 if fails else 0)
            elif by == "wait":
                answers.append(call("clWaitForEvents", 1, (ctypes.c_void_p * 1)(pointer)))
            elif by == "finish":
                answers.append(call("clFinish", queue.int_ptr))
            else:
                check.true("the event ends", settles(event))
                answers.append("CL_SUCCESS")

        run_threads(threads, wait, join_timeout_s(device))
    failed = "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"
    want = failed if fails and by == "wait" else "CL_SUCCESS"
    check.equal("answers", set(answers) == {want}, True, stage="api")
    check.equal("status is an error", status_of(event) < 0, bool(fails))
    if not fails:
        check.equal("buffer", own.read(target, np.uint32, 16), np.full(16, 9))


def check_references(device: Device, *, what: str) -> None:
    """Threads retain and release one object at the same time; its count is right at the end."""
    value = ctypes.c_uint32(0)
    program, queue = device.build(SOURCE), cl.CommandQueue(device.context)
    user = cl.UserEvent(device.context)
    user.set_status(0)
    handle, retain, info, number = {
        "buffer": ((kept := device.buffer(64)).int_ptr, "MemObject", "clGetMemObjectInfo", 0x1105),
        "queue": (queue.int_ptr, "CommandQueue", "clGetCommandQueueInfo", 0x1092),
        "program": (program.int_ptr, "Program", "clGetProgramInfo", 0x1160),
        "context": (device.context.int_ptr, "Context", "clGetContextInfo", 0x1080),
        "event": (user.int_ptr, "Event", "clGetEventInfo", 0x11D2),
    }[what]

    def references() -> int:
        check.equal(info, call(info, handle, number, 4, ctypes.byref(value), 0), "CL_SUCCESS", stage="api")
        return value.value

    before = references()

    def work(index: int) -> None:
        for _ in range(200):
            call(f"clRetain{retain}", handle)
        for _ in range(199):
            call(f"clRelease{retain}", handle)

    run_threads(4, work, join_timeout_s(device))
    check.equal("references", references(), before + 4)
    for _ in range(4):
        call(f"clRelease{retain}", handle)
    check.equal("references at the end", references(), before)
    del kept
