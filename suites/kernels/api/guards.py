"""What a query or a list writes: what was asked for, and no byte behind it (OpenCL API 3.0, 4.1, and each query's own)."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

from runner import check
from runner.device import Device
from runner.model import Case

from ..opencl import SUCCESS, call
from ..query.table import DEVICE, PLATFORM
from .mistakes import handle, value_of
from .objects import Stage
from .table import CALLS

_GUARD = 64  # bytes behind the answer
_FILL = 0xA5


class Room:
    """So many bytes, and guards in front and behind; and a size_t between two others for the size that is returned."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._bytes = (ctypes.c_uint8 * (size + 2 * _GUARD))(*[_FILL] * (size + 2 * _GUARD))
        self._returned = (ctypes.c_uint8 * 24)(*[_FILL] * 24)
        self.address, self.returned_address = ctypes.addressof(self._bytes) + _GUARD, ctypes.addressof(self._returned) + 8

    @property
    def returned(self) -> int:
        return int.from_bytes(self._returned[8:16], "little")

    def require_kept(self, what: str, written: int, *, returned_bytes: int = 8) -> None:
        """Require that at most `written` bytes from the start were written, and of the size no other word."""
        before, behind = bytes(self._bytes[:_GUARD]), bytes(self._bytes[_GUARD + written :])
        check.equal(f"{what}: bytes in front", before, bytes([_FILL]) * len(before), stage="api")
        check.equal(f"{what}: bytes behind", behind, bytes([_FILL]) * len(behind), stage="api")
        kept = bytes(self._returned[:8]) + bytes(self._returned[8 + returned_bytes :])
        check.equal(f"{what}: bytes beside the size", kept, bytes([_FILL]) * len(kept), stage="api")


def require_guarded(what: str, ask: Callable[[int, int, int], str], size: int) -> None:
    """A query with exactly its room, then with more; `ask` takes the room's size, its address and the size's."""
    for room in (Room(size), Room(size + 100)):
        check.equal(what, ask(room.size, room.address, room.returned_address), SUCCESS, stage="api")
        check.equal(f"{what}: size", room.returned, size, stage="api")
        room.require_kept(what, size)


def check_query(device: Device, case: Case) -> None:
    """Every parameter of a query whose size the specification gives. Params: function."""
    row, stage = CALLS[case.params["function"]], Stage(device)
    names = list(row.arguments)
    try:
        for name, mistake in row.mistakes.items():
            if not name.startswith("short.") or name == "short.binaries":  # which writes to where the room points
                continue
            values = [value_of(stage, v) for v in {**row.arguments, **mistake.change}.values()]

            def ask(size: int, address: int, returned: int, values: list[Any] = values) -> str:
                for word, value in (("size", size), ("value", address), ("size_ret", returned)):
                    values[names.index(word)] = value
                return call(row.function, *values)

            room = Room(0)
            check.equal(row.function, ask(0, 0, room.returned_address), SUCCESS, stage="api")
            require_guarded(f"{row.function} {name[6:]}", ask, room.returned)
    finally:
        stage.close()


def check_all(device: Device, case: Case) -> None:
    """Every parameter of a device or of a platform that this one has. Params: of."""
    of_device = case.params["of"] == "device"
    function = "clGetDeviceInfo" if of_device else "clGetPlatformInfo"
    owner = device.device if of_device else device.device.platform
    count = 0
    for name, query in (DEVICE if of_device else PLATFORM).items():
        room = Room(0)
        if call(function, owner.int_ptr, query.enum, 0, 0, room.returned_address) != SUCCESS:
            continue  # of an extension or a version that is not there

        def ask(size: int, address: int, returned: int, enum: int = query.enum) -> str:
            return call(function, owner.int_ptr, enum, size, address, returned)

        require_guarded(f"{function} {name}", ask, room.returned)
        count += 1
    check.true(f"{count} parameters were asked for", count >= (60 if of_device else 5), stage="api")


def check_list(device: Device, case: Case) -> None:
    """A list is as long as was asked for, and the count that is returned is that of all. Params: function."""
    function, stage = case.params["function"], Stage(device)
    leading: Sequence[Any] = {
        "clGetPlatformIDs": (),
        "clGetDeviceIDs": (stage.platform, 0xFFFFFFFF),
        "clGetSupportedImageFormats": (stage.context, 4, 0x10F1),
        "clCreateKernelsInProgram": (stage.built_program,),
    }[function]
    handles = [handle(v) for v in leading]
    counted = Room(0)
    check.equal(function, call(function, *handles, 0, 0, counted.returned_address), SUCCESS, stage="api")
    count = counted.returned % 2**32
    counted.require_kept(function, 0, returned_bytes=4)
    part = count if function == "clCreateKernelsInProgram" else max(count // 2, 1)  # which refuses less room than all
    for entries in (part, count, count + 5):
        room = Room(8 * (count + 5))
        check.equal(function, call(function, *handles, entries, room.address, room.returned_address), SUCCESS, stage="api")
        what = f"{function}, {entries} of {count}"
        check.equal(f"{what}: count", room.returned % 2**32, count, stage="api")
        room.require_kept(what, 8 * min(entries, count), returned_bytes=4)
        if function == "clCreateKernelsInProgram":
            for kernel in (ctypes.c_void_p * count).from_address(room.address):
                call("clReleaseKernel", kernel)
    stage.close()
