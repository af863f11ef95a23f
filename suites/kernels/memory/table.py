"""The tables of the area. Plain Python, because the catalogue reads it too."""

OFFSETS = (0, 1, 3, 63)
PATTERNS = (1, 2, 4, 8, 16, 32, 64, 128)  # bytes; API 3.0, 5.2.3: clEnqueueFillBuffer

# cl_mem_flags: the access of kernels, the origin of the memory, the access of the host (API 3.0, 5.2.1).
ACCESS = {"rw": 1 << 0, "wo": 1 << 1, "ro": 1 << 2}
USE_HOST_PTR, ALLOC_HOST_PTR, COPY_HOST_PTR = 1 << 3, 1 << 4, 1 << 5
HOST_MEMORY = {
    "plain": 0,
    "use": USE_HOST_PTR,
    "alloc": ALLOC_HOST_PTR,
    "copy": COPY_HOST_PTR,
    "alloc_copy": ALLOC_HOST_PTR | COPY_HOST_PTR,
}
HOST_ACCESS = {"any": 0, "host_wo": 1 << 7, "host_ro": 1 << 8, "host_none": 1 << 9}

# Operations of the host on a buffer, and the flags with which they are refused by CL_INVALID_OPERATION.
READS, WRITES = ("host_wo", "host_none"), ("host_ro", "host_none")
HOST_OPERATIONS = {
    "read": READS,
    "read_rect": READS,
    "map_read": READS,
    "write": WRITES,
    "write_rect": WRITES,
    "map_write": WRITES,
    "map_invalidate": WRITES,
}

OPERATION_CALLS = {
    "read": "clEnqueueReadBuffer",
    "read_rect": "clEnqueueReadBufferRect",
    "map_read": "clEnqueueMapBuffer",
    "write": "clEnqueueWriteBuffer",
    "write_rect": "clEnqueueWriteBufferRect",
    "map_write": "clEnqueueMapBuffer",
    "map_invalidate": "clEnqueueMapBuffer",
}

# cl_map_flags (API 3.0, 5.2.4).
MAP_FLAGS = {"read": 1, "write": 2, "read_write": 3, "invalidate": 4}

# The functions of the paths.
LINEAR = {"read": "clEnqueueReadBuffer", "write": "clEnqueueWriteBuffer"} | dict.fromkeys(
    ("copy", "copy_within"), "clEnqueueCopyBuffer"
)

# (width in bytes, rows, slices), and the ways to give a side's pitches.
BOXES = ((7, 5, 3), (1, 5, 1), (64, 1, 3), (3, 1, 1), (5, 3, 1))
PITCHES = ("zero", "min", "over")

# Operations on a sub-buffer.
SUB_OPERATIONS = (
    *("read", "write", "copy_from", "copy_to", "fill", "read_rect", "write_rect", "copy_rect", "map_read"),
    *("map_write", "kernel_read", "kernel_write"),
)

# Two boxes of one buffer with a row pitch of 16 and a slice pitch of 64 bytes: origins, region, whether they overlap
# (API 3.0, appendix D).
OVERLAPS: dict[str, tuple[tuple[int, int, int], tuple[int, int, int], tuple[int, int, int], bool]] = {
    "same": ((1, 1, 0), (1, 1, 0), (4, 2, 2), True),
    "one_column": ((0, 0, 0), (3, 0, 0), (4, 2, 1), True),
    "one_row": ((0, 0, 0), (0, 1, 0), (4, 2, 1), True),
    "one_slice": ((0, 0, 0), (0, 0, 1), (4, 2, 2), True),
    "one_byte": ((0, 0, 0), (3, 1, 1), (4, 2, 2), True),
    "one_byte_backwards": ((3, 1, 1), (0, 0, 0), (4, 2, 2), True),
    "columns_side_by_side": ((0, 0, 0), (4, 0, 0), (4, 3, 2), False),
    "columns_interleaved": ((4, 0, 0), (0, 0, 0), (4, 3, 2), False),
    "rows_interleaved": ((0, 0, 0), (0, 1, 0), (16, 1, 2), False),
    "rows_touching": ((0, 0, 0), (0, 2, 0), (16, 2, 1), False),
    "rows_touching_backwards": ((0, 2, 0), (0, 0, 0), (16, 2, 1), False),
    "slices_touching": ((0, 0, 0), (0, 0, 1), (16, 4, 1), False),
    "slices_touching_backwards": ((0, 0, 1), (0, 0, 0), (16, 4, 1), False),
}
# The same for clEnqueueCopyBuffer: offsets, size, whether they overlap.
LINEAR_OVERLAPS = {
    "same": (8, 8, 16, True),
    "last_byte": (0, 63, 64, True),
    "first_byte": (63, 0, 64, True),
    "inside": (1, 3, 100, True),
    "touching": (0, 64, 64, False),
    "touching_backwards": (65, 1, 64, False),
}
