"""Handles of the wrong kind (OpenCL API 3.0: "is not a valid ... object", of every function).

The mistakes are derived from the calls: each handle of a valid call is replaced by one of another kind. A driver has to
check the kind of a handle before it uses it: an ICD loader only reads the handle's table of functions, which objects of
every kind have. So no case passes an object after its last release, or an address that is not an object: the loader would
jump to an address in that memory. And none passes clLinkProgram or clSetKernelArg an object of another context, because no
clause names an error for that.
"""

from typing import Any

from .terms import DEVICE, MEMORY, WAIT_LIST, Call, Handles, Mistake

#: The error, and an object of another kind, by a word: the first one that is a part of the object's name counts.
_KINDS: dict[str, tuple[tuple[str, ...], str]] = {
    "event": (("CL_INVALID_EVENT",), "buffer"),
    "marker": (("CL_INVALID_EVENT",), "buffer"),
    "program": (("CL_INVALID_PROGRAM",), "buffer"),
    "kernel": (("CL_INVALID_KERNEL",), "built_program"),
    "queue": (("CL_INVALID_COMMAND_QUEUE",), "context"),
    "context": (("CL_INVALID_CONTEXT",), "queue"),
    "sampler": (("CL_INVALID_SAMPLER",), "buffer"),
    "buffer": (MEMORY, "queue"),
    "image": (MEMORY, "queue"),
    "device": (DEVICE, "context"),
}
_NO_OBJECTS = ("mapped_pointer", "room_for_event", "garbage_binaries")


def _kind(name: str) -> tuple[tuple[str, ...], str] | None:
    if name in _NO_OBJECTS or name.startswith(("svm", "mapped_svm")):
        return None
    return next((kind for word, kind in _KINDS.items() if word in name), None)


def _other_object(argument: str, value: Any) -> tuple[Any, tuple[str, ...]] | None:
    """A replacement for the argument, and the error; None if the argument is not a handle."""
    if isinstance(value, str) and (kind := _kind(value)):
        return kind[1], kind[0]
    if isinstance(value, Handles) and value.names[0] and (kind := _kind(value.names[0])):
        return Handles((kind[1],)), WAIT_LIST if argument == "wait_list" else kind[0]
    return None


def other_kinds(row: Call) -> dict[str, Mistake]:
    """The mistakes of a call, as other_kind.ARGUMENT; the wait list of a command counts as an argument.

    A call that is not valid on every device has none: it may have another error first.
    """
    if not row.right and not row.function.startswith(("clRetain", "clRelease")):
        return {}
    arguments = dict(row.arguments)
    wrong: dict[str, Mistake] = {}
    for argument, value in arguments.items():
        if other := _other_object(argument, value):
            errors = ("NULL",) if row.function == "clSVMAlloc" else other[1]  # which returns no error code
            wrong[f"other_kind.{argument}"] = Mistake({argument: other[0]}, errors)
    if "wait_list" in arguments:
        wrong["other_kind.wait_list"] = Mistake({"events": 1, "wait_list": Handles(("buffer",))}, WAIT_LIST)
    return wrong
