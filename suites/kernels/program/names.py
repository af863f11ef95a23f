"""Rows of cases whose bodies import more than the catalogue may. Plain Python, because the catalogue reads it too."""

from .table import EMPTY

_VALUE, _PROGRAM, _DEVICE = "CL_INVALID_VALUE", "CL_INVALID_PROGRAM", "CL_INVALID_DEVICE"

INFOS = (
    *("REFERENCE_COUNT", "CONTEXT", "NUM_DEVICES", "DEVICES", "SOURCE", "BINARY_SIZES", "BINARIES", "NUM_KERNELS"),
    "KERNEL_NAMES",
)
INITIALISERS = ("SCOPE_GLOBAL_CTORS_PRESENT", "SCOPE_GLOBAL_DTORS_PRESENT")  # of OpenCL 2.2 and later
# query, size of the room in bytes, program, error
INFO_ERRORS = {
    "unknown": ("UNKNOWN", 4096, "built", _VALUE),
    "no_program": ("NUM_DEVICES", 4096, "null", _PROGRAM),
    **{f"small_room.{n}": (n, 3 if n != "KERNEL_NAMES" else 2, "built", _VALUE) for n in INFOS},
    "names_before_build": ("KERNEL_NAMES", 4096, "source", "CL_INVALID_PROGRAM_EXECUTABLE"),
    "number_before_build": ("NUM_KERNELS", 4096, "source", "CL_INVALID_PROGRAM_EXECUTABLE"),
}
# query, size of the room in bytes, program, whether there is a device, error
BUILD_INFO_ERRORS = {
    "unknown": ("UNKNOWN", 4096, "built", True, _VALUE),
    "no_program": ("STATUS", 4096, "null", True, _PROGRAM),
    "no_device": ("STATUS", 4096, "built", False, _DEVICE),
    "small_room.STATUS": ("STATUS", 3, "built", True, _VALUE),
    "small_room.OPTIONS": ("OPTIONS", 2, "built", True, _VALUE),
    "small_room.BINARY_TYPE": ("BINARY_TYPE", 3, "built", True, _VALUE),
}
STATES = (
    *("new", "built", "built_without_options", "rebuilt", "failed", "link_failed", "compiled", "compile_failed"),
    *("linked", "library", "compiled_loaded_built", "library_loaded_built"),
)
# parts, and their lengths
CREATED: dict[str, tuple[list[str], list[int] | None]] = {
    "one": ([EMPTY], None),
    "length": ([EMPTY + "no such thing"], [len(EMPTY)]),
    "length_zero": ([EMPTY], [0]),
    "parts": (["__kernel void", " f(__global int *r) ", "{ *r = 1; }"], None),
    "parts_in_a_word": (["__ker", "nel vo", "id f(__glo", "bal int *r) { *r = 1; }"], None),
    "parts_with_lengths": (["__kernel void XX", " f(__global int *r) YYY", "{ *r = 1; }ZZ"], [14, 20, 11]),
    "parts_some_lengths": (["__kernel void XX", " f(__global int *r) ", "{ *r = 1; }ZZ"], [14, 0, 11]),
    "empty_part": (["", EMPTY, ""], None),
    "newlines": (["#define A 1\n", EMPTY.replace("1;", "A;")], None),
    "carriage_returns": (["#define A 1\r\n", EMPTY.replace("1;", "A;\r\n")], None),
    "many_parts": ([f"#define M{k} {k}\n" for k in range(50)] + [EMPTY.replace("1;", "M1;")], None),
}
CREATE_ERRORS = {
    "no_context": (False, 1, "good", "CL_INVALID_CONTEXT"),
    "count_zero": (True, 0, "good", _VALUE),
    "no_strings": (True, 1, "null", _VALUE),
    "null_string": (True, 2, "entry", _VALUE),
}
_DEVICE_LISTS = {
    "devices_without_count": _VALUE,
    "count_without_devices": _VALUE,
    "null_device": _DEVICE,
    "data_without_callback": _VALUE,
}
BUILD_ERRORS = {
    "clBuildProgram": _DEVICE_LISTS,
    "clCompileProgram": {
        **_DEVICE_LISTS,
        "header_count": _VALUE,
        "headers_without_count": _VALUE,
        "headers_without_names": _VALUE,
    },
    "clLinkProgram": {
        **_DEVICE_LISTS,
        "no_programs": _VALUE,
        "programs_without_count": _VALUE,
        "count_without_programs": _VALUE,
        "null_program": _PROGRAM,
        "null_context": "CL_INVALID_CONTEXT",
    },
}
_UNBUILT = "CL_INVALID_PROGRAM_EXECUTABLE"
KERNEL_ERRORS = {
    "no_name": _VALUE,
    "unknown_name": "CL_INVALID_KERNEL_NAME",
    "empty_name": "CL_INVALID_KERNEL_NAME",
    "function": "CL_INVALID_KERNEL_NAME",
    "longer_name": "CL_INVALID_KERNEL_NAME",
    "no_program": _PROGRAM,
    "before_build": _UNBUILT,
    "all_before_build": _UNBUILT,
    "all_too_few": _VALUE,
    "all": "CL_SUCCESS",
}
BINARIES = (
    *("plain", "math", "constant_table", "local_memory", "function", "required_size", "loop", "two_kernels"),
    *("struct", "option", "vectors"),
)
BINARY_QUERIES = (*("type", "sizes", "source", "compile", "unbuilt_size", "kernel_before_build", "options", "null_entry"),)
BINARY_ERRORS = {
    "empty": _VALUE,
    "null_binary": _VALUE,
    "no_context": "CL_INVALID_CONTEXT",
    "no_count": _VALUE,
    "no_devices": _VALUE,
    "null_device": _DEVICE,
    "no_lengths": _VALUE,
    "no_binaries": _VALUE,
}
