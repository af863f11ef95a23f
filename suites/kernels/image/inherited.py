"""The flags of an image of a buffer or of another image: its own, those of what it is made of, or none (API 3.0, 5.3.1)."""

from __future__ import annotations

import itertools

import pyopencl as cl

from runner import check
from runner.check import Mismatch
from runner.device import Device
from runner.model import Case

from . import codec, images
from .table import KINDS, Format

_FLAGS = cl.mem_flags
_ACCESS = (0, _FLAGS.READ_WRITE, _FLAGS.WRITE_ONLY, _FLAGS.READ_ONLY)
_HOST = (0, _FLAGS.HOST_WRITE_ONLY, _FLAGS.HOST_READ_ONLY, _FLAGS.HOST_NO_ACCESS)


def _is_refused(parent: tuple[int, int], own: tuple[int, int]) -> bool:
    """Whether clCreateImage has to answer CL_INVALID_VALUE: flags that allow what those of the memory do not."""
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


def check_inherited(device: Device, case: Case) -> None:
    """Every pair of flags, of the memory and of the image. Params: kind, format, access of the memory (a number of four)."""
    kind, fmt = KINDS[case.params["kind"]], Format.of(case.params["format"])
    content = codec.random_content(device.rng, fmt, tuple(reversed(kind.extents)))
    access = _ACCESS[case.params["access"]]
    for host, wanted, asked in itertools.product(_HOST, _ACCESS, _HOST):
        words = f"clCreateImage flags {wanted | asked:#x} of memory with {access | host:#x}"
        if kind.name == "1d_buffer":
            memory: cl.MemoryObject = cl.Buffer(device.context, access | host, size=content.nbytes)
        else:
            memory = images.create(device, kind, fmt, access | host)
        try:
            image = images.create(device, kind, fmt, wanted | asked, buffer=memory)
        except Mismatch as refused:
            if not _is_refused((access, host), (wanted, asked)) or "CL_INVALID_VALUE" not in str(refused):
                raise Mismatch(f"{words}: {refused}") from None
            continue
        check.equal(f"{words} is refused", _is_refused((access, host), (wanted, asked)), False, stage="api")
        flags = int(image.flags)
        for name, group, expected in (
            ("access", _ACCESS, wanted or access or _FLAGS.READ_WRITE),
            ("host", _HOST, asked or host),
        ):
            found = flags & sum(group)
            if found or expected != _FLAGS.READ_WRITE:  # no word is CL_MEM_READ_WRITE
                check.equal(f"{words}: CL_MEM_FLAGS, {name}", found, int(expected), stage="api")
        if not host | asked:
            images.write(device, image, content, images.ORIGIN, kind.extents)
            check.equal(words, images.whole(device, image, content), content)
