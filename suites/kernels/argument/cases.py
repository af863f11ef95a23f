"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from runner.model import Case

from ..areas import Area
from ..coverage import Row
from ..kit.needs import needs
from .table import (
    BAD_VALUES,
    CLASSES,
    DECLARATIONS,
    GROUPS,
    SCALARS,
    STRUCTS,
    SUB_GROUPS,
    SUGGESTED,
    UNUSED,
    UNUSED_OBJECTS,
    WIDTHS,
    bad_sizes,
)

_SET = "OpenCL API 3.0, 5.9.2"
_QUERIES = "OpenCL API 3.0, 5.9.4"
ROWS = [
    Row("kernels/argument/value.*", "Scalars and vectors by value", _SET, "basic"),
    Row("kernels/argument/struct.*", "Structures by value", _SET, "basic"),
    Row("kernels/argument/pointer.*", "Pointers: buffers, sub-buffers, NULL, local memory, SVM", _SET, "api"),
    Row("kernels/argument/image.*", "Images and samplers", _SET, "basic"),
    Row(
        "kernels/argument/many.*",
        "Many arguments, up to CL_DEVICE_MAX_PARAMETER_SIZE",
        "OpenCL API 3.0, 4.2",
        "api",
    ),
    Row("kernels/argument/refuse_size.*", "clSetKernelArg: sizes that do not match", _SET, "api"),
    Row("kernels/argument/refuse_value.*", "clSetKernelArg: values that are not valid", _SET, "api"),
    Row(
        "kernels/argument/kept.*",
        "Arguments kept: by a kernel, a clone, a command",
        "OpenCL API 3.0, 5.9.2, 5.9.3",
        "api",
    ),
    Row("kernels/argument/unused.*", "Arguments that the kernel never uses", _SET, "api"),
    Row("kernels/argument/info.*", "clGetKernelArgInfo", _QUERIES, "api"),
    Row("kernels/argument/kernel_info.*", "clGetKernelInfo", _QUERIES, "api"),
    Row("kernels/argument/group_info.*", "clGetKernelWorkGroupInfo", _QUERIES, "api"),
    Row("kernels/argument/suggested.*", "clGetKernelSuggestedLocalWorkSizeKHR", "OpenCL API 3.0, 5.9.4", "api"),
    Row("kernels/argument/sub_group_info.*", "clGetKernelSubGroupInfo", _QUERIES, "subgroups"),
]

_POINTERS = {
    "null": (),
    "null_object": (),
    "constant_null": (),
    "sub_buffer": (),
    "constant": (),
    "local": (),
    "local_two": (),
    "alias": (),
    "svm": ("svm",),
    "svm_constant": ("svm",),
    "svm_offset": ("svm",),
    "svm_then_buffer": ("svm",),
    "buffer_then_null": (),
}
_KEPT = {
    "relaunch": (),
    "copied_at_once": (),
    "scalar_of_a_waiting_command": (),
    "buffer_of_a_waiting_command": (),
    "local_of_a_waiting_command": (),
    "released_buffer": (),
    "released_kernel": (),
    "released_program": (),
    "two_kernels": (),
    "clone": ("opencl3",),
    "clone_then_set": ("opencl3",),
    "clone_then_set_clone": ("opencl3",),
    "clone_of_clone": ("opencl3",),
    "clone_outlives": ("opencl3",),
    "clone_incomplete": ("opencl3",),
    "clone_local": ("opencl3",),
    "clone_references": ("opencl3",),
    "clone_svm": ("opencl3", "svm"),
}
_IMAGES = {
    "read_2d": (),
    "read_1d": (),
    "read_3d": (),
    "read_2d_array": (),
    "read_1d_array": (),
    "read_1d_buffer": (),
    "write_2d": ("images_write",),
    "two_images": (),
    "unused_height_1d_array": (),
    "sampler_nearest": (),
    "two_samplers": (),
    "reset": (),
}
_ATTRIBUTES = ("none", "reqd", "hint", "reqd_3d", "hint_3d", "vec_type", "two")
_HINTED = {
    **{scalar: (scalar,) for scalar in ("uchar", "ushort", "uint", "ulong", "half", "float", "double")},
    "signed": ("char", "short", "int", "long"),
}
_AREA = Area("argument")


def cases() -> Iterator[Case]:
    """Every kind of argument passed, refused, kept and asked about."""
    run = ("execute",)
    for scalar in SCALARS:
        for width in WIDTHS:
            params = {"type": scalar, "width": width}
            group = f"argument.value.{scalar}"
            yield _AREA.case(f"value.{scalar}.{width}", "value", *needs(scalar), in_group=group, params=params)
    for name, members in STRUCTS.items():
        types = [member.rstrip("0123456789") for member, _ in members]
        yield _AREA.case(f"struct.{name}", "struct", *needs(*types), struct=name)
    for name, features in _POINTERS.items():
        yield _AREA.case(f"pointer.{name}", "pointer", *run, *features, in_group="argument.pointer", way=name)
    for name, features in _IMAGES.items():
        yield _AREA.case(f"image.{name}", "image", "images", *features, way=name)
    for name in ("uint", "ulong", "float16", "buffer", "constant", "mixed", "float16_limit", "uchar_few_used"):
        yield _AREA.case(f"many.{name}", "many", *(needs(name) if name in SCALARS else ()), kind=name)
    yield from _refused()
    for name, features in _KEPT.items():
        yield _AREA.case(f"kept.{name}", "kept", *run, *features, in_group="argument.kept", way=name)
    for kind in UNUSED:
        for way in ("set", "not_set", *(("released",) if kind in UNUSED_OBJECTS else ())):
            requires = (*run, *UNUSED_OBJECTS.get(kind, ()))
            params = {"kind": kind, "way": way}
            yield _AREA.case(f"unused.{kind}.{way}", "unused", *requires, in_group=f"argument.unused.{kind}", params=params)
    for kind in ("image", "write_image", "sampler"):
        yield _AREA.case(f"unused.beside.{kind}", "unused_beside", *run, *UNUSED_OBJECTS[kind], kind=kind)
    for kind, where in product(("value", "buffer", "local", "image"), ("with", "without")):
        requires = (*run, *UNUSED_OBJECTS.get(kind, ()))
        yield _AREA.case(f"unused.{where}_offset.{kind}", "unused_by_offset", *requires, kind=kind, where=where)
    yield from _queries()


def _queries() -> Iterator[Case]:
    run = ("execute",)
    for name, declaration in DECLARATIONS.items():
        yield _AREA.case(f"info.{name}", "info", *declaration.requires, declaration=name)
    yield _AREA.case("info.not_available", "no_info")
    for name in ("function_name", "num_args", "reference_count", "context", "program"):
        yield _AREA.case(f"kernel_info.{name}", "kernel_info", in_group="argument.kernel_info", query=name)
    for name in _ATTRIBUTES:
        yield _AREA.case(f"kernel_info.attributes.{name}", "attributes", in_group="argument.attributes", attribute=name)
    for name in ("reqd", "vec_type"):
        yield _AREA.case(f"kernel_info.attributes_of_binary.{name}", "attributes_of_binary", attribute=name)
    for name, scalars in _HINTED.items():
        types = [f"{scalar}{width}" for scalar in scalars for width in (2, 3, 4, 8, 16)]
        yield _AREA.case(f"kernel_info.vec_type_hint.{name}", "vec_type_hint", *needs(*scalars), types=types)
    types = ["uchar", "ushort", "uint", "float"]
    yield _AREA.case("kernel_info.vec_type_hint.scalars", "vec_type_hint", types=types)
    for sizes in GROUPS:
        yield _AREA.case(f"group_info.reqd.{_dims(sizes)}", "required_size", size=list(sizes))
    for name in (
        "size",
        "compile_size",
        "local",
        "local_argument",
        "local_both",
        "multiple",
        "private",
        "null_device",
    ):
        yield _AREA.case(f"group_info.{name}", "group_info", in_group="argument.group_info", query=name)
    yield _AREA.case("group_info.launch_largest", "launch_largest", *run, in_group="argument.group_info")
    for sizes in SUGGESTED:
        yield _AREA.case(f"suggested.{_dims(sizes)}", "suggested", "cl_khr_suggested_local_work_size", size=list(sizes))
    for word in ("required", "offset", "local_argument"):
        yield _AREA.case(f"suggested.{word}", "suggested_for", "cl_khr_suggested_local_work_size", word=word)
    for sizes in SUB_GROUPS:
        yield _AREA.case(f"sub_group_info.{_dims(sizes)}", "sub_group_count", "subgroups", *run, size=list(sizes))
    for count in (1, 2, 3, 8, "most"):
        yield _AREA.case(f"sub_group_info.local_size_for_{count}", "sub_group_local", "subgroups", count=count)
    for name in ("max_number", "compile_number", "dimensions_of_local_size", "too_many", "null_device"):
        yield _AREA.case(f"sub_group_info.{name}", "sub_group_info", "subgroups", query=name)


def _refused() -> Iterator[Case]:
    for name, (kind, index, size) in bad_sizes().items():
        value = {"image": "image2d", "write_image": "image2d", "sampler": "sampler"}.get(kind, "zeros")
        params = {
            "kernel": "plain" if kind in CLASSES else "images",
            "index": index,
            "size": size,
            "value": value,
            "errors": ["CL_INVALID_ARG_SIZE"],
        }
        images = () if kind in CLASSES else ("images", "images_write")
        yield _AREA.case(f"refuse_size.{name}", "refuse", *images, in_group="argument.refuse", params=params)
    yield _AREA.case("refuse_size.local.zero", "local_zero", in_group="argument.refuse")
    for name, (kernel, index, size, value, errors, features) in BAD_VALUES.items():
        params = {"kernel": kernel, "index": index, "size": size, "value": value, "errors": list(errors)}
        yield _AREA.case(
            f"refuse_value.{name}",
            "refuse",
            *features,
            in_group="argument.refuse",
            params=params,
        )


def _dims(size: tuple[int, ...]) -> str:
    return "x".join(map(str, size))
