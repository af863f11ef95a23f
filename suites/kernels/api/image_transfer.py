"""Commands on images, and their mistakes (OpenCL API 3.0, 5.3.4 to 5.3.7)."""

from typing import Any

from .terms import (
    IMMUTABLE,
    OPERATION,
    VALUE,
    WAITING,
    Host,
    Sizes,
    call,
    failed_wait,
    host_access,
    immutable,
    memory,
    waiting,
)

_REGION = {"origin": Sizes((1, 1, 0)), "region": Sizes((4, 2, 1))}
_LAST = (1 << 64) - 2
#: A wrong pitch is an invalid value of its argument, and the list of errors also names pitches under CL_INVALID_IMAGE_SIZE.
PITCH = ("CL_INVALID_VALUE", "CL_INVALID_IMAGE_SIZE")


def outside(origin: str = "origin", region: str = "region") -> dict[str, tuple[Any, ...]]:
    """Regions outside an image of 8 x 4 pixels: in each of its dimensions, and in the dimension that it lacks."""
    places: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
        "past_the_right_edge": ((5, 1, 0), (4, 2, 1)),
        "past_the_lower_edge": ((1, 3, 0), (4, 2, 1)),
        "origin_outside": ((9, 0, 0), (4, 2, 1)),
        "origin_wraps": ((_LAST, 0, 0), (4, 2, 1)),
        "width_zero": ((1, 1, 0), (0, 2, 1)),
        "height_zero": ((1, 1, 0), (4, 0, 1)),
        "depth_zero": ((1, 1, 0), (4, 2, 0)),
        "origin_of_third_dimension": ((1, 1, 1), (4, 2, 1)),
        "depth_two": ((1, 1, 0), (4, 2, 2)),
    }
    return {name: ({origin: Sizes(at), region: Sizes(size)}, VALUE) for name, (at, size) in places.items()}


def dimensions(image: str = "image", origin: str = "origin", region: str = "region") -> dict[str, tuple[Any, ...]]:
    """Regions in dimensions that a 1D image (of 8 pixels) and a 1D array (of 3 such images) lack."""
    places: dict[str, tuple[str, tuple[int, ...], tuple[int, ...]]] = {
        "origin_of_second_dimension_1d": ("image1d", (1, 1, 0), (4, 1, 1)),
        "origin_of_third_dimension_1d": ("image1d", (1, 0, 1), (4, 1, 1)),
        "height_two_1d": ("image1d", (0, 0, 0), (4, 2, 1)),
        "depth_two_1d": ("image1d", (1, 0, 0), (4, 1, 2)),
        "origin_of_third_dimension_1d_array": ("image1d_array", (1, 1, 1), (4, 1, 1)),
        "depth_two_1d_array": ("image1d_array", (1, 1, 0), (4, 1, 2)),
    }
    return {name: ({image: of, origin: Sizes(at), region: Sizes(size)}, VALUE) for name, (of, at, size) in places.items()}


def _host(function: str, reads: bool) -> Any:
    pitches = ("row_pitch", "slice_pitch") if reads else ("input_row_pitch", "input_slice_pitch")
    arguments = {
        "queue": "queue",
        "image": "image2d",
        "blocking": 1,
        **_REGION,
        pitches[0]: 0,
        pitches[1]: 0,
        "pointer": Host(),
        **WAITING,
    }
    wrong: dict[str, tuple[Any, ...]] = {
        **outside(),
        "null_pointer": ({"pointer": None}, VALUE),
        "row_pitch_small": ({pitches[0]: 15}, PITCH),
        "slice_pitch_of_2d": ({pitches[1]: 64}, PITCH),
        "slice_pitch_small_3d": ({"image": "image3d", "region": Sizes((4, 2, 2)), pitches[0]: 16, pitches[1]: 24}, PITCH),
        "past_the_back_3d": ({"image": "image3d", "origin": Sizes((0, 0, 2)), "region": Sizes((4, 2, 2))}, VALUE),
        "past_the_last_layer": ({"image": "image2d_array", "origin": Sizes((0, 0, 2)), "region": Sizes((4, 2, 2))}, VALUE),
        **dimensions(),
        "past_the_end_1d": ({"image": "image1d", "origin": Sizes((5, 0, 0)), "region": Sizes((4, 1, 1))}, VALUE),
    }
    return call(
        function,
        arguments,
        wrong,
        host_access("image", reads, image=True),
        memory("image", image=True),
        waiting(),
        failed_wait("blocking"),
        requires=("images",),
    )


def _named(prefix: str, wrong: dict[str, tuple[Any, ...]]) -> dict[str, tuple[Any, ...]]:
    return {f"{prefix}_{name}": row for name, row in wrong.items()}


_SOURCE = ("past_the_right_edge", "past_the_lower_edge", "origin_wraps", "origin_of_third_dimension")


def _of_source(places: dict[str, tuple[Any, ...]]) -> dict[str, tuple[Any, ...]]:
    return {name: places[name] for name in _SOURCE}


CALLS = (
    _host("clEnqueueReadImage", True),
    _host("clEnqueueWriteImage", False),
    call(
        "clEnqueueCopyImage",
        {
            "queue": "queue",
            "source": "image2d",
            "target": "second_image2d",
            "source_origin": Sizes((1, 1, 0)),
            "target_origin": Sizes((2, 1, 0)),
            "region": Sizes((4, 2, 1)),
            **WAITING,
        },
        {
            **_named("source", _of_source(outside("source_origin"))),
            **_named("target", _of_source(outside("target_origin"))),
            **_named("source", dimensions("source", "source_origin")),
            **_named("target", dimensions("target", "target_origin")),
            "width_zero": ({"region": Sizes((0, 2, 1))}, VALUE),
            "height_zero": ({"region": Sizes((4, 0, 1))}, VALUE),
            "depth_zero": ({"region": Sizes((4, 2, 0))}, VALUE),
            "depth_two": ({"region": Sizes((4, 2, 2))}, VALUE),
            "format_mismatch": ({"target": "float_image2d"}, ("CL_IMAGE_FORMAT_MISMATCH",)),
            "overlap": ({"target": "image2d"}, ("CL_MEM_COPY_OVERLAP",)),
        },
        memory("source", image=True),
        memory("target", image=True),
        immutable("target", image=True),
        waiting(),
        requires=("images",),
    ),
    call(
        "clEnqueueFillImage",
        {"queue": "queue", "image": "image2d", "color": Host(), **_REGION, **WAITING},
        {**outside(), **dimensions(), "null_color": ({"color": None}, VALUE)},
        memory("image", image=True),
        immutable("image", image=True),
        waiting(),
        requires=("images",),
    ),
    call(
        "clEnqueueCopyImageToBuffer",
        {"queue": "queue", "source": "image2d", "target": "buffer", **_REGION, "offset": 4, **WAITING},
        {
            **outside(),
            **dimensions("source"),
            "buffer_past_the_end": ({"offset": 16384 - 28}, VALUE),
            "buffer_wraps": ({"offset": (1 << 64) - 4}, VALUE),
        },
        memory("source", image=True),
        memory("target"),
        immutable("target"),
        waiting(),
        requires=("images",),
    ),
    call(
        "clEnqueueCopyBufferToImage",
        {"queue": "queue", "source": "buffer", "target": "image2d", "offset": 4, **_REGION, **WAITING},
        {
            **outside(),
            **dimensions("target"),
            "buffer_past_the_end": ({"offset": 16384 - 28}, VALUE),
            "buffer_wraps": ({"offset": (1 << 64) - 4}, VALUE),
        },
        memory("source"),
        memory("target", image=True),
        immutable("target", image=True),
        waiting(),
        requires=("images",),
    ),
    call(
        "clEnqueueMapImage",
        {
            "queue": "queue",
            "image": "image2d",
            "blocking": 1,
            "flags": 1,
            **_REGION,
            "row_pitch": Host(),
            "slice_pitch": Host(),
            **WAITING,
        },
        {
            **outside(),
            **dimensions(),
            "null_row_pitch": ({"row_pitch": None}, VALUE),
            "null_slice_pitch_3d": ({"image": "image3d", "slice_pitch": None}, VALUE),
            **{  # no mistake: these have no slices
                f"null_slice_pitch_{name}": ({"image": image, "slice_pitch": None, **place}, ("CL_SUCCESS",), ("execute",))
                for name, image, place in (
                    ("1d", "image1d", {"region": Sizes((4, 1, 1)), "origin": Sizes((1, 0, 0))}),
                    ("2d", "image2d", {}),
                )
            },
            "null_slice_pitch_array": ({"image": "image2d_array", "slice_pitch": None}, VALUE),
            "read_and_invalidate": ({"flags": 1 | 4}, VALUE),
            "unknown_flag": ({"flags": 1 << 20}, VALUE),
            "read_of_host_write_only": ({"image": "host_write_only_image2d"}, OPERATION),
            "read_of_host_no_access": ({"image": "host_no_access_image2d"}, OPERATION),
            "write_of_host_read_only": ({"image": "host_read_only_image2d", "flags": 2}, OPERATION),
            "write_of_host_no_access": ({"image": "host_no_access_image2d", "flags": 2}, OPERATION),
            "invalidate_of_host_read_only": ({"image": "host_read_only_image2d", "flags": 4}, OPERATION),
            "invalidate_of_host_no_access": ({"image": "host_no_access_image2d", "flags": 4}, OPERATION),
            "read_of_immutable": ({"image": "immutable_image2d"}, ("CL_SUCCESS",), (*IMMUTABLE, "execute")),
            "write_of_immutable": ({"image": "immutable_image2d", "flags": 2}, OPERATION, IMMUTABLE),
            "invalidate_of_immutable": ({"image": "immutable_image2d", "flags": 4}, OPERATION, IMMUTABLE),
        },
        memory("image", image=True),
        waiting(),
        failed_wait("blocking"),
        requires=("images",),
    ),
)
