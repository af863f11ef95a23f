"""A case's calls of the driver, told in one place to all who listen.

    function                                        heard for
    Program.build, Program.compile, link_program    evidence, statistics, repro
    Kernel.*, enqueue_nd_range_kernel               evidence, repro
    Device.buffer, Buffer.get_sub_region            evidence, repro; the message of a wrong value
    enqueue_copy, and other commands on memory      message, evidence, repro
    ctypes: any function of OpenCL                  message, evidence, repro
    CLCompiler, CLProgram, CLAllocator of tinygrad  launches, evidence, statistics, repro

Nobody else replaces functions of pyopencl and tinygrad to hear of them, so no order matters. Functions and methods are
replaced, classes never: a program asks whether a buffer is of its class, and derives from it.
"""

from collections import defaultdict
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import reduce, wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
CTYPES = "ctypes"
COMMANDS = {
    "enqueue_fill_buffer": "clEnqueueFillBuffer",
    "enqueue_fill_image": "clEnqueueFillImage",
    "enqueue_map_buffer": "clEnqueueMapBuffer",
    "enqueue_map_image": "clEnqueueMapImage",
    "enqueue_migrate_mem_objects": "clEnqueueMigrateMemObjects",
}
PYOPENCL = (
    *("Program.build", "Program.compile", "link_program", "Buffer.get_sub_region", "enqueue_copy", *COMMANDS),
    *("Kernel.set_args", "Kernel.set_arg", "Kernel.__call__", "enqueue_nd_range_kernel"),
)
TINYGRAD = ("CLCompiler.compile", "CLProgram.__init__", "CLProgram.__call__", "CLAllocator._copyin")
Steps = Generator[None, Any, Any]
#: Called before the function, with its arguments. A generator's `yield` is the call: it has its result, or raises its error.
Listener = Callable[..., Steps | None]
_listeners: dict[str, list[Listener]] = defaultdict(list)


def listen(listeners: Mapping[str, Listener]) -> None:
    """Call listeners for functions, by name, from now on."""
    for name, listener in listeners.items():
        _listeners[name].append(listener)


@contextmanager
def listening(listeners: Mapping[str, Listener]) -> Iterator[None]:
    """The same for a block."""
    listen(listeners)
    try:
        yield
    finally:
        for name, listener in listeners.items():
            _listeners[name].remove(listener)


def follow(module: Any, names: tuple[str, ...]) -> None:
    """Report functions of a module, and methods of its classes. Once per process."""
    for name in names:
        *owners, last = name.split(".")
        owner = reduce(getattr, owners, module)
        setattr(owner, last, told(name)(getattr(owner, last)))


def told(name: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Have a function report its calls, under this name."""
    listeners = _listeners[name]

    def decorate(inner: Callable[P, R]) -> Callable[P, R]:
        @wraps(inner)
        def outer(*args: P.args, **named: P.kwargs) -> R:
            return _call(inner, args, named, tuple(listeners)) if listeners else inner(*args, **named)

        return outer

    return decorate


def _call(inner: Callable[..., R], args: Any, named: Any, listeners: tuple[Listener, ...]) -> R:
    going = []
    for listener in listeners:
        try:
            steps = listener(*args, **named)
        except TypeError:  # a wrong call, which `inner` refuses
            continue
        if steps:
            going.append(steps)
            next(steps)
    try:
        result = inner(*args, **named)
    except BaseException as error:
        trace = error.__traceback__
        for steps in reversed(going):
            with suppress(Exception, type(error)):  # the call's own error counts
                steps.throw(error)
            error.__traceback__ = trace  # without the listener
        raise
    for steps in reversed(going):
        with suppress(StopIteration):
            steps.send(result)
    return result
