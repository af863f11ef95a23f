"""A process that uses the driver and ends: ends.py [STATE WAY | fork WHAT]. It prints `done` when it reaches its end."""

import ctypes
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyopencl as cl

_SOURCE = """
__kernel void f(__global uint *r, uint n) {
    uint x = get_global_id(0);
    for (uint i = 0; i < n; i++) x = (x * 1664525u + 1013904223u) ^ i;
    r[get_global_id(0)] = x;
}
"""
platform = cl.get_platforms()[0]
device = platform.get_devices()[0]
# Trips of a launch that still runs when the process ends; an emulated GPU takes a second for the smaller number.
_LONG = 1 << (20 if "EMULATOR_GPU" in os.environ else 24)
context = cl.Context([device])
queue = cl.CommandQueue(context)
libc = ctypes.CDLL(None)
program = cl.Program(context, _SOURCE).build()
kernel = cl.Kernel(program, "f")
buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE, 256)


def launch(trips: int, wait: Sequence[Any] | None = None) -> Any:
    """Submit a launch of `trips` trips; returns its event."""
    kernel.set_args(buffer, np.uint32(trips))
    event = cl.enqueue_nd_range_kernel(queue, kernel, [64], None, wait_for=wait)
    queue.flush()
    return event


def check_launch() -> None:
    """Require that a launch writes the right words."""
    launch(1000)
    got = np.zeros(64, np.uint32)
    cl.enqueue_copy(queue, got, buffer)
    want = np.arange(64, dtype=np.uint32)
    for i in range(1000):
        want = (want * np.uint32(1664525) + np.uint32(1013904223)) ^ np.uint32(i)
    if not np.array_equal(got, want):
        sys.exit(f"value: the kernel's words are {got[:4]}, not {want[:4]}")


def done() -> None:
    """Print that only the end of the process follows."""
    print("done", flush=True)


# The states of objects at the end; the caller keeps what a state returns.


def released() -> None:
    global kernel, program, buffer, queue, context
    queue.finish()
    buffer.release()
    del kernel, program, buffer, queue, context


def held() -> None:
    for thing in (context, queue, buffer, program, kernel):
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(thing))


def running() -> Any:
    return [launch(_LONG) for _ in range(4)]


def waiting() -> Any:
    gate = cl.UserEvent(context)
    return gate, [launch(1000, [gate]) for _ in range(50)]


def called_back() -> None:
    launch(_LONG).set_callback(cl.command_execution_status.COMPLETE, lambda status: None)


def mapped() -> Any:
    return cl.enqueue_map_buffer(queue, buffer, cl.map_flags.WRITE, 0, 64, np.uint32)


def context_first() -> None:
    ctypes.CDLL(cl._cl.__file__).clReleaseContext(ctypes.c_void_p(context.int_ptr))
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(context))


STATES: dict[str, Callable[[], Any]] = {
    state.__name__: state for state in (released, held, running, waiting, called_back, mapped, context_first)
}


# The ways in which the process ends.


def normal() -> None:
    done()


def libc_exit() -> None:
    done()
    libc.exit(0)


def os_exit() -> None:
    done()
    os._exit(0)


def thread() -> None:
    done()
    threading.Thread(target=libc.exit, args=(0,)).start()
    threading.Event().wait()


WAYS: dict[str, Callable[[], None]] = {way.__name__: way for way in (normal, libc_exit, os_exit, thread)}


# What a forked child does while the parent continues. By POSIX, the child of a process with several threads may only call
# async-signal-safe functions: exec and _exit, but not exit.


def fork_and_exec() -> None:
    events = [launch(_LONG)]
    subprocess.run(["true"], check=True)
    queue.finish()
    del events


def fork_and_exit() -> None:
    pid = os.fork()
    if not pid:
        os._exit(7)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if code != 7:
        sys.exit(f"value: the child ends with {code}, not 7")


def fork_while_running() -> None:
    events = [launch(_LONG)]
    fork_and_exit()
    del events


FORKS: dict[str, Callable[[], None]] = {"exec": fork_and_exec, "os_exit": fork_and_exit, "running": fork_while_running}

check_launch()
match sys.argv[1:]:
    case []:
        done()
    case ["fork", what]:
        FORKS[what]()
        check_launch()
        done()
    case [state, way]:
        kept = STATES[state]()
        WAYS[way]()
