"""Calls on kernels and their launches, and the mistakes of these calls (OpenCL API 3.0, 5.9, 5.10)."""

from typing import Any

from .terms import CONTEXT, VALUE, WAITING, Group, Host, Limit, Sizes, Text, call, info, references, waiting

EXECUTABLE = ("CL_INVALID_PROGRAM_EXECUTABLE",)
GROUP = ("CL_INVALID_WORK_GROUP_SIZE",)
ITEM = ("CL_INVALID_WORK_ITEM_SIZE",)
INDEX = ("CL_INVALID_ARG_INDEX",)
NO_POINTER = ("CL_INVALID_ARG_INDEX", "CL_INVALID_ARG_VALUE")
DIMENSION = ("CL_INVALID_WORK_DIMENSION",)
KERNEL = ("CL_INVALID_KERNEL",)
ARGUMENTS = ("CL_INVALID_KERNEL_ARGS",)

_LAUNCH: dict[str, Any] = {
    "queue": "queue",
    "kernel": "empty_kernel",
    "dims": 1,
    "offset": None,
    "global": Sizes((8, 1, 1, 1)),
    "local": None,
    **WAITING,
}
#: The kernel is empty: a driver that accepts the launch computes nothing.
_TOO_BIG = {
    "too_many_in_x": ({"global": Sizes((1 << 20,)), "local": Sizes((1 << 20,))}, GROUP + ITEM),
    "too_many_in_y": ({"dims": 2, "global": Sizes((1, 1 << 20)), "local": Sizes((1, 1 << 20))}, GROUP + ITEM),
    "too_many_in_z": ({"dims": 3, "global": Sizes((1, 1, 1 << 20)), "local": Sizes((1, 1, 1 << 20))}, GROUP + ITEM),
    "group_too_big": (
        {"dims": 2, "global": Sizes((Limit("widest"), Limit("rows"))), "local": Sizes((Limit("widest"), Limit("rows")))},
        GROUP,
    ),
}
#: Work-groups of several items in each of some dimensions: the largest that the kernel allows, and the next larger one.
for _n, _name in enumerate("xyz"):
    _items = Sizes((*(1,) * _n, Limit(f"items_{_name}", 1)))
    _TOO_BIG[f"one_item_too_many_in_{_name}"] = ({"dims": _n + 1, "global": _items, "local": _items}, GROUP + ITEM)
for _name, _dimensions in {"xy": (0, 1), "xz": (0, 2), "yz": (1, 2), "xyz": (0, 1, 2)}.items():
    for _beyond in (False, True):
        _group = Group(_dimensions, _beyond)
        _TOO_BIG[f"group_{'beyond' if _beyond else 'full'}_{_name}"] = (
            {"dims": 3, "global": _group, "local": _group},
            *((GROUP,) if _beyond else (("CL_SUCCESS",), ("execute",))),
        )

_UNSET: dict[str, tuple[Any, ...]] = {
    "unset_arguments": ({"kernel": "bare_kernel"}, ARGUMENTS),
    **{f"unset_{name}": ({"kernel": f"kernel_without_{name}"}, ARGUMENTS) for name in ("first", "second", "last")},
}
_WRAPPING = (1 << 64) - 4
#: In the second and the third dimension.
_WRAPS: dict[str, tuple[Any, ...]] = {
    f"offset_wraps_in_{name}": (
        {"dims": dims, "global": Sizes((8, 8, 8)), "offset": Sizes((0,) * (dims - 1) + (_WRAPPING,))},
        ("CL_INVALID_GLOBAL_OFFSET",),
    )
    for name, dims in (("y", 2), ("z", 3))
}

CALLS = (
    call(
        "clCreateKernel",
        {"program": "built_program", "name": Text("f")},
        {
            "unknown_name": ({"name": Text("no_such_kernel")}, ("CL_INVALID_KERNEL_NAME",)),
            "function_name": ({"name": Text("no_kernel")}, ("CL_INVALID_KERNEL_NAME",)),
            "empty_name": ({"name": Text("")}, ("CL_INVALID_KERNEL_NAME",)),
            "null_name": ({"name": None}, VALUE),
            "not_built": ({"program": "new_program"}, EXECUTABLE),
            "only_compiled": ({"program": "compiled_program"}, EXECUTABLE),
            "build_failed": ({"program": "broken_program"}, EXECUTABLE),
        },
    ),
    call(
        "clCreateKernelsInProgram",
        {"program": "built_program", "count": 16, "kernels": None, "count_ret": Host()},
        {
            "too_few": ({"count": 1, "kernels": Host()}, VALUE),
            "not_built": ({"program": "new_program"}, EXECUTABLE),
            "build_failed": ({"program": "broken_program"}, EXECUTABLE),
        },
    ),
    *references("Kernel", "kernel"),
    call("clCloneKernel", {"kernel": "kernel"}, {}, requires=("opencl3",)),
    call("clSetKernelArg", {"kernel": "kernel", "index": 1, "size": 4, "value": Host()}, {"index": ({"index": 3}, INDEX)}),
    call(
        "clSetKernelArgSVMPointer",
        {"kernel": "kernel", "index": 0, "value": "svm"},
        {
            "index": ({"index": 3}, INDEX),
            "index_far": ({"index": 0xFFFFFFFF}, INDEX),
            # "can only be used for arguments that are declared to be a pointer to global or constant memory"
            "of_a_number": ({"index": 1}, NO_POINTER),
            "of_local_memory": ({"index": 2}, NO_POINTER),
        },
        requires=("svm",),
    ),
    call(
        "clSetKernelExecInfo",
        {"kernel": "kernel", "name": 0x11B6, "size": 8, "value": "svm_pointers"},
        {
            "unknown_name": ({"name": 0xDEAD}, VALUE),
            "null_value": ({"value": None}, VALUE),
            "size_of_pointers": ({"size": 7}, VALUE),
            "size_of_one_and_a_half": ({"size": 12}, VALUE),
            "empty_set": ({"size": 0, "value": None}, ("CL_SUCCESS",)),  # no mistake: no pointers at all
            "size_of_flag": ({"name": 0x11B7, "size": 3, "value": Host()}, VALUE),  # CL_FALSE asks for nothing
            "size_of_two_flags": ({"name": 0x11B7, "size": 8, "value": Host()}, VALUE),
        },
        requires=("svm",),
    ),
    call(
        "clEnqueueNDRangeKernel",
        _LAUNCH,
        {
            "null_kernel": ({"kernel": None}, KERNEL),
            "other_context": ({"kernel": "other_kernel"}, CONTEXT),
            **_UNSET,
            "dimension_zero": ({"dims": 0}, DIMENSION),
            "dimension_too_many": ({"dims": Limit("max_work_item_dimensions", 1)}, DIMENSION),
            "dimension_wraps": ({"dims": 0xFFFFFFFF}, DIMENSION),
            "offset_wraps": ({"offset": Sizes(((1 << 64) - 4,))}, ("CL_INVALID_GLOBAL_OFFSET",)),
            **_WRAPS,
            "not_dividing": ({"global": Sizes((10,)), "local": Sizes((4,))}, GROUP),
            "not_dividing_in_y": ({"dims": 2, "global": Sizes((4, 10)), "local": Sizes((1, 4))}, GROUP),
            "not_dividing_in_z": ({"dims": 3, "global": Sizes((1, 1, 7)), "local": Sizes((1, 1, 2))}, GROUP),
            "group_larger_than_grid": ({"global": Sizes((2,)), "local": Sizes((4,))}, GROUP),
            # No size is a multiple of 0, and a size of 0 is not NULL.
            "local_zero": ({"local": Sizes((0,))}, GROUP),
            "local_zero_in_y": ({"dims": 2, "global": Sizes((4, 4)), "local": Sizes((2, 0))}, GROUP),
            "local_zero_in_z": ({"dims": 3, "global": Sizes((4, 4, 4)), "local": Sizes((2, 2, 0))}, GROUP),
            "local_zero_everywhere": ({"dims": 3, "global": Sizes((4, 4, 4)), "local": Sizes((0, 0, 0))}, GROUP),
            "local_zero_of_required": ({"kernel": "kernel_of_four", "local": Sizes((0,))}, GROUP),
            "not_required": ({"kernel": "kernel_of_four", "local": Sizes((2,))}, GROUP),
            "not_required_in_y": (
                {"kernel": "kernel_of_four", "dims": 2, "global": Sizes((8, 2)), "local": Sizes((4, 2))},
                GROUP,
            ),
            "not_required_in_z": (
                {"kernel": "kernel_of_four", "dims": 3, "global": Sizes((8, 1, 2)), "local": Sizes((4, 1, 2))},
                GROUP,
            ),
            **_TOO_BIG,
        },
        waiting(),
    ),
    call(
        "clEnqueueTask",
        {"queue": "queue", "kernel": "empty_kernel", **WAITING},
        {
            "null_kernel": ({"kernel": None}, KERNEL),
            "other_context": ({"kernel": "other_kernel"}, CONTEXT),
            **_UNSET,
            "not_required": ({"kernel": "kernel_of_four"}, GROUP),
        },
        waiting(),
    ),
    info(
        "clGetKernelInfo",
        {"kernel": "kernel"},
        {
            "function_name": (0x1190, 2),
            "num_args": (0x1191, 4),
            "reference_count": (0x1192, 4),
            "context": (0x1193, 8),
            "program": (0x1194, 8),
            "attributes": (0x1195, 1),
        },
    ),
    info(
        "clGetKernelArgInfo",
        {"kernel": "kernel", "index": 0},
        {
            "address": (0x1196, 4),
            "access": (0x1197, 4),
            "type_name": (0x1198, 5),
            "type_qualifier": (0x1199, 8),
            "name": (0x119A, 2),
        },
        {"index": ({"index": 3}, INDEX), "index_far": ({"index": 0xFFFFFFFF}, INDEX)},
    ),
    info(
        "clGetKernelWorkGroupInfo",
        {"kernel": "kernel", "device": "device"},
        {
            "size": (0x11B0, 8),
            "compile_size": (0x11B1, 24),
            "local_mem": (0x11B2, 8),
            "multiple": (0x11B3, 8),
            "private_mem": (0x11B4, 8),
        },
        # On a custom device, CL_KERNEL_GLOBAL_WORK_SIZE is valid for every kernel.
        {"global_size_of_a_normal_kernel": ({"name": 0x11B5}, VALUE, (), "TYPE & 0x10")},
    ),
    call(
        "clGetKernelSubGroupInfo",
        {
            "kernel": "kernel",
            "device": "device",
            "name": 0x2033,
            "input_size": 8,
            "input": Sizes((64, 1, 1)),
            "size": 8,
            "value": Host(),
            "size_ret": None,
        },
        {
            "unknown_name": ({"name": 0xDEAD}, VALUE),
            "short.max_size": ({"size": 7}, VALUE),
            "short.count": ({"name": 0x2034, "size": 7}, VALUE),
            "short.max_number": ({"name": 0x11B9, "size": 7}, VALUE),
            "short.compile_number": ({"name": 0x11BA, "size": 7}, VALUE),
            "input_size_zero": ({"input_size": 0}, VALUE),
            "input_size_odd": ({"input_size": 12}, VALUE),
            "input_size_of_four": ({"input_size": 32, "input": Sizes((8, 1, 1, 1))}, VALUE),  # of three dimensions at most
            "input_null": ({"input": None}, VALUE),
            **{
                f"{name}.{wrong}": ({"name": enum, **change}, VALUE)
                for name, enum, odd in (("count", 0x2034, 12), ("local_size", 0x11B8, 12))
                for wrong, change in (
                    ("input_null", {"input": None}),
                    ("input_size_zero", {"input_size": 0}),
                    ("input_size_odd", {"input_size": odd}),
                    ("input_size_of_four", {"input_size": 32, "input": Sizes((8, 1, 1, 1))}),
                )
            },
        },
        requires=("subgroups",),
    ),
    call(
        "clGetKernelSuggestedLocalWorkSizeKHR",
        {
            "queue": "queue",
            "kernel": "empty_kernel",
            "dims": 1,
            "offset": Sizes((0, 0, 0, 0)),
            "global": Sizes((64, 1, 1, 1)),
            "suggested": Host(),
        },
        {
            "null_kernel": ({"kernel": None}, KERNEL),
            "other_context": ({"kernel": "other_kernel"}, CONTEXT),
            **_UNSET,
            "dimension_zero": ({"dims": 0}, DIMENSION),
            "dimension_too_many": ({"dims": Limit("max_work_item_dimensions", 1)}, DIMENSION),
            "null_global": ({"global": None}, ("CL_INVALID_GLOBAL_WORK_SIZE",)),
            "global_zero": ({"global": Sizes((0,))}, ("CL_INVALID_GLOBAL_WORK_SIZE",)),
            "global_zero_in_y": ({"dims": 2, "global": Sizes((8, 0))}, ("CL_INVALID_GLOBAL_WORK_SIZE",)),
            "global_zero_in_z": ({"dims": 3, "global": Sizes((8, 8, 0))}, ("CL_INVALID_GLOBAL_WORK_SIZE",)),
            "offset_wraps": ({"offset": Sizes(((1 << 64) - 4,))}, ("CL_INVALID_GLOBAL_OFFSET",)),
            **_WRAPS,
            "null_offset": ({"offset": None}, ("CL_SUCCESS",)),  # no mistake: then it is 0
            "null_suggestion": ({"suggested": None}, VALUE),
        },
        requires=("cl_khr_suggested_local_work_size",),
    ),
)
