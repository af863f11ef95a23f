"""Opens, uses and closes the ICD loader several times in one process."""

import ctypes

libc = ctypes.CDLL(None)
libc.dlclose.argtypes = [ctypes.c_void_p]
for turn in range(3):
    library = ctypes.CDLL("libOpenCL.so.1")
    for name in ("clCreateContext", "clCreateCommandQueue", "clCreateBuffer"):
        getattr(library, name).restype = ctypes.c_void_p
    void, word, error = ctypes.c_void_p, ctypes.c_uint64, ctypes.c_int()
    platform, device = void(), void()
    assert not library.clGetPlatformIDs(1, ctypes.byref(platform), None)
    assert not library.clGetDeviceIDs(platform, word(0xFFFFFFFF), 1, ctypes.byref(device), None)
    context = void(library.clCreateContext(None, 1, ctypes.byref(device), None, None, ctypes.byref(error)))
    queue = void(library.clCreateCommandQueue(context, device, word(0), ctypes.byref(error)))
    buffer = void(library.clCreateBuffer(context, word(1), ctypes.c_size_t(4), None, ctypes.byref(error)))
    wrote, got = ctypes.c_uint32(turn + 5), ctypes.c_uint32()
    size, at = ctypes.c_size_t(4), ctypes.c_size_t(0)
    assert not library.clEnqueueWriteBuffer(queue, buffer, 1, at, size, ctypes.byref(wrote), 0, None, None)
    assert not library.clEnqueueReadBuffer(queue, buffer, 1, at, size, ctypes.byref(got), 0, None, None)
    assert got.value == turn + 5, f"value: got {got.value} want {turn + 5}"
    for name, handle in (("MemObject", buffer), ("CommandQueue", queue), ("Context", context)):
        assert not getattr(library, "clRelease" + name)(handle)
    assert not libc.dlclose(library._handle)
print("done")
