"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case, Tier

from ..coverage import Row
from ..needs import needs
from .table import (
    BAD_VALUES,
    CLASSES,
    DECLARATIONS,
    GROUPS,
    SCALARS,
    STRUCTS,
    SUB_GROUPS,
    SUGGESTED,
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
_ATTRIBUTES = ("none", "reqd", "hint", "vec_type", "two")
_PREMERGE = (
    "value.int.1",
    "value.uchar.3",
    "value.float.4",
    "value.ulong.16",
    "struct.char_long",
    "struct.int16_short",
    "pointer.null",
    "pointer.sub_buffer",
    "pointer.local_two",
    "image.read_2d",
    "image.two_samplers",
    "many.ulong",
    "many.buffer",
    "kept.scalar_of_a_waiting_command",
    "kept.buffer_of_a_waiting_command",
    "kept.clone_then_set",
    "kept.relaunch",
    "suggested.12x10x6",
    "suggested.97",
    "sub_group_info.33",
    "group_info.reqd.4x2x1",
    "group_info.local",
    "group_info.launch_largest",
)


def cases() -> Iterator[Case]:
    """Every kind of argument passed, refused, kept and asked about."""
    for case in _all():
        name = case.id.removeprefix("kernels/argument/")
        always = name.startswith(("refuse_", "info.", "kernel_info."))
        tier = Tier.PREMERGE if (always and name != "refuse_value.image_null") or name in _PREMERGE else Tier.FULL
        yield Case(case.id, case.kind, case.params, case.requires, tier, case.group)


def _all() -> Iterator[Case]:
    run = ("execute",)
    for scalar in SCALARS:
        for width in WIDTHS:
            params = {"type": scalar, "width": width}
            group = f"argument.value.{scalar}"
            yield _case(f"value.{scalar}.{width}", "value", params, needs(scalar), group)
    for name, members in STRUCTS.items():
        types = [member.rstrip("0123456789") for member, _ in members]
        yield _case(f"struct.{name}", "struct", {"struct": name}, needs(*types))
    for name, features in _POINTERS.items():
        yield _case(f"pointer.{name}", "pointer", {"way": name}, (*run, *features), "argument.pointer")
    for name, features in _IMAGES.items():
        yield _case(f"image.{name}", "image", {"way": name}, ("images", *features))
    for name in ("uint", "ulong", "float16", "buffer", "constant", "mixed", "float16_limit"):
        yield _case(f"many.{name}", "many", {"kind": name}, needs(name) if name in SCALARS else ())
    for name, (kind, index, size) in bad_sizes().items():
        value = {"image": "image2d", "write_image": "image2d", "sampler": "sampler"}.get(kind, "zeros")
        params = {
            "kernel": "plain" if kind in CLASSES else "images",
            "index": index,
            "size": size,
            "value": value,
            "errors": ["CL_INVALID_ARG_SIZE"],
        }
        features = () if kind in CLASSES else ("images", "images_write")
        yield _case(f"refuse_size.{name}", "refuse", params, features, "argument.refuse")
    yield _case("refuse_size.local.zero", "local_zero", {}, (), "argument.refuse")
    for name, (kernel, index, size, value, errors, features) in BAD_VALUES.items():
        params = {"kernel": kernel, "index": index, "size": size, "value": value, "errors": list(errors)}
        yield _case(f"refuse_value.{name}", "refuse", params, features, "argument.refuse")
    for name, features in _KEPT.items():
        yield _case(f"kept.{name}", "kept", {"way": name}, (*run, *features), "argument.kept")
    for name, declaration in DECLARATIONS.items():
        yield _case(f"info.{name}", "info", {"declaration": name}, declaration.requires)
    yield _case("info.not_available", "no_info", {})
    for name in ("function_name", "num_args", "reference_count", "context", "program"):
        yield _case(f"kernel_info.{name}", "kernel_info", {"query": name}, (), "argument.kernel_info")
    for name in _ATTRIBUTES:
        yield _case(f"kernel_info.attributes.{name}", "attributes", {"attribute": name}, (), "argument.attributes")
    for group in GROUPS:
        yield _case(f"group_info.reqd.{_dims(group)}", "required_size", {"size": list(group)})
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
        yield _case(f"group_info.{name}", "group_info", {"query": name}, (), "argument.group_info")
    yield _case("group_info.launch_largest", "launch_largest", {}, run, "argument.group_info")
    for size in SUGGESTED:
        yield _case(
            f"suggested.{_dims(size)}",
            "suggested",
            {"size": list(size)},
            ("cl_khr_suggested_local_work_size",),
        )
    for word in ("required", "offset", "local_argument"):
        yield _case(f"suggested.{word}", "suggested_for", {"word": word}, ("cl_khr_suggested_local_work_size",))
    for size in SUB_GROUPS:
        yield _case(f"sub_group_info.{_dims(size)}", "sub_group_count", {"size": list(size)}, ("subgroups", *run))
    for count in (1, 2, 3, 8):
        yield _case(f"sub_group_info.local_size_for_{count}", "sub_group_local", {"count": count}, ("subgroups",))
    for name in ("max_number", "compile_number", "dimensions_of_local_size", "too_many", "null_device"):
        yield _case(f"sub_group_info.{name}", "sub_group_info", {"query": name}, ("subgroups",))


def _dims(size: tuple[int, ...]) -> str:
    return "x".join(map(str, size))


def _case(name: str, kind: str, params: dict[str, object], requires: tuple[str, ...] = (), group: str = "") -> Case:
    return Case(f"kernels/argument/{name}", f"argument.{kind}", params, requires, group=group or None)
