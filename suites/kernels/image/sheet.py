"""One operation on images of every format that a device lists, because a single row of a driver's table may be wrong."""

from functools import partial
from typing import Any

import pyopencl as cl

from runner import check
from runner.bodies import Body
from runner.device import Device
from runner.image_formats import name_of

from . import access, query, sampling, transfer
from .table import DEPTH, SWIZZLED, UNUSUAL, WRITABLE, Format

_READ, _WRITE = cl.mem_flags.READ_ONLY, cl.mem_flags.WRITE_ONLY
_SAMPLER: Any = {"addressing": "clamp_to_edge", "filter": "nearest", "normalized": True, "declared": False, "edges": False}
# The body, the flags by which formats are listed, and the name of suffix and format in a message.
_OPERATIONS: dict[str, tuple[Body, int, str]] = {
    "read": (access.check_read, _READ, "read_image{} {}"),
    "sample": (partial(sampling.check_sampler, **_SAMPLER), _READ, "read_image{} {}"),
    "write": (access.check_write, _WRITE, "write_image{} {}"),
    "fill": (partial(transfer.check_fill, flags=_WRITE), _WRITE, "clEnqueueFillImage of {1}"),
    "fill_read_only": (partial(transfer.check_fill, flags=_READ), _READ, "clEnqueueFillImage of {1}"),
}


def check_every(device: Device, *, kind: str, operation: str) -> None:
    """The body of the operation, with each format that the device lists for such images."""
    body, flags, name = _OPERATIONS[operation]
    found = {name_of(f.channel_order, f.channel_data_type) for f in query.listed(device, kind, flags)}
    formats = [f for f in (*WRITABLE, *SWIZZLED, *UNUSUAL) if f in found and f not in DEPTH]
    if operation == "fill_read_only":  # no clause says whether a fill converts its colour to sRGB
        formats = [f for f in formats if not f.startswith("s")]
    for fmt in formats:
        try:
            body(device, kind=kind, format=fmt)
        except check.Mismatch as error:
            error.name_part(name.format(Format.of(fmt).suffix, fmt))
            raise
    check.true(f"{len(formats)} formats of {kind} were tried for {operation}", len(formats) >= 3)
