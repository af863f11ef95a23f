"""Reads and writes by kernels, without a sampler's arithmetic: every format of every type of image."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import check
from runner.device import Device

from . import codec, images
from .table import KINDS, VECTORS, Format, ImageType

Array = NDArray[Any]
_READERS = 40


def type_name(kind: ImageType, fmt: Format) -> str:
    """The type of a kernel's argument."""
    return f"image{kind.name}{'_depth' * (fmt.order == 'depth')}_t"


def pragmas(kind: ImageType, fmt: Format, writes: bool = False) -> str:
    """The pragmas that a kernel with such an argument needs."""
    names = ["cl_khr_depth_images"] * (fmt.order == "depth")
    names += ["cl_khr_3d_image_writes"] * (writes and kind.name == "3d")
    return "".join(f"#pragma OPENCL EXTENSION {name} : enable\n" for name in names)


def position(kind: ImageType, vector: str) -> str:
    """The coordinate that an access to this type takes, from an int4 or a float4."""
    return f"({vector}){('.x', '.xy', '')[kind.axes - 1]}"


def widened(fmt: Format, call: str) -> str:
    """The value of a read as a vector of four; of a depth image it is a scalar."""
    return f"(float4)({call}, 0.0f, 0.0f, 0.0f)" if fmt.order == "depth" else call


def colour(fmt: Format, vector: str) -> str:
    """The argument of write_image, from a vector of four; for a depth image it is a scalar."""
    return f"({vector}).x" if fmt.order == "depth" else vector


def all_positions(kind: ImageType, rng: np.random.Generator | None = None) -> Array:
    """The coordinates of all elements, (n, 4) int32, shuffled if there is a generator."""
    grid = np.indices(tuple(reversed(kind.extents))).reshape(3, -1).T[:, ::-1]
    at = np.zeros((len(grid), 4), np.int32)
    at[:, :3] = grid
    return at if rng is None else rng.permutation(at)


def at_positions(content: Array, at: Array) -> Array:
    """The elements at coordinates, (n, last axis)."""
    return content[at[:, 2], at[:, 1], at[:, 0]]


def read_source(kind: ImageType, fmt: Format, sampled: bool) -> str:
    """A kernel in which each work-item reads one element at integer coordinates, through a sampler or not."""
    s, vector = fmt.suffix, VECTORS[fmt.suffix]
    call = f"read_image{s}(image, {'s, ' * sampled}{position(kind, 'at[i]')})"
    return f"""{pragmas(kind, fmt)}
__kernel void f(__read_only {type_name(kind, fmt)} image, {"sampler_t s," * sampled}
                __global const int4 *at, __global {vector} *r) {{
    size_t i = get_global_id(0);
    r[i] = {widened(fmt, call)};
}}
"""


def check_read(device: Device, *, kind: str, format: str) -> None:
    """Read every element once, in random order."""
    image_type, fmt = KINDS[kind], Format.of(format)
    image, content = images.filled(device, image_type, fmt, cl.mem_flags.READ_ONLY)
    at = all_positions(image_type, device.rng)
    kernel = device.build(read_source(image_type, fmt, sampled=False)).f
    out = device.buffer(np.zeros((len(at), 4), codec.VALUES[fmt.suffix]))
    device.launch(kernel, [len(at)], None, image, device.buffer(at), out)
    got = device.read(out, codec.VALUES[fmt.suffix], (len(at), 4))
    codec.compare_read(f"read_image{fmt.suffix}", got, at_positions(codec.texels(content, fmt), at), fmt)


def check_known(device: Device, *, kind: str, format: str, places: int) -> None:
    """Elements at constant coordinates, read by all items, a fifth of them in a branch: one component of each, or all."""
    image_type, fmt = KINDS[kind], Format.of(format)
    image_type = replace(image_type, extents=(61, *image_type.extents[1:]))
    image, content = images.filled(device, image_type, fmt, cl.mem_flags.READ_ONLY)
    at = all_positions(image_type, device.rng)[:places]
    s, vector, straight = fmt.suffix, VECTORS[fmt.suffix], places - places // 5
    lines = []
    for n, (x, y, z, _) in enumerate(at):
        read = f"read_image{s}(image, {position(image_type, f'(int4)({x}, {y}, {z}, 0)')})"
        one = f".{'xyzw'[n % 4] * 4}" if n % 3 else ""
        lines.append(f"r[{n} * size + i] = {read}{one};")
    source = f"""{pragmas(image_type, fmt)}
__kernel void f(__read_only {type_name(image_type, fmt)} image, __global {vector} *r) {{
    size_t i = get_global_id(0), size = get_global_size(0);
    {" ".join(lines[:straight])}
    if (i % 3) {{ {" ".join(lines[straight:])} }}
}}
"""
    out = device.buffer(np.zeros((places, _READERS, 4), codec.VALUES[s]))
    device.launch(device.build(source).f, [_READERS], None, image, out)
    got, wants = device.read(out, codec.VALUES[s], (places, _READERS, 4)), at_positions(codec.texels(content, fmt), at)
    for n, (values, want) in enumerate(zip(got, wants, strict=True)):
        want = np.tile(want[[n % 4] * 4] if n % 3 else want, (_READERS, 1))
        if n >= straight:
            want[::3] = 0
        codec.compare_read(f"read {n}, at {at[n].tolist()}", values, want, fmt)


def check_border(device: Device, *, kind: str, format: str) -> None:
    """Integer coordinates inside and outside, through CLK_ADDRESS_CLAMP: the channel order decides the border colour.

    The index of an array's image is clamped instead (8.4).
    """
    image_type, fmt = KINDS[kind], Format.of(format)
    image, content = images.filled(device, image_type, fmt, cl.mem_flags.READ_ONLY)
    at = np.zeros((120, 4), np.int32)
    for axis in range(image_type.axes):
        end = image_type.extents[axis]
        at[:, axis] = device.rng.integers(-2, end + 2, len(at))
        # In some rows, only one axis leaves the image: by one, and by far.
        at[8 * axis : 8 * axis + 8, axis] = [-1, end, -100, end + 100, -(2**20), 2**20, 0, end - 1]
        for other in set(range(image_type.axes)) - {axis}:
            at[8 * axis : 8 * axis + 8, other] = device.rng.integers(0, image_type.extents[other], 8)
    sampler = cl.Sampler(device.context, False, cl.addressing_mode.CLAMP, cl.filter_mode.NEAREST)
    kernel = device.build(read_source(image_type, fmt, sampled=True)).f
    out = device.buffer(np.zeros((len(at), 4), codec.VALUES[fmt.suffix]))
    device.launch(kernel, [len(at)], None, image, sampler, device.buffer(at), out)
    got = device.read(out, codec.VALUES[fmt.suffix], (len(at), 4))
    size = np.array(image_type.extents)
    inside = np.clip(at[:, :3], 0, size - 1)
    addressed = list(range(image_type.spatial))
    outside = (at[:, addressed] != inside[:, addressed]).any(axis=1)
    values = at_positions(codec.texels(content, fmt), inside)
    want = np.where(outside[:, None], codec.border(fmt), values)
    codec.compare_read("inside", got[~outside], want[~outside], fmt)
    codec.compare_read("border", got[outside], want[outside], fmt)


def write_source(kind: ImageType, fmt: Format) -> str:
    """A kernel in which each work-item writes one element."""
    s, vector = fmt.suffix, VECTORS[fmt.suffix]
    return f"""{pragmas(kind, fmt, writes=True)}
__kernel void f(__write_only {type_name(kind, fmt)} image, __global const int4 *at,
                __global const {vector} *a) {{
    size_t i = get_global_id(0);
    write_image{s}(image, {position(kind, "at[i]")}, {colour(fmt, "a[i]")});
}}
"""


def check_write(device: Device, *, kind: str, format: str) -> None:
    """Write two thirds of the elements; the others must keep their values."""
    image_type, fmt = KINDS[kind], Format.of(format)
    image, content = images.filled(device, image_type, fmt, cl.mem_flags.WRITE_ONLY)
    at = all_positions(image_type, device.rng)
    at, kept = np.split(at, [len(at) * 2 // 3])
    colours = codec.random_colours(device.rng, fmt, len(at))
    kernel = device.build(write_source(image_type, fmt)).f
    device.launch(kernel, [len(at)], None, image, device.buffer(at), device.buffer(colours))
    got = images.whole(device, image, content)
    codec.compare_stored("written", at_positions(got, at), colours, fmt)
    check.equal("not written", at_positions(got, kept), at_positions(content, kept))


def check_written_in_turn(device: Device, *, formats: Sequence[str]) -> None:
    """One kernel writes images of several formats, launch after launch."""
    kind, written = KINDS["2d"], [Format.of(name) for name in formats]
    kernel, launches = device.build(write_source(kind, written[0])).f, []
    for fmt in written:
        image, content = images.filled(device, kind, fmt, cl.mem_flags.WRITE_ONLY)
        at = all_positions(kind, device.rng)
        colours = codec.random_colours(device.rng, fmt, len(at))
        device.launch(kernel, [len(at)], None, image, device.buffer(at), device.buffer(colours))
        launches.append((image, content, at, colours))
    for number, (fmt, (image, content, at, colours)) in enumerate(zip(written, launches, strict=True)):
        what = f"launch {number} ({fmt.name}): write_image{fmt.suffix}"
        codec.compare_stored(what, at_positions(images.whole(device, image, content), at), colours, fmt)


def check_read_write(device: Device, *, kind: str, format: str) -> None:
    """One kernel reads an element and writes its complement there (6.15.15.6)."""
    image_type, fmt = KINDS[kind], Format.of(format)
    image, content = images.filled(device, image_type, fmt)
    vector, s = VECTORS[fmt.suffix], fmt.suffix
    source = f"""{pragmas(image_type, fmt, writes=True)}
__kernel void f(__read_write {type_name(image_type, fmt)} image, __global const int4 *at, __global {vector} *r) {{
    size_t i = get_global_id(0);
    {vector} v = {widened(fmt, f"read_image{s}(image, {position(image_type, 'at[i]')})")};
    r[i] = v;
    write_image{s}(image, {position(image_type, "at[i]")}, {colour(fmt, "1.0f - v" if s == "f" else "~v")});
}}
"""
    kernel = device.build(source, "-cl-std=CL3.0").f
    at = all_positions(image_type, device.rng)
    at = at[: len(at) * 2 // 3]
    out = device.buffer(np.zeros((len(at), 4), codec.VALUES[s]))
    device.launch(kernel, [len(at)], None, image, device.buffer(at), out)
    got = device.read(out, codec.VALUES[s], (len(at), 4))
    codec.compare_read("read", got, at_positions(codec.texels(content, fmt), at), fmt)
    stored = at_positions(images.whole(device, image, content), at)
    codec.compare_stored("written", stored, 1 - got if s == "f" else ~got, fmt)


def check_next_launch(device: Device, *, kind: str, format: str) -> None:
    """A launch reads what the launch just before it wrote; twice."""
    image_type, fmt = KINDS[kind], Format.of(format)
    image = images.create(device, image_type, fmt)
    writer, reader = (
        device.build(write_source(image_type, fmt)).f,
        device.build(read_source(image_type, fmt, sampled=False)).f,
    )
    there, back = all_positions(image_type, device.rng), all_positions(image_type, device.rng)
    count, values = len(back), codec.VALUES[fmt.suffix]
    colours = [codec.random_colours(device.rng, fmt, count) for _ in range(2)]
    outs = [device.buffer(np.zeros((count, 4), values)) for _ in range(2)]
    sources, at, places = [device.buffer(c) for c in colours], device.buffer(there), device.buffer(back)
    for source, out in zip(sources, outs, strict=True):
        device.launch(writer, [count], None, image, at, source)
        device.launch(reader, [count], None, image, places, out)
    sent_order, got_order = np.lexsort(there[:, :3].T), np.lexsort(back[:, :3].T)
    for name, out, sent in zip(("first", "second"), outs, colours, strict=True):
        got = device.read(out, values, (count, 4))
        compare_round_trip(f"{name} time", got[got_order], sent[sent_order], fmt)


def compare_round_trip(what: str, got: Array, sent: Array, fmt: Format) -> None:
    """Compare values that were written and then read, which the format has rounded."""
    letters = ["rgba".index(c) for c in fmt.letters]
    if fmt.suffix != "f" or not fmt.normalized:
        stored = got[:, letters].astype(codec.ELEMENTS[fmt.channel])
        codec.compare_stored(what, stored, sent, fmt)
    else:
        scale = codec.texels(np.ones((1, len(letters)), codec.ELEMENTS[fmt.channel]), fmt)[0, letters[0]]
        codec.compare_stored(what, got[:, letters].astype(np.float64) / scale, sent, fmt)
