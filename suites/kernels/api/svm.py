"""Calls on shared virtual memory, and their mistakes (OpenCL API 3.0, 5.6)."""

from .terms import IMMUTABLE, VALUE, WAITING, Host, Sizes, call, failed_wait, waiting

OVERLAP = ("CL_MEM_COPY_OVERLAP",)
NULL = ("NULL",)  # clSVMAlloc has no code: it returns NULL

_FILL = {"queue": "queue", "target": "svm", "pattern": Host(), "width": 4, "size": 64, **WAITING}
_COPY = {"queue": "queue", "blocking": 1, "target": "svm", "source": Host(), "size": 64, **WAITING}
_FORWARDS = {"source": "svm", "target": "svm_plus_32"}
_MIGRATE = {"queue": "queue", "count": 1, "pointers": "svm_pointers", "sizes": Sizes((0,)), "flags": 1, **WAITING}

CALLS = (
    call(
        "clSVMAlloc",
        {"context": "context", "flags": 1, "size": 64, "alignment": 0},
        {
            "size_zero": ({"size": 0}, NULL),
            "size_too_large": ({"size": 1 << 62}, NULL),
            "alignment_of_three": ({"alignment": 3}, NULL),
            "read_and_write_only": ({"flags": 2 | 4}, NULL),
            "host_flag": ({"flags": 1 | 8}, NULL),
            "unknown_flag": ({"flags": 1 << 40}, NULL),
            "immutable": ({"flags": 1 << 6}, NULL, IMMUTABLE),
            "atomics_without_fine_grain": ({"flags": 1 | 1 << 11}, NULL),
        },
    ),
    call(
        "clEnqueueSVMMemcpy",
        _COPY,
        {
            "null_target": ({"target": None}, VALUE),
            "null_source": ({"source": None}, VALUE),
            "overlap": ({"source": "svm_plus_32"}, OVERLAP),
            "overlap_forwards": (_FORWARDS, OVERLAP),
            "overlap_of_one_byte": ({"source": "svm_plus_32", "size": 33}, OVERLAP),
            "overlap_of_one_byte_forwards": ({**_FORWARDS, "size": 33}, OVERLAP),
            "touching": ({"source": "svm_plus_32", "size": 32}, ("CL_SUCCESS",)),
            "touching_forwards": ({**_FORWARDS, "size": 32}, ("CL_SUCCESS",)),
        },
        waiting(),
        failed_wait("blocking"),
    ),
    call(
        "clEnqueueSVMMemFill",
        _FILL,
        {
            "null_target": ({"target": None}, VALUE),
            "null_pattern": ({"pattern": None}, VALUE),
            **{f"pattern_of_{n}": ({"width": n, "size": n * 8}, VALUE) for n in (0, 3, 12, 256)},
            "pattern_of_0_for_64": ({"width": 0}, VALUE),
            "pattern_of_96": ({"width": 96, "size": 192}, VALUE),
            "size_below_pattern": ({"width": 128}, VALUE),
            "size_no_multiple": ({"size": 66}, VALUE),
            "misaligned": ({"target": "svm_plus_2"}, VALUE),
        },
        waiting(),
    ),
    call(
        "clEnqueueSVMMap",
        {"queue": "queue", "blocking": 1, "flags": 1, "pointer": "svm", "size": 64, **WAITING},
        {
            "null_pointer": ({"pointer": None}, VALUE),
            "size_zero": ({"size": 0}, VALUE),
            "unknown_flag": ({"flags": 1 << 20}, VALUE),
            "read_and_invalidate": ({"flags": 1 | 4}, VALUE),
            "write_and_invalidate": ({"flags": 2 | 4}, VALUE),
        },
        waiting(),
        failed_wait("blocking"),
    ),
    call(
        "clEnqueueSVMUnmap",
        {"queue": "queue", "pointer": "mapped_svm", **WAITING},
        {"null_pointer": ({"pointer": None}, VALUE)},
        waiting(),
    ),
    call(
        "clEnqueueSVMFree",
        {"queue": "queue", "count": 0, "pointers": None, "callback": None, "data": None, **WAITING},
        {"count_without_pointers": ({"count": 1}, VALUE), "pointers_without_count": ({"pointers": "svm_pointers"}, VALUE)},
        waiting(),
    ),
    call(
        "clEnqueueSVMMigrateMem",
        _MIGRATE,
        {
            "count_zero": ({"count": 0}, VALUE),
            "null_pointers": ({"pointers": None}, VALUE),
            # Exactly the size of the allocation, and one byte more.
            "to_the_end": ({"sizes": Sizes((4096,))}, ("CL_SUCCESS",)),
            "past_the_end": ({"sizes": Sizes((4097,))}, VALUE),
            **{  # the second pointer is 32 bytes behind the first, in the same allocation
                name: ({"count": 2, "pointers": "svm_pointers_two", "sizes": Sizes(sizes)}, errors)
                for name, sizes, errors in (
                    ("to_the_end_from_within", (64, 4064), ("CL_SUCCESS",)),
                    ("past_the_end.first", (4097, 64), VALUE),
                    ("past_the_end.last", (64, 4065), VALUE),
                )
            },
            "host_memory": ({"pointers": "svm_pointers_host", "sizes": Sizes((64,))}, VALUE),
            "host_memory.first": ({"count": 2, "pointers": "svm_pointers_host_first", "sizes": Sizes((64, 64))}, VALUE),
            "host_memory.last": ({"count": 2, "pointers": "svm_pointers_host_last", "sizes": Sizes((64, 64))}, VALUE),
        },
        waiting(),
    ),
)
