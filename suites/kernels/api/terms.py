"""The terms of this area's tables, which describe the arguments of a call. Plain Python, because the catalogue reads it.

An int is itself, None is NULL, and a str is the name of an object of objects.py. The other terms are the classes below.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

VALUE = ("CL_INVALID_VALUE",)
CONTEXT = ("CL_INVALID_CONTEXT",)
MEMORY = ("CL_INVALID_MEM_OBJECT",)
OPERATION = ("CL_INVALID_OPERATION",)
WAIT_LIST = ("CL_INVALID_EVENT_WAIT_LIST",)
PROPERTY = ("CL_INVALID_PROPERTY",)
DEVICE = ("CL_INVALID_DEVICE",)


@dataclass(frozen=True, slots=True)
class Sizes:
    """A pointer to size_t."""

    values: tuple[int | Limit, ...]


@dataclass(frozen=True, slots=True)
class Longs:
    """A pointer to 64-bit words: a list of properties, with its end."""

    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Words:
    """A pointer to 32-bit words, such as an image's format."""

    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Handles:
    """A pointer to handles: names of objects, or None for NULL."""

    names: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Host:
    """A pointer to `size` bytes of zeros, aligned to 128 bytes, that live as long as the case."""

    size: int = 4096


@dataclass(frozen=True, slots=True)
class Text:
    """A pointer to a C string."""

    text: str


@dataclass(frozen=True, slots=True)
class Texts:
    """A pointer to C strings, or NULLs."""

    texts: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit of the device: the answer to a query, by pyopencl's name, plus a number."""

    name: str
    plus: int = 0


@dataclass(frozen=True, slots=True)
class Group:
    """A pointer to size_t: a work-group with several items in each of `dimensions`, and one in the others.

    It has at most CL_KERNEL_WORK_GROUP_SIZE items (of the empty kernel), or (`beyond`) as few as possible above that.
    """

    dimensions: tuple[int, ...]
    beyond: bool


@dataclass(frozen=True, slots=True)
class Descriptor:
    """A cl_image_desc. `memory` is the name of an object."""

    kind: int
    width: Any = 8
    height: Any = 0
    depth: Any = 0
    count: Any = 0
    row_pitch: int = 0
    slice_pitch: int = 0
    levels: int = 0
    samples: int = 0
    memory: str | None = None


@dataclass(frozen=True, slots=True)
class Callback:
    """A callback of the right kind that does nothing."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """The change of a valid call, and the errors that the specification allows for it.

    If the changed call is valid on devices with an optional feature, `right_with` is the query that tells whether the
    device has it (a name of kit/queries.py, or a bit of one: `TYPE & 0x10`); there the call succeeds.
    """

    change: dict[str, Any]
    errors: tuple[str, ...]
    requires: tuple[str, ...] = ()
    right_with: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """A function with valid arguments, in the order of its declaration, and its mistakes by name.

    A call that cannot be valid on every device (`right` False) has no case of its own.
    """

    function: str
    arguments: dict[str, Any]
    mistakes: dict[str, Mistake] = field(default_factory=dict)
    requires: tuple[str, ...] = ()
    right: bool = True


def call(
    function: str,
    arguments: dict[str, Any],
    mistakes: dict[str, tuple[Any, ...]],
    *more: dict[str, Mistake],
    requires: tuple[str, ...] = (),
    right: bool = True,
) -> Call:
    """A row of a table: mistakes as {name: (change, errors[, requires[, right_with]])}, and those of `more`."""
    own = {name: Mistake(*row) for name, row in mistakes.items()}
    return Call(function, arguments, own | {k: v for m in more for k, v in m.items()}, requires, right)


WAITING: dict[str, Any] = {"events": 0, "wait_list": None, "event": None}


def waiting() -> dict[str, Mistake]:
    """The mistakes with a wait list (API 3.0, 5.12), of every function that enqueues a command."""
    lists: dict[str, tuple[int, Any, tuple[str, ...]]] = {
        "wait_list_null": (1, None, WAIT_LIST),
        "wait_list_count_zero": (0, Handles(("complete_event",)), WAIT_LIST),
        "wait_list_null_event": (2, Handles(("complete_event", None)), WAIT_LIST),
        "wait_list_other_context": (2, Handles(("complete_event", "other_event")), CONTEXT),
    }
    return {name: Mistake({"events": count, "wait_list": events}, errors) for name, (count, events, errors) in lists.items()}


def failed_wait(blocking: str) -> dict[str, Mistake]:
    """A blocking command after a failed event, in a queue of its own, because it may make the whole queue fail."""
    error = ("CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST",)
    change = {"queue": "own_queue", blocking: 1, "events": 1, "wait_list": Handles(("failed_event",))}
    return {"wait_list_failed_event": Mistake(change, error)}


def memory(argument: str, *, image: bool = False) -> dict[str, Mistake]:
    """The mistakes with an argument that is a memory object."""
    prefix = argument if argument in ("source", "target") else ""
    name = f"{prefix}_" if prefix else ""
    wrong = {
        f"{name}null_{'image' if image else 'buffer'}": Mistake({argument: None}, MEMORY),
        f"{name}other_context": Mistake({argument: "other_image2d" if image else "other_buffer"}, CONTEXT),
    }
    if image:
        wrong[f"{name}buffer_for_image"] = Mistake({argument: "buffer"}, MEMORY)
    else:
        wrong[f"{name}image_for_buffer"] = Mistake({argument: "image2d"}, MEMORY, ("images",))
    return wrong


#: Sets of errors each of which is right, because the specification does not order their conditions; and why all apply.
UNDECIDED: dict[tuple[str, ...], str] = {
    ("CL_INVALID_VALUE", "CL_INVALID_OPERATION"): "the platform or the device may have no timer and no destructors at all, "
    "which is the second error whatever else is wrong",
    (
        "CL_INVALID_VALUE",
        "CL_INVALID_QUEUE_PROPERTIES",
    ): "properties of a device's queue that are not valid, on a device that has none, are not supported either",
    ("CL_INVALID_VALUE", "CL_INVALID_IMAGE_SIZE"): "no clause of 5.3.3 is only about pitches of the host's memory: they are "
    "values, and the second error is about pitches that a device does not support",
    ("CL_INVALID_IMAGE_FORMAT_DESCRIPTOR", "CL_IMAGE_FORMAT_NOT_SUPPORTED"): "the tables up to 2.2 rule these pairs out, "
    "those of 3.0 leave it to the list of supported formats",
    ("CL_INVALID_OPERATION", "CL_SUCCESS"): "only devices of OpenCL 1.0 must change the properties of a queue, others may",
    ("CL_SUCCESS", "CL_IMAGE_FORMAT_NOT_SUPPORTED"): "a format that is right need not be supported",
    ("CL_INVALID_WORK_GROUP_SIZE", "CL_INVALID_WORK_ITEM_SIZE"): "that many items in one dimension are beyond its limit and "
    "beyond the group's",
    ("CL_INVALID_ARG_VALUE", "CL_INVALID_MEM_OBJECT"): "what is not a valid memory object here is not a valid value either",
    (
        "CL_INVALID_ARG_INDEX",
        "CL_INVALID_ARG_VALUE",
    ): "an argument that takes no such pointer: no clause says whose fault it is",
    (
        "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR",
        "CL_INVALID_IMAGE_DESCRIPTOR",
    ): "a row pitch against the rules of images of buffers has the first error, and is not a valid value of the descriptor; "
    "so has an image of an image with its own order (see below) that has other extents",
    (
        "CL_SUCCESS",
        "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR",
    ): "the table of compatible orders (5.3.1) has no order beside itself, "
    "as if an image of an image had to have another one",
    ("CL_INVALID_ARG_VALUE", "CL_INVALID_SAMPLER"): "what is not a valid sampler is not a valid value either",
}

IMMUTABLE = ("cl_ext_immutable_memory_objects",)


def immutable(argument: str, *, image: bool = False, **more: Any) -> dict[str, Mistake]:
    """A command that writes to an immutable object: CL_INVALID_OPERATION."""
    name = f"immutable_{'image2d' if image else 'buffer'}"
    return {f"to_{name}": Mistake({argument: name, **more}, OPERATION, IMMUTABLE)}


def host_access(argument: str, reads: bool, *, image: bool = False, **more: Any) -> dict[str, Mistake]:
    """An access by the host that the flags of the memory object forbid (5.2.1): CL_INVALID_OPERATION."""
    kind = "image2d" if image else "buffer"
    barred = ("host_write_only", "host_no_access") if reads else ("host_read_only", "host_no_access")
    wrong = {f"{flag}": Mistake({argument: f"{flag}_{kind}", **more}, OPERATION) for flag in barred}
    return wrong if reads else wrong | immutable(argument, image=image, **more)


def references(word: str, name: str) -> tuple[Call, Call]:
    """clRetain and clRelease of a kind of object. They have no valid call, because it would keep or lose a reference."""
    return (
        call(f"clRetain{word}", {"object": name}, {}, right=False),
        call(f"clRelease{word}", {"object": name}, {}, right=False),
    )


def info(
    function: str,
    leading: dict[str, Any],
    names: dict[str, tuple[int, int]],
    more: dict[str, tuple[Any, ...]] | None = None,
    *,
    requires: tuple[str, ...] = (),
) -> Call:
    """A query. `names`: {parameter: (enum, bytes of the answer)}; a mistake of each is a room that is one byte too small."""
    first = next(iter(names.values()))
    arguments = {**leading, "name": first[0], "size": 4096, "value": Host(), "size_ret": None}
    short = {f"short.{name}": Mistake({"name": code, "size": size - 1}, VALUE) for name, (code, size) in names.items()}
    return call(function, arguments, {"unknown_name": ({"name": 0xDEAD}, VALUE), **(more or {})}, short, requires=requires)
