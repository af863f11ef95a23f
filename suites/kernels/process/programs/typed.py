"""Asks clGetDeviceIDs for devices: typed.py TYPE..., each a cl_device_type. Prints for each the error and the type found."""

import ctypes
import sys

_CL_DEVICE_TYPE, _CL_DEVICE_TYPE_DEFAULT = 0x1000, 1

library = ctypes.CDLL("libOpenCL.so.1")
platform, device, says = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_uint64()
assert not library.clGetPlatformIDs(1, ctypes.byref(platform), None)
for asked in map(int, sys.argv[1:]):
    code = library.clGetDeviceIDs(platform, ctypes.c_uint64(asked), 1, ctypes.byref(device), None)
    if not code:
        code = library.clGetDeviceInfo(device, _CL_DEVICE_TYPE, ctypes.c_size_t(8), ctypes.byref(says), None)
    print(code, 0 if code else says.value & ~_CL_DEVICE_TYPE_DEFAULT)  # a default device may report this bit, too
