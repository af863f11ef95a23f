"""Commands on buffers, and their mistakes (OpenCL API 3.0, 5.2.2 to 5.2.4, 5.5.3 to 5.5.5)."""

from typing import Any

from .terms import (
    CONTEXT,
    IMMUTABLE,
    MEMORY,
    OPERATION,
    VALUE,
    WAITING,
    Handles,
    Host,
    Sizes,
    call,
    failed_wait,
    host_access,
    immutable,
    memory,
    waiting,
)

MAP_READ, MAP_WRITE, MAP_INVALIDATE = 1, 2, 4
LAST = (1 << 64) - 8


def _linear(reads: bool) -> dict[str, tuple[Any, ...]]:
    return {
        "to_the_end": ({"offset": 16384 - 64}, ("CL_SUCCESS",)),
        "past_the_end": ({"offset": 16384 - 63}, VALUE),
        "offset_past_the_end": ({"offset": 32768}, VALUE),
        "too_large": ({"size": 16385}, VALUE),
        "offset_plus_size_wraps": ({"offset": LAST}, VALUE),
        "null_pointer": ({"pointer": None}, VALUE),
    } | {name: (m.change, m.errors, m.requires) for name, m in host_access("buffer", reads).items()}


_BOX: dict[str, Any] = {
    "buffer_origin": Sizes((4, 1, 0)),
    "host_origin": Sizes((0, 0, 0)),
    "region": Sizes((8, 4, 2)),
    "buffer_row_pitch": 16,
    "buffer_slice_pitch": 128,
    "host_row_pitch": 8,
    "host_slice_pitch": 32,
}


#: Boxes with the pitches 16 and 128 that end with the last of 16384 bytes, and that end behind it in only one dimension.
_ENDS: dict[str, tuple[tuple[int, int, int], tuple[str, ...]]] = {
    "to_the_end": ((8, 4, 126), ("CL_SUCCESS",)),
    "beyond_in_x": ((9, 4, 126), VALUE),
    "beyond_in_y": ((8, 5, 126), VALUE),
    "beyond_in_z": ((8, 4, 127), VALUE),
}


def _ends(origin: str, prefix: str = "") -> dict[str, tuple[Any, ...]]:
    return {f"{prefix}{name}": ({origin: Sizes(at)}, errors) for name, (at, errors) in _ENDS.items()}


def _rectangle(reads: bool) -> dict[str, tuple[Any, ...]]:
    return {
        "width_zero": ({"region": Sizes((0, 4, 2))}, VALUE),
        "height_zero": ({"region": Sizes((8, 0, 2))}, VALUE),
        "depth_zero": ({"region": Sizes((8, 4, 0))}, VALUE),
        "past_the_end": ({"buffer_origin": Sizes((0, 0, 127))}, VALUE),
        **_ends("buffer_origin"),
        "null_pointer": ({"pointer": None}, VALUE),
        "buffer_row_pitch_small": ({"buffer_row_pitch": 7, "buffer_slice_pitch": 70}, VALUE),
        "host_row_pitch_small": ({"host_row_pitch": 7, "host_slice_pitch": 35}, VALUE),
        # The clause asks for both: less than a slice, and not a multiple of the row pitch.
        "buffer_slice_pitch_small": ({"buffer_slice_pitch": 60}, VALUE),
        "host_slice_pitch_small": ({"host_slice_pitch": 28}, VALUE),
    } | {name: (m.change, m.errors, m.requires) for name, m in host_access("buffer", reads).items()}


_LINEAR = {"queue": "queue", "buffer": "buffer", "blocking": 1, "offset": 0, "size": 64, "pointer": Host(), **WAITING}
_RECTANGLE = {"queue": "queue", "buffer": "buffer", "blocking": 1, **_BOX, "pointer": Host(), **WAITING}
_PAIR = {"source": "buffer", "target": "second_buffer"}
_COPY_BOX = {
    "source_origin": Sizes((0, 0, 0)),
    "target_origin": Sizes((4, 0, 0)),
    "region": Sizes((8, 4, 2)),
    "source_row_pitch": 16,
    "source_slice_pitch": 128,
    "target_row_pitch": 16,
    "target_slice_pitch": 128,
}
OVERLAP = ("CL_MEM_COPY_OVERLAP",)

CALLS = (
    *(
        call(name, _LINEAR, _linear(reads), memory("buffer"), waiting(), failed_wait("blocking"))
        for name, reads in (("clEnqueueReadBuffer", True), ("clEnqueueWriteBuffer", False))
    ),
    *(
        call(name, _RECTANGLE, _rectangle(reads), memory("buffer"), waiting(), failed_wait("blocking"))
        for name, reads in (("clEnqueueReadBufferRect", True), ("clEnqueueWriteBufferRect", False))
    ),
    call(
        "clEnqueueCopyBuffer",
        {"queue": "queue", **_PAIR, "source_offset": 0, "target_offset": 8, "size": 64, **WAITING},
        {
            "source_to_the_end": ({"source_offset": 16384 - 64}, ("CL_SUCCESS",)),
            "target_to_the_end": ({"target_offset": 16384 - 64}, ("CL_SUCCESS",)),
            "source_past_the_end": ({"source_offset": 16384 - 63}, VALUE),
            "target_past_the_end": ({"target_offset": 16384 - 63}, VALUE),
            "source_wraps": ({"source_offset": LAST}, VALUE),
            "target_wraps": ({"target_offset": LAST}, VALUE),
            "too_large": ({"size": 16385, "target_offset": 0}, VALUE),
            "overlap": ({"target": "buffer", "target_offset": 63}, OVERLAP),
            "overlap_backwards": ({"target": "buffer", "source_offset": 63, "target_offset": 0}, OVERLAP),
            "overlap_itself": ({"target": "buffer", "target_offset": 0}, OVERLAP),
            "overlap_of_sub_buffers": ({"source": "sub_buffer", "target": "overlapping_sub_buffer"}, OVERLAP),
        },
        memory("source"),
        memory("target"),
        immutable("target"),
        waiting(),
    ),
    call(
        "clEnqueueCopyBufferRect",
        {"queue": "queue", **_PAIR, **_COPY_BOX, **WAITING},
        {
            "width_zero": ({"region": Sizes((0, 4, 2))}, VALUE),
            "height_zero": ({"region": Sizes((8, 0, 2))}, VALUE),
            "depth_zero": ({"region": Sizes((8, 4, 0))}, VALUE),
            "source_past_the_end": ({"source_origin": Sizes((0, 0, 127))}, VALUE),
            "target_past_the_end": ({"target_origin": Sizes((0, 0, 127))}, VALUE),
            **_ends("source_origin", "source_"),
            **_ends("target_origin", "target_"),
            "source_row_pitch_small": ({"source_row_pitch": 7, "source_slice_pitch": 70}, VALUE),
            "target_row_pitch_small": ({"target_row_pitch": 7, "target_slice_pitch": 70}, VALUE),
            "source_slice_pitch_small": ({"source_slice_pitch": 48}, VALUE),
            "target_slice_pitch_small": ({"target_slice_pitch": 48}, VALUE),
            "source_slice_pitch_no_multiple": ({"source_slice_pitch": 120}, VALUE),
            "target_slice_pitch_no_multiple": ({"target_slice_pitch": 120}, VALUE),
            # The slice pitch is a multiple of the other side's row pitch, and not of the one on its own side.
            "source_slice_pitch_of_target": ({"source_row_pitch": 24}, VALUE),
            "target_slice_pitch_of_source": ({"target_row_pitch": 24}, VALUE),
            "source_pitches_alone": ({"source_row_pitch": 24, "source_slice_pitch": 120}, ("CL_SUCCESS",)),
            "target_pitches_alone": ({"target_row_pitch": 24, "target_slice_pitch": 120}, ("CL_SUCCESS",)),
            "overlap": ({"target": "buffer"}, OVERLAP),
            "overlap_in_rows": ({"target": "buffer", "target_origin": Sizes((0, 3, 1))}, OVERLAP),
            "one_buffer_two_pitches": (
                {"target": "buffer", "target_origin": Sizes((0, 0, 16)), "target_row_pitch": 32, "target_slice_pitch": 256},
                VALUE,
            ),
        },
        memory("source"),
        memory("target"),
        immutable("target"),
        waiting(),
    ),
    call(
        "clEnqueueFillBuffer",
        {"queue": "queue", "buffer": "buffer", "pattern": Host(), "width": 4, "offset": 4, "size": 64, **WAITING},
        {
            **{
                f"pattern_of_{n}": ({"width": n, "offset": 0, "size": n * 8}, VALUE)
                for n in (0, 3, 5, 6, 12, 24, 48, 96, 129, 256)
            },
            "pattern_of_0_for_64": ({"width": 0}, VALUE),
            "size_below_pattern": ({"width": 128, "offset": 0}, VALUE),
            "null_pattern": ({"pattern": None}, VALUE),
            "offset_no_multiple": ({"offset": 2}, VALUE),
            "size_no_multiple": ({"size": 66}, VALUE),
            "to_the_end": ({"offset": 16384 - 64}, ("CL_SUCCESS",)),
            "past_the_end": ({"offset": 16384 - 60}, VALUE),
            "offset_plus_size_wraps": ({"offset": LAST}, VALUE),
        },
        memory("buffer"),
        immutable("buffer"),
        waiting(),
    ),
    call(
        "clEnqueueMapBuffer",
        {"queue": "queue", "buffer": "buffer", "blocking": 1, "flags": MAP_READ, "offset": 0, "size": 64, **WAITING},
        {
            "to_the_end": ({"offset": 16384 - 64}, ("CL_SUCCESS",), ("execute",)),
            "past_the_end": ({"offset": 16384 - 63}, VALUE),
            "offset_plus_size_wraps": ({"offset": LAST}, VALUE),
            "size_zero": ({"size": 0}, VALUE),
            "read_and_invalidate": ({"flags": MAP_READ | MAP_INVALIDATE}, VALUE),
            "write_and_invalidate": ({"flags": MAP_WRITE | MAP_INVALIDATE}, VALUE),
            "unknown_flag": ({"flags": 1 << 20}, VALUE),
            "read_of_host_write_only": ({"buffer": "host_write_only_buffer"}, OPERATION),
            "read_of_host_no_access": ({"buffer": "host_no_access_buffer"}, OPERATION),
            "write_of_host_read_only": ({"buffer": "host_read_only_buffer", "flags": MAP_WRITE}, OPERATION),
            "write_of_host_no_access": ({"buffer": "host_no_access_buffer", "flags": MAP_WRITE}, OPERATION),
            "invalidate_of_host_read_only": ({"buffer": "host_read_only_buffer", "flags": 4}, OPERATION),
            "invalidate_of_host_no_access": ({"buffer": "host_no_access_buffer", "flags": 4}, OPERATION),
            "read_of_immutable": ({"buffer": "immutable_buffer"}, ("CL_SUCCESS",), (*IMMUTABLE, "execute")),
            "write_of_immutable": ({"buffer": "immutable_buffer", "flags": MAP_WRITE}, OPERATION, IMMUTABLE),
            "invalidate_of_immutable": ({"buffer": "immutable_buffer", "flags": 4}, OPERATION, IMMUTABLE),
        },
        memory("buffer"),
        waiting(),
        failed_wait("blocking"),
    ),
    call(
        "clEnqueueUnmapMemObject",
        {"queue": "queue", "memory": "mapped_buffer", "pointer": "mapped_pointer", **WAITING},
        {
            "not_mapped": ({"memory": "buffer"}, VALUE),
            "another_pointer": ({"pointer": Host()}, VALUE),
            "null_pointer": ({"pointer": None}, VALUE),
            "null_memory": ({"memory": None}, MEMORY),
            "other_context": ({"queue": "other_queue"}, CONTEXT),
        },
        waiting(),
    ),
    call(
        "clEnqueueMigrateMemObjects",
        {"queue": "queue", "count": 1, "objects": Handles(("buffer",)), "flags": 1, **WAITING},
        {
            "count_zero": ({"count": 0}, VALUE),
            "null_objects": ({"objects": None}, VALUE),
            "unknown_flag": ({"flags": 1 << 20}, VALUE),
            "null_object": ({"count": 2, "objects": Handles(("buffer", None))}, MEMORY),
            "other_context": ({"objects": Handles(("other_buffer",))}, ("CL_INVALID_CONTEXT",)),
        },
        waiting(),
    ),
)
