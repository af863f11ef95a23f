"""A query or a list writes what was asked for, and no byte behind it (OpenCL API 3.0, 4.1, and each query's section)."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

from runner import check
from runner.device import Device

from ..kit.opencl import SUCCESS, call, create, sizes
from ..kit.queries import DEVICE, PLATFORM
from ..kit.spirv import kernel_text, program
from .mistakes import call_extension, handle, value_of
from .objects import CaseState
from .table import CALLS

_GUARD = 64  # bytes behind the answer
_FILL = 0xA5
_WORDS = (4, 8, 24)  # words of 32 or 64 bits, and three of 64: answers whose size is fixed, unlike a text's

#: Answers whose size depends on the program: one with a log, one with options.
TEXTS: dict[str, dict[str, dict[str, Any]]] = {
    "clGetProgramInfo": {"source": {"name": 0x1164}, "kernel_names": {"name": 0x1168}},
    "clGetProgramBuildInfo": {
        "options": {"name": 0x1182},
        "log": {"name": 0x1183},
        "log of an error": {"name": 0x1183, "program": "broken_program"},
        "global variables": {"name": 0x1185},
    },
}


class GuardedBuffer:
    """`size` bytes with guards before and after them, and a guarded size_t for the size that is returned."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._bytes = (ctypes.c_uint8 * (size + 2 * _GUARD))(*[_FILL] * (size + 2 * _GUARD))
        self._returned = (ctypes.c_uint8 * 24)(*[_FILL] * 24)
        self.address, self.returned_address = ctypes.addressof(self._bytes) + _GUARD, ctypes.addressof(self._returned) + 8

    @property
    def returned(self) -> int:
        return int.from_bytes(self._returned[8:16], "little")

    def number(self) -> int:
        """The bytes between the guards."""
        return int.from_bytes(self._bytes[_GUARD : _GUARD + self.size], "little")

    def emptied(self) -> GuardedBuffer:
        """The same object with a size of 0, if nothing may have been written."""
        self.size = 0
        return self

    def require_kept(self, what: str, written: int, *, returned_bytes: int = 8) -> None:
        """Require that at most the first `written` bytes were written, and at most `returned_bytes` for the size."""
        before, behind = bytes(self._bytes[:_GUARD]), bytes(self._bytes[_GUARD + written :])
        check.equal(f"{what}: bytes in front", before, bytes([_FILL]) * len(before), stage="api")
        check.equal(f"{what}: bytes behind", behind, bytes([_FILL]) * len(behind), stage="api")
        kept = bytes(self._returned[:8]) + bytes(self._returned[8 + returned_bytes :])
        check.equal(f"{what}: bytes beside the size", kept, bytes([_FILL]) * len(kept), stage="api")


def require_guarded(what: str, ask: Callable[[int, int, int], str], size: int) -> None:
    """Ask with the exact room, then with more; `ask` takes the room's size, its address, and the address for the size."""
    for guarded in (GuardedBuffer(size), GuardedBuffer(size + 100)):
        check.equal(what, ask(guarded.size, guarded.address, guarded.returned_address), SUCCESS, stage="api")
        check.equal(f"{what}: size", guarded.returned, size, stage="api")
        guarded.require_kept(what, guarded.size)  # in a larger room, the function may write behind the answer, too


def check_guard(device: Device, *, function: str) -> None:
    """All parameters of a query function whose size the specification gives, and texts."""
    row, state = CALLS[function], CaseState(device)
    names = list(row.arguments)
    try:
        changes = {name: mistake.change for name, mistake in row.mistakes.items() if name.startswith("short.")}
        changes.pop("short.binaries", None)  # whose answer goes to the addresses that are in the room
        for name, change in {**changes, **TEXTS.get(row.function, {})}.items():
            values = [value_of(state, v) for v in {**row.arguments, **change}.values()]

            def ask(size: int, address: int, returned: int, values: list[Any] = values) -> str:
                for word, value in (("size", size), ("value", address), ("size_ret", returned)):
                    values[names.index(word)] = value
                return call(row.function, *values)

            guarded = GuardedBuffer(0)
            what = f"{row.function} {name.removeprefix('short.')}"
            check.equal(what, ask(0, 0, guarded.returned_address), SUCCESS, stage="api")
            if (size := change.get("size", 0) + 1) in _WORDS:
                check.equal(f"{what}: bytes of its type", guarded.returned, size, stage="api")
            require_guarded(what, ask, guarded.returned)
    finally:
        state.close()


def check_guard_all(device: Device, *, of: str) -> None:
    """All parameters of the device or of its platform that it has. `of`: "device" or "platform"."""
    of_device = of == "device"
    function = "clGetDeviceInfo" if of_device else "clGetPlatformInfo"
    owner = device.device if of_device else device.device.platform
    count = 0
    for name, query in (DEVICE if of_device else PLATFORM).items():
        guarded = GuardedBuffer(0)
        if call(function, owner.int_ptr, query.enum, 0, 0, guarded.returned_address) != SUCCESS:
            continue  # the parameter belongs to an extension or a version that it does not have

        def ask(size: int, address: int, returned: int, enum: int = query.enum) -> str:
            return call(function, owner.int_ptr, enum, size, address, returned)

        require_guarded(f"{function} {name}", ask, guarded.returned)
        count += 1
    check.true(f"{count} parameters were asked for", count >= (60 if of_device else 5), stage="api")


def check_guard_list(device: Device, *, function: str) -> None:
    """A list has no more entries than were asked for, and the count that is returned is that of all."""
    state = CaseState(device)
    leading: Sequence[Any] = {
        "clGetPlatformIDs": (),
        "clGetDeviceIDs": (state.platform, 0xFFFFFFFF),
        "clGetSupportedImageFormats": (state.context, 4, 0x10F1),
        "clCreateKernelsInProgram": (state.built_program,),
    }[function]
    handles = [handle(v) for v in leading]
    counted = GuardedBuffer(0)
    check.equal(function, call(function, *handles, 0, 0, counted.returned_address), SUCCESS, stage="api")
    count = counted.returned % 2**32
    counted.require_kept(function, 0, returned_bytes=4)
    part = count if function == "clCreateKernelsInProgram" else max(count // 2, 1)  # which refuses to list only a part
    for entries in (part, count, count + 5):
        guarded = GuardedBuffer(8 * (count + 5))
        check.equal(
            function, call(function, *handles, entries, guarded.address, guarded.returned_address), SUCCESS, stage="api"
        )
        what = f"{function}, {entries} of {count}"
        check.equal(f"{what}: count", guarded.returned % 2**32, count, stage="api")
        guarded.require_kept(what, 8 * entries, returned_bytes=4)  # it may write to entries that are not needed, too
        if function == "clCreateKernelsInProgram":
            for kernel in (ctypes.c_void_p * count).from_address(guarded.address):
                call("clReleaseKernel", kernel)
    state.close()


def _guard_arguments(device: Device, state: CaseState, function: str) -> tuple[list[Any], dict[str, GuardedBuffer]]:
    """The arguments of a call, with a guarded buffer for each output; and these buffers by name."""
    match function:
        case "clGetKernelSuggestedLocalWorkSizeKHR":
            guarded = GuardedBuffer(16)
            return [state.queue, state.empty_kernel, 2, sizes([0, 0]), sizes([64, 8]), guarded], {"two sizes": guarded}
        case "clGetDeviceAndHostTimer":
            of_device, of_host = GuardedBuffer(8), GuardedBuffer(8)
            return [state.device, of_device, of_host], {"device's time": of_device, "host's time": of_host}
        case "clGetHostTimer":
            guarded = GuardedBuffer(8)
            return [state.device, guarded], {"host's time": guarded}
    raise KeyError(function)


def check_guard_output(device: Device, *, function: str) -> None:
    """A function that writes to its arguments fills them, and no byte beside them."""
    state = CaseState(device)
    arguments, rooms = _guard_arguments(device, state, function)
    values = [value.address if isinstance(value, GuardedBuffer) else handle(value) for value in arguments]
    got = call_extension(state, function, values) if function.endswith("KHR") else call(function, *values)
    if got == "CL_INVALID_OPERATION" and function.endswith("Timer"):  # a platform without timers writes nothing
        rooms = {what: guarded.emptied() for what, guarded in rooms.items()}
    else:
        check.equal(function, got, SUCCESS, stage="api")
    for what, guarded in rooms.items():
        guarded.require_kept(f"{function}, {what}", guarded.size)
    state.close()


def check_guard_pitches(device: Device, *, image: str) -> None:
    """clEnqueueMapImage writes both pitches, for an image that has a slice pitch and for one that does not."""
    state = CaseState(device)
    made, row, slices = getattr(state, image), GuardedBuffer(8), GuardedBuffer(8)
    origin, region = sizes([0, 0, 0]), sizes([8, 4, 3 if image == "image3d" else 1])
    head = (state.queue.int_ptr, made.int_ptr, 1, 1, origin, region)
    address, error = create("clEnqueueMapImage", *head, row.address, slices.address, 0, 0, 0)
    check.equal("clEnqueueMapImage", error, SUCCESS, stage="api")
    call("clEnqueueUnmapMemObject", state.queue.int_ptr, made.int_ptr, address, 0, 0, 0)
    state.queue.finish()
    for what, guarded in (("row pitch", row), ("slice pitch", slices)):
        guarded.require_kept(f"clEnqueueMapImage, {what}", 8)
    state.close()


def check_guard_binaries(device: Device) -> None:
    """CL_PROGRAM_BINARIES writes as many bytes as CL_PROGRAM_BINARY_SIZES says, and clCreateProgramWithBinary one status."""
    state = CaseState(device)
    program, size, pointer = state.built_program.int_ptr, GuardedBuffer(8), GuardedBuffer(8)
    check.equal("sizes", call("clGetProgramInfo", program, 0x1165, 8, size.address, 0), SUCCESS, stage="api")
    guarded = GuardedBuffer(size.number())
    ctypes.memmove(pointer.address, ctypes.byref(ctypes.c_void_p(guarded.address)), 8)
    got = call("clGetProgramInfo", program, 0x1166, 8, pointer.address, pointer.returned_address)
    check.equal("clGetProgramInfo", got, SUCCESS, stage="api")
    guarded.require_kept("CL_PROGRAM_BINARIES", guarded.size)
    check.equal("the pointer to the binary", pointer.number(), guarded.address, stage="api")
    pointer.require_kept("pointers of CL_PROGRAM_BINARIES", 8)
    status, devices, lengths = GuardedBuffer(4), (ctypes.c_void_p * 1)(state.device.int_ptr), sizes([guarded.size])
    context, binaries = state.context.int_ptr, (ctypes.c_void_p * 1)(guarded.address)
    made, error = create("clCreateProgramWithBinary", context, 1, devices, lengths, binaries, status.address)
    check.equal("clCreateProgramWithBinary", error, SUCCESS, stage="api")
    call("clReleaseProgram", made)
    status.require_kept("binary_status", 4)
    guarded.require_kept("a binary that is read", guarded.size)
    state.close()


def check_guard_il(device: Device) -> None:
    """CL_PROGRAM_IL writes the module that the program was made from, and no byte more."""
    made = program(device, kernel_text("uint", {}, "%y = OpUndef %uint"))
    what = "clGetProgramInfo il"
    guarded = GuardedBuffer(0)
    check.equal(what, call("clGetProgramInfo", made.int_ptr, 0x1169, 0, 0, guarded.returned_address), SUCCESS, stage="api")

    def ask(size: int, address: int, returned: int) -> str:
        return call("clGetProgramInfo", made.int_ptr, 0x1169, size, address, returned)

    check.true("a module has words", guarded.returned > 20 and guarded.returned % 4 == 0, stage="api")
    require_guarded(what, ask, guarded.returned)
