"""Destructor callbacks of memory objects and of contexts: order, time and user data (OpenCL API 3.0, 4.4, 5.5.1)."""

import ctypes
import time
from collections.abc import Callable

from runner import check
from runner.device import Device

from ..kit.opencl import SUCCESS, call, create
from .lifetimes import OwnContext

Function = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
_kept: list[object] = []  # a callback that comes late must still find its function


class CallbackLog:
    """Callbacks that record their names in the order of the calls; another thread may call them."""

    def __init__(self) -> None:
        self.received: list[str] = []
        self.function = ""

    def on(self, function: str, handle: int, name: str, data: int = 0) -> None:
        """Register a callback that records `name`, the user data if there is any, and whether the handle is wrong."""

        def notify(passed: int | None, user_data: int | None) -> None:
            other = "" if passed == handle else f":{function} passes another object"
            self.received.append(f"{name}:{user_data}{other}" if data else f"{name}{other}")

        self.function = function
        note = Function(notify)
        _kept.append(note)
        check.equal(function, call(function, handle, note, data), SUCCESS, stage="api")

    def memory(self, handle: int, name: str, data: int = 0) -> None:
        self.on("clSetMemObjectDestructorCallback", handle, name, data)

    def context(self, handle: int, name: str, data: int = 0) -> None:
        self.on("clSetContextDestructorCallback", handle, name, data)

    def expect(self, *names: str) -> None:
        """Wait at most two seconds for these callbacks, and require that no others have come."""
        limit = time.monotonic() + 2
        while len(self.received) < len(names) and time.monotonic() < limit:
            time.sleep(0.001)
        check.equal(f"callbacks of {self.function} in their order", " ".join(self.received), " ".join(names), stage="api")


def released(handle: int) -> None:
    """Release a memory object, which must succeed."""
    check.equal("clReleaseMemObject", call("clReleaseMemObject", handle), SUCCESS, stage="api")


def _simple(kind: str) -> Callable[[OwnContext, CallbackLog], None]:
    def run(own: OwnContext, log: CallbackLog) -> None:
        handle = own.make(kind)
        log.memory(handle, kind)
        log.expect()
        released(handle)
        log.expect(kind)

    return run


def parent_after_sub_buffer(own: OwnContext, log: CallbackLog) -> None:
    """The callback of a buffer comes after that of its sub-buffer."""
    parent = own.buffer()
    region = (ctypes.c_size_t * 2)(0, 64)
    part, error = create("clCreateSubBuffer", parent, 1, 0x1220, region)
    check.equal("clCreateSubBuffer", error, SUCCESS, stage="api")
    log.memory(parent, "parent")
    log.memory(part, "part")
    released(parent)
    log.expect()
    released(part)
    log.expect("part", "parent")


def three_in_reverse(own: OwnContext, log: CallbackLog) -> None:
    """Callbacks of one object come in the reverse order of their registration."""
    handle = own.buffer()
    for name in ("first", "second", "third"):
        log.memory(handle, name)
    released(handle)
    log.expect("third", "second", "first")


def data(own: OwnContext, log: CallbackLog) -> None:
    """Each callback gets its own pointer to user data."""
    handle = own.buffer()
    log.memory(handle, "with", 0x1234)
    log.memory(handle, "with", 0x5678)
    released(handle)
    log.expect(f"with:{0x5678}", f"with:{0x1234}")


def not_while_retained(own: OwnContext, log: CallbackLog) -> None:
    """No callback comes as long as the object has a reference."""
    handle = own.buffer()
    log.memory(handle, "end")
    call("clRetainMemObject", handle)
    released(handle)
    log.expect()
    released(handle)
    log.expect("end")


def not_while_in_use(own: OwnContext, log: CallbackLog) -> None:
    """No callback comes while a waiting command needs the buffer."""
    queue, handle = own.queue(), own.buffer()
    gate, error = create("clCreateUserEvent", own.context)
    check.equal("clCreateUserEvent", error, SUCCESS, stage="api")
    log.memory(handle, "end")
    pattern, wait = ctypes.byref(ctypes.c_int32(1)), (ctypes.c_void_p * 1)(gate)
    got = call("clEnqueueFillBuffer", queue, handle, pattern, 4, 0, 64, 1, wait, 0)
    check.equal("clEnqueueFillBuffer", got, SUCCESS, stage="api")
    released(handle)
    before = list(log.received)
    call("clSetUserEventStatus", gate, 0)
    call("clFinish", queue)
    call("clReleaseEvent", gate)
    call("clReleaseCommandQueue", queue)
    check.equal("callbacks while the command waits", before, [], stage="api")
    log.expect("end")


def same_function_twice(own: OwnContext, log: CallbackLog) -> None:
    """One function, registered twice, is called twice."""
    handle = own.buffer()
    note = Function(lambda *_: log.received.append("same"))
    _kept.append(note)
    for _ in range(2):
        call("clSetMemObjectDestructorCallback", handle, note, 0)
    released(handle)
    log.expect("same", "same")


def use_host_pointer(own: OwnContext, log: CallbackLog) -> None:
    """The application may use the host's memory again after the callback."""
    room = ctypes.create_string_buffer(8192)
    address = ctypes.addressof(room)
    handle, error = create("clCreateBuffer", own.context, 1 | 8, 4096, address + -address % 4096)
    check.equal("clCreateBuffer", error, SUCCESS, stage="api")
    log.memory(handle, "end")
    released(handle)
    log.expect("end")


def context(own: OwnContext, log: CallbackLog) -> None:
    """The callback of a context comes when it is released, with its user data."""
    log.context(own.context, "context", 99)
    log.expect()
    own.close()
    log.expect("context:99")


def context_three_in_reverse(own: OwnContext, log: CallbackLog) -> None:
    """Callbacks of one context come in the reverse order of their registration."""
    for name in ("first", "second", "third"):
        log.context(own.context, name)
    own.close()
    log.expect("third", "second", "first")


def context_after_its_objects(own: OwnContext, log: CallbackLog) -> None:
    """The callback of a context comes after its last object has gone."""
    handle = own.buffer()
    log.context(own.context, "context")
    own.close()
    log.expect()
    released(handle)
    log.expect("context")


def context_not_while_retained(own: OwnContext, log: CallbackLog) -> None:
    """No callback comes as long as the context has a reference."""
    log.context(own.context, "context")
    call("clRetainContext", own.context)
    own.close()
    log.expect()
    own.close()
    log.expect("context")


def memory_before_context(own: OwnContext, log: CallbackLog) -> None:
    """The callback of a memory object comes before that of its context."""
    handle = own.buffer()
    log.context(own.context, "context")
    log.memory(handle, "memory")
    own.close()
    released(handle)
    log.expect("memory", "context")


_CLOSED = (context, context_three_in_reverse, context_after_its_objects, context_not_while_retained, memory_before_context)
WAYS: dict[str, Callable[[OwnContext, CallbackLog], None]] = {
    **{kind: _simple(kind) for kind in ("buffer", "sub_buffer", "image")},
    **{
        f.__name__: f
        for f in (
            parent_after_sub_buffer,
            three_in_reverse,
            data,
            not_while_retained,
            not_while_in_use,
            same_function_twice,
            use_host_pointer,
            *_CLOSED,
        )
    },
}


def check_destructor(d: Device, *, what: str) -> None:
    """Destructor callbacks come at the right time and in the right order. `what`: a name of WAYS."""
    own, run = OwnContext(d), WAYS[what]
    run(own, CallbackLog())
    if run not in _CLOSED:
        own.close()
