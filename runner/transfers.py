"""Which commands moved a case's data, for the message of a wrong value: `; transfers: clEnqueueReadBufferRect`.

Imported only in the child. Nearly every case has the host read or write whole buffers, which is not noted. A case of more
than MOST different commands is about their order, not about one of them: it names none. A case may add what it is about
(`tell`): `; with clCreateSubBuffer`.
"""

from collections.abc import Mapping
from typing import Any

import pyopencl as cl

from runner import tap

MOST = 3
_VERBS = ("Read", "Write", "Copy", "Fill", "Map", "Migrate", "SVM")
_noted: dict[str, None] = {}
_told: dict[str, None] = {}


def forget() -> None:
    """Forget the commands of the case before."""
    _noted.clear()
    _told.clear()


def note(function: str) -> None:
    """A function of OpenCL is called; it counts if it moves data."""
    if function.startswith("clEnqueue") and function[9:].startswith(_VERBS):
        _noted[function] = None


def tell(what: str) -> None:
    """Something that a failed comparison's message should also name: a call, a member of a descriptor, a kind of object."""
    _told[what] = None


def described(message: str) -> str:
    """A failed comparison's message, with the commands that moved the data and the texts of `tell` that it lacks."""
    others = [name for name in _noted if name not in message]
    if len(_noted) <= MOST and others and (len(others) == len(_noted) or message.startswith("value: ")):
        message = f"{message}; transfers: {', '.join(others)}"
    told = [what for what in _told if what not in message]
    return f"{message}; with {', '.join(told)}" if 0 < len(told) <= MOST else message


def _hear_copy(_: Any, dest: Any, src: Any, **where: Any) -> None:
    note(copy_name(dest, src, where))


def copy_name(dest: Any, src: Any, where: Mapping[str, Any]) -> str:
    """The function that pyopencl's enqueue_copy calls for these; "" for a whole buffer that the host reads or writes."""
    to, of = (_kind(thing) for thing in (dest, src))
    if "SVM" in (to, of):
        return "clEnqueueSVMMemcpy"
    rectangle = "Rect" if "region" in where and "Image" not in (to, of) else ""
    if to and of:
        return f"clEnqueueCopy{of}{rectangle}" if to == of else f"clEnqueueCopy{of}To{to}"
    if not where.keys() - {"is_blocking", "wait_for"}:
        return ""
    return f"clEnqueue{'Read' if of else 'Write'}{of or to}{rectangle}"


def _kind(thing: Any) -> str:
    """The kind of one side of a copy: "" for the host's memory."""
    if isinstance(thing, cl.Image):
        return "Image"
    return "SVM" if isinstance(thing, cl.SVMPointer) else "Buffer" if isinstance(thing, cl.MemoryObjectHolder) else ""


tap.listen({name: lambda *_, function=function, **__: note(function) for name, function in tap.COMMANDS.items()})
tap.listen({"enqueue_copy": _hear_copy, tap.CTYPES: lambda function, *_: note(function)})
tap.listen({"Buffer.get_sub_region": lambda *_, **__: tell("clCreateSubBuffer")})
