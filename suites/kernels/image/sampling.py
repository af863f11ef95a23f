"""Image reads through samplers and image writes, against a model of the specification (OpenCL C 3.0, 8)."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from runner import check
from runner.device import Device
from runner.model import Case

Array = NDArray[Any]

# pyopencl's enqueue_copy takes an object for an image if its type stands in this list; 1D is missing.
if cl.mem_object_type.IMAGE1D not in cl._IMAGE_MEM_OBJ_TYPES:
    cl._IMAGE_MEM_OBJ_TYPES.append(cl.mem_object_type.IMAGE1D)

EXTENTS = (7, 5, 6)  # x, y, z: no power of two where it matters
TYPES: dict[
    str, tuple[int, type[np.generic], str]
] = {  # channel type, element in memory, suffix of the builtins
    "float": (cl.channel_type.FLOAT, np.float32, "f"),
    "half": (cl.channel_type.HALF_FLOAT, np.float16, "f"),
    "unorm8": (cl.channel_type.UNORM_INT8, np.uint8, "f"),
    "unorm16": (cl.channel_type.UNORM_INT16, np.uint16, "f"),
    "sint32": (cl.channel_type.SIGNED_INT32, np.int32, "i"),
    "uint8": (cl.channel_type.UNSIGNED_INT8, np.uint8, "ui"),
}
ORDERS = {"r": cl.channel_order.R, "rgba": cl.channel_order.RGBA, "bgra": cl.channel_order.BGRA}
ADDRESSING = {
    "clamp": cl.addressing_mode.CLAMP,
    "clamp_to_edge": cl.addressing_mode.CLAMP_TO_EDGE,
    "repeat": cl.addressing_mode.REPEAT,
    "mirrored": cl.addressing_mode.MIRRORED_REPEAT,
}
VECTORS = {"f": "float4", "i": "int4", "ui": "uint4"}
POSITIONS = {1: "float", 2: "float2", 3: "float4"}


def new_image(device: Device, dims: int, order: str, type_name: str) -> tuple[cl.Image, Array]:
    """An image of the first `dims` extents with random content, and its elements as (z, y, x, channel)."""
    channel_type, element, _ = TYPES[type_name]
    shape = (*reversed(EXTENTS[:dims]), 1 if order == "r" else 4)
    if np.issubdtype(element, np.floating):
        content = device.rng.uniform(-4, 4, shape).astype(element)
    else:
        info = np.iinfo(element)
        content = device.rng.integers(info.min, info.max, shape, dtype=element, endpoint=True)
    image_format = cl.ImageFormat(ORDERS[order], channel_type)
    image = cl.create_image(device.context, cl.mem_flags.READ_WRITE, image_format, shape=EXTENTS[:dims])
    device.copy(image, content, origin=(0, 0, 0), region=(*EXTENTS[:dims], *(1,) * (3 - dims)))
    return image, content


def texels(content: Array, order: str, type_name: str) -> Array:
    """What a read returns for each element: four channels in RGBA order (8.1.1, 8.3.1)."""
    wide = content.astype(np.float64)
    if type_name == "unorm8":
        wide = wide / 255
    if type_name == "unorm16":
        wide = wide / 65535
    if order == "r":
        zeros = np.zeros_like(wide)
        return np.concatenate([wide, zeros, zeros, zeros + 1], axis=-1)
    return wide[..., [2, 1, 0, 3]] if order == "bgra" else wide


def taps(u: Array, size: int, addressing: str, filtering: str) -> list[tuple[Array, Array]]:
    """Index and weight of the elements along one axis (8.2); `u` in elements. -1 or `size` is the border."""
    if addressing == "repeat":
        u = u - np.floor(u / size) * size
    if addressing == "mirrored":
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


def sample(elements: Array, border: Array, u: Array, addressing: str, filtering: str) -> Array:
    """The texel at each position; u has one column a dimension, in elements."""
    dims = u.shape[1]
    axes = [taps(u[:, d], EXTENTS[d], addressing, filtering) for d in range(dims)]
    total = np.zeros((len(u), 4))
    for corner in itertools.product(*axes):
        index = tuple(i.astype(int) for i, _ in reversed(corner))
        outside = np.any([(i < 0) | (i >= EXTENTS[d]) for d, (i, _) in enumerate(corner)], axis=0)
        inside = tuple(np.where(outside, 0, i) for i in index)
        value = np.where(outside[:, None], border, elements[inside])
        total += value * np.prod([w for _, w in corner], axis=0)[:, None]
    return total


def positions(device: Device, dims: int) -> Array:
    """Positions in elements, at least 1/16 from where an index or a corner changes; many outside."""
    steps = device.rng.integers(-2 * 8, [(e + 2) * 8 for e in EXTENTS[:dims]], (240, dims))
    return steps / 8 + 1 / 16


def check_sampler(device: Device, case: Case) -> None:
    """Reads through a sampler. Params: a row of `table.SAMPLERS`."""
    p = case.params
    dims, suffix = p["dims"], TYPES[p["type"]][2]
    image, content = new_image(device, dims, p["order"], p["type"])
    declared = (
        f"const sampler_t s = CLK_NORMALIZED_COORDS_{str(p['normalized']).upper()} | "
        f"CLK_ADDRESS_{p['addressing'].upper()} | CLK_FILTER_{p['filter'].upper()};"
    )
    kernel = device.build(
        f"""
__kernel void f(__read_only image{dims}d_t image, {"" if p["declared"] else "sampler_t s,"}
                __global const float *at, __global {VECTORS[suffix]} *r) {{
    size_t i = get_global_id(0);
    {declared if p["declared"] else ""}
    {POSITIONS[dims]} u = {position("at", dims)};
    r[i] = read_image{suffix}(image, s, u);
}}
"""
    ).f
    u = positions(device, dims)
    given = (u / EXTENTS[:dims] if p["normalized"] else u).astype(np.float32)
    filtering = cl.filter_mode.NEAREST if p["filter"] == "nearest" else cl.filter_mode.LINEAR
    sampler = cl.Sampler(device.context, p["normalized"], ADDRESSING[p["addressing"]], filtering)
    result = {"f": np.float32, "i": np.int32, "ui": np.uint32}[suffix]
    out = device.buffer(np.zeros((len(u), 4), dtype=result))
    arguments = [image] if p["declared"] else [image, sampler]
    device.launch(kernel, [len(u)], None, *arguments, device.buffer(given), out)
    got = device.read(out, result, (len(u), 4))
    elements = texels(content, p["order"], p["type"])
    border = np.array([0, 0, 0, 1 if p["order"] == "r" else 0])
    want = sample(elements, border, u, p["addressing"], p["filter"])
    what = f"read_image{suffix} {dims}d {p['addressing']} {p['filter']}"
    if p["filter"] == "linear":
        # Section 8 sets no precision for the filter: weights of eight bits in each dimension are common.
        check.close(what, got, want, atol=float(np.ptp(elements)) * dims / 256)
    else:
        # 1.5 ulp for normalized types, exact for the others (8.3.1.1).
        exact = p["type"] in ("float", "half", "sint32", "uint8")
        check.ulp(what, got.astype(np.float64) if suffix != "f" else got, [want], 0 if exact else 1.5)


def position(name: str, dims: int) -> str:
    """The expression that reads item i's position from a packed array."""
    if dims == 3:
        return f"(float4)(vload3(i, {name}), 0.0f)"
    return f"{name}[i]" if dims == 1 else f"vload2(i, {name})"


def check_write(device: Device, case: Case) -> None:
    """write_image of every element but those of a frame, which stay. Params: dims, order, type."""
    p = case.params
    dims, (_, element, suffix) = p["dims"], TYPES[p["type"]]
    image, content = new_image(device, dims, p["order"], p["type"])
    vector = VECTORS[suffix]
    at = ("(int)x", "(int2)(x, y)", "(int4)(x, y, z, 0)")[dims - 1]
    pragma = "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n" if dims == 3 else ""
    kernel = device.build(
        f"""
{pragma}__kernel void f(__write_only image{dims}d_t image, __global const {vector} *a) {{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    write_image{suffix}(image, {at}, a[(z * {EXTENTS[1]} + y) * {EXTENTS[0]} + x]);
}}
"""
    ).f
    shape = (*reversed(EXTENTS[:dims]), 4)
    if suffix == "f":
        values = device.rng.uniform(-1.5, 1.5, shape).astype(np.float32)
        values.ravel()[:6] = [0.0, 1.0, -1.0, 2.0, -2.0, 0.5]
    else:
        values = device.rng.integers(-(2**31) if suffix == "i" else 0, 2**31, shape).astype(np.int32)
    full = np.zeros((EXTENTS[2], EXTENTS[1], EXTENTS[0], 4), dtype=values.dtype)
    full[tuple(slice(0, n) for n in (1, 1, 1)[dims:])] = values.reshape(shape)
    size = [e - 2 for e in EXTENTS[:dims]]
    device.launch(kernel, size, None, image, device.buffer(full), offset=[1] * dims)
    region = (*EXTENTS[:dims], *(1,) * (3 - dims))
    got = device.read_image(image, element, content.shape, (0, 0, 0), region)
    inner = tuple(slice(1, -1) for _ in range(dims))
    stored = values[..., [2, 1, 0, 3]] if p["order"] == "bgra" else values[..., : content.shape[-1]]
    frame = got.copy()
    frame[inner] = content[inner]
    check.equal("the frame stays", frame, content)
    if p["type"] == "unorm8":  # round to nearest, 0.6 of a step is allowed (8.3.1.1)
        check.close("written", got[inner], np.clip(stored.astype(np.float64)[inner], 0, 1) * 255, atol=0.6)
    elif p["type"] == "uint8":
        check.equal("written", got[inner], np.clip(stored.view(np.uint32)[inner], 0, 255))
    else:
        check.equal("written", got[inner], stored.astype(element)[inner])


def check_queries(device: Device, case: Case) -> None:
    """Size and format as a kernel asks for them (6.15.15.7), and reads without a sampler."""
    image, content = new_image(device, 3, "rgba", "sint32")
    kernel = device.build(
        """
__kernel void f(__read_only image3d_t image, __global int *r, __global int4 *values) {
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    int4 size = get_image_dim(image);
    values[(z * size.y + y) * size.x + x] = read_imagei(image, (int4)(x, y, z, 0));
    if (x + y + z == 0) {
        vstore4(size, 0, r);
        r[4] = get_image_width(image); r[5] = get_image_height(image); r[6] = get_image_depth(image);
        r[7] = get_image_channel_data_type(image) == CLK_SIGNED_INT32;
        r[8] = get_image_channel_order(image) == CLK_RGBA;
    }
}
"""
    ).f
    out, values = device.buffer(np.zeros(9, np.int32)), device.buffer(np.zeros_like(content))
    device.launch(kernel, EXTENTS, None, image, out, values)
    check.equal("queries", device.read(out, np.int32, 9), np.array([*EXTENTS, 0, *EXTENTS, 1, 1]))
    check.equal("values", device.read(values, np.int32, content.shape), content)


BODIES = {"image.sampler": check_sampler, "image.write": check_write, "image.queries": check_queries}
