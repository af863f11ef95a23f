"""Contexts that forget properties, callbacks and references."""

import ctypes
from typing import Any

from mutation import Function, api, api_of, of

call = api_of("context")

_OK = "CL_SUCCESS"


def _without(*names: str) -> Any:
    """Calls that do nothing."""

    def wrap(inner: Function) -> Function:
        return lambda function, *arguments: _OK if function in names else inner(function, *arguments)

    return wrap


def _first_only(inner: Function) -> Function:
    """One destructor callback an object: the first."""
    seen = set()

    def outer(function: str, *arguments: Any) -> Any:
        if function.endswith("DestructorCallback"):
            if arguments[0] in seen:
                return _OK
            seen.add(arguments[0])
        return inner(function, *arguments)

    return outer


@of
def _at_once(inner: Function, function: str, *arguments: Any) -> Any:
    """Destructor callbacks that are called when they are registered."""
    if function.endswith("DestructorCallback"):
        arguments[1](arguments[0], arguments[2])
        return _OK
    return inner(function, *arguments)


@of
def _no_data(inner: Function, function: str, *arguments: Any) -> Any:
    if function.endswith("DestructorCallback"):
        arguments = (*arguments[:2], 0x99)
    return inner(function, *arguments)


def _another_object(inner: Function) -> Function:
    """Destructor callbacks that are passed the address after the object's."""
    kept = []  # as long as a callback may come

    def outer(function: str, *arguments: Any) -> Any:
        if function.endswith("DestructorCallback"):
            notify = arguments[1]
            kept.append(type(notify)(lambda handle, data: notify((handle or 0) + 8, data)))
            arguments = (arguments[0], kept[-1], arguments[2])
        return inner(function, *arguments)

    return outer


def _no_properties(inner: Function) -> Function:
    """A context made without the properties that were given."""
    return lambda function, first, *rest: inner(function, 0 if function == "clCreateContext" else first, *rest)


@of
def _counts_devices(inner: Function, handle: int, name: int, width: int = 8) -> list[int]:
    """CL_CONTEXT_NUM_DEVICES counts duplicates."""
    got: list[int] = inner(handle, name, width)
    return [got[0] + 2] if name == 0x1083 else got


@of
def _lost_pattern(inner: Function, function: str, *arguments: Any) -> Any:
    """A queue that drops its last command when it is released."""
    if function == "clEnqueueFillBuffer":
        arguments = (*arguments[:2], ctypes.byref(ctypes.c_int32(0)), *arguments[3:])
    return inner(function, *arguments)


MUTANTS = [
    call("retain_not_counted", "references.context", ".contexts.call", _without("clRetainContext", "clReleaseContext")),
    call("object_not_counted", "references.kernel", ".lifetimes.call", _without("clRetainKernel")),
    call("duplicates_counted", "devices.*", ".contexts.info", _counts_devices),
    call("properties_lost", "properties.*", ".contexts.create", _no_properties),
    call("one_callback", "destructor.*", ".destructors.call", _first_only),
    call("callback_at_once", "destructor.buffer", ".destructors.call", _at_once),
    *(
        api(f"context/callback_object.{of}", case, "suites.kernels.context.destructors.call", _another_object)
        for of, case in (("memory", "kernels/context/destructor.image"), ("context", "kernels/context/destructor.context"))
    ),
    call("callback_data", "destructor.data", ".destructors.call", _no_data),
    call("command_lost", "queue.*", ".lifetimes.call", _lost_pattern),
]
