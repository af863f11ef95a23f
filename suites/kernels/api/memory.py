"""Calls on memory objects and samplers, and their mistakes (OpenCL API 3.0, 5.2, 5.3.1, 5.5, 5.7)."""

from dataclasses import replace
from typing import Any

from .terms import IMMUTABLE, MEMORY, PROPERTY, VALUE, Callback, Host, Limit, Longs, Sizes, call, info, references

READ_WRITE, WRITE_ONLY, READ_ONLY = 1, 2, 4
USE_HOST, ALLOC_HOST, COPY_HOST = 8, 16, 32
HOST_WRITE_ONLY, HOST_READ_ONLY, HOST_NO_ACCESS = 1 << 7, 1 << 8, 1 << 9
NEVER_CHANGES = 1 << 6  # CL_MEM_IMMUTABLE_EXT
REGION = 0x1220
SIZE_ERROR = ("CL_INVALID_BUFFER_SIZE",)
HOST_ERROR = ("CL_INVALID_HOST_PTR",)

#: Flags that exclude each other, or that do not exist (the table of 5.2.1).
FLAGS: dict[str, int] = {
    "read_write_and_write_only": READ_WRITE | WRITE_ONLY,
    "read_write_and_read_only": READ_WRITE | READ_ONLY,
    "write_only_and_read_only": WRITE_ONLY | READ_ONLY,
    "host_write_only_and_host_read_only": HOST_WRITE_ONLY | HOST_READ_ONLY,
    "host_write_only_and_no_access": HOST_WRITE_ONLY | HOST_NO_ACCESS,
    "host_read_only_and_no_access": HOST_READ_ONLY | HOST_NO_ACCESS,
    "unknown_flag": 1 << 40,
}


def creation(host: Host) -> dict[str, tuple[Any, ...]]:
    """The mistakes with flags and host_ptr, of any function that creates a memory object."""
    wrong: dict[str, tuple[Any, ...]] = {name: ({"flags": bits}, VALUE) for name, bits in FLAGS.items()}
    return wrong | {
        "use_and_alloc_host": ({"flags": USE_HOST | ALLOC_HOST, "host": host}, VALUE),
        "use_and_copy_host": ({"flags": USE_HOST | COPY_HOST, "host": host}, VALUE),
        "use_host_null": ({"flags": USE_HOST}, HOST_ERROR),
        "copy_host_null": ({"flags": COPY_HOST}, HOST_ERROR),
        "host_pointer_without_flag": ({"host": host}, HOST_ERROR),
        **_immutable(host),
    }


def _immutable(host: Host) -> dict[str, tuple[Any, ...]]:
    """Flags besides CL_MEM_IMMUTABLE_EXT: the contents come from the host, and nothing may write to them."""
    beside: dict[str, tuple[int, tuple[str, ...]]] = {
        "use": (USE_HOST, ("CL_SUCCESS",)),
        "copy": (COPY_HOST, ("CL_SUCCESS",)),
        "read_only": (COPY_HOST | READ_ONLY, ("CL_SUCCESS",)),
        "host_read_only": (COPY_HOST | HOST_READ_ONLY, ("CL_SUCCESS",)),
        "read_write": (COPY_HOST | READ_WRITE, VALUE),
        "write_only": (COPY_HOST | WRITE_ONLY, VALUE),
        "host_write_only": (COPY_HOST | HOST_WRITE_ONLY, VALUE),
    }
    wrong: dict[str, tuple[Any, ...]] = {
        f"immutable_{name}": ({"flags": NEVER_CHANGES | flags, "host": host}, errors, IMMUTABLE)
        for name, (flags, errors) in beside.items()
    }
    wrong["immutable_alone"] = ({"flags": NEVER_CHANGES}, VALUE, IMMUTABLE)
    wrong["immutable_alloc"] = ({"flags": NEVER_CHANGES | ALLOC_HOST}, VALUE, IMMUTABLE)
    return wrong


_BUFFER: dict[str, tuple[Any, ...]] = {
    "size_zero": ({"size": 0}, SIZE_ERROR),
    # So large that a driver without the check cannot allocate it, either.
    "size_too_large": ({"size": 1 << 62}, SIZE_ERROR),
    "size_one_too_large": ({"size": Limit("max_mem_alloc_size", 1)}, SIZE_ERROR),
    **creation(Host()),
    # Exactly the size of the SVM allocation (5.2.1), and one byte more.
    "size_of_svm": ({"flags": READ_WRITE | USE_HOST, "size": 4096, "host": "svm"}, ("CL_SUCCESS",), ("svm",)),
    "size_beyond_svm": ({"flags": READ_WRITE | USE_HOST, "size": 4097, "host": "svm"}, SIZE_ERROR, ("svm",)),
}
_SUB_BUFFER = {"buffer": "buffer", "flags": 0, "type": REGION, "region": Sizes((0, 64))}

CALLS = (
    call("clCreateBuffer", {"context": "context", "flags": READ_WRITE, "size": 64, "host": None}, _BUFFER),
    call(
        "clCreateBufferWithProperties",
        {"context": "context", "properties": Longs((0,)), "flags": READ_WRITE, "size": 64, "host": None},
        {
            "unknown_property": ({"properties": Longs((0xDEAD, 1, 0))}, PROPERTY),
            "name_of_high_bits": ({"properties": Longs((1 << 32, 1, 0))}, PROPERTY),
            **_BUFFER,
        },
        requires=("opencl3",),
    ),
    call(
        "clCreateSubBuffer",
        _SUB_BUFFER,
        {
            "misaligned": ({"region": Sizes((1, 64))}, ("CL_MISALIGNED_SUB_BUFFER_OFFSET",)),
            "beyond": ({"region": Sizes((0, 16385))}, VALUE),
            "origin_beyond": ({"region": Sizes((32768, 64))}, VALUE),
            "to_the_end": ({"region": Sizes((4096, 12288))}, ("CL_SUCCESS",)),
            "beyond_from_within": ({"region": Sizes((4096, 12289))}, VALUE),
            "size_zero": ({"region": Sizes((0, 0))}, SIZE_ERROR),
            "null_region": ({"region": None}, VALUE),
            "unknown_type": ({"type": 0xDEAD}, VALUE),
            "of_sub_buffer": ({"buffer": "sub_buffer"}, MEMORY),
            "of_image": ({"buffer": "image2d"}, MEMORY, ("images",)),
            **{f"flags_{name}": ({"flags": bits}, VALUE) for name, bits in FLAGS.items()},
            "use_host": ({"flags": USE_HOST}, VALUE),
            "alloc_host": ({"flags": ALLOC_HOST}, VALUE),
            "copy_host": ({"flags": COPY_HOST}, VALUE),
            "read_write_of_write_only": ({"buffer": "write_only_buffer", "flags": READ_WRITE}, VALUE),
            "read_only_of_write_only": ({"buffer": "write_only_buffer", "flags": READ_ONLY}, VALUE),
            "read_write_of_read_only": ({"buffer": "read_only_buffer", "flags": READ_WRITE}, VALUE),
            "write_only_of_read_only": ({"buffer": "read_only_buffer", "flags": WRITE_ONLY}, VALUE),
            "host_read_of_host_write": ({"buffer": "host_write_only_buffer", "flags": HOST_READ_ONLY}, VALUE),
            "host_write_of_host_read": ({"buffer": "host_read_only_buffer", "flags": HOST_WRITE_ONLY}, VALUE),
            "host_read_of_no_access": ({"buffer": "host_no_access_buffer", "flags": HOST_READ_ONLY}, VALUE),
            "host_write_of_no_access": ({"buffer": "host_no_access_buffer", "flags": HOST_WRITE_ONLY}, VALUE),
            **{
                f"{name}_of_immutable": ({"buffer": "immutable_buffer", "flags": flags}, errors, IMMUTABLE)
                for name, flags, errors in (
                    ("no_flags", 0, ("CL_SUCCESS",)),
                    ("read_only", READ_ONLY, ("CL_SUCCESS",)),
                    ("read_write", READ_WRITE, VALUE),
                    ("write_only", WRITE_ONLY, VALUE),
                    ("host_write", HOST_WRITE_ONLY, VALUE),
                )
            },
        },
    ),
    call(
        "clSetMemObjectDestructorCallback",
        {"memory": "buffer", "callback": Callback(), "data": None},
        {"null_callback": ({"callback": None}, VALUE)},
    ),
    *references("MemObject", "buffer"),
    info(
        "clGetMemObjectInfo",
        {"memory": "sub_buffer"},
        {
            "type": (0x1100, 4),
            "flags": (0x1101, 8),
            "size": (0x1102, 8),
            "host_ptr": (0x1103, 8),
            "map_count": (0x1104, 4),
            "reference_count": (0x1105, 4),
            "context": (0x1106, 8),
            "associated": (0x1107, 8),
            "offset": (0x1108, 8),
            "uses_svm_pointer": (0x1109, 4),
        },
    ),
    info(
        "clGetImageInfo",
        {"image": "image2d"},
        {
            "format": (0x1110, 8),
            "element_size": (0x1111, 8),
            "row_pitch": (0x1112, 8),
            "slice_pitch": (0x1113, 8),
            "width": (0x1114, 8),
            "height": (0x1115, 8),
            "depth": (0x1116, 8),
            "array_size": (0x1117, 8),
            "buffer": (0x1118, 8),
            "num_mip_levels": (0x1119, 4),
            "num_samples": (0x111A, 4),
        },
        {"of_buffer": ({"image": "buffer"}, MEMORY)},
        requires=("images",),
    ),
    call(
        "clGetPipeInfo",
        {"pipe": "buffer", "name": 0x1120, "size": 4, "value": Host(), "size_ret": None},
        {"of_buffer": ({}, MEMORY), "of_image": ({"pipe": "image2d"}, MEMORY, ("images",))},
        requires=("opencl3",),
        right=False,
    ),
    call(
        "clCreateSampler",
        {"context": "context", "normalized": 0, "addressing": 0x1132, "filter": 0x1140},
        {
            "normalized": ({"normalized": 2}, VALUE),
            "addressing": ({"addressing": 0xDEAD}, VALUE),
            "filter": ({"filter": 0xDEAD}, VALUE),
            "filter_is_addressing": ({"filter": 0x1132}, VALUE),
            "addressing_is_filter": ({"addressing": 0x1140}, VALUE),
        },
        requires=("images",),
    ),
    call(
        "clCreateSamplerWithProperties",
        {"context": "context", "properties": Longs((0x1152, 0, 0x1153, 0x1132, 0x1154, 0x1140, 0))},
        {
            "unknown_property": ({"properties": Longs((0xDEAD, 1, 0))}, VALUE),
            "name_of_64_bits": ({"properties": Longs((0x1152 | 1 << 32, 0, 0))}, VALUE),
            "name_of_high_bits": ({"properties": Longs((1 << 32, 0, 0))}, VALUE),
            "addressing_of_64_bits": ({"properties": Longs((0x1153, 0x1132 | 1 << 32, 0))}, VALUE),
            "filter_of_64_bits": ({"properties": Longs((0x1154, 0x1140 | 1 << 32, 0))}, VALUE),
            "normalized": ({"properties": Longs((0x1152, 2, 0))}, VALUE),
            "addressing": ({"properties": Longs((0x1153, 0xDEAD, 0))}, VALUE),
            "filter": ({"properties": Longs((0x1154, 0xDEAD, 0))}, VALUE),
            "filter_is_addressing": ({"properties": Longs((0x1154, 0x1132, 0))}, VALUE),
            "normalized_twice": ({"properties": Longs((0x1152, 1, 0x1152, 1, 0))}, VALUE),
            "addressing_twice": ({"properties": Longs((0x1153, 0x1132, 0x1153, 0x1132, 0))}, VALUE),
            "filter_twice": ({"properties": Longs((0x1154, 0x1140, 0x1154, 0x1140, 0))}, VALUE),
        },
        requires=("images", "opencl3"),
    ),
    *(replace(row, requires=("images",)) for row in references("Sampler", "sampler")),
    info(
        "clGetSamplerInfo",
        {"sampler": "sampler"},
        {
            "reference_count": (0x1150, 4),
            "context": (0x1151, 8),
            "normalized": (0x1152, 4),
            "addressing": (0x1153, 4),
            "filter": (0x1154, 4),
        },
        requires=("images",),
    ),
)
