"""The cases of the area."""

from collections.abc import Iterator
from typing import Any

from runner.model import Case

from ..areas import Area, combine
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

_POINTERS = (
    *("null", "null_object", "constant_null", "sub_buffer", "constant", "local", "local_two", "alias"),
    *("svm", "svm_constant", "svm_offset", "svm_then_buffer", "buffer_then_null"),
)
_KEPT = (
    *("relaunch", "copied_at_once", "scalar_of_a_waiting_command", "buffer_of_a_waiting_command"),
    *("local_of_a_waiting_command", "released_buffer", "released_kernel", "released_program", "two_kernels"),
    *("clone", "clone_then_set", "clone_then_set_clone", "clone_of_clone", "clone_outlives", "clone_incomplete"),
    *("clone_local", "clone_references", "clone_svm"),
)
_IMAGES = (
    *("read_2d", "read_1d", "read_3d", "read_2d_array", "read_1d_array", "read_1d_buffer", "write_2d"),
    *("two_images", "unused_height_1d_array", "sampler_nearest", "two_samplers", "reset"),
)
_ATTRIBUTES = ("none", "reqd", "hint", "reqd_3d", "hint_3d", "vec_type", "two")
_HINTED = {
    **{scalar: (scalar,) for scalar in ("uchar", "ushort", "uint", "ulong", "half", "float", "double")},
    "signed": ("char", "short", "int", "long"),
}
_AREA = Area("argument")
_REFUSE = "argument.refuse"


def cases() -> Iterator[Case]:
    """Arguments of every kind: passed, refused, kept and queried."""
    run = ("execute",)
    rows = combine(type=SCALARS, width=WIDTHS)
    yield from _AREA.each("value.{type}.{width:d}", "value", rows, in_group="argument.value.{type}")
    for name, members in STRUCTS.items():
        types = [member.rstrip("0123456789") for member, _ in members]
        yield _AREA.case("struct.{struct}", "struct", *needs(*types), struct=name)
    yield from _AREA.each("struct.indexed.{before}", "indexed", combine(before=(0, 1, 5, 7, 30)))
    yield _AREA.case("struct.at_hand", "at_hand")
    for name in _POINTERS:
        features = ("svm",) * name.startswith("svm")
        yield _AREA.case("pointer.{way}", "pointer", *run, *features, in_group="argument.pointer", way=name)
    for name in _IMAGES:
        yield _AREA.case("image.{way}", "image", "images", *("images_write",) * name.startswith("write"), way=name)
    for name in ("uint", "ulong", "float16", "buffer", "constant", "mixed", "float16_limit", "uchar_few_used"):
        yield _AREA.case("many.{kind}", "many", *needs(name), kind=name)
    yield from _refused()
    for name in _KEPT:
        features = (*("opencl3",) * name.startswith("clone"), *("svm",) * name.endswith("svm"))
        yield _AREA.case("kept.{way}", "kept", *run, *features, in_group="argument.kept", way=name)
    for kind in UNUSED:
        rows = combine(kind=[kind], way=("set", "not_set", *(("released",) if kind in UNUSED_OBJECTS else ())))
        needed = (*run, *UNUSED_OBJECTS.get(kind, ()))
        yield from _AREA.each("unused.{kind}.{way}", "unused", rows, *needed, in_group="argument.unused.{kind}")
    for kind in ("image", "write_image", "sampler"):
        yield _AREA.case("unused.beside.{kind}", "unused_beside", *run, *UNUSED_OBJECTS[kind], kind=kind)
    for params in combine(kind=("image", "write_image"), way=("asked", "by_offset")):
        needed = (*run, *UNUSED_OBJECTS[params["kind"]])
        yield _AREA.case("unused.beside.{kind}.{way}", "unused_beside", *needed, params=params)
    for params in combine(kind=("value", "buffer", "local", "image"), where=("with", "without")):
        needed = (*run, *UNUSED_OBJECTS.get(params["kind"], ()))
        yield _AREA.case("unused.{where}_offset.{kind}", "unused_by_offset", *needed, params=params)
    yield from _queries()


def _queries() -> Iterator[Case]:
    run = ("execute",)
    for name, declaration in DECLARATIONS.items():
        yield _AREA.case("info.{declaration}", "info", *declaration.requires, declaration=name)
    yield _AREA.case("info.not_available", "no_info")
    rows = combine(query=("function_name", "num_args", "reference_count", "context", "program"))
    yield from _AREA.each("kernel_info.{query}", "kernel_info", rows, in_group="argument.kernel_info")
    rows = combine(attribute=_ATTRIBUTES)
    yield from _AREA.each("kernel_info.attributes.{attribute}", "attributes", rows, in_group="argument.attributes")
    rows = combine(attribute=("reqd", "vec_type"))
    yield from _AREA.each("kernel_info.attributes_of_binary.{attribute}", "attributes_of_binary", rows)
    for name, scalars in _HINTED.items():
        types = [f"{scalar}{width}" for scalar in scalars for width in (2, 3, 4, 8, 16)]
        yield _AREA.case(f"kernel_info.vec_type_hint.{name}", "vec_type_hint", *needs(*scalars), types=types)
    yield _AREA.case("kernel_info.vec_type_hint.scalars", "vec_type_hint", types=["uchar", "ushort", "uint", "float"])
    yield from _AREA.each("group_info.reqd.{size}", "required_size", combine(size=map(list, GROUPS)))
    queries = ("size", "compile_size", "local", "local_argument", "local_both", "multiple", "private", "null_device")
    yield from _AREA.each("group_info.{query}", "group_info", combine(query=queries), in_group="argument.group_info")
    yield _AREA.case("group_info.launch_largest", "launch_largest", *run, in_group="argument.group_info")
    suggested = "cl_khr_suggested_local_work_size"
    yield from _AREA.each("suggested.{size}", "suggested", combine(size=map(list, SUGGESTED)), suggested)
    rows = combine(word=("required", "offset", "local_argument"))
    yield from _AREA.each("suggested.{word}", "suggested_for", rows, suggested)
    rows = combine(size=map(list, SUB_GROUPS))
    yield from _AREA.each("sub_group_info.{size}", "sub_group_count", rows, "subgroups", *run)
    rows = combine(count=(1, 2, 3, 8, "most"))
    yield from _AREA.each("sub_group_info.local_size_for_{count}", "sub_group_local", rows, "subgroups")
    numbers = ("max_number", "compile_number", "dimensions_of_local_size", "too_many", "null_device")
    yield from _AREA.each("sub_group_info.{query}", "sub_group_info", combine(query=numbers), "subgroups")


def _refused() -> Iterator[Case]:
    for name, (kind, index, size) in bad_sizes().items():
        value = {"image": "image2d", "write_image": "image2d", "sampler": "sampler"}.get(kind, "zeros")
        params: dict[str, Any] = {"index": index, "size": size, "value": value, "errors": ["CL_INVALID_ARG_SIZE"]}
        kernel, images = ("plain", ()) if kind in CLASSES else ("images", ("images", "images_write"))
        yield _AREA.case(f"refuse_size.{name}", "refuse", *images, in_group=_REFUSE, params=params, kernel=kernel)
    yield _AREA.case("refuse_size.local.zero", "local_zero", in_group=_REFUSE)
    for name, (kernel, index, size, value, errors, features) in BAD_VALUES.items():
        params = {"kernel": kernel, "index": index, "size": size, "value": value, "errors": list(errors)}
        yield _AREA.case(f"refuse_value.{name}", "refuse", *features, in_group=_REFUSE, params=params)
