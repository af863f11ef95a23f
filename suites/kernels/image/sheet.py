"""One operation on images of every format that a device lists: a row of a driver's table may be wrong alone."""

from __future__ import annotations

from dataclasses import replace

import pyopencl as cl

from runner import check
from runner.device import Device
from runner.image_formats import name_of
from runner.model import Case

from . import access, query, sampling, transfer
from .table import DEPTH, SWIZZLED, UNUSUAL, WRITABLE, Format

_READ, _WRITE = cl.mem_flags.READ_ONLY, cl.mem_flags.WRITE_ONLY
_OPERATIONS = {  # the body, the images whose formats it takes, and how a message names suffix and format
    "read": (access.check_read, _READ, "read_image{} {}"),
    "sample": (sampling.check_sampler, _READ, "read_image{} {}"),
    "write": (access.check_write, _WRITE, "write_image{} {}"),
    "fill": (transfer.check_fill, _WRITE, "clEnqueueFillImage of {1}"),
    "fill_read_only": (transfer.check_fill, _READ, "clEnqueueFillImage of {1}"),
}
_SAMPLER = {"addressing": "clamp_to_edge", "filter": "nearest", "normalized": True, "declared": False, "edges": False}


def check_every(device: Device, case: Case) -> None:
    """The operation's own body with each format that the device lists for such images. Params: kind, operation."""
    kind, operation = case.params["kind"], case.params["operation"]
    body, flags, name = _OPERATIONS[operation]
    found = {name_of(f.channel_order, f.channel_data_type) for f in query.listed(device, kind, flags)}
    formats = [f for f in (*WRITABLE, *SWIZZLED, *UNUSUAL) if f in found and f not in DEPTH]
    if operation == "fill_read_only":  # no clause says whether a fill makes its colour sRGB
        formats = [f for f in formats if not f.startswith("s")]
    params = {"kind": kind, "flags": flags, **_SAMPLER}
    for fmt in formats:
        try:
            body(device, replace(case, params={"format": fmt, **params}))
        except check.Mismatch as error:
            error.name_part(name.format(Format.of(fmt).suffix, fmt))
            raise
    check.true(f"{len(formats)} formats of {kind} were tried for {operation}", len(formats) >= 3)
