"""Images that are read, written, moved or described a little wrong.

One file: a table of mutants, a few lines each.
"""

import ctypes
from collections.abc import Callable
from typing import Any

import pyopencl as cl
from mutation import Function, Mutant, api, api_of, compiler, of

called = api_of("image")

_CALL = "suites.kernels.kit.opencl.call"
_CREATE = "suites.kernels.kit.opencl.create"
_QUERIED = "suites.kernels.kit.opencl.queried"


def command(name: str, cases: str, function: str, change: Callable[[list[Any]], Any]) -> Mutant:
    """A command that does something else: `change` edits its arguments, the queue's first; an answer replaces the call."""

    def call(inner: Function, called: str, *arguments: Any) -> Any:
        changed = list(arguments)
        answer = change(changed) if called == function else None
        return inner(called, *changed) if answer is None else answer

    return api(name, f"kernels/image/{cases}", _CALL, of(call))


def origin_without(axis: int) -> Callable[[Function], Function]:
    """A map whose origin is 0 in one dimension."""

    def create(inner: Function, called: str, *arguments: Any) -> Any:
        if called == "clEnqueueMapImage":
            arguments[4][axis] = 0
        return inner(called, *arguments)

    return of(create)


@of
def without_slice_pitch(inner: Function, called: str, *arguments: Any) -> Any:
    """clCreateImage3D that takes the slices to be adjacent."""
    if called == "clCreateImage3D":
        arguments = (*arguments[:-2], 0, arguments[-1])
    return inner(called, *arguments)


def code(name: str, cases: str, function: str, wrong: str, instead: str) -> Mutant:
    """A command that answers another code."""

    def call(inner: Function, called: str, *arguments: Any) -> Any:
        answer = inner(called, *arguments)
        return instead if called == function and answer == wrong else answer

    return api(name, f"kernels/image/{cases}", _CALL, of(call))


def source(name: str, cases: str, pattern: str, replacement: str) -> Mutant:
    """A mutant of the compiler."""
    return compiler(f"image/{name}", f"kernels/image/{cases}", pattern, replacement)


def at(index: int, axis: int, value: int) -> Callable[[list[Any]], None]:
    """Set one of the three sizes at an argument."""

    def change(arguments: list[Any]) -> None:
        arguments[index][axis] = value

    return change


def at_most(index: int, most: int) -> Callable[[list[Any]], None]:
    """Cut the three sizes at an argument."""

    def change(arguments: list[Any]) -> None:
        for axis, size in enumerate(arguments[index]):
            arguments[index][axis] = min(size, most)

    return change


def same_place(arguments: list[Any]) -> str | None:
    """Nothing is done if x and y are the same in both parts of an image."""
    _, source, target, here, there, *_ = arguments
    return "CL_SUCCESS" if source == target and list(here)[:2] == list(there)[:2] else None


def put(index: int, value: int) -> Callable[[list[Any]], None]:
    """Set an argument."""

    def change(arguments: list[Any]) -> None:
        arguments[index] = value

    return change


def swap_colour(arguments: list[Any]) -> None:
    """Exchange red and blue of a fill."""
    red, green, blue, alpha = (ctypes.c_uint32 * 4).from_address(arguments[2])
    arguments[2] = (ctypes.c_uint32 * 4)(blue, green, red, alpha)


def sampler(name: str, cases: str, *, normalized: Any = None, addressing: Any = None, filtering: Any = None) -> Mutant:
    """Another sampler than the one that was asked for."""

    def new(inner: Function, context: Any, *modes: Any) -> Any:
        wanted = zip((normalized, addressing, filtering), modes, strict=True)
        return inner(context, *(mode if instead is None else instead for instead, mode in wanted))

    return called(f"{name}", f"{cases}", "pyopencl.Sampler", of(new))


def creation(name: str, cases: str, change: Callable[[dict[str, Any]], None]) -> Mutant:
    """An image that is made with something else."""

    def create(inner: Function, device: Any, kind: Any, fmt: Any, flags: int = cl.mem_flags.READ_WRITE, **more: Any) -> Any:
        options = {"device": device, "flags": flags, **more}
        change(options)
        del options["device"]
        return inner(device, kind, fmt, options.pop("flags"), **options)

    return called(f"{name}", f"{cases}", ".images.create", of(create))


def other_format(name: str, cases: str, order: int, channel: int) -> Mutant:
    """A format whose numbers differ by this much."""

    def image_format(inner: Function, fmt: Any) -> Any:
        right = inner(fmt)
        return cl.ImageFormat(right.channel_order + order, right.channel_data_type + channel)

    return called(f"{name}", f"{cases}", ".images.image_format", of(image_format))


def from_flags(old: int, new: int) -> Callable[[dict[str, Any]], None]:
    """Exchange one flag for another."""

    def change(options: dict[str, Any]) -> None:
        options["flags"] = options["flags"] & ~old | new

    return change


def copied_buffer(options: dict[str, Any]) -> None:
    """The image has a buffer of its own."""
    buffer = cl.Buffer(options["device"].context, cl.mem_flags.READ_WRITE, options["buffer"].size)
    cl.enqueue_copy(options["device"].queue, buffer, options["buffer"])
    options["buffer"] = buffer


def without_flags(options: dict[str, Any]) -> None:
    """An image made from another one has that one's flags."""
    if "buffer" in options:
        options["flags"] = 0


def without_pitch(options: dict[str, Any]) -> None:
    options["pitches"] = (0, 0)


def every_third_launch(inner: Function) -> Function:
    """The third launch, a second write, does nothing."""
    count = 0

    def launch(*arguments: Any, **more: Any) -> Any:
        nonlocal count
        count += 1
        return None if count % 4 == 3 else inner(*arguments, **more)

    return launch


@of
def first_formats(inner: Function, *arguments: Any) -> Any:
    """A list without its last RGBA format of a float."""
    return [f for f in inner(*arguments) if f != cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.FLOAT)]


@of
def doubled_formats(inner: Function, *arguments: Any) -> Any:
    found = list(inner(*arguments))
    return [*found, found[3]]


@of
def map_at_origin(inner: Function, device: Any, image: Any, flags: int, origin: Any, region: Any) -> Any:
    """The pointer is the image's first element, not the region's."""
    return inner(device, image, flags, (0, 0, 0), region)


@of
def map_packed(inner: Function, device: Any, image: Any, flags: int, origin: Any, region: Any) -> Any:
    """The row pitch is said to be the region's width."""
    pointer, _, slice_ = inner(device, image, flags, origin, region)
    return pointer, region[0] * image.element_size, slice_


def query_answer(name: str, cases: str, code: int, change: Callable[[bytes], bytes]) -> Mutant:
    """Another answer to one query of clGetSamplerInfo or clGetImageInfo."""

    def wrap(inner: Function) -> Function:
        return lambda function, handle, query: (change if query == code else bytes)(inner(function, handle, query))

    return called(f"{name}", f"{cases}", ".query.queried", wrap)


def _function(name: str, cases: str, pattern: str, replacement: str) -> Mutant:
    """A function that gets images, compiled as by a compiler that inlines it wrongly."""
    return compiler(f"image/function.{name}", f"kernels/image/function/{cases}", pattern, replacement)


MUTANTS = [
    _function("other_image", "read.straight", r"use\(b,", "use(a,"),
    _function("other_image_without_sampler", "samplerless.straight", r"use\(b,", "use(a,"),
    _function("other_image_written", "write.straight", r"use\(b,", "use(a,"),
    _function("both_written", "write.straight", r"(r\[i\] = use)\(b, (.*)\);", r"use(a, \2); \1(b, \2);"),
    _function("other_width", "width.straight", r"get_image_width\(image\)", "8"),
    _function("width_is_height", "width.straight", r"get_image_width", "get_image_height"),
    _function("sampler_normalized", "sampler.straight", r"COORDS_FALSE", "COORDS_TRUE"),
    _function("own_sampler_normalized", "read.straight", r"COORDS_FALSE", "COORDS_TRUE"),
    _function("place_of_the_next", "samplerless.straight", r"\(int2\)\(x, 0\)", "(int2)(x + 1, 0)"),
    _function("written_beside", "write.straight", r"\(int2\)\(x, 0\)", "(int2)(x ^ 1, 0)"),
    _function("component_twice", "read.straight", r"(read_imagef\(image, nearest.*?\)\))", r"\1.xyzz"),
    _function("result_of_the_write", "write.straight", r"r = x;", "r = 0.0f;"),
    source("read.swaps_axes", "read/2d.rgba.float", r"\.xy", ".yx"),
    source("read.swizzle", "read/2d.rgba.unorm8", r"(read_imagef\(.*\));", r"\1.zyxw;"),
    source("read.next_layer", "read/2d_array.rgba.sint32", r"\(at\[i\]\)", "(at[i] ^ (int4)(0, 0, 1, 0))"),
    source("read.next_element_of_a_buffer", "read/1d_buffer.rgba.float", r"\(at\[i\]\)\.x", "(at[i].x ^ 1)"),
    source("read.missing_alpha", "read/2d.r.float", r"(read_imagef\(.*\));", r"(float4)(\1.xyz, 0.0f);"),
    source("read.sign_of_bytes", "read/2d.rgba.sint8", r"(read_imagei\(.*\));", r"\1 & 255;"),
    source("read.intensity_without_alpha", "read/2d.intensity.float", r"(read_imagef\(.*\));", r"(float4)(\1.xyz, 1.0f);"),
    other_format("read.another_order", "read/2d.bgra.unorm8", -1, 0),
    other_format("read.unsigned_normalized", "read/2d.rgba.snorm16", 0, 2),
    source("read_all.256_steps", "read_all/rgba.unorm8", r"(read_imagef\(.*\));", r"\1 * (255.0f / 256);"),
    source("read_all.below_minus_one", "read_all/rgba.snorm8", r"(read_imagef\(.*\));", r"\1 * (127.0f / 128);"),
    source("read_all.three_ulp", "read_all/rgba.unorm16", r"(read_imagef\(.*\));", r"\1 * 1.0000003f;"),
    source("read_all.flushes_half", "read_all/rgba.half", r"(read_imagef\((.*)\));", r"\1 * step(6.1e-5f, fabs(\1));"),
    sampler("border.clamps_to_edge", "border/2d.rgba.float", addressing=cl.addressing_mode.CLAMP_TO_EDGE),
    source("border.opaque", "border/3d.rgba.float", r"(read_imagef\(.*\));", r"\1; r[i].w += !any(r[i] != 0.0f);"),
    source("border.transparent", "border/2d.r.float", r"(read_imagef\(.*\));", r"\1; if (r[i].x == 0.0f) r[i].w = 0.0f;"),
    source("border.of_layers", "border/2d_array.rgba.float", r"(read_imagef\(.*\));", r"at[i].z < 0 ? (float4)(0.0f) : \1;"),
    source("border.one_early", "border/1d.rgba.sint32", r"(read_imagei\(.*\));", r"at[i].x == 12 ? (int4)(0) : \1;"),
    source("sampler.nearest", "sampler/2d.rgba.float.clamp.linear.normalized.declared", "FILTER_LINEAR", "FILTER_NEAREST"),
    source("sampler.mirrors", "sampler/2d.rgba.float.repeat.nearest.normalized.declared", "_REPEAT", "_MIRRORED_REPEAT"),
    source("two_samplers.one_filter", "two_samplers/filter", "FILTER_LINEAR", "FILTER_NEAREST"),
    source("two_samplers.one_border", "two_samplers/addressing", "ADDRESS_CLAMP_TO_EDGE", "ADDRESS_CLAMP"),
    source("two_samplers.one_scale", "two_samplers/coordinates", "COORDS_TRUE", "COORDS_FALSE"),
    source("sampler.repeats", "sampler/3d.rgba.float.mirrored_repeat.linear.normalized.declared", "MIRRORED_", ""),
    source(
        "sampler.border",
        "sampler/1d.rgba.float.clamp.nearest.unnormalized.declared",
        "ADDRESS_CLAMP ",
        "ADDRESS_CLAMP_TO_EDGE ",
    ),
    source(
        "sampler.eight_bits",
        "sampler/2d.r.unorm16.repeat.nearest.normalized",
        r"(read_imagef\(.*\));",
        r"rint(\1 * 255) / 255;",
    ),
    source(
        "in_turn.eight_bits_of_all",
        "in_turn/written",
        r"write_imagef\(image, (.*), a\[i\]\)",
        r"write_imagef(image, \1, clamp(a[i], 0.0f, 1.0f))",
    ),
    sampler(
        "sampler.depth_to_the_nearest", "sampler/2d.depth.float.repeat.linear.normalized", filtering=cl.filter_mode.NEAREST
    ),
    command("image/largest.copy_of_a_part", "largest/copy.2d_array.2d_array", "clEnqueueCopyImage", at_most(5, 1024)),
    source("largest.thirteen_bits", "largest/2d", r"\(at\[i\]\)", "(at[i] & 0x1fff)"),
    sampler("in_turn.filter_of_the_first", "in_turn/samplers", filtering=cl.filter_mode.NEAREST),
    sampler("sampler.not_normalized", "sampler/2d.rgba.float.clamp.nearest.normalized", normalized=False),
    sampler("sampler.filters", "sampler/2d.rgba.float.clamp_to_edge.nearest.unnormalized", filtering=cl.filter_mode.LINEAR),
    source("sampler.half_an_element", "sampler/2d.rgba.float.clamp.linear.unnormalized", r"\.xy", ".xy - 0.5f"),
    source(
        "sampler.four_bits",
        "sampler/2d.rgba.float.clamp.linear.unnormalized",
        r"\(at\[i\]\)\.xy",
        "rint(at[i].xy * 16) / 16",
    ),
    source(
        "sampler.fixed_point",
        "sampler/2d.rgba.float.clamp.nearest.unnormalized.edges",
        r"\(at\[i\]\)\.xy",
        "(rint(at[i].xy * 256) / 256)",
    ),
    source(
        "sampler.truncates", "sampler/1d.rgba.float.clamp.nearest.unnormalized.edges", r"\(at\[i\]\)\.x", "trunc(at[i].x)"
    ),
    source(
        "sampler.floor_of_layer",
        "sampler/2d_array.rgba.float.clamp.nearest.unnormalized",
        r"\(at\[i\]\)",
        "(float4)(at[i].xy, floor(at[i].z), 0.0f)",
    ),
    source(
        "sampler.ties_of_layers",
        "sampler/1d_array.rgba.float.clamp.nearest.unnormalized.edges",
        r"\(at\[i\]\)\.xy",
        "(float2)(at[i].x, floor(at[i].y + 0.5f))",
    ),
    source("write.swizzle", "write/2d.bgra.unorm8", r", a\[i\]", ", a[i].zyxw"),
    source("write.wraps", "write/3d.rgba.uint8", r", a\[i\]", ", a[i] & 255"),
    source("write.unsigned", "write/1d_array.rgba.snorm8", r", a\[i\]", ", max(a[i], 0.0f)"),
    source("write.one_layer", "write/2d_array.rgba.uint8", r"\(at\[i\]\)", "(at[i] * (int4)(1, 1, 0, 1))"),
    source("write.alpha_of_red", "write/2d.a.unorm8", r", a\[i\]", ", a[i].wyzx"),
    source("write_all.truncates", "write_all/rgba.unorm8", r", a\[i\]", ", floor(a[i] * 255) / 255"),
    source("write_all.truncates_16", "write_all/rgba.unorm16", r", a\[i\]", ", floor(a[i] * 65535) / 65535"),
    source("write_all.short_minimum", "write_all/rgba.sint16", r", a\[i\]", ", max(a[i], -32767)"),
    source("write_all.half_up", "write_all/rgba.half", r", a\[i\]", ", a[i] * 1.0005f"),
    source("read_write.reads_new", "read_write/2d.rgba.float", r"r\[i\] = v", "r[i] = 1.0f - v"),
    source("read_write.drops", "read_write/3d.rgba.float", r"write_imagef\(.*\);", ""),
    called("next_launch.stale", "next_launch/2d.rgba.float", "runner.device.Device.launch", every_third_launch),
    source("many.another_image", "many/8", r"read_imagef\(i1,", "read_imagef(i7,"),
    source("long_buffer.15_bits", "long_buffer/65536", r"\(at\[i\]\)\.x", "(at[i].x & 0x7fff)"),
    command("image/host_write.no_row_pitch", "host_write/2d.rgba.float.rows", "clEnqueueWriteImage", put(5, 0)),
    command("image/host_write.no_slice_pitch", "host_write/3d.bgra.unorm8.slices", "clEnqueueWriteImage", put(6, 0)),
    command("image/host_write.no_origin_z", "host_write/2d_array.rgba.float.packed", "clEnqueueWriteImage", at(3, 2, 0)),
    command("image/host_read.no_row_pitch", "host_read/2d_array.rgba.float.rows", "clEnqueueReadImage", put(5, 0)),
    command("image/host_read.no_origin_y", "host_read/1d_array.rgba.float.packed", "clEnqueueReadImage", at(3, 1, 0)),
    command("image/host_read.one_column_less", "host_read/1d.rgba.float.packed", "clEnqueueReadImage", at(4, 0, 8)),
    command("image/copy.no_target_z", "copy/2d.3d.rgba.float", "clEnqueueCopyImage", at(4, 2, 0)),
    command("image/copy.no_source_y", "copy/2d.2d.rgba.float", "clEnqueueCopyImage", at(3, 1, 0)),
    command("image/copy.one_layer", "copy/2d_array.3d.rgba.float", "clEnqueueCopyImage", at(5, 2, 1)),
    command("image/copy_rows.one_row", "copy_rows/2d.rgba.float.to_shorter", "clEnqueueCopyImage", at(5, 1, 1)),
    command("image/copy_within.same_place_is_nothing", "copy_within/2d_array.along_z", "clEnqueueCopyImage", same_place),
    command("image/copy_within.target_is_source", "copy_within/1d.rgba.float", "clEnqueueCopyImage", at(4, 0, 0)),
    command("image/image_to_buffer.no_offset", "image_to_buffer/2d.r.uint8", "clEnqueueCopyImageToBuffer", put(5, 0)),
    command("image/buffer_to_image.no_offset", "buffer_to_image/3d.rgba.float", "clEnqueueCopyBufferToImage", put(3, 0)),
    command("image/fill.no_origin", "fill/1d_buffer.rgba.float", "clEnqueueFillImage", at(3, 0, 0)),
    command("image/fill.swaps_colours", "fill/2d.bgra.unorm8", "clEnqueueFillImage", swap_colour),
    command("image/fill.one_layer", "fill/3d.rgba.uint8", "clEnqueueFillImage", at(4, 2, 1)),
    called("map.at_origin", "map/2d.rgba.float.read", ".images.map_region", map_at_origin),
    called("map.packed", "map/3d.rgba.float.write", ".images.map_region", map_packed),
    command("image/host_access.reads_nothing", "host_access/2d.read_only", "clEnqueueReadImage", lambda _: "CL_SUCCESS"),
    code(
        "image/host_access.takes_all",
        "host_access/3d.no_access",
        "clEnqueueWriteImage",
        "CL_INVALID_OPERATION",
        "CL_SUCCESS",
    ),
    creation(
        "host_pointer.copies",
        "host_pointer/2d.rgba.unorm8.use",
        from_flags(cl.mem_flags.USE_HOST_PTR, cl.mem_flags.COPY_HOST_PTR),
    ),
    creation("host_pointer.no_pitch", "host_pointer/3d.rgba.unorm8.copy.padded", without_pitch),
    creation("alias.copies", "alias/1d_buffer.rgba.float.host", copied_buffer),
    creation("view.apart", "view/rgba.unorm8.of.rgba.unorm8", lambda options: options.pop("buffer", None)),
    creation("alias.no_pitch", "alias/2d.rgba.float.host.pitch1", without_pitch),
    source("kernel_query.height", "kernel_query/2d.rgba.half", r"get_image_width", "get_image_height"),
    source(
        "kernel_query.array_size",
        "kernel_query/1d_array.rgba.half",
        r"get_image_array_size\(image\)",
        r"(get_image_array_size(image) + 1)",
    ),
    source("kernel_query.order", "kernel_query/2d.rg.float", r"(CLK_R)G;", r"\1A;"),
    called("minimum.lacks_float", "minimum/2d.read_only", "pyopencl.get_supported_image_formats", first_formats),
    called("lists.twice", "lists/3d.write_only", "pyopencl.get_supported_image_formats", doubled_formats),
    called("host_map.first_layer", "host_map/2d_array.r.uint8.alloc", _CREATE, origin_without(2)),
    called("host_map.first_row", "host_map/1d_array.rgba.unorm8.use", _CREATE, origin_without(1)),
    called("host_map.first_column", "host_map/3d.r.uint8.copy", _CREATE, origin_without(0)),
    source(
        "query_several.first",
        "query_several/formats",
        r"get_image_channel_data_type\(i1\)",
        "get_image_channel_data_type(i0)",
    ),
    source(
        "query_several.first_order", "query_several/arrays", r"get_image_channel_order\(i1\)", "get_image_channel_order(i0)"
    ),
    source("query_several.read_write", "query_several/both_read_and_written", r"channel_order\(i1\)", "channel_order(i0)"),
    source("query_several.unused", "query_several/first_unused*", r"channel_data_type\(i1\)", "channel_data_type(i0)"),
    source("query_several.second_width", "query_several/third", r"get_image_width\(i2\)", "get_image_width(i1)"),
    source("query_several.of_the_buffer", "query_several/of_buffers", r"get_image_width\(i1\)", "256"),
    creation("host_pitch.row_ignored", "host_pitch/2d.copy.row", without_pitch),
    creation("host_pitch.slice_ignored", "host_pitch/3d.use.slice", without_pitch),
    api("host_pitch.slice_lost", "kernels/image/host_pitch/3d.copy.slice.deprecated", _CREATE, without_slice_pitch),
    sampler(
        "even.mirrors",
        "sampler/3d.rgba.float.repeat.nearest.normalized.even_y",
        addressing=cl.addressing_mode.MIRRORED_REPEAT,
    ),
    source("read_write.depth_is_one", "read_write/2d.depth.float", r"(read_imagef\(.*?\)), 0", r"\1 * 0.0f, 0"),
    creation("inherited.own_flags_lost", "inherited/2d.ro", without_flags),
    called("map_apart.first_slices", "map_apart/3d.rgba.float", _CREATE, origin_without(0)),
    source("seams.half_below", "sampler/2d.rgba.float.repeat.nearest.normalized.seams", r"at\[i\]", "(at[i] - 0x1p-22f)"),
    source(
        "seams.half_above",
        "sampler/2d.rgba.float.mirrored_repeat.nearest.normalized.seams",
        r"at\[i\]",
        "(at[i] + 0x1p-22f)",
    ),
    source("seams.moved", "sampler/2d.rgba.float.clamp.linear.unnormalized.seams", r"at\[i\]", "(at[i] + 0x1p-4f)"),
    source("every.third_component", "every/read.2d", r"r\[i\] = (.*);", r"r[i] = \1; r[i].z = r[i].x;"),
    command("image/every.fill_region", "every/fill.2d", "clEnqueueFillImage", at(4, 0, 1)),
    command("image/every.fill_is_lost", "every/fill_read_only.2d", "clEnqueueFillImage", lambda _: "CL_SUCCESS"),
    command("image/square.one_row_less", "square/*.write", "clEnqueueWriteImage", at(4, 1, 3)),
    command("image/square.packed_host", "square/*.write.pitch", "clEnqueueWriteImage", put(5, 0)),
    command(
        "image/image_to_buffer.sub_begins_later", "image_to_buffer/*.sub_buffer", "clEnqueueCopyImageToBuffer", put(5, 1)
    ),
    command("image/alias.fill_row", "alias/*.fill*", "clEnqueueFillImage", at(3, 1, 0)),
    command("image/alias.part_read_row", "alias/*.part*", "clEnqueueReadImage", at(3, 1, 0)),
    command("image/alias.part_written_row", "alias/*.part*", "clEnqueueWriteImage", at(3, 1, 0)),
    command("image/alias.copy_from_start", "alias/*.copy_from*", "clEnqueueCopyImage", at(3, 0, 0)),
    command("image/alias.to_buffer_later", "alias/*.to_buffer*", "clEnqueueCopyImageToBuffer", put(5, 4)),
    command("image/alias.from_buffer_later", "alias/*.from_buffer*", "clEnqueueCopyBufferToImage", put(3, 4)),
    query_answer("info.no_buffer", "info/1d_buffer.r.uint8", 0x1118, lambda answer: bytes(len(answer))),
    query_answer("sampler_query.normalized", "sampler_query/normalized_coords", 0x1152, lambda _: b"\1\0\0\0"),
    query_answer("sampler_query.addressing", "sampler_query/classic", 0x1153, lambda _: b"\x32\x11\0\0"),
    query_answer("sampler_query.filter", "sampler_query/all", 0x1154, lambda _: b"\x40\x11\0\0"),
    query_answer("sampler_query.default", "sampler_query/defaults", 0x1153, lambda _: b"\x31\x11\0\0"),
    query_answer("sampler_query.context", "sampler_query/addressing_mode", 0x1151, lambda answer: bytes(len(answer))),
    query_answer("sampler_query.no_end", "sampler_query/filter_mode", 0x1158, lambda answer: answer[:-8]),
    called("unmap.once_more", "map_unmapped/*", _CALL, lambda inner: lambda *arguments: "CL_SUCCESS"),
    called("host_query.of_a_copy", "host_query/*.copy", _QUERIED, lambda inner: lambda *_: b"\1" * 8),
    called("host_query.null", "host_query/*.use", _QUERIED, lambda inner: lambda *_: bytes(8)),
    called("alias.maps_start", "alias/*.map*", ".images.map_region", map_at_origin),
]
