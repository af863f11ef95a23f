"""What is under test, read from the driver itself: the DeviceReport. Imported in the child alone."""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
import re
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import Any

import pyopencl as cl

from runner.device import Device
from runner.model import DeviceReport

_LIMITS = ("MAX_COMPUTE_UNITS", "MAX_WORK_GROUP_SIZE", "LOCAL_MEM_SIZE", "GLOBAL_MEM_SIZE", "MAX_MEM_ALLOC_SIZE",
           "MAX_CONSTANT_BUFFER_SIZE", "MAX_PARAMETER_SIZE", "MEM_BASE_ADDR_ALIGN", "IMAGE2D_MAX_WIDTH",
           "MAX_READ_IMAGE_ARGS", "MAX_WRITE_IMAGE_ARGS", "MAX_SAMPLERS", "ADDRESS_BITS", "MAX_CLOCK_FREQUENCY")  # fmt: skip
_EXTENSION_FEATURES = {
    "cl_khr_fp16": "fp16",
    "cl_khr_fp64": "fp64",
    "cl_khr_3d_image_writes": "images3d_write",
    "cl_khr_image2d_from_buffer": "image2d_from_buffer",
    "cl_khr_subgroups": "subgroups",
    "cl_khr_il_program": "il",
}
_RELEVANT = re.compile(r"RUSTICL_|CLC_|MESA_|OCL_ICD|OPENCL_LAYERS|OPENCL_VENDOR|LD_PRELOAD|LD_LIBRARY_PATH|VK_|"
                       r"LIBGL_ALWAYS|GALLIUM|LP_|IR3_|FD_|PAN_|BIFROST_|INTEL_|AMD_|RADV_|ZINK_|AGX_|V3D_|NIR_|DEV$")  # fmt: skip


class ProbeError(Exception):
    """There is no device to test; the text says what was found."""


def open_device(gpt2_weights: Path | None) -> tuple[Device, dict[str, Any]]:
    """Open the first device of the first platform, as tinygrad does, and describe it.

    Raises ProbeError where there is none, or where the two ICD loaders of the process disagree.
    """
    try:
        platforms = cl.get_platforms()
    except cl.Error as error:
        raise ProbeError(f"no OpenCL platform ({error}) in {os.environ.get('OCL_ICD_VENDORS')}") from error
    first = platforms[0]
    try:
        devices = first.get_devices()
    except cl.Error:
        devices = []
    if not devices:
        raise ProbeError(
            f"the platform {first.name!r} has no device with RUSTICL_ENABLE={os.environ.get('RUSTICL_ENABLE')}; "
            "a Mesa built without that driver, or no permission on /dev/dri/renderD*"
        )
    cl_device = devices[0]
    other = _system_loader_device()
    if other is not None and other != cl_device.name:
        raise ProbeError(
            f"pyopencl's ICD loader shows {cl_device.name!r}, the system's {other!r}; pin both to one .icd"
        )
    report = _report(first, cl_device, gpt2_weights)
    return Device(cl_device, gpt2_weights), asdict(report)


def _report(first: Any, device: Any, gpt2_weights: Path | None) -> DeviceReport:
    extensions = tuple(sorted(device.extensions.split()))
    features = {_EXTENSION_FEATURES[e] for e in extensions if e in _EXTENSION_FEATURES}
    features |= {"execute", "printf"} | ({"int64"} if "FULL" in device.profile else set())
    features |= {"images", "images_write"} if device.image_support else set()
    features |= {"gpt2_weights"} if gpt2_weights else set()
    mapped = _mapped_libraries()
    # The driver's version is Mesa's: "25.0.7-2+deb13u1" in Debian, "26.3.0-devel (git-...)" in a build.
    mesa = re.match(r"\d+\.\d+\.\d+\S*", device.driver_version)
    llvm = next(
        (m[1] for p in mapped if (m := re.search(r"libLLVM[-.](?:so\.)?(\d+(?:\.\d+)*)", p.name))), ""
    )
    libclc, libclc_version = _libclc(device.address_bits)
    library = next(
        (p for p in mapped if re.search("RusticlOpenCL|MesaOpenCL|libpocl|nvidia-opencl", p.name)), None
    )
    return DeviceReport(
        platform=first.name,
        platform_version=first.version.strip(),
        device=device.name,
        device_version=device.version.strip(),
        driver_version=device.driver_version,
        mesa=mesa[0] if mesa and "rusticl" in first.name.lower() else "",
        llvm=llvm,
        libclc=libclc,
        libclc_version=libclc_version,
        kernel=platform.release(),
        machine=platform.machine(),
        icd=os.environ.get("OCL_ICD_VENDORS", ""),
        library=str(library or ""),
        build_id=_build_id(library) if library else "",
        loaders=tuple(sorted(str(p) for p in mapped if re.search(r"libOpenCL[-.]", p.name))),
        tinygrad=metadata.version("tinygrad"),
        extensions=extensions,
        features=tuple(sorted(features)),
        limits={name.lower(): int(getattr(device, name.lower())) for name in _LIMITS},
        environment={k: v for k, v in sorted(os.environ.items()) if _RELEVANT.match(k)},
    )


def _mapped_libraries() -> list[Path]:
    """The shared objects of this process, from the kernel's word."""
    lines = Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace").splitlines()
    return sorted(
        {
            Path(line.split(maxsplit=5)[5])
            for line in lines
            if ".so" in line and len(line.split(maxsplit=5)) == 6
        }
    )


def _libclc(address_bits: int) -> tuple[str, str]:
    """Hash and version of Mesa's built-in library, whose path is compiled into Mesa.

    The version is that of the LLVM package that the file came from, where a root has recorded its
    packages in $RUNNER_ROOT_PACKAGES; a distribution's own is not asked for.
    """
    path = Path(f"/usr/lib/clc/spirv{'64' if address_bits == 64 else ''}-mesa3d-.spv")
    if not path.is_file():
        path = Path("/usr/share/clc") / path.name
    if not path.is_file():
        return "", ""
    packages = Path(os.environ.get("RUNNER_ROOT_PACKAGES", ""))
    listed = packages.read_text(encoding="utf-8") if packages.is_file() else ""
    version = re.search(r"^libclc-(\d+)[-_]", listed, re.MULTILINE)
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16], version[1] if version else ""


def _build_id(library: Path) -> str:
    """The GNU build id of an ELF file, found by its note header, or ""."""
    head = library.read_bytes()[: 1 << 16] if library.is_file() else b""
    found = re.search(rb"\x04\0\0\0([\x10\x14])\0\0\0\x03\0\0\0GNU\0", head)
    return head[found.end() : found.end() + found[1][0]].hex() if found else ""


def _system_loader_device() -> str | None:
    """The first device's name through the loader that tinygrad uses, or None where there is none."""
    try:
        loader = ctypes.CDLL("libOpenCL.so.1")
    except OSError:
        return None
    one, text = (ctypes.c_void_p * 1)(), ctypes.create_string_buffer(256)
    if loader.clGetPlatformIDs(1, one, None):
        return ""
    if loader.clGetDeviceIDs(one[0] and ctypes.c_void_p(one[0]), ctypes.c_uint64(0xFFFFFFFF), 1, one, None):
        return ""
    loader.clGetDeviceInfo(
        ctypes.c_void_p(one[0]), 0x102B, ctypes.c_size_t(256), text, None
    )  # CL_DEVICE_NAME
    return text.value.decode(errors="replace")
