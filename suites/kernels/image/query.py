"""Queries of an image by the host (API 3.0, 5.3.9) and by a kernel (OpenCL C 3.0, 6.15.15.5); lists of formats."""

import ctypes
import itertools
from collections.abc import Sequence

import numpy as np
import pyopencl as cl

from runner import check, transfers
from runner.device import Device
from runner.image_formats import MINIMUM, MINIMUM_FULL, MINIMUM_READ_WRITE, is_valid, name_of

from ..kit.opencl import SUCCESS, call, create, queried
from . import codec, images
from .access import pragmas, type_name
from .images import create as create_image
from .table import KINDS, Format


def check_info(device: Device, *, kind: str, format: str) -> None:
    """clGetImageInfo and clGetMemObjectInfo describe the image."""
    image_type, fmt = KINDS[kind], Format.of(format)
    width, height, depth = image_type.extents
    element = images.element_size(fmt)
    buffer = device.buffer(width * element) if image_type.name == "1d_buffer" else None
    image = images.create(device, image_type, fmt, buffer=buffer)
    info, ask = cl.image_info, image.get_image_info
    stored = ask(info.FORMAT)
    check.equal("format", name_of(stored.channel_order, stored.channel_data_type), fmt.name, stage="api")
    rows = height if image_type.name in ("2d", "2d_array", "3d") else 0
    want = {
        "ELEMENT_SIZE": element,
        "WIDTH": width,
        "HEIGHT": rows,
        "DEPTH": depth if image_type.name == "3d" else 0,
        "ARRAY_SIZE": {"1d_array": height, "2d_array": depth}.get(image_type.name, 0),
        "NUM_MIP_LEVELS": 0,
        "NUM_SAMPLES": 0,
    }
    for name, value in want.items():
        check.equal(f"CL_IMAGE_{name}", ask(getattr(info, name)), value, stage="api")
    check.equal("CL_MEM_TYPE", image.type, getattr(cl.mem_object_type, f"IMAGE{image_type.name.upper()}"), stage="api")
    check.equal("CL_MEM_FLAGS", int(image.flags), int(cl.mem_flags.READ_WRITE), stage="api")
    check.true("CL_MEM_SIZE has room for the elements", image.size >= width * height * depth * element, stage="api")
    owner = image.get_info(cl.mem_info.ASSOCIATED_MEMOBJECT)
    check.equal("CL_MEM_ASSOCIATED_MEMOBJECT", owner and owner.int_ptr, buffer and buffer.int_ptr, stage="api")
    reported = int.from_bytes(queried("clGetImageInfo", image.int_ptr, 0x1118), "little")
    check.equal("CL_IMAGE_BUFFER", reported, buffer.int_ptr if buffer else 0, stage="api")


def check_info_pitch(device: Device, *, kind: str, format: str) -> None:
    """CL_IMAGE_ROW_PITCH, and CL_IMAGE_SLICE_PITCH, which is 0 if there are no slices."""
    image_type, fmt = KINDS[kind], Format.of(format)
    image = images.create(device, image_type, fmt)
    row, slice_ = (image.get_image_info(getattr(cl.image_info, f"{n}_PITCH")) for n in ("ROW", "SLICE"))
    length = image_type.extents[0] * images.element_size(fmt)
    check.true("CL_IMAGE_ROW_PITCH has room for a row", row >= length, stage="api")
    if image_type.layered or image_type.name == "3d":
        rows = 1 if image_type.name == "1d_array" else image_type.extents[1]
        check.true("CL_IMAGE_SLICE_PITCH has room for a slice", slice_ >= rows * length, stage="api")
    else:
        check.equal("CL_IMAGE_SLICE_PITCH", slice_, 0, stage="api")


def check_unused_fields(device: Device, *, kind: str, format: str) -> None:
    """The descriptor's fields for extents that the type lacks are ignored (API 3.0, 5.3.1.2)."""
    image_type, fmt = KINDS[kind], Format.of(format)
    content = codec.random_content(device.rng, fmt, tuple(reversed(image_type.extents)))
    image = images.create(device, image_type, fmt, unused=9)
    images.write(device, image, content, images.ORIGIN, image_type.extents)
    got = np.zeros_like(content)
    images.read(device, image, got, images.ORIGIN, image_type.extents)
    check.equal("written and read", got, content)
    if image_type.name != "1d_buffer":
        # A device that uses these fields reads behind the elements, in memory that differs from all of them.
        memory = np.concatenate([content.ravel(), np.repeat(~content.ravel()[-1:], 9 * content.size)])
        image = images.create(device, image_type, fmt, cl.mem_flags.COPY_HOST_PTR, host=memory, unused=9)
        check.equal("of the host's memory", images.whole(device, image, content), content)


_ORDERS = ("R", "A", "RG", "RA", "RGB", "RGBA", "ARGB", "BGRA", "INTENSITY", "LUMINANCE")
_CHANNELS = {
    "snorm8": "SNORM_INT8",
    "snorm16": "SNORM_INT16",
    "unorm8": "UNORM_INT8",
    "unorm16": "UNORM_INT16",
    "unorm565": "UNORM_SHORT_565",
    "unorm555": "UNORM_SHORT_555",
    "sint8": "SIGNED_INT8",
    "sint16": "SIGNED_INT16",
    "sint32": "SIGNED_INT32",
    "uint8": "UNSIGNED_INT8",
    "uint16": "UNSIGNED_INT16",
    "uint32": "UNSIGNED_INT32",
    "half": "HALF_FLOAT",
    "float": "FLOAT",
}


def check_kernel_query(device: Device, *, kind: str, format: str) -> None:
    """get_image_* in a kernel; the order and the data type equal their own constant and no other."""
    image_type, fmt = KINDS[kind], Format.of(format)
    image = images.create(device, image_type, fmt, cl.mem_flags.READ_ONLY)
    calls = ["get_image_width(image)"]
    want = [image_type.extents[0]]
    if image_type.name in ("2d", "2d_array", "3d"):
        calls += ["get_image_height(image)", "get_image_dim(image).x", "get_image_dim(image).y"]
        want += [image_type.extents[1], image_type.extents[0], image_type.extents[1]]
    if image_type.name == "3d":
        calls += ["get_image_depth(image)", "get_image_dim(image).z", "get_image_dim(image).w"]
        want += [image_type.extents[2], image_type.extents[2], 0]
    if image_type.layered:
        calls.append("(int)get_image_array_size(image)")
        want.append(image_type.extents[image_type.axes - 1])
    orders, channels = [f"CLK_{o}" for o in _ORDERS], [f"CLK_{c}" for c in _CHANNELS.values()]
    calls += [f"get_image_channel_order(image) == {o}" for o in orders]
    calls += [f"get_image_channel_data_type(image) == {c}" for c in channels]
    want += [int(o == f"CLK_{fmt.order.upper()}") for o in orders]
    want += [int(c == f"CLK_{_CHANNELS[fmt.channel]}") for c in channels]
    body = "\n".join(f"    r[{i}] = {call};" for i, call in enumerate(calls))
    kernel = device.build(
        f"{pragmas(image_type, fmt)}__kernel void f(__read_only {type_name(image_type, fmt)} image, __global int *r)"
        f" {{\n{body}\n}}\n"
    ).f
    out = device.buffer(np.full(len(calls), -1, np.int32))
    device.launch(kernel, [1], None, image, out)
    got = device.read(out, np.int32, len(calls))
    for what, value, expected in zip(calls, got, want, strict=True):
        check.equal(what, value, np.int32(expected))


def check_query_several(device: Device, *, images: Sequence[Sequence[str]]) -> None:
    """get_image_* of several images of one kernel: each call answers for its own image.

    `images`: lists of kind, format and access, and of "unused" if the kernel does not query the image.
    """
    created, parameters, calls, want, pragma = [], [], [], [], ""
    asked = [n for n, image in enumerate(images) if "unused" not in image]
    for n, (kind_name, format_name, access, *_) in enumerate(images):
        kind, fmt = KINDS[kind_name], Format.of(format_name)
        extents = [e + 2 * n * (i < kind.axes) for i, e in enumerate(kind.extents)]
        # The buffer is longer than the image: its size must not count as the image's width.
        buffer = device.buffer(4096) if kind_name == "1d_buffer" else None
        created.append(create_image(device, kind, fmt, cl.mem_flags.READ_WRITE, buffer=buffer, extents=extents))
        parameters.append(f"__{access} {type_name(kind, fmt)} i{n}")
        pragma = pragma or pragmas(kind, fmt)
        orders = " + ".join(f"(get_image_channel_order(i{n}) == CLK_{o}) * {k}" for k, o in enumerate(_ORDERS, 1))
        types = " + ".join(
            f"(get_image_channel_data_type(i{n}) == CLK_{c}) * {k}" for k, c in enumerate(_CHANNELS.values(), 1)
        )
        if n in asked:
            calls += [f"get_image_width(i{n})", orders, types]
            want += [extents[0], _ORDERS.index(fmt.order.upper()) + 1, list(_CHANNELS).index(fmt.channel) + 1]
    body = "\n".join(f"    r[{i}] = {call};" for i, call in enumerate(calls))
    source = f"{pragma}__kernel void f({', '.join(parameters)}, __global int *r) {{\n{body}\n}}\n"
    kernel = device.build(source, "-cl-std=CL3.0" if "__read_write" in source else "").f
    out = device.buffer(np.full(len(calls), -1, np.int32))
    device.launch(kernel, [1], None, *created, out)
    got = device.read(out, np.int32, len(calls))
    for at, n in enumerate(asked):
        for what, place in (("width", 0), ("channel_order", 1), ("channel_data_type", 2)):
            check.equal(f"get_image_{what} of image {n}", got[3 * at + place], np.int32(want[3 * at + place]))


# A sampler's properties: code, values, and the default (API 3.0, 5.7.1).
_NORMALIZED, _ADDRESSING, _FILTER, _PROPERTIES = 0x1152, 0x1153, 0x1154, 0x1158
_SAMPLER: dict[str, tuple[int, tuple[int, ...], int]] = {
    "normalized_coords": (_NORMALIZED, (0, 1), 1),
    "addressing_mode": (_ADDRESSING, (0x1130, 0x1131, 0x1132, 0x1133, 0x1134), 0x1132),
    "filter_mode": (_FILTER, (0x1140, 0x1141), 0x1140),
}
_SAMPLER_NAMES = {code: f"CL_SAMPLER_{name.upper()}" for name, (code, _, _) in _SAMPLER.items()}
_REPEATING = (0x1133, 0x1134)


def check_sampler_query(device: Device, *, form: str) -> None:
    """clGetSamplerInfo returns a sampler's modes, and its list of properties (API 3.0, 5.7.2). `form`: of SAMPLERS_MADE."""
    named = [name for name in _SAMPLER if form in (name, "classic", "all")]
    for values in itertools.product(*(_SAMPLER[name][1] for name in named)):
        modes = {code: default for code, _, default in _SAMPLER.values()}
        modes |= {_SAMPLER[name][0]: value for name, value in zip(named, values, strict=True)}
        if modes[_ADDRESSING] in _REPEATING and not modes[_NORMALIZED]:
            continue  # not a valid combination
        words = [word for name, value in zip(named[::-1], values[::-1], strict=True) for word in (_SAMPLER[name][0], value)]
        words += [0] if form != "defaults" else []
        if form == "classic":
            handle, error = create("clCreateSampler", device.context.int_ptr, *modes.values())
        else:
            properties = (ctypes.c_uint64 * len(words))(*words) if words else 0
            handle, error = create("clCreateSamplerWithProperties", device.context.int_ptr, properties)
        check.equal(f"error of a sampler of {values}", error, SUCCESS, stage="api")
        try:
            for code, value in modes.items():
                what = f"{_SAMPLER_NAMES[code]} of a sampler of {values}"
                check.equal(what, queried("clGetSamplerInfo", handle, code), value.to_bytes(4, "little"))
            owner = device.context.int_ptr.to_bytes(8, "little")
            check.equal("CL_SAMPLER_CONTEXT", queried("clGetSamplerInfo", handle, 0x1151), owner, stage="api")
            if form != "classic":
                reported = np.frombuffer(queried("clGetSamplerInfo", handle, _PROPERTIES), np.uint64)
                check.equal("CL_SAMPLER_PROPERTIES", reported.tolist(), words, stage="api")
        finally:
            call("clReleaseSampler", handle)


_FLAGS = {
    "read_only": cl.mem_flags.READ_ONLY,
    "write_only": cl.mem_flags.WRITE_ONLY,
    "read_write": cl.mem_flags.READ_WRITE,
    "kernel_read_and_write": cl.mem_flags.KERNEL_READ_AND_WRITE,
    # Further flags of the table of memory flags, all of which this query takes (5.3.2).
    "use_host_ptr": cl.mem_flags.READ_WRITE | cl.mem_flags.USE_HOST_PTR,
    "alloc_host_ptr": cl.mem_flags.READ_WRITE | cl.mem_flags.ALLOC_HOST_PTR,
    "copy_host_ptr": cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR,
    "host_read_only": cl.mem_flags.READ_WRITE | cl.mem_flags.HOST_READ_ONLY,
    "host_no_access": cl.mem_flags.READ_WRITE | cl.mem_flags.HOST_NO_ACCESS,
}


def listed(device: Device, kind: str, flags: int) -> list[cl.ImageFormat]:
    """The answer of clGetSupportedImageFormats."""
    number = getattr(cl.mem_object_type, f"IMAGE{kind.upper()}")
    return list(cl.get_supported_image_formats(device.context, flags, number))


def check_minimum(device: Device, *, kind: str, access: str) -> None:
    """The list has the minimum of formats for its use (API 3.0, 5.3.2.1)."""
    full = "FULL" in device.device.profile
    minimum = MINIMUM_FULL if full else MINIMUM
    if access == "kernel_read_and_write":
        minimum = MINIMUM_READ_WRITE
    found = listed(device, kind, _FLAGS[access])
    names = {name_of(f.channel_order, f.channel_data_type) for f in found}
    check.equal("missing", " ".join(name for name in minimum if name not in names), "", stage="api")


def check_lists(device: Device, *, kind: str, access: str) -> None:
    """A list has only valid formats, each once, and an image of each can be made."""
    found = listed(device, kind, _FLAGS[access])
    names = [name_of(f.channel_order, f.channel_data_type) for f in found]
    check.equal("listed twice", " ".join(sorted({n for n in names if n and names.count(n) > 1})), "", stage="api")
    image_type, flags = KINDS[kind], _FLAGS[access]
    if access == "kernel_read_and_write":  # a flag only of this query, not of an image (5.2.1)
        flags = cl.mem_flags.READ_WRITE
    transfers.tell(f"what clGetSupportedImageFormats lists for CL_MEM_{access.upper()}")
    for name in names:
        if is_valid(name) and name.partition(".")[2] not in ("unorm565", "unorm555", "unorm24"):
            images.create(device, image_type, Format.of(name), flags)
    wrong = sorted(name for name in names if name and not is_valid(name))
    check.equal("not valid", " ".join(wrong), "", stage="api")
