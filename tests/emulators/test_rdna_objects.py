"""The kernel driver's buffers of the emulated RDNA. Numbers and structures: the kernel's drm.h and amdgpu_drm.h."""

import ctypes
import os
import struct

import pytest
from bare_rdna import BareRdna

_CLOSE, _TO_FILE, _FROM_FILE, _CREATE, _METADATA, _OP = 0x09, 0x2D, 0x2E, 0x40, 0x46, 0x50
_SET, _GET, _CREATED = 1, 2, 0


def _call(rdna: BareRdna, number: int, form: str, *values: int) -> tuple[int, ...]:
    """What the structure holds after the call."""
    data = ctypes.create_string_buffer(struct.pack(form, *values))
    result = rdna._library.ioctl(-1, ord("d") << 8 | number, data)
    if result:
        raise OSError(ctypes.get_errno(), "ioctl")
    return struct.unpack(form, data.raw[: struct.calcsize(form)])


@pytest.mark.root
def test_what_is_noted_of_a_buffer_reaches_whom_it_is_shared_with(rdna: BareRdna) -> None:
    first = _call(rdna, _CREATE, "<4Q", 8192, 4096, 4, 1)[0] & 0xFFFFFFFF
    note = [7, 0x1234, 8, *range(32)]
    _call(rdna, _METADATA, "<2I35Q", first, _SET, *note)
    file = _call(rdna, _TO_FILE, "<2Ii", first, 0, -1)[2]
    second = _call(rdna, _FROM_FILE, "<2Ii", 0, 0, file)[0]
    os.close(file)
    assert second != first
    assert list(_call(rdna, _METADATA, "<2I35Q", second, _GET, *[0] * 35)[2:]) == note
    created = ctypes.create_string_buffer(32)
    _call(rdna, _OP, "<2IQ", second, _CREATED, ctypes.addressof(created))
    assert struct.unpack("<4Q", created.raw) == (8192, 4096, 4, 1)
    for handle in (first, second):
        _call(rdna, _CLOSE, "<2I", handle, 0)
    for number, form, rest in (
        (_METADATA, "<2I35Q", [_GET, *[0] * 35]),
        (_OP, "<2IQ", [_CREATED, ctypes.addressof(created)]),
    ):
        with pytest.raises(OSError, match="ioctl"):
            _call(rdna, number, form, first, *rest)
