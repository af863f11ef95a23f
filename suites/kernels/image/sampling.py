"""Image reads through samplers, compared with a model of the specification (OpenCL C 3.0, 8.1, 8.2 and 8.4)."""

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import check, transfers
from runner.device import Device

from . import codec, images
from .access import at_positions, position, pragmas, type_name, widened
from .table import KINDS, VECTORS, Format, ImageType

Array = NDArray[Any]


def taps(u: Array, size: int, addressing: str, filtering: str) -> list[tuple[Array, Array]]:
    """Index and weight of the elements along one axis (8.2); `u` in elements. -1 or `size` is the border."""
    if addressing == "repeat":
        u = u - np.floor(u / size) * size
    if addressing == "mirrored_repeat":
        u = np.abs(u - 2 * size * np.rint(u / (2 * size)))
    if filtering == "nearest":
        pairs = [(np.floor(u), np.ones_like(u))]
    else:
        low = np.floor(u - 0.5)
        pairs = [(low, 1 - (u - 0.5 - low)), (low + 1, u - 0.5 - low)]
    if addressing == "repeat":
        return [(np.mod(i, size), w) for i, w in pairs]
    if addressing == "clamp":
        return [(np.clip(i, -1, size), w) for i, w in pairs]
    return [(np.clip(i, 0, size - 1), w) for i, w in pairs]


def sample(elements: Array, border: Array, kind: ImageType, u: Array, addressing: str, filtering: str) -> Array:
    """The values at positions `u` (n, 3), from elements (z, y, x, 4). Positions are in elements and layers."""
    axes = [[(np.zeros(len(u)), np.ones(len(u)))] for _ in range(3)]
    for axis in range(kind.axes):
        size = kind.extents[axis]
        if axis < kind.spatial:
            axes[axis] = taps(u[:, axis], size, addressing, filtering)
        else:
            axes[axis] = [(np.clip(np.rint(u[:, axis]), 0, size - 1), np.ones(len(u)))]
    total = np.zeros((len(u), 4))
    for corner in itertools.product(*axes):
        index = np.stack([i for i, _ in corner], axis=-1).astype(int)
        outside = ((index < 0) | (index >= kind.extents)).any(axis=1, keepdims=True)
        value = np.where(outside, border, at_positions(elements, np.where(outside, 0, index)))
        total += value * np.prod([w for _, w in corner], axis=0)[:, None]
    return total


def positions(rng: np.random.Generator, kind: ImageType, addressing: str, filtering: str) -> Array:
    """Positions (n, 3), outside, too, if that is defined; for nearest, at least 1/16 from a border between elements."""
    inside, linear = addressing == "none", filtering == "linear"
    u = np.zeros((240, 3))
    for axis in range(kind.axes):
        extent, layer = kind.extents[axis], axis >= kind.spatial
        low, high = (-2.0, extent + 2.0)
        if inside and not layer:  # without an addressing mode, both elements that a filter reads must be inside
            low, high = (0.5, extent - 0.5) if linear else (0.0, extent)
        if linear and not layer:
            u[:, axis] = rng.uniform(low, high, len(u))
        else:
            u[:, axis] = rng.integers(int(low * 8), int(high * 8), len(u)) / 8 + 1 / 16
    return u


def edge_positions(rng: np.random.Generator, kind: ImageType, addressing: str) -> Array:
    """Positions (n, 3) on borders of elements, and the floats just before and just after them."""
    u = np.zeros((240, 3), np.float32)
    for axis in range(kind.axes):
        extent, layer = kind.extents[axis], axis >= kind.spatial
        borders = np.arange(-2, extent + 3, dtype=np.float32) + np.float32(0.5 * layer)
        values = np.concatenate([np.nextafter(borders, d) for d in (-np.inf, np.inf)] + [borders])
        values = values[np.abs(values) > 1e-30]  # a denormal may be flushed to zero
        values = np.concatenate([values, np.array([0, -0.0], np.float32)])
        if addressing == "none" and not layer:
            values = values[(values >= 0) & (values < extent)]
        elif not layer:
            values = np.concatenate([values, np.array([-1e-6, -1e6, 1e6], np.float32)])
        u[:, axis] = rng.choice(values, len(u))
    return u.astype(np.float64)


def seam_positions(rng: np.random.Generator, kind: ImageType) -> Array:
    """Positions (n, 3) exactly on borders and centres of elements, up to two extents outside on each side."""
    u = np.zeros((240, 3))
    for axis in range(kind.axes):
        extent, layer = kind.extents[axis], axis >= kind.spatial
        u[:, axis] = rng.integers(0, extent, len(u)) if layer else rng.integers(-4 * extent, 6 * extent + 1, len(u)) / 2
    return u


def sampler_source(kind: ImageType, fmt: Format, declared: str) -> str:
    """A kernel in which each work-item reads one position, through a sampler argument or the expression `declared`."""
    s, place = fmt.suffix, position(kind, "at[i]").replace("int", "float")
    return f"""{pragmas(kind, fmt)}
__kernel void f(__read_only {type_name(kind, fmt)} image, {"" if declared else "sampler_t s,"}
                __global const float4 *at, __global {VECTORS[s]} *r) {{
    size_t i = get_global_id(0);
    {f"const sampler_t s = {declared};" if declared else ""}
    r[i] = {widened(fmt, f"read_image{s}(image, s, {place})")};
}}
"""


def constant(addressing: str, filtering: str, normalized: bool) -> str:
    """A sampler as an expression of OpenCL C."""
    return (
        f"CLK_NORMALIZED_COORDS_{str(normalized).upper()} | CLK_ADDRESS_{addressing.upper()} | "
        f"CLK_FILTER_{filtering.upper()}"
    )


def new_sampler(device: Device, addressing: str, filtering: str, normalized: bool) -> cl.Sampler:
    """A sampler that the host creates."""
    modes = cl.addressing_mode, cl.filter_mode
    return cl.Sampler(
        device.context, normalized, getattr(modes[0], addressing.upper()), getattr(modes[1], filtering.upper())
    )


def _filled(device: Device, kind: ImageType, fmt: Format) -> tuple[cl.Image, Array]:
    """An image to sample, and its content; floats are of similar size, so that a filter's tolerance is not too wide."""
    image, content = images.filled(device, kind, fmt, cl.mem_flags.READ_ONLY)
    if fmt.channel in ("float", "half"):
        content[...] = device.rng.uniform(-4, 4, content.shape)
        images.write(device, image, content, images.ORIGIN, kind.extents)
    return image, content


def check_sampler(
    device: Device,
    *,
    kind: str,
    format: str,
    addressing: str,
    filter: str,
    normalized: bool,
    declared: bool,
    edges: bool,
    seams: bool = False,
    odd: bool = False,
    even_x: bool = False,
    even_y: bool = False,
    even_z: bool = False,
) -> None:
    """Reads through a sampler at positions inside and outside, or at `edges` or `seams` of elements.

    `odd`: also at seams, the extents are odd; `even_x`, `even_y`, `even_z`: only this extent is a power of two.
    """
    image_type, fmt = KINDS[kind], Format.of(format)
    modes = (addressing, filter, normalized)
    for axis, even in enumerate((even_x, even_y, even_z)):
        if even:
            sizes = [7, 5, 3 if image_type.axes > 2 else 1]
            sizes[axis] = 4
            image_type = replace(image_type, extents=(sizes[0], sizes[1], sizes[2]))
    if seams and not odd:  # extents for which the division is exact
        image_type = replace(image_type, extents=(8, 4 if image_type.axes > 1 else 1, 2 if image_type.axes > 2 else 1))
    image, content = _filled(device, image_type, fmt)
    u = edge_positions(device.rng, image_type, modes[0]) if edges else positions(device.rng, image_type, *modes[:2])
    if seams:
        u = seam_positions(device.rng, image_type)
    kernel = device.build(sampler_source(image_type, fmt, constant(*modes) if declared else "")).f
    out = device.buffer(np.zeros((len(u), 4), codec.VALUES[fmt.suffix]))
    arguments = [image] if declared else [image, new_sampler(device, *modes)]
    device.launch(kernel, [len(u)], None, *arguments, device.buffer(coordinates(image_type, u, normalized)), out)
    got = device.read(out, codec.VALUES[fmt.suffix], (len(u), 4))
    compare_sampled(got, codec.texels(content, fmt), image_type, fmt, u, modes)


def coordinates(kind: ImageType, u: Array, normalized: bool) -> Array:
    """Positions (n, 3), which are in elements, as a float4 for read_image."""
    coords = np.zeros((len(u), 4), np.float32)
    coords[:, :3] = u
    if normalized:
        coords[:, : kind.spatial] = u[:, : kind.spatial] / kind.extents[: kind.spatial]
    return coords


def compare_sampled(
    got: Array, elements: Array, kind: ImageType, fmt: Format, u: Array, modes: tuple[str, str, bool]
) -> None:
    """Compare what a kernel read at positions `u` with the model; `elements` are (z, y, x, 4)."""
    want = sample(elements, codec.border(fmt), kind, u, *modes[:2])
    transfers.tell(constant(*modes))
    what = f"read_image{fmt.suffix} {kind.name} {modes[0]} {modes[1]}"
    if modes[1] == "linear":
        # Section 8 sets no precision for the filter. Weights of eight bits in each dimension are common, and rounding to the
        # elements' own code in each dimension if that has eight bits, too.
        step = float(np.ptp(elements)) / 256 + {"unorm8": 1 / 255, "snorm8": 1 / 127}.get(fmt.channel, 0)
        check.close(what, got, want, atol=step * kind.spatial)
    else:
        codec.compare_read(what, got, want, fmt)


def check_two_samplers(device: Device, *, samplers: Sequence[Any], given: bool = False) -> None:
    """Several samplers of one kernel, each with modes of its own. `samplers`: their modes; `given`: as arguments."""
    kind, fmt = KINDS["2d"], Format.of("rgba.float")
    image, content = _filled(device, kind, fmt)
    places = [positions(device.rng, kind, *modes[:2]) for modes in samplers]
    count = len(places[0])
    lines = [] if given else [f"const sampler_t s{n} = {constant(*modes)};" for n, modes in enumerate(samplers)]
    lines += [f"r[{n} * n + i] = read_imagef(image, s{n}, at[{n} * n + i].xy);" for n in range(len(samplers))]
    own = [new_sampler(device, *modes) for modes in samplers] if given else []
    declared = "".join(f"sampler_t s{n}, " for n in reversed(range(len(own))))
    arguments = f"{declared}__read_only image2d_t image, __global const float4 *at, __global float4 *r"
    body = "\n    ".join(["size_t i = get_global_id(0), n = get_global_size(0);", *lines])
    kernel = device.build(f"__kernel void f({arguments}) {{\n    {body}\n}}\n").f
    at = np.concatenate([coordinates(kind, u, modes[2]) for u, modes in zip(places, samplers, strict=True)])
    out = device.buffer(np.zeros((len(at), 4), np.float32))
    device.launch(kernel, [count], None, *reversed(own), image, device.buffer(at), out)
    got = device.read(out, np.float32, (len(samplers), count, 4))
    for values, u, modes in zip(got, places, samplers, strict=True):
        compare_sampled(values, codec.texels(content, fmt), kind, fmt, u, modes)


_MODES = (
    *(("clamp", "nearest", False), ("repeat", "nearest", True), ("clamp_to_edge", "nearest", False)),
    *(("mirrored_repeat", "nearest", True), ("none", "nearest", False)),
)


def check_many_sampled(device: Device, *, images: int) -> None:
    """A kernel with as many images as samplers, which reads each image through a sampler of another number.

    `images`: their number, which the device's limits may reduce.
    """
    images = min(images, device.device.max_samplers, device.device.max_read_image_args)
    kind, fmt, numbers = KINDS["2d"], Format.of("rgba.float"), range(images)
    made = [_filled(device, kind, fmt) for _ in numbers]
    # 7 has no common factor with the counts of images (numbers of three to six bits) and of modes.
    partners, modes = [(7 * k + 3) % images for k in numbers], [_MODES[k % len(_MODES)] for k in numbers]
    places = [positions(device.rng, kind, *modes[partner][:2]) for partner in partners]
    arguments = [f"__read_only image2d_t m{k}" for k in numbers] + [f"sampler_t s{k}" for k in numbers]
    lines = [f"r[{k} * n + i] = read_imagef(m{k}, s{partner}, at[{k} * n + i].xy);" for k, partner in enumerate(partners)]
    body = "\n    ".join(["size_t i = get_global_id(0), n = get_global_size(0);", *lines])
    given = ", ".join([*arguments, "__global const float4 *at", "__global float4 *r"])
    kernel = device.build(f"__kernel void f({given}) {{\n    {body}\n}}\n").f
    pairs = list(zip(places, (modes[partner] for partner in partners), strict=True))
    at = np.concatenate([coordinates(kind, u, mode[2]) for u, mode in pairs])
    out = device.buffer(np.zeros((len(at), 4), np.float32))
    samplers = [new_sampler(device, *mode) for mode in modes]
    device.launch(kernel, [len(places[0])], None, *(image for image, _ in made), *samplers, device.buffer(at), out)
    got = device.read(out, np.float32, (images, len(places[0]), 4))
    for k, (values, (_, content), (u, mode)) in enumerate(zip(got, made, pairs, strict=True)):
        try:
            compare_sampled(values, codec.texels(content, fmt), kind, fmt, u, mode)
        except check.Mismatch as error:
            error.name_part(f"image {k} by sampler {partners[k]}")
            raise


def check_in_turn(device: Device, *, turns: Sequence[Any]) -> None:
    """One kernel reads several images, launch after launch: a driver may compile it again for each difference.

    `turns`: for each launch the format, the extents in x and y, and the modes of the sampler.
    """
    kernel = device.build(sampler_source(KINDS["2d"], Format.of("rgba.float"), "")).f
    launches = []
    for name, extents, modes in turns:
        kind, fmt = replace(KINDS["2d"], extents=(*extents, 1)), Format.of(name)
        image, content = _filled(device, kind, fmt)
        u = positions(device.rng, kind, *modes[:2])
        out = device.buffer(np.zeros((len(u), 4), np.float32))
        at = device.buffer(coordinates(kind, u, modes[2]))
        device.launch(kernel, [len(u)], None, image, new_sampler(device, *modes), at, out)
        launches.append((out, content, kind, fmt, u, tuple(modes)))
    for number, (out, content, kind, fmt, u, modes) in enumerate(launches):
        got = device.read(out, np.float32, (len(u), 4))
        try:
            compare_sampled(got, codec.texels(content, fmt), kind, fmt, u, modes)
        except check.Mismatch as error:
            error.name_part(f"launch {number} ({fmt.name})")
            raise
