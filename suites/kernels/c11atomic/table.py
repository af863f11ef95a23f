"""The atomics of C11: the features that an order, a scope and a type need. Plain Python: the catalogue reads it too."""

ORDERS = ("relaxed", "acquire", "release", "acq_rel", "seq_cst")
SCOPES = ("sub_group", "work_group", "device", "all_svm_devices")
OPERATIONS = (*("fetch_add", "fetch_sub", "fetch_or", "fetch_xor", "fetch_and", "fetch_min", "fetch_max", "exchange"),)
INTEGERS = ("int", "uint", "long", "ulong")
ALL_TYPES = (*INTEGERS, "float", "double")
POINTERS = ("intptr_t", "uintptr_t", "size_t", "ptrdiff_t")
SPACES = ("global", "local")
OPTIONS = "-cl-std=CL3.0"
WIDE = ("cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics")
GENERIC = "__opencl_c_generic_address_space"
IMPLICIT = ("__opencl_c_atomic_order_seq_cst", "__opencl_c_atomic_scope_device")

_ORDER_NEEDS = {"relaxed": (), "seq_cst": ("__opencl_c_atomic_order_seq_cst",)}
_SCOPE_NEEDS = {
    "sub_group": ("subgroups",),
    "work_group": (),
    "device": ("__opencl_c_atomic_scope_device",),
    "all_svm_devices": ("__opencl_c_atomic_scope_all_devices",),
}


def needs(order: str, scope: str, type_name: str = "uint") -> tuple[str, ...]:
    """The features of an atomic operation (OpenCL C 3.0, 6.15.12: relaxed and work_group are always there)."""
    order_needs = _ORDER_NEEDS.get(order, ("__opencl_c_atomic_order_acq_rel",))
    type_needs = WIDE if type_name in ("long", "ulong", "double", *POINTERS) else ()
    fp = ("fp64",) if type_name == "double" else ()
    return ("opencl_c_3.0", *order_needs, *_SCOPE_NEEDS[scope], *type_needs, *fp)


# Orders for success and failure: the second is not stronger than the first, and neither release nor acq_rel.
PAIRS = (
    ("relaxed", "relaxed"),
    ("acquire", "relaxed"),
    ("acquire", "acquire"),
    ("release", "relaxed"),
    ("acq_rel", "relaxed"),
    ("acq_rel", "acquire"),
    ("seq_cst", "relaxed"),
    ("seq_cst", "acquire"),
    ("seq_cst", "seq_cst"),
)
