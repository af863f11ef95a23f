"""Error codes of the API: calls that are valid but for one mistake."""

import ctypes
import itertools
from collections.abc import Sequence
from typing import Any

import pyopencl as cl

from runner import check
from runner.device import Device

from ..kit.opencl import SUCCESS, call, create, ctypes_argument, library, name_of, queried, sizes
from ..kit.queries import DEVICE
from .objects import IGNORE_EVENT, CaseState, library_function, queue_of_mistakes
from .table import CALLS
from .terms import Callback, Descriptor, Group, Handles, Host, Limit, Longs, Sizes, Text, Texts, Words

RELEASE = {
    "clCreateBuffer": "clReleaseMemObject",
    "clCreateBufferWithProperties": "clReleaseMemObject",
    "clCreateSubBuffer": "clReleaseMemObject",
    "clCreateImage": "clReleaseMemObject",
    "clCreateImageWithProperties": "clReleaseMemObject",
    "clCreateImage2D": "clReleaseMemObject",
    "clCreateImage3D": "clReleaseMemObject",
    "clCreateSampler": "clReleaseSampler",
    "clCreateSamplerWithProperties": "clReleaseSampler",
    "clCreateContext": "clReleaseContext",
    "clCreateContextFromType": "clReleaseContext",
    "clCreateCommandQueue": "clReleaseCommandQueue",
    "clCreateCommandQueueWithProperties": "clReleaseCommandQueue",
    "clCreateProgramWithSource": "clReleaseProgram",
    "clCreateProgramWithBinary": "clReleaseProgram",
    "clCreateProgramWithIL": "clReleaseProgram",
    "clCreateProgramWithBuiltInKernels": "clReleaseProgram",
    "clLinkProgram": "clReleaseProgram",
    "clCreateKernel": "clReleaseKernel",
    "clCloneKernel": "clReleaseKernel",
}


class cl_image_desc(ctypes.Structure):
    """The descriptor of an image (5.3.1.2)."""

    _fields_ = (
        ("kind", ctypes.c_uint32),
        *((n, ctypes.c_size_t) for n in ("width", "height", "depth", "count", "row_pitch", "slice_pitch")),
        *((n, ctypes.c_uint32) for n in ("levels", "samples")),
        ("memory", ctypes.c_void_p),
    )


_ITEMS = {"items_x": 0, "items_y": 1, "items_z": 2}


def limit(state: CaseState, value: Any) -> Any:
    """A number of the table; a `Limit` becomes the device's number."""
    if not isinstance(value, Limit):
        return value
    if value.name in ("widest", "rows"):  # a group with too many items, none of whose dimensions is too long
        widest = min(state.device.max_work_group_size, state.device.max_work_item_sizes[0])
        return widest if value.name == "widest" else state.device.max_work_group_size // widest + 1
    if value.name in _ITEMS:
        return state.device.max_work_item_sizes[_ITEMS[value.name]] + value.plus
    return getattr(state.device, value.name) + value.plus


def group(state: CaseState, term: Group) -> list[int]:
    """The sizes of the largest work-group that the kernel allows, or of the smallest that is too large."""
    most = state.empty_kernel.get_work_group_info(cl.kernel_work_group_info.WORK_GROUP_SIZE, state.device)
    room = [state.device.max_work_item_sizes[n] for n in term.dimensions]
    counts = itertools.count(most + 1) if term.beyond else range(most, 0, -1)
    items = [1, 1, 1]
    for n, size in zip(term.dimensions, next(filter(None, (split(n, room) for n in counts)), ()), strict=False):
        items[n] = size
    return items


def split(count: int, room: list[int]) -> tuple[int, ...]:
    """The first factors of a number, each above 1 and at most as large as its `room`; () if there are none."""
    if len(room) == 1:
        return (count,) if 1 < count <= room[0] else ()
    for first in range(2, room[0] + 1):
        if count % first == 0 and (others := split(count // first, room[1:])):
            return (first, *others)
    return ()


def value_of(state: CaseState, value: Any) -> Any:  # noqa: C901 - one arm a kind
    """An argument in the form that ctypes takes."""
    match value:
        case None:
            return 0
        case str():
            return handle(getattr(state, value))
        case Limit():
            return limit(state, value)
        case Sizes(values):
            return sizes([limit(state, v) for v in values])
        case Group():
            return sizes(group(state, value))
        case Longs(values):
            words = [handle(getattr(state, v)) if isinstance(v, str) else v for v in values]
            return (ctypes.c_uint64 * len(words))(*words)  # type: ignore[misc]
        case Words(values):
            return (ctypes.c_uint32 * len(values))(*values)
        case Handles(names):
            return (ctypes.c_void_p * len(names))(*(n and handle(getattr(state, n)) for n in names))  # type: ignore[misc]
        case Text(text):
            return ctypes.c_char_p(text.encode())
        case Texts(texts):
            return (ctypes.c_char_p * len(texts))(*(t and t.encode() for t in texts))  # type: ignore[misc]
        case Host(size):
            room = ctypes.create_string_buffer(size + 128)
            keep = ctypes.c_char.from_buffer(room, -ctypes.addressof(room) % 128)
            return ctypes.byref(keep)
        case Callback():
            return IGNORE_EVENT
        case Descriptor():
            fields = {n: limit(state, getattr(value, n)) for n, *_ in cl_image_desc._fields_ if n != "memory"}
            memory = handle(getattr(state, value.memory)) if value.memory else None
            return ctypes.byref(cl_image_desc(**fields, memory=memory))
    return value


def handle(thing: Any) -> Any:
    """The handle of a pyopencl object; any other value is returned unchanged."""
    return getattr(thing, "int_ptr", thing)


def perform(state: CaseState, function: str, arguments: dict[str, Any]) -> str:
    """Call the function; returns the error's name. If the call succeeds, what it made is released."""
    values = [value_of(state, v) for v in arguments.values()]
    if function == "clSVMAlloc":
        return allocate(values)
    if function in RELEASE or function.startswith("clEnqueueMap"):
        created, error = create(function, *values)
        if created and function in RELEASE:
            call(RELEASE[function], created)
        elif created:
            call("clEnqueueUnmapMemObject", values[0], values[1], created, 0, 0, 0)
    elif function.endswith("KHR"):
        error = call_extension(state, function, values)
    else:
        error = call(function, *values)
    return error


def errors_of(device: Device, function: str, mistake: str = "", errors: Sequence[str] = (SUCCESS,)) -> Sequence[str]:
    """The errors that are right for the call of a case on this device."""
    feature, _, bits = CALLS[function].mistakes[mistake].right_with.partition(" & ") if mistake else ("", "", "")
    value = queried("clGetDeviceInfo", device.device.int_ptr, DEVICE[feature].enum) if feature else b""
    return [SUCCESS] if int.from_bytes(value, "little") & int(bits or "-1", 0) else errors


def block_command(arguments: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """The call with its mistake. A command that a driver accepts in spite of it could do harm, so it must not run.

    It waits for an event that fails. The mistakes with wait lists, with blocking and with the queue do not need this.
    """
    wrong = {**arguments, **change}
    if "wait_list" not in arguments or "wait_list" in change or "queue" in change:
        return wrong
    held = {"queue": "queue_of_mistakes", "events": 1, "wait_list": Handles(("held_event",))}
    return {**wrong, **held, **({"blocking": 0} if "blocking" in wrong else {})}


def allocate(values: list[Any]) -> str:
    """Call clSVMAlloc, which has no error code; returns "NULL" or CL_SUCCESS."""
    context, flags, size, alignment = values
    routine = library_function("clSVMAlloc", ctypes.c_void_p)
    address = routine(ctypes.c_void_p(context), ctypes.c_uint64(flags), ctypes.c_size_t(size), ctypes.c_uint32(alignment))
    if address:
        library_function("clSVMFree", None)(ctypes.c_void_p(context), ctypes.c_void_p(address))
    return SUCCESS if address else "NULL"


def call_extension(state: CaseState, function: str, values: list[Any]) -> str:
    """Call a function whose address comes from clGetExtensionFunctionAddressForPlatform."""
    find = library().clGetExtensionFunctionAddressForPlatform
    find.restype = ctypes.c_void_p
    address = find(ctypes.c_void_p(state.platform.int_ptr), function.encode())
    check.true(f"{function} has an address", bool(address), stage="api")
    routine = ctypes.CFUNCTYPE(ctypes.c_int32)(address)
    del routine.argtypes
    return name_of(routine(*map(ctypes_argument, values)))


def check_valid(device: Device, *, function: str) -> None:
    """The valid call succeeds, from which the mistakes are derived."""
    row, state = CALLS[function], CaseState(device)
    try:
        got = perform(state, row.function, row.arguments)
        if got == SUCCESS and "wait_list" in row.arguments:
            state.queue.finish()
    finally:
        state.close()
    check.equal(row.function, got, SUCCESS, stage="api")


def check_mistake(device: Device, *, function: str, mistake: str, errors: Sequence[str]) -> None:
    """A call with one mistake fails. `errors`: each of them is right."""
    row, allowed = CALLS[function], errors_of(device, function, mistake, errors)
    state = CaseState(device)
    try:
        got = perform(state, row.function, block_command(row.arguments, row.mistakes[mistake].change))
    finally:
        state.close()
    if got == SUCCESS:
        queue_of_mistakes.cache_clear()
    want = got if got in allowed else " or ".join(allowed)
    check.equal(f"{row.function}, {mistake}", got, want, stage="api")
