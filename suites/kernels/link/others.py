"""The builtins that do not come in the widths of a type: atomics, images, and functions of groups of work-items.

Plain Python, because the catalogue reads it too; the templates are explained in overload.py. OpenCL C 3.0, 6.15.
"""

from collections.abc import Iterator

from .overload import CL3, TYPES, Overload, unfold

_BASE = ("add", "sub", "xchg", "inc", "dec", "cmpxchg")
_EXTENDED = ("min", "max", "and", "or", "xor")
_OPERANDS = {"inc": "", "dec": "", "cmpxchg": ", s, s"}
_C3 = ("opencl_c_3.0",)


def atomics() -> Iterator[Overload]:
    """The atomics of OpenCL C 1.x (6.15.12.8) and of their extensions."""
    for space in ("global", "local"):
        for name in (*_BASE, *_EXTENDED):
            tail = f"(volatile {space} s*{_OPERANDS.get(name, ', s')}) : {space}"
            kind = "base" if name in _BASE else "extended"
            yield from unfold(f"s atomic_{name}{tail}", ("int", "uint"))
            early = (f"cl_khr_{space}_int32_{kind}_atomics",)
            yield from unfold(f"s atom_{name}{tail}", ("int", "uint"), requires=early)
            yield from unfold(f"s atom_{name}{tail}", ("long", "ulong"), requires=(f"cl_khr_int64_{kind}_atomics",))
        yield from unfold(f"s atomic_xchg(volatile {space} s*, s) : {space}", ("float",))


def c11_atomics() -> Iterator[Overload]:
    """6.15.12.7: with the order and the scope that every device has, and the short forms if the device supports those."""
    explicit = "=memory_order_relaxed, =memory_scope_work_group"
    full = (*_C3, "__opencl_c_atomic_order_seq_cst", "__opencl_c_atomic_scope_device")
    int64 = ("cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics")
    for name in ("int", "uint", "float", "long", "ulong"):
        wide = int64 if name in ("long", "ulong") else ()
        for space in ("global", "local"):
            object_ = f"volatile {space} atomic_{name}*"
            plain = [("void", "store", ", s"), ("s", "load", ""), ("s", "exchange", ", s")]
            if name != "float":
                plain += [("s", f"fetch_{op}", ", s") for op in ("add", "sub", "or", "xor", "and", "min", "max")]
            yield from unfold(f"void atomic_init({object_}, s) : {space}", (name,), (1,), (*_C3, *wide), CL3)
            for result, op, more in plain:
                long = f"{result} atomic_{op}_explicit({object_}{more}, {explicit}) : {space}"
                yield from unfold(long, (name,), (1,), (*_C3, *wide), CL3)
                short = f"{result} atomic_{op}({object_}{more}) : {space}"
                yield from unfold(short, (name,), (1,), (*full, *wide), CL3)
            for strength in ("strong", "weak"):
                compare = f"bool atomic_compare_exchange_{strength}_explicit({object_}, private s*, s, =memory_order_relaxed"
                yield from unfold(f"{compare}, {explicit}) : {space}", (name,), (1,), (*_C3, *wide), CL3)
    for space in ("global", "local"):
        flag = f"volatile {space} atomic_flag*"
        yield from unfold(f"bool atomic_flag_test_and_set_explicit({flag}, {explicit}) : {space}", requires=_C3, options=CL3)
        yield from unfold(f"void atomic_flag_clear_explicit({flag}, {explicit}) : {space}", requires=_C3, options=CL3)
    fence = "void atomic_work_item_fence(=CLK_LOCAL_MEM_FENCE, =memory_order_acq_rel, =memory_scope_work_group)"
    yield from unfold(fence, requires=_C3, options=CL3)


_COORDINATES: dict[str, int] = {
    "image1d_t": 1,
    "image1d_array_t": 2,
    "image1d_buffer_t": 1,
    "image2d_t": 2,
    "image2d_array_t": 4,
    "image2d_depth_t": 2,
    "image2d_array_depth_t": 4,
    "image3d_t": 4,
}
_PIXELS = {"f": "float4", "i": "int4", "ui": "uint4", "h": "half4"}


def images() -> Iterator[Overload]:
    """6.15.15: each image type read with and without a sampler, written, and queried."""
    for image, width in _COORDINATES.items():
        place = "" if width == 1 else str(width)
        pixels = {"f": "float"} if "depth" in image else _PIXELS
        for access in ("read_only", "write_only", "read_write"):
            needed = ["images"]
            needed += ["images_write"] if access != "read_only" else []
            needed += ["images3d_write"] if access != "read_only" and "3d" in image else []
            needed += ["cl_khr_depth_images"] if "depth" in image else []
            options = CL3 if access == "read_write" else ""
            needed += [*_C3, "__opencl_c_read_write_images"] if options else []
            word = f"{image.removesuffix('_t')}.{access}"
            calls: list[tuple[str, str, tuple[str, ...]]] = [
                (f"{result} {name}({access} {image})", word, ()) for result, name in _queries(image)
            ]
            for letter, pixel in pixels.items():
                half = ("fp16",) if letter == "h" else ()
                if access != "write_only":
                    calls.append((f"{pixel} read_image{letter}({access} {image}, int{place})", word, half))
                if access != "read_only":
                    calls.append((f"void write_image{letter}({access} {image}, int{place}, {pixel})", word, half))
                if access == "read_only" and "buffer" not in image:
                    for kind in ("int", "float"):
                        call = f"{pixel} read_image{letter}({access} {image}, sampler_t, {kind}{place})"
                        calls.append((call, f"{word}.sampler_{kind}", half))
            for call, variant, more in calls:
                yield from unfold(f"{call} : {variant}", requires=(*needed, *more), options=options)


def _queries(image: str) -> Iterator[tuple[str, str]]:
    for name in ("width", "channel_data_type", "channel_order"):
        yield "int", f"get_image_{name}"
    if "1d" not in image:
        yield "int", "get_image_height"
        yield "int4" if "3d" in image else "int2", "get_image_dim"
    if "3d" in image:
        yield "int", "get_image_depth"
    if "array" in image:
        yield "size_t", "get_image_array_size"


def work_items() -> Iterator[Overload]:
    """Work-item functions (6.15.1), synchronisation (6.15.8, 6.15.9), address spaces (6.15.10), printf (6.15.14)."""
    yield from unfold("uint get_work_dim()")
    for name in ("global_size", "global_id", "local_size", "local_id", "num_groups", "group_id", "global_offset"):
        yield from unfold(f"size_t get_{name}(uint)")
    yield from unfold("size_t get_enqueued_local_size(uint)", requires=_C3, options=CL3)
    for name in ("global_linear_id", "local_linear_id"):
        yield from unfold(f"size_t get_{name}()", requires=_C3, options=CL3)
    for name in ("barrier", "mem_fence", "read_mem_fence", "write_mem_fence"):
        yield from unfold(f"void {name}(=CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)")
    scope = ", =memory_scope_work_group) : scope"
    for tail in (")", scope):
        yield from unfold(f"void work_group_barrier(=CLK_LOCAL_MEM_FENCE{tail}", requires=_C3, options=CL3)
    generic = (*_C3, "__opencl_c_generic_address_space")
    yield from unfold("uint get_fence(=(uint *)r)", requires=generic, options=CL3)
    for space in ("global", "local", "private"):
        template = f"uint get_fence(=to_{space}((uint *)r)) : to_{space}"
        yield from unfold(template, requires=generic, options=CL3)
    yield from unfold('int printf(="%d %s", int, ="x")', requires=("printf",))
    yield from unfold('int printf(="%v4f", float4) : vector', requires=("printf",))


_NUMBERS = ("int", "uint", "long", "ulong", "half", "float", "double")
_COMBINED = tuple(f"{kind}_{op}" for kind in ("reduce", "scan_exclusive", "scan_inclusive") for op in ("add", "min", "max"))


def groups() -> Iterator[Overload]:
    """Collectives of a work-group (6.15.16) and of a sub-group (6.15.20), and the sub-group extensions."""
    group = (*_C3, "__opencl_c_work_group_collective_functions")
    for name in ("all", "any"):
        yield from unfold(f"int work_group_{name}(int)", requires=group, options=CL3)
    for dims in (1, 2, 3):
        call = f"s work_group_broadcast(s{', size_t' * dims}) : {dims}d"
        yield from unfold(call, _NUMBERS, (1,), group, CL3)
    sub = ("subgroups", *_C3, "__opencl_c_subgroups")
    for scope in ("", ", =memory_scope_sub_group) : scope"):
        call = f"void sub_group_barrier(=CLK_LOCAL_MEM_FENCE{scope or ')'}"
        yield from unfold(call, requires=sub, options=CL3)
    for name in (
        "sub_group_size",
        "max_sub_group_size",
        "num_sub_groups",
        "enqueued_num_sub_groups",
        "sub_group_id",
        "sub_group_local_id",
    ):
        yield from unfold(f"uint get_{name}()", requires=sub, options=CL3)
    for name in ("all", "any"):
        yield from unfold(f"int sub_group_{name}(int)", requires=sub, options=CL3)
    yield from unfold("s sub_group_broadcast(s, uint)", _NUMBERS, (1,), sub, CL3)
    for name in _COMBINED:
        yield from unfold(f"s work_group_{name}(s)", _NUMBERS, (1,), group, CL3)
        yield from unfold(f"s sub_group_{name}(s)", _NUMBERS, (1,), sub, CL3)
    yield from _extended_sub_groups()


def _extended_sub_groups() -> Iterator[Overload]:
    """OpenCL Extensions, "Extended Subgroup Functions" and "Rotation"."""
    of_types = {
        "cl_khr_subgroup_shuffle": ("shuffle(s, uint)", "shuffle_xor(s, uint)"),
        "cl_khr_subgroup_shuffle_relative": ("shuffle_up(s, uint)", "shuffle_down(s, uint)"),
        "cl_khr_subgroup_rotate": ("rotate(s, int)", "clustered_rotate(s, int, =4)"),
        "cl_khr_subgroup_ballot": ("non_uniform_broadcast(s, =0)", "broadcast_first(s)"),
        "cl_khr_subgroup_non_uniform_arithmetic": tuple(
            f"non_uniform_{kind}_{op}(s)"
            for kind in ("reduce", "scan_exclusive", "scan_inclusive")
            for op in ("add", "mul", "min", "max")
        ),
        "cl_khr_subgroup_clustered_reduce": tuple(f"clustered_reduce_{op}(s, =4)" for op in ("add", "mul", "min", "max")),
    }
    for extension, calls in of_types.items():
        for call in calls:
            yield from unfold(f"s sub_group_{call}", TYPES, (1,), (extension, "subgroups"))
    single = {
        "cl_khr_subgroup_ballot": (
            *("uint4 sub_group_ballot(int)", "int sub_group_inverse_ballot(uint4)"),
            *("int sub_group_ballot_bit_extract(uint4, uint)", "uint sub_group_ballot_bit_count(uint4)"),
            *("uint sub_group_ballot_inclusive_scan(uint4)", "uint sub_group_ballot_exclusive_scan(uint4)"),
            *("uint sub_group_ballot_find_lsb(uint4)", "uint sub_group_ballot_find_msb(uint4)"),
            *(f"uint4 get_sub_group_{test}_mask()" for test in ("eq", "ge", "gt", "le", "lt")),
        ),
        "cl_khr_subgroup_non_uniform_vote": (
            *("int sub_group_elect()", "int sub_group_non_uniform_all(int)", "int sub_group_non_uniform_any(int)"),
            "int sub_group_non_uniform_all_equal(int)",
        ),
    }
    for extension, calls in single.items():
        for call in calls:
            yield from unfold(call, requires=(extension, "subgroups"))
