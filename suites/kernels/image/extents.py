"""Images with extents close to the edges of tiles: written, and copied by a kernel and by commands."""

from dataclasses import replace

import pyopencl as cl

from runner import check
from runner.device import Device

from . import images
from .access import all_positions, position, pragmas, type_name
from .table import KINDS, Format, ImageType

# Close to 16 and 64 elements, where tiles, rows and blocks of copies end.
EXTENTS = (1, 15, 16, 17, 63, 64, 65)
LAYERS = (1, 2, 5)


def check_extents(device: Device, *, kind: str, format: str) -> None:
    """Images of each width of EXTENTS: written by the host, copied by a kernel, and in part by a command.

    Source and target of the command's copy differ in their extents, so that the same place is in different tiles of them.
    """
    fmt, image_type = Format.of(format), KINDS[kind]
    place = position(image_type, "at[get_global_id(0)]")
    kernel = device.build(
        f"""{pragmas(image_type, fmt, writes=True)}
__kernel void f(__read_only {type_name(image_type, fmt)} source, __write_only {type_name(image_type, fmt)} target,
                __global const int4 *at) {{
    write_image{fmt.suffix}(target, {place}, read_image{fmt.suffix}(source, {place}));
}}
"""
    ).f
    for number, width in enumerate(EXTENTS):
        height = EXTENTS[(number * 3 + 4) % len(EXTENTS)] if image_type.axes > 1 else 1
        depth = LAYERS[number % len(LAYERS)] if image_type.axes > 2 else 1
        sized = replace(image_type, extents=(width, height, depth))
        try:
            _compare_copies(device, kernel, sized, fmt)
        except check.Mismatch as error:
            error.name_part(f"{width}x{height}x{depth}")
            raise


def _compare_copies(device: Device, kernel: cl.Kernel, kind: ImageType, fmt: Format) -> None:
    source, content = images.filled(device, kind, fmt)
    check.equal("what the host wrote", images.whole(device, source, content), content)
    target = images.create(device, kind, fmt)
    at = all_positions(kind, device.rng)
    device.launch(kernel, [len(at)], None, source, target, device.buffer(at))
    check.equal("what a kernel copied", images.whole(device, target, content), content)
    # Along each axis all elements but the first (if there are several), to a place one further on in a larger image.
    larger = replace(kind, extents=_grown(kind, 3))
    other, want = images.filled(device, larger, fmt)
    first = tuple(int(n > 1) for n in kind.extents)
    region = tuple(n - o for n, o in zip(kind.extents, first, strict=True))
    moved = tuple(o + (axis < kind.axes) for axis, o in enumerate(first))
    cl.enqueue_copy(device.queue, other, target, src_origin=first, dest_origin=moved, region=region)
    inside, outside = (
        tuple(slice(o, o + n) for o, n in zip(at_[::-1], region[::-1], strict=True)) for at_ in (first, moved)
    )
    want[outside] = content[inside]
    check.equal("after a command's copy", images.whole(device, other, want), want)


def _grown(kind: ImageType, more: int) -> tuple[int, int, int]:
    width, height, depth = (n + more * (axis < kind.axes) for axis, n in enumerate(kind.extents))
    return width, height, depth
