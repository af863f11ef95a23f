"""Creation of images, and its mistakes (OpenCL API 3.0, 5.3.1)."""

from typing import Any

from .memory import NEVER_CHANGES, READ_ONLY, creation
from .terms import IMMUTABLE, PROPERTY, VALUE, Descriptor, Host, Limit, Longs, Words, call

BUFFER, IMAGE2D, IMAGE3D, IMAGE2D_ARRAY = 0x10F0, 0x10F1, 0x10F2, 0x10F3
IMAGE1D, IMAGE1D_ARRAY, IMAGE1D_BUFFER = 0x10F4, 0x10F5, 0x10F6
R, RG, RGB, RGBX, RGBA, BGRA, ARGB, INTENSITY, LUMINANCE = (
    0x10B0,
    0x10B2,
    0x10B4,
    0x10BC,
    0x10B5,
    0x10B6,
    0x10B7,
    0x10B8,
    0x10B9,
)
DEPTH, SRGBA = 0x10BD, 0x10C1
SNORM8, UNORM8, UNORM565, UNORM555, UNORM101010, UNORM101010_2, SIGNED8, UNSIGNED8, HALF, FLOAT = (
    0x10D0,
    0x10D2,
    0x10D4,
    0x10D5,
    0x10D6,
    0x10E0,
    0x10D7,
    0x10DA,
    0x10DD,
    0x10DE,
)
FORMAT_ERROR = ("CL_INVALID_IMAGE_FORMAT_DESCRIPTOR",)
DESCRIPTOR_ERROR = ("CL_INVALID_IMAGE_DESCRIPTOR",)
SIZE_ERROR = ("CL_INVALID_IMAGE_SIZE",)
PITCH_ERROR = ("CL_INVALID_IMAGE_FORMAT_DESCRIPTOR", "CL_INVALID_IMAGE_DESCRIPTOR")
_OF_BUFFER = ("image2d_from_buffer",)

#: Values that do not exist, and data types with an order that is not allowed for them (the tables of 5.3.1.1).
FORMATS: dict[str, tuple[int, int]] = {
    "unknown_order": (0xDEAD, UNORM8),
    "unknown_type": (RGBA, 0xDEAD),
    "order_is_type": (UNORM8, UNORM8),
}
_ORDERS = {"r": R, "rg": RG, "rgb": RGB, "rgbx": RGBX, "rgba": RGBA, "bgra": BGRA, "argb": ARGB, "intensity": INTENSITY}
_ORDERS |= {"luminance": LUMINANCE, "depth": DEPTH, "srgba": SRGBA}
#: Data types of whole pixels, and the orders that are valid with each (supported or not); all others are invalid.
PACKED: dict[str, tuple[int, tuple[str, ...]]] = {
    "565": (UNORM565, ("rgb", "rgbx")),
    "555": (UNORM555, ("rgb", "rgbx")),
    "101010": (UNORM101010, ("rgb", "rgbx")),
    "101010_2": (UNORM101010_2, ("rgba",)),
}
#: Pairs that are invalid by older versions of the tables; by newer ones they are only not supported.
ODD_FORMATS: dict[str, tuple[int, int]] = {
    "rgb_unorm8": (RGB, UNORM8),
    "rgb_float": (RGB, FLOAT),
    "bgra_float": (BGRA, FLOAT),
    "argb_half": (ARGB, HALF),
    "intensity_unsigned8": (INTENSITY, UNSIGNED8),
    "luminance_signed8": (LUMINANCE, SIGNED8),
    "depth_unorm8": (DEPTH, UNORM8),
    "srgba_snorm8": (SRGBA, SNORM8),
    "srgba_float": (SRGBA, FLOAT),
    "depth_stencil_unorm24": (0x10BE, 0x10DF),
}
_2D, _VIEW = Descriptor(IMAGE2D, 8, 4), Descriptor(IMAGE2D, 8, 4, memory="bare_image2d")

#: Shapes that 5.3.1.2 forbids.
SHAPES: dict[str, Descriptor] = {
    "type_buffer": Descriptor(BUFFER),
    "type_unknown": Descriptor(0xDEAD, 8, 4),
    "type_pipe": Descriptor(0x10F7, 8, 4),
    "width_zero_1d": Descriptor(IMAGE1D, 0),
    "width_zero_2d": Descriptor(IMAGE2D, 0, 4),
    "height_zero_2d": Descriptor(IMAGE2D, 8, 0),
    "width_zero_3d": Descriptor(IMAGE3D, 0, 4, 3),
    "height_zero_3d": Descriptor(IMAGE3D, 8, 0, 3),
    "depth_zero_3d": Descriptor(IMAGE3D, 8, 4, 0),
    "width_zero_1d_array": Descriptor(IMAGE1D_ARRAY, 0, count=2),
    "width_zero_2d_array": Descriptor(IMAGE2D_ARRAY, 0, 4, count=2),
    "height_zero_2d_array": Descriptor(IMAGE2D_ARRAY, 8, 0, count=2),
    "count_zero_1d_array": Descriptor(IMAGE1D_ARRAY, 8, count=0),
    "count_zero_2d_array": Descriptor(IMAGE2D_ARRAY, 8, 4, count=0),
    "width_zero_1d_buffer": Descriptor(IMAGE1D_BUFFER, 0, memory="buffer"),
    # Too many with cl_khr_mipmap_image, too.
    "levels": Descriptor(IMAGE2D, 8, 4, levels=100),
    "samples": Descriptor(IMAGE2D, 8, 4, samples=2),
    "row_pitch_without_host": Descriptor(IMAGE2D, 8, 4, row_pitch=64),
    "slice_pitch_without_host": Descriptor(IMAGE3D, 8, 4, 3, slice_pitch=256),
    "buffer_missing": Descriptor(IMAGE1D_BUFFER, 8),
    "memory_for_3d": Descriptor(IMAGE3D, 8, 4, 3, memory="buffer"),
    "memory_for_2d_array": Descriptor(IMAGE2D_ARRAY, 8, 4, count=2, memory="buffer"),
}
PITCHES: dict[str, Descriptor] = {
    "row_pitch_small": Descriptor(IMAGE2D, 8, 4, row_pitch=28),
    "row_pitch_no_multiple": Descriptor(IMAGE2D, 8, 4, row_pitch=34),
    "slice_pitch_small_3d": Descriptor(IMAGE3D, 8, 4, 3, row_pitch=32, slice_pitch=96),
    "slice_pitch_no_multiple_3d": Descriptor(IMAGE3D, 8, 4, 3, row_pitch=32, slice_pitch=140),
    "slice_pitch_small_2d_array": Descriptor(IMAGE2D_ARRAY, 8, 4, count=3, row_pitch=32, slice_pitch=96),
    "slice_pitch_small_1d_array": Descriptor(IMAGE1D_ARRAY, 8, count=3, row_pitch=32, slice_pitch=28),
}
#: Dimensions that exceed the device's limit by one.
BEYOND: dict[str, Descriptor] = {
    "too_wide_1d": Descriptor(IMAGE1D, Limit("image2d_max_width", 1)),
    "too_wide_2d": Descriptor(IMAGE2D, Limit("image2d_max_width", 1), 1),
    "too_high_2d": Descriptor(IMAGE2D, 1, Limit("image2d_max_height", 1)),
    "too_wide_3d": Descriptor(IMAGE3D, Limit("image3d_max_width", 1), 1, 1),
    "too_high_3d": Descriptor(IMAGE3D, 1, Limit("image3d_max_height", 1), 1),
    "too_deep_3d": Descriptor(IMAGE3D, 1, 1, Limit("image3d_max_depth", 1)),
    "too_wide_2d_array": Descriptor(IMAGE2D_ARRAY, Limit("image2d_max_width", 1), 1, count=1),
    "too_high_2d_array": Descriptor(IMAGE2D_ARRAY, 1, Limit("image2d_max_height", 1), count=1),
    "too_wide_1d_array": Descriptor(IMAGE1D_ARRAY, Limit("image2d_max_width", 1), count=1),
    "too_many_2d_array": Descriptor(IMAGE2D_ARRAY, 1, 1, count=Limit("image_max_array_size", 1)),
    "too_many_1d_array": Descriptor(IMAGE1D_ARRAY, 1, count=Limit("image_max_array_size", 1)),
}

#: Dimensions at the device's limit.
_AT_LIMIT: dict[str, Descriptor] = {
    "widest_1d": Descriptor(IMAGE1D, Limit("image2d_max_width")),
    "widest_2d": Descriptor(IMAGE2D, Limit("image2d_max_width"), 1),
    "highest_2d": Descriptor(IMAGE2D, 1, Limit("image2d_max_height")),
    "widest_3d": Descriptor(IMAGE3D, Limit("image3d_max_width"), 1, 1),
    "highest_3d": Descriptor(IMAGE3D, 1, Limit("image3d_max_height"), 1),
    "deepest_3d": Descriptor(IMAGE3D, 1, 1, Limit("image3d_max_depth")),
    "most_layers_2d_array": Descriptor(IMAGE2D_ARRAY, 1, 1, count=Limit("image_max_array_size")),
    "most_layers_1d_array": Descriptor(IMAGE1D_ARRAY, 1, count=Limit("image_max_array_size")),
}

_IMAGE = {"context": "context", "flags": 1, "format": Words((RGBA, UNORM8)), "descriptor": _2D, "host": None}
_ERRORS: dict[str, tuple[Any, ...]] = {
    "null_format": ({"format": None}, FORMAT_ERROR),
    "null_descriptor": ({"descriptor": None}, DESCRIPTOR_ERROR),
    **{name: ({"format": Words(pair)}, FORMAT_ERROR) for name, pair in FORMATS.items()},
    **{
        name: ({"format": Words(pair)}, (*FORMAT_ERROR, "CL_IMAGE_FORMAT_NOT_SUPPORTED"))
        for name, pair in ODD_FORMATS.items()
    },
    **{
        f"{order}_{name}": (
            {"format": Words((number, kind))},
            ("CL_SUCCESS", "CL_IMAGE_FORMAT_NOT_SUPPORTED") if order in orders else FORMAT_ERROR,
        )
        for name, (kind, orders) in PACKED.items()
        for order, number in _ORDERS.items()
    },
    **{name: ({"descriptor": shape}, DESCRIPTOR_ERROR) for name, shape in SHAPES.items()},
    **{name: ({"descriptor": shape, "flags": 1 | 32, "host": Host()}, DESCRIPTOR_ERROR) for name, shape in PITCHES.items()},
    **{name: ({"descriptor": shape}, SIZE_ERROR) for name, shape in BEYOND.items()},
    **{name: ({"descriptor": shape}, ("CL_SUCCESS",), ("execute",)) for name, shape in _AT_LIMIT.items()},
    "larger_than_its_buffer": (
        {"descriptor": Descriptor(IMAGE1D_BUFFER, 4097, memory="buffer")},
        DESCRIPTOR_ERROR,  # 5.3.1.2 forbids the width, but it does not exceed the device's maximum
    ),
    **{
        f"{name}_2d": (
            {"descriptor": Descriptor(IMAGE2D, 256, height, row_pitch=pitch, memory="buffer")},
            errors,
            _OF_BUFFER,
        )
        for name, height, pitch, errors in (
            ("exactly_its_buffer", 16, 1024, ("CL_SUCCESS",)),
            ("larger_than_its_buffer", 17, 1024, DESCRIPTOR_ERROR),
            ("rows_beyond_its_buffer", 16, 2048, DESCRIPTOR_ERROR),
            ("row_pitch_of_buffer_no_multiple", 8, 1026, PITCH_ERROR),
            ("row_pitch_of_buffer_small", 8, 1020, PITCH_ERROR),
        )
    },
    "exactly_its_buffer": ({"descriptor": Descriptor(IMAGE1D_BUFFER, 4096, memory="buffer")}, ("CL_SUCCESS",)),
    # A 2D image of a 2D image has the other's extents and data type, and an order that is compatible with the other's.
    "view": ({"descriptor": _VIEW}, ("CL_SUCCESS", *FORMAT_ERROR)),
    "view_of_other_width": (
        {"descriptor": Descriptor(IMAGE2D, 7, 4, memory="bare_image2d")},
        (*FORMAT_ERROR, *DESCRIPTOR_ERROR),
    ),
    "view_of_other_height": (
        {"descriptor": Descriptor(IMAGE2D, 8, 3, memory="bare_image2d")},
        (*FORMAT_ERROR, *DESCRIPTOR_ERROR),
    ),
    "view_of_other_type": ({"format": Words((RGBA, UNSIGNED8)), "descriptor": _VIEW}, FORMAT_ERROR),
    "view_of_other_order": ({"format": Words((BGRA, UNORM8)), "descriptor": _VIEW}, FORMAT_ERROR),
    **{
        f"view_of_immutable_{name}": (
            {"flags": flags, "descriptor": Descriptor(IMAGE1D_BUFFER, 8, memory="immutable_buffer")},
            errors,
            IMMUTABLE,
        )
        for name, flags, errors in (("immutable", NEVER_CHANGES, ("CL_SUCCESS",)), ("read_only", READ_ONLY, VALUE))
    },
    "memory_is_1d_image": ({"descriptor": Descriptor(IMAGE1D_BUFFER, 8, memory="image2d")}, DESCRIPTOR_ERROR),
    **creation(Host()),
}

CALLS = (
    call("clCreateImage", _IMAGE, _ERRORS, requires=("images",)),
    call(
        "clCreateImageWithProperties",
        {"context": "context", "properties": None, **{k: v for k, v in _IMAGE.items() if k != "context"}},
        {
            "unknown_property": ({"properties": Longs((0xDEAD, 1, 0))}, PROPERTY),
            "name_of_high_bits": ({"properties": Longs((1 << 32, 1, 0))}, PROPERTY),
            "null_format": _ERRORS["null_format"],
            "null_descriptor": _ERRORS["null_descriptor"],
            "rgba_565": _ERRORS["rgba_565"],
            "width_zero_2d": _ERRORS["width_zero_2d"],
            "too_wide_2d": _ERRORS["too_wide_2d"],
            "unknown_flag": _ERRORS["unknown_flag"],
            "use_host_null": _ERRORS["use_host_null"],
        },
        requires=("images", "opencl3"),
    ),
    call(
        "clCreateImage2D",
        {
            "context": "context",
            "flags": 1,
            "format": Words((RGBA, UNORM8)),
            "width": 8,
            "height": 4,
            "pitch": 0,
            "host": None,
        },
        {
            "null_format": ({"format": None}, FORMAT_ERROR),
            "width_zero": ({"width": 0}, SIZE_ERROR),
            "height_zero": ({"height": 0}, SIZE_ERROR),
            "too_wide": ({"width": Limit("image2d_max_width", 1), "height": 1}, SIZE_ERROR),
            "too_high": ({"height": Limit("image2d_max_height", 1), "width": 1}, SIZE_ERROR),
            "pitch_without_host": ({"pitch": 64}, SIZE_ERROR),
            "unknown_flag": ({"flags": 1 << 40}, VALUE),
        },
        requires=("images",),
    ),
    call(
        "clCreateImage3D",
        {
            "context": "context",
            "flags": 1,
            "format": Words((RGBA, UNORM8)),
            "width": 8,
            "height": 4,
            "depth": 3,
            "row_pitch": 0,
            "slice_pitch": 0,
            "host": None,
        },
        {
            "null_format": ({"format": None}, FORMAT_ERROR),
            "width_zero": ({"width": 0}, SIZE_ERROR),
            "height_zero": ({"height": 0}, SIZE_ERROR),
            "too_wide": ({"width": Limit("image3d_max_width", 1), "height": 1, "depth": 2}, SIZE_ERROR),
            "too_high": ({"height": Limit("image3d_max_height", 1), "width": 1, "depth": 2}, SIZE_ERROR),
            "too_deep": ({"depth": Limit("image3d_max_depth", 1), "width": 1, "height": 1}, SIZE_ERROR),
            "unknown_flag": ({"flags": 1 << 40}, VALUE),
        },
        requires=("images",),
    ),
    call(
        "clGetSupportedImageFormats",
        {"context": "context", "flags": 1, "type": IMAGE2D, "entries": 8, "formats": Host(), "count": Host()},
        {
            "entries_zero": ({"entries": 0}, VALUE),
            "type_buffer": ({"type": BUFFER}, VALUE),
            "type_unknown": ({"type": 0xDEAD}, VALUE),
            "flags_exclude_each_other": ({"flags": 1 | 2}, VALUE),
            "unknown_flag": ({"flags": 1 << 40}, VALUE),
        },
        requires=("images",),
    ),
)
