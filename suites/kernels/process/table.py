"""The tables of the area: names in programs/, and arguments of the programs."""

from collections.abc import Callable
from typing import Any

#: Of programs/ends.py: the objects at the end of a process, how the process ends, and what a forked child does.
STATES = ("released", "held", "running", "waiting", "called_back", "mapped", "context_first")
WAYS = ("normal", "libc_exit", "os_exit", "thread")
FORKS = ("exec", "os_exit", "running")
# At the interpreter's end, pyopencl waits for a callback's thread, and then nothing opens the gate of a waiting command.
ENDS = [
    (state, way)
    for state in STATES
    for way in WAYS
    if (state, way) not in {("called_back", "normal"), ("waiting", "normal"), ("context_first", "os_exit")}
]
#: The functions of programs/devices.py.
DEVICES = (
    *("taken_in_turn", "events_across", "migrated", "migrated_undefined", "sub_buffers", "copied", "mapped"),
    *("host_pointer", "image", "svm", "built_for_one", "definitions_differ", "binaries", "binaries_exchanged"),
    "queries",
)

#: The steps before which the surroundings of programs/surrounded.py may begin.
MOMENTS = ("query", "build", "launch")
#: Its functions, with their words, that leave a process too little of something: each call may fail. And their moments.
SCARCE = {
    **dict.fromkeys(("mdwe", "no_threads", "denied.clone", "denied.clone3", "denied.memfd_create"), MOMENTS),
    **dict.fromkeys(("address_space.0", "data.1", "data.8", "files.0", "files.4"), MOMENTS),
    **dict.fromkeys(("file_size.default", "stack.64", "stack.128"), MOMENTS),
    **dict.fromkeys(("denied.mlock", "denied.sched_getaffinity", "denied.sched_setaffinity"), MOMENTS[:1]),
    **dict.fromkeys(
        ("locked_memory", "address_space.64", "address_space.400", "data.64", "file_size.ignored", "stack.512"), MOMENTS[:1]
    ),
    **dict.fromkeys(("stack_limit.256", "stack_limit.512", "stack_limit.unlimited"), MOMENTS[:1]),
    **dict.fromkeys(("no_driver",), MOMENTS[:1]),
    **dict.fromkeys(("hidden.shm", "hidden.dev", "hidden.proc", "hidden.sys", "hidden.tmp"), MOMENTS[:1]),
}
#: The same for unusual surroundings in which nothing is missing that a call needs: no call may fail.
UNUSUAL = {
    **dict.fromkeys(("traps", "rounding.up", "rounding.zero", "numbers"), MOMENTS),
    **dict.fromkeys(("closed.012", "interrupted", "deleted_folder", "blocked"), MOMENTS),
    **dict.fromkeys(("closed.0", "closed.1", "closed.2", "many_files", "mask", "subreaper", "undumpable"), MOMENTS[:1]),
    **dict.fromkeys(("exported.filesystem",), MOMENTS[:1]),
    **dict.fromkeys(("one_processor", "ignored.SIGPIPE", "ignored.SIGCHLD", "perturbed"), MOMENTS[:1]),
    **dict.fromkeys((f"environment.{word}" for word in ("no_home", "nowhere", "no_passwd", "nothing")), MOMENTS[:1]),
    **dict.fromkeys(
        (
            f"caches.{variable}_{place}"
            for variable in ("mesa", "xdg")
            for place in (
                *("absent", "file", "loop", "long", "longer", "device", "empty", "relative", "readonly", "foreign"),
                "full",
            )
        ),
        MOMENTS[:1],
    ),
}

_OUT = (-5, -6)  # CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY
#: The errors that each call of programs/surrounded.py may return then (OpenCL API 3.0); "status" is that of the launch.
LACKS = {
    "clGetPlatformIDs": (-6, -1001),  # CL_PLATFORM_NOT_FOUND_KHR (cl_khr_icd)
    "clGetDeviceIDs": (-1, *_OUT),  # CL_DEVICE_NOT_FOUND
    "clCreateContext": (-2, *_OUT),  # CL_DEVICE_NOT_AVAILABLE
    "clCreateCommandQueue": _OUT,
    "clCreateProgramWithSource": _OUT,
    "clBuildProgram": (-3, -11, *_OUT),  # CL_COMPILER_NOT_AVAILABLE, CL_BUILD_PROGRAM_FAILURE
    "clCreateKernel": _OUT,
    "clCreateBuffer": (-4, *_OUT),  # CL_MEM_OBJECT_ALLOCATION_FAILURE
    "clSetKernelArg": _OUT,
    "clEnqueueNDRangeKernel": (-4, *_OUT),
    "clEnqueueReadBuffer": (-4, *_OUT),
    "clGetEventInfo": _OUT,
    "status": (-4, *_OUT),
}

#: The types of devices, by the words of RUSTICL_DEVICE_TYPE, and the requests to clGetDeviceIDs.
TYPES = {"cpu": 2, "gpu": 4, "accelerator": 8, "custom": 16}
REQUESTS = {"types": TYPES, "default": {"default": 1}, "all": {"all": 0xFFFFFFFF}}

#: Features that a device has if RUSTICL_FEATURES names them, with macros and queries; `name` is that of the configuration.
#: If one is missing, its widths are 0, and the query of the configuration is an error if it belongs to an extension, or 0 if
#: it is a core query.
FEATURES: dict[str, dict[str, Any]] = {
    "fp16": {
        "macros": ["cl_khr_fp16"],
        "name": "CL_DEVICE_HALF_FP_CONFIG",
        "config": 0x1033,
        "error": -30,
        "widths": [0x1034, 0x103C],
    },
    "fp64": {
        "macros": ["cl_khr_fp64", "__opencl_c_fp64"],
        "name": "CL_DEVICE_DOUBLE_FP_CONFIG",
        "config": 0x1032,
        "error": 0,
        "widths": [0x100B, 0x103B],
    },
}

#: The kinds of Mesa's cache, by the variables that choose them (util/disk_cache.c): the default, and each by its name.
KINDS = {
    "default": {},
    "files": {"MESA_DISK_CACHE_DATABASE": "0", "MESA_DISK_CACHE_MULTI_FILE": "1"},
    "database": {"MESA_DISK_CACHE_DATABASE": "1", "MESA_DISK_CACHE_MULTI_FILE": "0"},
    "single": {"MESA_DISK_CACHE_SINGLE_FILE": "1"},
}


def _flip(content: bytes, first: int, last: int) -> bytes:
    return content[:first] + bytes(byte ^ 0xFF for byte in content[first:last]) + content[last:]


#: The kinds of damage to each file of a cache.
DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda b: b"",
    "half": lambda b: b[: len(b) // 2],
    "one_less": lambda b: b[:-1],
    "more": lambda b: b + bytes(range(256)),
    "zeros": lambda b: bytes(len(b)),
    "first": lambda b: _flip(b, 0, 16),
    "second": lambda b: _flip(b, 16, 64),
    "middle": lambda b: _flip(b, len(b) // 2, len(b) // 2 + 1),
    "last": lambda b: _flip(b, len(b) - 1, len(b)),
    "all": lambda b: _flip(b, 0, len(b)),
    "every_hundredth": lambda b: bytes(byte ^ (0xFF * (i % 101 == 50)) for i, byte in enumerate(b)),
}
