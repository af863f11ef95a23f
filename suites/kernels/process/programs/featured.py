r"""A device's answers about features: featured.py FEATURES, a JSON list of {macros, config, widths}.

Prints for each whether the device has its extension, the error and the value of the configuration, the widths, and the error
of a build that needs all of the macros if the device has the extension, and none of them if not.
"""

import ctypes
import json
import sys
from typing import Any

_CL_DEVICE_EXTENSIONS = 0x1030

library = ctypes.CDLL("libOpenCL.so.1")
for name in ("clCreateContext", "clCreateProgramWithSource"):
    getattr(library, name).restype = ctypes.c_void_p
platform, device, error, void = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_int(), ctypes.c_void_p
assert not library.clGetPlatformIDs(1, ctypes.byref(platform), None)
assert not library.clGetDeviceIDs(platform, ctypes.c_uint64(0xFFFFFFFF), 1, ctypes.byref(device), None)
context = void(library.clCreateContext(None, 1, ctypes.byref(device), None, None, ctypes.byref(error)))
text = ctypes.create_string_buffer(65536)
assert not library.clGetDeviceInfo(device, _CL_DEVICE_EXTENSIONS, ctypes.c_size_t(65536), text, None)


def ask(query: int, room: Any) -> int:
    """Make a query, which writes its answer to `room`; returns the error."""
    code: int = library.clGetDeviceInfo(device, query, ctypes.c_size_t(ctypes.sizeof(room)), ctypes.byref(room), None)
    return code


for feature in json.loads(sys.argv[1]):
    config, width = ctypes.c_uint64(0), ctypes.c_uint32(77)
    code = ask(feature["config"], config)
    widths = [ask(query, width) or width.value for query in feature["widths"]]
    there = feature["macros"][0] in text.value.decode().split()
    lines = [f"#if{'n' * there}def {macro}\n#error {macro}\n#endif\n" for macro in feature["macros"]]
    source = ctypes.c_char_p("".join(lines).encode() + b"__kernel void f(void) {}\n")
    program = void(library.clCreateProgramWithSource(context, 1, ctypes.byref(source), None, ctypes.byref(error)))
    build = library.clBuildProgram(program, 0, None, b"-cl-std=CL3.0", None, None)
    print(int(there), code, config.value, *widths, build)
