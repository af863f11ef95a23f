"""Every value of a channel type, read and written (OpenCL C 3.0, 8.3)."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import check
from runner.device import Device

from . import access, codec, images
from .table import KINDS, Format

_WIDTH = 128


def check_read_all(device: Device, *, kind: str, format: str) -> None:
    """All codes of 8 or 16 bits, or special values of 32 bits. `format`: with four channels."""
    image_type, fmt = KINDS[kind], Format.of(format)
    element = np.dtype(codec.ELEMENTS[fmt.channel])
    if element.itemsize < 4:
        codes = np.arange(1 << 8 * element.itemsize, dtype=f"u{element.itemsize}").view(element)
        codes = codes[np.isfinite(codes.astype(np.float64))]
    else:
        bits = device.rng.integers(0, 2**32, 4096, dtype=np.uint32)
        codes = bits.view(element)
        if element.kind == "f":
            codes = codes[np.isfinite(codes) & ((np.abs(codes) >= np.finfo(np.float32).tiny) | (codes == 0))]
            codes[:4] = [np.inf, -np.inf, np.finfo(np.float32).max, np.finfo(np.float32).tiny]
    content: NDArray[Any] = np.zeros(-(-len(codes) // (4 * _WIDTH)) * 4 * _WIDTH, element)
    content[: len(codes)] = codes
    content = content.reshape(1, -1, _WIDTH, 4)
    extents = (_WIDTH, content.shape[1], 1)
    image = images.create(device, image_type, fmt, cl.mem_flags.READ_ONLY, extents=extents)
    images.write(device, image, content, images.ORIGIN, extents)
    at = np.zeros((content.shape[1] * _WIDTH, 4), np.int32)
    at[:, 0], at[:, 1] = np.arange(len(at)) % _WIDTH, np.arange(len(at)) // _WIDTH
    kernel = device.build(access.read_source(image_type, fmt, sampled=False)).f
    out = device.buffer(np.zeros((len(at), 4), codec.VALUES[fmt.suffix]))
    device.launch(kernel, [len(at)], None, image, device.buffer(at), out)
    got = device.read(out, codec.VALUES[fmt.suffix], (len(at), 4))
    codec.compare_read("read", got, access.at_positions(codec.texels(content, fmt), at), fmt)


def check_write_all(device: Device, *, kind: str, format: str) -> None:
    """Values between two codes and close to them, ends, and values far outside. `format`: with four channels."""
    image_type, fmt = KINDS[kind], Format.of(format)
    colours = boundary_colours(device.rng, fmt)
    rows = -(-colours.size // (4 * _WIDTH))
    sent = np.zeros((rows * _WIDTH, 4), colours.dtype)
    sent.reshape(-1)[: colours.size] = colours
    extents = (_WIDTH, rows, 1)
    image = images.create(device, image_type, fmt, cl.mem_flags.WRITE_ONLY, extents=extents)
    at = np.zeros((len(sent), 4), np.int32)
    at[:, 0], at[:, 1] = np.arange(len(at)) % _WIDTH, np.arange(len(at)) // _WIDTH
    kernel = device.build(access.write_source(image_type, fmt)).f
    device.launch(kernel, [len(at)], None, image, device.buffer(at), device.buffer(sent))
    like = np.zeros((1, rows, _WIDTH, 4), codec.ELEMENTS[fmt.channel])
    got = images.whole(device, image, like)
    codec.compare_stored("written", access.at_positions(got, at), sent, fmt)


def boundary_colours(rng: np.random.Generator, fmt: Format) -> codec.Array:
    """Values near the borders between two codes of a type; their number is a multiple of four."""
    if fmt.suffix != "f":
        vector, element = (np.iinfo(t) for t in (codec.VALUES[fmt.suffix], codec.ELEMENTS[fmt.channel]))
        near = [e + d for e in (element.min, element.max, 0) for d in range(-3, 4)]
        powers = [s * 2**n + d for n in range(33) for s in (-1, 1) for d in (-1, 0, 1)]
        exact = [v for v in {*near, *powers} if vector.min <= v <= vector.max]
        values = np.array(sorted(exact), codec.VALUES[fmt.suffix])
    elif fmt.normalized:
        scale = {"unorm8": 255, "unorm16": 65535, "snorm8": 127, "snorm16": 32767}[fmt.channel]
        # A device may round to any code within 0.6 of a step: at 0.35 of a step from a code that is only this one.
        codes = np.arange(-scale - 2, scale + 3) if scale < 1000 else rng.integers(-scale - 2, scale + 3, 2000)
        values = np.concatenate([(codes + d) / scale for d in (-0.35, 0, 0.35)])
        values = np.concatenate([values, [1e30, -1e30, np.inf, -np.inf, 1, -1]]).astype(np.float32)
    else:
        halves = np.arange(0, 0x7C00, 7, dtype=np.uint16).view(np.float16).astype(np.float32)
        between = (halves[1:] + halves[:-1]) / 2  # with steps of seven none is a tie, so the nearest is unambiguous
        values = np.concatenate([halves, -halves, between, -between, np.array([np.inf, -np.inf, 65504, 65519], np.float32)])
    return np.resize(values, -(-len(values) // 4) * 4)


def check_many(device: Device, *, images: int) -> None:
    """One kernel reads many images, of different formats, and writes two."""
    _check_together(device, images)


def _check_together(device: Device, count: int) -> None:
    kind = KINDS["2d"]
    formats = [Format.of(f"rgba.{c}") for c in ("sint32", "float", "uint8", "half", "sint16", "uint32")]
    used = [formats[i % len(formats)] for i in range(count)]
    filled = [images.filled(device, kind, fmt, cl.mem_flags.READ_ONLY) for fmt in used]
    out = images.create(device, kind, Format.of("rgba.sint32"), cl.mem_flags.WRITE_ONLY)
    second = images.create(device, kind, Format.of("rgba.float"), cl.mem_flags.WRITE_ONLY)
    arguments = "".join(f"__read_only image2d_t i{i}, " for i in range(count))
    # The bits of each image's value are rotated by the image's number, so that an exchange of two images shows.
    terms = " ".join(
        f"sum ^= rotate(as_uint4(read_image{fmt.suffix}(i{i}, c)), (uint4)({i}));" for i, fmt in enumerate(used)
    )
    kernel = device.build(
        f"""
__kernel void f({arguments}__write_only image2d_t a, __write_only image2d_t b) {{
    int2 c = (int2)(get_global_id(0), get_global_id(1));
    uint4 sum = (uint4)(0);
    {terms}
    write_imagei(a, c, as_int4(sum));
    write_imagef(b, c, convert_float4(sum >> 8));
}}
"""
    ).f
    width, height, _ = kind.extents
    device.launch(kernel, [width, height], None, *(image for image, _ in filled), out, second)
    want = np.zeros((1, height, width, 4), np.uint32)
    for i, (fmt, (_, content)) in enumerate(zip(used, filled, strict=True)):
        bits = codec.texels(content, fmt).astype(codec.VALUES[fmt.suffix]).view(np.uint32)
        want ^= bits << np.uint32(i % 32) | bits >> np.uint32((32 - i) % 32) if i % 32 else bits
    check.equal("bits", images.whole(device, out, want.view(np.int32)), want.view(np.int32))
    floats = (want >> np.uint32(8)).astype(np.float32)
    check.equal("floats", images.whole(device, second, floats), floats)


def check_copied(device: Device, *, formats: Sequence[str]) -> None:
    """One kernel copies several images, each of another format."""
    kind, copied = KINDS["2d"], [Format.of(name) for name in formats]
    filled = [images.filled(device, kind, fmt, cl.mem_flags.READ_ONLY) for fmt in copied]
    copies = [images.create(device, kind, fmt, cl.mem_flags.WRITE_ONLY) for fmt in copied]
    arguments = [
        f"__{access} image2d_t {name}{i}"
        for name, access in (("a", "read_only"), ("b", "write_only"))
        for i in range(len(filled))
    ]
    lines = [f"write_image{fmt.suffix}(b{i}, c, read_image{fmt.suffix}(a{i}, c));" for i, fmt in enumerate(copied)]
    source = f"""
__kernel void f({", ".join(arguments)}) {{
    int2 c = (int2)(get_global_id(0), get_global_id(1));
    {" ".join(lines)}
}}
"""
    width, height, _ = kind.extents
    device.launch(device.build(source).f, [width, height], None, *(image for image, _ in filled), *copies)
    for fmt, copy, (_, content) in zip(copied, copies, filled, strict=True):
        check.equal(f"write_image{fmt.suffix} of {fmt.name}", images.whole(device, copy, content), content)
