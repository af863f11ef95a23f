"""Each command behind an event: it does nothing before the event, all of its work after it, and none after an error.

One file: every check prepares its commands by the same Workspace.
"""

import ctypes
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import check
from runner.device import Device

from ..kit.gate import (
    COMPLETE,
    ERROR,
    FAILED_WAIT,
    Blocking,
    gates,
    own_device,
    profiled,
    reached,
    settles,
    status_of,
    stays,
)
from ..kit.opencl import call, create, handles, sizes
from .table import CALLS, COMMANDS, MAPPINGS

SOURCE = "__kernel void f(__global uint *a, __global const uint *b) { a[get_global_id(0)] = b[get_global_id(0)] * 3; }"
Words = NDArray[np.uint32]
N = 64


class Workspace:
    """The objects of the commands: buffers and images of 8 x 8 words, and an array of the host."""

    def __init__(self, device: Device, images: bool, properties: int = 0) -> None:
        self.device = device
        self.queue = cl.CommandQueue(device.context, properties=properties)
        self.data: Words = device.rng.integers(1, 1 << 32, N, dtype=np.uint32)
        self.ground: Words = device.rng.integers(1, 1 << 32, N, dtype=np.uint32)
        self.host = self.ground.copy()
        self.source, self.target = device.buffer(self.data), device.buffer(self.ground)
        self.kernel = device.build(SOURCE).f
        self.mapped: Any = None
        if images:
            word = cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.UNSIGNED_INT8)  # of the minimum list (5.3.2.1)
            flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
            self.picture = cl.create_image(device.context, flags, word, shape=(8, 8), hostbuf=self.data.reshape(8, 8))
            self.canvas = cl.create_image(device.context, flags, word, shape=(8, 8), hostbuf=self.ground.reshape(8, 8))

    def enqueue(self, command: str, wait: list[cl.Event]) -> cl.Event:
        """One command that makes the target, the canvas or the host equal to `want(command)`."""
        queue, whole = self.queue, {"origin": (0, 0), "region": (8, 8)}
        rect = {"host_origin": (0, 0, 0), "buffer_origin": (0, 0, 0), "region": (32, 8, 1)}
        later: dict[str, Any] = {"is_blocking": False, "wait_for": wait}
        if command == "kernel":
            self.kernel.set_args(self.target, self.source)
            return cl.enqueue_nd_range_kernel(queue, self.kernel, (N,), None, wait_for=wait)
        calls: dict[str, Callable[[], cl.Event]] = {
            "fill": lambda: cl.enqueue_fill_buffer(queue, self.target, self.data[:2], 0, 4 * N, wait_for=wait),
            "copy": lambda: cl.enqueue_copy(queue, self.target, self.source, wait_for=wait),
            "read": lambda: cl.enqueue_copy(queue, self.host, self.source, **later),
            "write": lambda: cl.enqueue_copy(queue, self.target, self.data, **later),
            "read_rect": lambda: cl.enqueue_copy(queue, self.host, self.source, **rect, **later),
            "write_rect": lambda: cl.enqueue_copy(queue, self.target, self.data, **rect, **later),
            "copy_rect": lambda: cl.enqueue_copy(
                queue, self.target, self.source, src_origin=(0, 0, 0), dst_origin=(0, 0, 0), region=(32, 8, 1), wait_for=wait
            ),
            "map": lambda: self._map(later),
            "unmap": lambda: self.mapped.base.release(queue, wait_for=wait),
            "image_map": lambda: self._map_image(self.picture, cl.map_flags.READ, later),
            "image_unmap": lambda: self.mapped.base.release(queue, wait_for=wait),
            "migrate": lambda: cl.enqueue_migrate_mem_objects(queue, [self.target], 0, wait_for=wait),
            "marker": lambda: cl.enqueue_marker(queue, wait),
            "barrier": lambda: cl.enqueue_barrier(queue, wait),
            "image_fill": lambda: cl.enqueue_fill_image(
                queue, self.canvas, self.data[:1].view(np.uint8).astype(np.uint32), (0, 0, 0), (8, 8, 1), wait_for=wait
            ),
            "image_copy": lambda: cl.enqueue_copy(
                queue, self.canvas, self.picture, src_origin=(0, 0), dest_origin=(0, 0), region=(8, 8), wait_for=wait
            ),
            "image_read": lambda: cl.enqueue_copy(queue, self.host, self.picture, **whole, **later),
            "image_write": lambda: cl.enqueue_copy(queue, self.canvas, self.data, **whole, **later),
            "image_to_buffer": lambda: cl.enqueue_copy(
                queue, self.target, self.picture, offset=0, origin=(0, 0), region=(8, 8), wait_for=wait
            ),
            "buffer_to_image": lambda: cl.enqueue_copy(
                queue, self.canvas, self.source, offset=0, origin=(0, 0), region=(8, 8), wait_for=wait
            ),
        }
        return calls[command]()

    def _map(self, later: dict[str, Any]) -> cl.Event:
        self.mapped, event = cl.enqueue_map_buffer(self.queue, self.source, cl.map_flags.READ, 0, N, np.uint32, **later)
        return event

    def _map_image(self, image: cl.Image, flags: int, later: dict[str, Any]) -> cl.Event:
        whole = ((0, 0), (8, 8), (8, 8), np.uint32)
        self.mapped, event, row_pitch, _ = cl.enqueue_map_image(self.queue, image, flags, *whole, **later)
        self.pixels = np.lib.stride_tricks.as_strided(self.mapped, (8, 8), (row_pitch, 4))
        return event

    def prepare(self, command: str) -> None:
        """Prepare what the command needs: for an unmap, a mapping with the host's words in it."""
        if command == "unmap":
            self.mapped, _ = cl.enqueue_map_buffer(self.queue, self.target, cl.map_flags.WRITE, 0, N, np.uint32)
            self.mapped[:] = self.data
        elif command == "image_unmap":
            self._map_image(self.canvas, cl.map_flags.WRITE, {})
            self.pixels[:] = self.data.reshape(8, 8)

    def want(self, command: str) -> Words:
        """The result of the command."""
        if command == "kernel":
            return np.asarray(self.data * np.uint32(3))
        if command in ("migrate", "marker", "barrier"):
            return self.ground
        if command == "image_fill":
            return np.full(N, self.data[0])
        return np.tile(self.data[:2], N // 2) if command == "fill" else self.data

    def got(self, command: str) -> Words:
        """The present content of the command's target."""
        if command in ("read", "read_rect", "image_read"):
            return self.host.copy()
        if command == "map":
            return np.asarray(self.mapped.copy())
        if command == "image_map":
            return np.asarray(self.pixels.copy()).ravel()
        if command in ("image_fill", "image_copy", "image_write", "buffer_to_image", "image_unmap"):
            return self.device.read_image(self.canvas, np.uint32, (8, 8), (0, 0), (8, 8)).ravel()
        return self.device.read(self.target, np.uint32, N)


def compare_identity(workspace: Workspace, command: str, event: cl.Event) -> None:
    """Compare CL_EVENT_COMMAND_TYPE, CL_EVENT_COMMAND_QUEUE and CL_EVENT_CONTEXT (API 3.0, 5.11)."""
    kind, owner = ctypes.c_uint32(), ctypes.c_void_p()
    call("clGetEventInfo", event.int_ptr, 0x11D1, 4, ctypes.byref(kind), 0)
    check.equal("CL_EVENT_COMMAND_TYPE", kind.value, COMMANDS[command])
    call("clGetEventInfo", event.int_ptr, 0x11D0, 8, ctypes.byref(owner), 0)
    check.equal("CL_EVENT_COMMAND_QUEUE is its queue", owner.value == workspace.queue.int_ptr, True)
    call("clGetEventInfo", event.int_ptr, 0x11D4, 8, ctypes.byref(owner), 0)
    check.equal("CL_EVENT_CONTEXT is its context", owner.value == workspace.device.context.int_ptr, True)


def check_waits(device: Device, *, command: str) -> None:
    """A command waits for the user event, reports its status, and does its work when the event is complete."""
    workspace = Workspace(device, command.startswith(("image", "buffer_to")))
    workspace.prepare(command)
    with gates(device) as (gate,):
        event = workspace.enqueue(command, [gate.event])
        workspace.queue.flush()
        check.true(f"{CALLS[command]} waits for its event", stays([event]))
        seen = None if command in MAPPINGS else workspace.got(command)
        compare_identity(workspace, command, event)
        gate.open()
        check.true("the command completes", settles(event))
    check.equal("status", status_of(event), COMPLETE)
    if seen is not None:
        check.equal("before the event", seen, workspace.ground)
    check.equal(f"after {CALLS[command]}", workspace.got(command), workspace.want(command))
    if command in ("map", "image_map"):
        workspace.mapped.base.release(workspace.queue).wait()


def check_fails(device: Device, *, command: str, late: bool) -> None:
    """A command ends with an error if the event that it waits for does.

    `late`: the event is in error before the command is enqueued.
    """
    workspace = Workspace(own_device(device), command.startswith(("image", "buffer_to")))
    workspace.prepare(command)
    with gates(workspace.device) as (gate,):
        if late:
            gate.open(ERROR)
        event = workspace.enqueue(command, [gate.event])
        behind = cl.enqueue_marker(workspace.queue, [event])
        workspace.queue.flush()
        gate.open(ERROR)
        check.true("the command ends", settles(event))
        check.true("the marker behind it ends", settles(behind))
    check.true("status is an error", status_of(event) < 0)
    check.true("status of the marker behind it is an error", status_of(behind) < 0)
    if command not in MAPPINGS:
        check.equal("nothing was done", workspace.got(command), workspace.ground)


def check_fails_among(device: Device, *, command: str, which: int) -> None:
    """A command ends with an error if one of three events fails and the others complete. `which`: the index of that one."""
    workspace = Workspace(own_device(device), command.startswith("image"))
    with gates(workspace.device, 3) as held:
        event = workspace.enqueue(command, [gate.event for gate in held])
        workspace.queue.flush()
        for gate in (*held[:which], *held[which + 1 :]):
            gate.open(COMPLETE)
        held[which].open(ERROR)
        check.true(f"a {command} ends whose event_wait_list has an error", settles(event))
    check.true(f"error {which} of the event_wait_list is the {command}'s: {status_of(event)}", status_of(event) < 0)
    check.equal(f"what a {command} after an error in its event_wait_list did", workspace.got(command), workspace.ground)


def check_released(device: Device, *, command: str) -> None:
    """A command whose event is released while it waits still does its work."""
    workspace = Workspace(device, command.startswith(("image", "buffer_to")))
    with gates(device) as (gate,):
        event = workspace.enqueue(command, [gate.event])
        del event
        workspace.queue.flush()
        gate.open()
    done = Blocking(lambda: call("clFinish", workspace.queue.int_ptr))
    check.true("clFinish returns", done.over())
    check.equal("clFinish", done.answer, "CL_SUCCESS", stage="api")
    check.equal("afterwards", workspace.got(command), workspace.want(command))


def check_blocking(device: Device, *, command: str, late: bool) -> None:
    """A blocking command returns an error if the event that it waits for fails. `late`: the event fails before the call."""
    workspace = Workspace(own_device(device), command.startswith("image"))
    pointer = workspace.host.ctypes.data
    corner, whole = sizes([0, 0, 0]), sizes([8, 8, 1])
    box = (corner, corner, sizes([32, 8, 1]), 32, 0, 32, 0, pointer)
    with gates(workspace.device) as (gate,):
        waits = (1, handles([gate.event]), 0)
        calls: dict[str, tuple[Any, ...]] = {
            "read": ("clEnqueueReadBuffer", workspace.source, 1, 0, 4 * N, pointer),
            "write": ("clEnqueueWriteBuffer", workspace.target, 1, 0, 4 * N, pointer),
            "read_rect": ("clEnqueueReadBufferRect", workspace.source, 1, *box),
            "write_rect": ("clEnqueueWriteBufferRect", workspace.target, 1, *box),
            "map": ("clEnqueueMapBuffer", workspace.source, 1, 1, 0, 4 * N),
        }
        if command.startswith("image"):
            calls["image_read"] = ("clEnqueueReadImage", workspace.picture, 1, corner, whole, 0, 0, pointer)
            pitches = sizes([0]), sizes([0])
            calls["image_map"] = ("clEnqueueMapImage", workspace.picture, 1, 1, corner, whole, *pitches)
            calls["image_write"] = ("clEnqueueWriteImage", workspace.canvas, 1, corner, whole, 0, 0, pointer)
        name, memory, *more = calls[command]
        arguments = (workspace.queue.int_ptr, memory.int_ptr, *more, *waits)
        workspace.host[:] = workspace.data if "write" in command else workspace.ground
        if late:
            gate.open(ERROR)
        waiting = Blocking(lambda: create(name, *arguments)[1] if command in MAPPINGS else call(name, *arguments))
        if not late:
            check.true("the call blocks", not waiting.over(0.01))
        gate.open(ERROR)
        check.true("the call returns", waiting.over())
    check.equal(name, waiting.answer, FAILED_WAIT, stage="api")
    if command not in MAPPINGS:
        check.equal("nothing was done", workspace.got(command), workspace.ground)


def check_profile(device: Device, *, command: str, out_of_order: bool) -> None:
    """The five times of a command are in order (API 3.0, 5.15). `out_of_order`: the queue."""
    bits = cl.command_queue_properties
    properties = bits.PROFILING_ENABLE | (bits.OUT_OF_ORDER_EXEC_MODE_ENABLE if out_of_order else 0)
    workspace = Workspace(device, command.startswith(("image", "buffer_to")), properties)
    workspace.prepare(command)
    with gates(device) as (gate,):
        event = workspace.enqueue(command, [gate.event])
        workspace.queue.flush()
        gate.open()
        check.true("the command completes", settles(event))
    answers = [profiled(event, what) for what in range(0x1280, 0x1285)]
    check.equal("clGetEventProfilingInfo", [error for error, _ in answers], ["CL_SUCCESS"] * 5, stage="api")
    times = [time for _, time in answers]
    names = [f"CL_PROFILING_COMMAND_{name}" for name in ("QUEUED", "SUBMIT", "START", "END", "COMPLETE")]
    for i, (earlier, later) in enumerate(pairwise(names)):
        check.true(f"{earlier} <= {later}", times[i] <= times[i + 1])
        check.true(f"{earlier} is set", times[i] > 0)
    if command in ("map", "image_map"):
        workspace.mapped.base.release(workspace.queue).wait()


def check_no_profile_yet(device: Device, *, command: str) -> None:
    """CL_PROFILING_INFO_NOT_AVAILABLE as long as the command is not complete (API 3.0, 5.15)."""
    workspace = Workspace(device, False, cl.command_queue_properties.PROFILING_ENABLE)
    with gates(device) as (gate,):
        event = workspace.enqueue(command, [gate.event])
        workspace.queue.flush()
        early = [profiled(event, what)[0] for what in range(0x1280, 0x1285)]
        gate.open()
        check.true("the command completes", settles(event))
    check.equal("clGetEventProfilingInfo", early, ["CL_PROFILING_INFO_NOT_AVAILABLE"] * 5, stage="api")


def check_status_order(device: Device, *, command: str) -> None:
    """A command's status goes from CL_QUEUED to CL_COMPLETE, and never back (API 3.0, 5.11)."""
    workspace = Workspace(device, False)
    with gates(device) as (gate,):
        event = workspace.enqueue(command, [gate.event])
        seen = [status_of(event)]
        workspace.queue.flush()
        seen.append(status_of(event))
        gate.open()

        def look() -> bool:
            seen.append(status_of(event))
            return seen[-1] <= COMPLETE

        check.true("the command completes", reached(look))
    changes = [s for i, s in enumerate(seen) if i == 0 or s != seen[i - 1]]
    check.true("the status begins as CL_QUEUED or CL_SUBMITTED", changes[0] in (2, 3))
    check.equal("the status only falls", changes, sorted(set(changes), reverse=True))
    check.equal("the last status", changes[-1], COMPLETE)
    if command in ("map", "image_map"):
        workspace.mapped.base.release(workspace.queue).wait()
