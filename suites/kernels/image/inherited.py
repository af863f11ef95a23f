"""The flags of an image of a buffer or of another image: its own, or those that it inherits (API 3.0, 5.3.1)."""

import itertools

import pyopencl as cl

from runner import check
from runner.check import Mismatch
from runner.device import Device

from . import codec, images
from .table import KINDS, Format

_FLAGS = cl.mem_flags
_ACCESS = (0, _FLAGS.READ_WRITE, _FLAGS.WRITE_ONLY, _FLAGS.READ_ONLY)
_HOST = (0, _FLAGS.HOST_WRITE_ONLY, _FLAGS.HOST_READ_ONLY, _FLAGS.HOST_NO_ACCESS)


def _is_refused(parent: tuple[int, int], own: tuple[int, int]) -> bool:
    """Whether clCreateImage must return CL_INVALID_VALUE, because the flags allow what the memory's do not."""
    (access, host), (wanted, asked) = parent, own
    other = {
        _FLAGS.WRITE_ONLY: (_FLAGS.READ_WRITE, _FLAGS.READ_ONLY),
        _FLAGS.READ_ONLY: (_FLAGS.READ_WRITE, _FLAGS.WRITE_ONLY),
    }
    closed = {
        _FLAGS.HOST_WRITE_ONLY: (_FLAGS.HOST_READ_ONLY,),
        _FLAGS.HOST_READ_ONLY: (_FLAGS.HOST_WRITE_ONLY,),
        _FLAGS.HOST_NO_ACCESS: (_FLAGS.HOST_READ_ONLY, _FLAGS.HOST_WRITE_ONLY),
    }
    return wanted in other.get(access, ()) or asked in closed.get(host, ())


def check_inherited(device: Device, *, kind: str, format: str, access: int) -> None:
    """Every pair of the memory's flags and the image's. `access`: the index of the memory's access in _ACCESS."""
    image_type, fmt = KINDS[kind], Format.of(format)
    content = codec.random_content(device.rng, fmt, tuple(reversed(image_type.extents)))
    of_memory = _ACCESS[access]
    for host, wanted, asked in itertools.product(_HOST, _ACCESS, _HOST):
        words = f"clCreateImage flags {wanted | asked:#x} of memory with {of_memory | host:#x}"
        if image_type.name == "1d_buffer":
            memory: cl.MemoryObject = cl.Buffer(device.context, of_memory | host, size=content.nbytes)
        else:
            memory = images.create(device, image_type, fmt, of_memory | host)
        try:
            image = images.create(device, image_type, fmt, wanted | asked, buffer=memory)
        except Mismatch as refused:
            if not _is_refused((of_memory, host), (wanted, asked)) or "CL_INVALID_VALUE" not in str(refused):
                raise Mismatch(f"{words}: {refused}") from None
            continue
        check.equal(f"{words} is refused", False, _is_refused((of_memory, host), (wanted, asked)), stage="api")
        flags = int(image.flags)
        for name, group, expected in (
            ("access", _ACCESS, wanted or of_memory or _FLAGS.READ_WRITE),
            ("host", _HOST, asked or host),
        ):
            found = flags & sum(group)
            if found or expected != _FLAGS.READ_WRITE:  # no flag at all means CL_MEM_READ_WRITE
                check.equal(f"{words}: CL_MEM_FLAGS, {name}", found, int(expected), stage="api")
        if not host | asked:
            images.write(device, image, content, images.ORIGIN, image_type.extents)
            check.equal(words, images.whole(device, image, content), content)
