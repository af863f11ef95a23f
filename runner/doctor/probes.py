"""What a child of `runner doctor` does: `python -m runner.doctor.probes FD WHAT [ARGUMENT]`.

Only it loads drivers; it may die or hang. It writes what it found to FD, as JSON.
"""

import ctypes
import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from runner.child.libraries import mapped_libraries
from runner.child.parent import die_with_parent
from runner.child.unlikely import find_unlikely

# Opening a device compiles, if no shader cache has it: kernels of Rusticl 26.2's own for 3 s on a PC. It takes 13 s
# under qemu.
PROCESSOR_LIMIT_S = 30
_ALL_TYPES = 0xFFFFFFFF
_TYPES = {1: "default", 2: "cpu", 4: "gpu", 8: "accelerator", 16: "custom"}
_PLATFORM_VERSION, _PLATFORM_NAME = 0x901, 0x902
_DEVICE_TYPE, _DEVICE_NAME, _DRIVER_VERSION, _DEVICE_VERSION = 0x1000, 0x102B, 0x102D, 0x102F
_PROFILING = ctypes.c_uint64(2)
_VULKAN_TYPES = ("other", "integrated gpu", "discrete gpu", "virtual gpu", "cpu")
_VULKAN_PROPERTIES_SIZE = 824  # of VkPhysicalDeviceProperties, on 64-bit machines; rounded up below
_OWNER_COMMANDS = (("dpkg-query", "-S"), ("rpm", "-qf"), ("apk", "info", "-W"), ("pacman", "-Qo"))
Query = Callable[..., int]


def open_library(name: str) -> dict[str, Any]:
    """Load the library of an .icd file as a loader does, then list what it offers."""
    try:
        ctypes.CDLL(name)
    except OSError as error:
        return {"unloadable": str(error)}
    path = next((p for p in mapped_libraries() if p.name.startswith(Path(name).name.split(".so")[0])), None)
    return {"library": str(path or ""), "package": find_package(path) if path else "", **list_platforms()}


def find_package(path: Path) -> str:
    """The package of a file, from the distribution's own tool; "" in a root, which has no database."""
    for command in _OWNER_COMMANDS:
        if shutil.which(command[0]):
            done = subprocess.run([*command, str(path)], capture_output=True, text=True)
            # "mesa-opencl-icd:amd64: /usr/lib/..." of dpkg; the others use their own words.
            return done.stdout.strip().split(": ")[0] if done.returncode == 0 else ""
    return ""


def list_platforms() -> dict[str, Any]:
    """The platforms and devices that a program finds through the system's ICD loader; each device is opened."""
    try:
        cl = ctypes.CDLL("libOpenCL.so.1")
    except OSError as error:
        return {"loader": "", "error": str(error), "platforms": []}
    loader = next((str(p) for p in mapped_libraries() if p.name.startswith("libOpenCL")), "")
    ids, count = (ctypes.c_void_p * 64)(), ctypes.c_uint()
    status = cl.clGetPlatformIDs(64, ids, ctypes.byref(count))
    platforms = [_describe_platform(cl, ctypes.c_void_p(p)) for p in ids[: 0 if status else count.value]]
    return {"loader": loader, "platforms": platforms}


def _describe_platform(cl: Any, platform: ctypes.c_void_p) -> dict[str, Any]:
    ids, count = (ctypes.c_void_p * 64)(), ctypes.c_uint()
    status = cl.clGetDeviceIDs(platform, ctypes.c_uint64(_ALL_TYPES), 64, ids, ctypes.byref(count))
    return {
        "name": _text(cl.clGetPlatformInfo, platform, _PLATFORM_NAME),
        "version": _text(cl.clGetPlatformInfo, platform, _PLATFORM_VERSION),
        "devices": [_describe_device(cl, ctypes.c_void_p(d)) for d in ids[: 0 if status else count.value]],
    }


def _describe_device(cl: Any, device: ctypes.c_void_p) -> dict[str, Any]:
    kind = ctypes.c_uint64()
    cl.clGetDeviceInfo(device, _DEVICE_TYPE, ctypes.c_size_t(8), ctypes.byref(kind), None)
    return {
        "name": _text(cl.clGetDeviceInfo, device, _DEVICE_NAME),
        "version": _text(cl.clGetDeviceInfo, device, _DEVICE_VERSION),
        "driver_version": _text(cl.clGetDeviceInfo, device, _DRIVER_VERSION),
        "type": " ".join(name for bit, name in _TYPES.items() if kind.value & bit),
        "error": _open_device(cl, device),
        "unlikely": list(find_unlikely(lambda code: _number(cl, device, code))),
    }


def _number(cl: Any, device: ctypes.c_void_p, code: int) -> int:
    value = ctypes.c_uint64()
    return -1 if cl.clGetDeviceInfo(device, code, ctypes.c_size_t(8), ctypes.byref(value), None) else value.value


def _open_device(cl: Any, device: ctypes.c_void_p) -> str:
    """The error of a context and a queue on the device, or "" if it opens."""
    status = ctypes.c_int()
    cl.clCreateContext.restype = cl.clCreateCommandQueue.restype = ctypes.c_void_p
    context = cl.clCreateContext(None, 1, ctypes.byref(device), None, None, ctypes.byref(status))
    if status.value:
        return f"clCreateContext returns {status.value}"
    cl.clCreateCommandQueue(ctypes.c_void_p(context), device, _PROFILING, ctypes.byref(status))
    return f"clCreateCommandQueue returns {status.value}" if status.value else ""


def _text(query: Query, thing: ctypes.c_void_p, name: int) -> str:
    buffer = ctypes.create_string_buffer(1024)
    return "" if query(thing, name, ctypes.c_size_t(1024), buffer, None) else buffer.value.decode().strip()


def list_vulkan_devices() -> dict[str, Any]:
    """The physical devices that the Vulkan loader shows."""
    try:
        vk = ctypes.CDLL("libvulkan.so.1")
    except OSError as error:
        return {"error": str(error), "devices": []}
    # VkInstanceCreateInfo: sType 1, and nothing asked for; its size is 64 bytes on 64-bit machines.
    create, instance = (ctypes.c_uint64 * 8)(1), ctypes.c_void_p()
    if status := vk.vkCreateInstance(ctypes.byref(create), None, ctypes.byref(instance)):
        return {"error": f"vkCreateInstance returns {status}", "devices": []}
    count, found = ctypes.c_uint(64), (ctypes.c_void_p * 64)()
    vk.vkEnumeratePhysicalDevices(instance, ctypes.byref(count), found)
    devices = []
    for device in found[: count.value]:
        properties = ctypes.create_string_buffer(2 * _VULKAN_PROPERTIES_SIZE)
        vk.vkGetPhysicalDeviceProperties(ctypes.c_void_p(device), properties)
        api, _, vendor, _, kind = (ctypes.c_uint32 * 5).from_buffer(properties)
        name = properties.raw[20:276].split(b"\0")[0].decode(errors="replace")
        api_version = f"{api >> 22}.{api >> 12 & 0x3FF}.{api & 0xFFF}"
        devices.append(
            {"name": name, "type": _VULKAN_TYPES[min(kind, 4)], "api_version": api_version, "vendor": f"0x{vendor:x}"}
        )
    return {"error": "", "devices": devices}


def open_nodes(paths: Sequence[str]) -> dict[str, str]:
    """The error of opening each device node, "" if it opens: the cause may be groups, a container or a policy."""
    errors = {}
    for path in paths:
        try:
            os.close(os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NONBLOCK))
            errors[path] = ""
        except OSError as error:
            errors[path] = error.strerror or str(error)
    return errors


def open_tinygrad(device: str) -> dict[str, str]:
    """Open a device as tinygrad does, compiler included. Never for AMD, NV and QCOM: see runner/doctor/backends.py."""
    os.environ["DEV"] = device
    from tinygrad.device import Device

    try:
        opened = Device[device.split(":")[0]]
        compiler = type(opened.compiler).__name__
        return {"error": "", "name": str(getattr(opened, "device_name", "") or compiler), "compiler": compiler}
    except BaseException as error:  # an assertion of tinygrad, SystemExit of a library, a group of them
        causes = error.exceptions if isinstance(error, BaseExceptionGroup) else [error]
        return {"error": "; ".join(f"{type(e).__name__}: {str(e).strip()}" for e in causes)}


def find_symbols(path: str, names: Sequence[str]) -> dict[str, Any]:
    """Load a library and return which of these functions it lacks."""
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        return {"error": str(error), "missing": []}
    return {"error": "", "missing": [name for name in names if not hasattr(library, name)]}


def main(words: Sequence[str]) -> None:
    """Answer one question on the given descriptor."""
    die_with_parent()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_LIMIT_S, PROCESSOR_LIMIT_S + 1))
    descriptor, what, arguments = int(words[0]), words[1], words[2:]
    answers: dict[str, Callable[[], Any]] = {
        "icd": lambda: open_library(arguments[0]),
        "platforms": list_platforms,
        "vulkan": list_vulkan_devices,
        "nodes": lambda: open_nodes(arguments),
        "tinygrad": lambda: open_tinygrad(arguments[0]),
        "symbols": lambda: find_symbols(arguments[0], arguments[1:]),
    }
    text = json.dumps(answers[what]())
    # In one write, and then no exit handler: a driver's own may crash after the answer is known.
    os.write(descriptor, text.encode())
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
