"""Opens the device under test in the child, and reports what it is: platform, Mesa, LLVM, libraries, features, limits."""

import contextlib
import ctypes
import os
import platform
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pyopencl as cl

from runner.child import marks
from runner.child.environment import recorded
from runner.child.libraries import (
    build_id,
    find_libclc,
    libclc_hash,
    loaded_by_name,
    mapped_libraries,
    root_packages,
    why_unloadable,
)
from runner.child.unlikely import find_unlikely
from runner.cpu import class_of, read_cpu, vector_flags
from runner.device import Device
from runner.image_formats import MINIMUM, is_valid, name_of
from runner.model import DeviceReport
from runner.releases import has_language_models, installed_version, release_features
from runner.sources import APPS_VARIABLE

_LIMITS = (
    *("MAX_COMPUTE_UNITS", "MAX_WORK_GROUP_SIZE", "LOCAL_MEM_SIZE", "GLOBAL_MEM_SIZE", "MAX_MEM_ALLOC_SIZE"),
    *("MAX_CONSTANT_BUFFER_SIZE", "MAX_PARAMETER_SIZE", "MEM_BASE_ADDR_ALIGN", "IMAGE2D_MAX_WIDTH"),
    *("MAX_READ_IMAGE_ARGS", "MAX_WRITE_IMAGE_ARGS", "MAX_SAMPLERS", "ADDRESS_BITS", "MAX_CLOCK_FREQUENCY"),
)
_EXTENSION_FEATURES = {
    "cl_khr_fp16": "fp16",
    "cl_khr_fp64": "fp64",
    "cl_khr_3d_image_writes": "images3d_write",
    "cl_khr_image2d_from_buffer": "image2d_from_buffer",
    "cl_khr_il_program": "il",
}
_OPTIONAL = ("tinygrad", "torch", "hypothesis")  # Python packages; the last two are for tinygrad's own tests


class ProbeError(Exception):
    """There is no device to test; the text says what was found."""


def open_device(
    gpt2_weights: Path | None, executes: bool = True, enqueues: bool = True, emulator: str = "", checks: bool = False
) -> tuple[Device, dict[str, Any]]:
    """Open the first device of the first platform, as tinygrad does, and describe it.

    In compile mode it does not have the feature `execute`, and has `hazards` if an emulator `checks` each shader that is
    launched. `emulator` says what stands in for the GPU.

    Raises ProbeError if there is none, if the two ICD loaders of the process disagree, or if its start
    leaves marks of the emulator.
    """
    icd = Path(os.environ.get("OCL_ICD_VENDORS", ""))
    named = icd.read_text(encoding="utf-8").strip() if icd.is_file() else ""
    first = next(iter(_ask(cl.get_platforms)), None)
    devices = _ask(first.get_devices) if first else []
    if not devices:
        if named and (error := why_unloadable(named)):
            raise ProbeError(f"{icd} names {named}, which does not load: {error}")
        what = f"the platform {first.name!r} has no device" if first else "there is no OpenCL platform"
        raise ProbeError(
            f"{what}, with OCL_ICD_VENDORS={os.environ.get('OCL_ICD_VENDORS')} and RUSTICL_ENABLE="
            f"{os.environ.get('RUSTICL_ENABLE')}: a Mesa built without that driver, or no permission on /dev/dri/renderD*"
        )
    cl_device = devices[0]
    other = _system_loader_device()
    if other is not None and other != cl_device.name:
        shown = repr(other) if other else "no device (a libOpenCL.so.1 without OCL_ICD_VENDORS, or that of one driver)"
        raise ProbeError(f"pyopencl's ICD loader shows {cl_device.name!r}, the system's {shown}; pin both to one .icd")
    mapped = mapped_libraries()
    library = loaded_by_name(named, mapped) if named else None
    if named and not library:
        others = ", ".join(str(p) for p in mapped if re.search("(?i)opencl|ocl", p.name))
        raise ProbeError(f"{icd} names {named}, which was not loaded; loaded are {others or 'none with OpenCL in its name'}")
    report = _report(first, cl_device, gpt2_weights, mapped, library)
    if (emulator or checks) and (wrong := marks.take_at_start()):
        raise ProbeError(wrong)
    features = {*report.features, *(["hazards"] if checks else [])} - (set() if executes else {"execute"})
    report = replace(report, emulator=emulator, features=tuple(sorted(features)))
    device = Device(cl_device, gpt2_weights, executes=executes, enqueues=executes or enqueues, completes=checks)
    return device, asdict(report)


def _number(device: Any, code: int) -> int:
    try:
        return int(device.get_info(code))
    except cl.Error:
        return -1


def _ask(query: Callable[[], list[Any]]) -> list[Any]:
    """What a pyopencl query lists; nothing if OpenCL answers with an error, as "not found"."""
    try:
        return query()
    except cl.Error:
        return []


def _report(
    first: Any, device: Any, gpt2_weights: Path | None, mapped: Sequence[Path], library: Path | None
) -> DeviceReport:
    extensions = tuple(sorted(device.extensions.split()))
    features = {_EXTENSION_FEATURES[e] for e in extensions if e in _EXTENSION_FEATURES}
    features |= {"execute", "printf"}
    # 64-bit integers are optional only in the embedded profile (OpenCL C 3.0, 6.3.1).
    features |= {"int64"} if "FULL" in device.profile or "cles_khr_int64" in extensions else set()
    features |= image_features(device) if device.image_support else set()
    features |= {"subgroups"} if getattr(device, "max_num_sub_groups", 0) else set()
    features |= {"opencl3"} if re.match(r"OpenCL [3-9]", device.version) else set()
    features |= {"opencl3.1"} if re.match(r"OpenCL (3\.[1-9]|[4-9])", device.version) else set()
    svm = getattr(device, "svm_capabilities", 0)
    features |= {name for bit, name in enumerate(("svm", "svm_fine", "svm_system", "svm_atomics")) if svm >> bit & 1}
    features |= {"out_of_order"} if device.queue_properties & 1 else set()
    features |= {"gpt2_weights"} if gpt2_weights else set()
    features |= _language_features(device)
    # "SPIR-V_1.0 SPIR-V_1.4": the versions of the intermediate language, as il_1.0 and il_1.4.
    features |= {f"il_{v}" for v in re.findall(r"SPIR-V_(\d+\.\d+)", getattr(device, "il_version", "") or "")}
    tinygrad = installed_version()
    features |= release_features(tinygrad)
    features |= {"tinygrad.llm"} if has_language_models() else set()
    # tinygrad's own back end for Adreno, and the vendor's OpenCL: its features for these are tested only there.
    features |= {"qcom"} if os.access("/dev/kgsl-3d0", os.R_OK | os.W_OK) else set()
    features |= {"qualcomm_opencl"} if first.name.startswith("QUALCOMM") else set()
    features |= {package for package in _OPTIONAL if find_spec(package)}
    features |= {"apps"} if os.environ.get(APPS_VARIABLE) else set()
    # The driver's version is Mesa's: "25.0.7-2+deb13u1" in Debian, "26.3.0-devel (git-...)" in a build.
    mesa = re.match(r"\d+\.\d+\.\d+(-devel|-rc\d+)?", device.driver_version)
    llvm = next((m[1] for p in mapped if (m := re.search(r"libLLVM[-.](?:so\.)?(\d+(?:\.\d+)*)", p.name))), "")
    packages = root_packages()
    cpu = read_cpu()
    libclc_version = next((m[1] for p in packages if (m := re.match(r"libclc-(\d+)\b", p))), "")
    return DeviceReport(
        platform=first.name,
        platform_version=first.version.strip(),
        device=device.name,
        device_version=device.version.strip(),
        driver_version=device.driver_version,
        mesa=mesa[0] if mesa and "rusticl" in first.name.lower() else "",
        llvm=llvm,
        libclc=libclc_hash(find_libclc(device.address_bits)),
        libclc_version=libclc_version,
        packages=packages,
        kernel=platform.release(),
        machine=platform.machine(),
        cpu=cpu.model,
        cpu_class=class_of(cpu, os.environ),
        cpu_flags=vector_flags(cpu),
        icd=os.environ.get("OCL_ICD_VENDORS", ""),
        library=str(library or ""),
        build_id=build_id(library) if library else "",
        loaders=tuple(sorted(str(p) for p in mapped if re.search(r"libOpenCL[-.]", p.name))),
        tinygrad=tinygrad,
        extensions=extensions,
        features=tuple(sorted(features)),
        limits={name.lower(): int(getattr(device, name.lower())) for name in _LIMITS},
        unlikely=tuple(find_unlikely(lambda code: _number(device, code))),
        environment=recorded(os.environ),
    )


def _language_features(device: Any) -> set[str]:
    """The optional features of OpenCL C 3.0 by their names (__opencl_c_...); opencl_c_3.0 and 3.1 if they are accepted."""
    try:
        versions, optional = device.opencl_c_all_versions, device.opencl_c_features
    except cl.Error:  # queries of OpenCL 3.0
        return set()
    newest = max(((v.version >> 22, v.version >> 12 & 1023) for v in versions), default=(0, 0))
    taken = {f"opencl_c_{v[0]}.{v[1]}" for v in ((3, 0), (3, 1)) if newest >= v}
    return taken | {f.name for f in optional}


_IMAGES = ("IMAGE1D", "IMAGE1D_ARRAY", "IMAGE2D", "IMAGE2D_ARRAY", "IMAGE3D")


def image_features(device: Any) -> set[str]:
    """`images` and the formats beyond the minimum: `image_read:r.float` if each type of image lists it.

    `image_write:` says the same about writing, `image_read_write:` of both in one kernel, and `image_buffer:` if 1D buffers
    list it for both. Depth formats are only for 2D images.
    """
    context = cl.Context([device])

    def listed(kind: str, *flags: cl.mem_flags) -> set[str]:
        number = getattr(cl.mem_object_type, kind)
        lists = [cl.get_supported_image_formats(context, flag, number) for flag in flags]
        return set.intersection(*({name_of(f.channel_order, f.channel_data_type) for f in one} for one in lists))

    flags = cl.mem_flags
    formats = {"image_buffer": listed("IMAGE1D_BUFFER", flags.READ_ONLY, flags.WRITE_ONLY, flags.READ_WRITE)}
    for access, used in (("image_read", (flags.READ_ONLY,)), ("image_write", (flags.WRITE_ONLY, flags.READ_WRITE))):
        by_kind = {kind: listed(kind, *used) for kind in _IMAGES}
        flat = {f for f in by_kind["IMAGE2D"] & by_kind["IMAGE2D_ARRAY"] if f.startswith("depth.")}
        formats[access] = set.intersection(*by_kind.values()) | flat
    features = {f"{access}:{f}" for access, found in formats.items() for f in found if is_valid(f) and f not in MINIMUM}
    with contextlib.suppress(cl.Error):  # a flag of OpenCL 2.0
        both = listed("IMAGE2D", flags.KERNEL_READ_AND_WRITE) & listed("IMAGE2D_ARRAY", flags.KERNEL_READ_AND_WRITE)
        features |= {f"image_read_write:{f}" for f in both if f.startswith("depth.")}
    return features | {"images", "images_write"}


def _system_loader_device() -> str | None:
    """The first device's name through the loader that tinygrad uses, or None if there is none."""
    try:
        loader = ctypes.CDLL("libOpenCL.so.1")
    except OSError:
        return None
    one, text = (ctypes.c_void_p * 1)(), ctypes.create_string_buffer(256)
    if loader.clGetPlatformIDs(1, one, None):
        return ""
    if loader.clGetDeviceIDs(one[0] and ctypes.c_void_p(one[0]), ctypes.c_uint64(0xFFFFFFFF), 1, one, None):
        return ""
    loader.clGetDeviceInfo(ctypes.c_void_p(one[0]), 0x102B, ctypes.c_size_t(256), text, None)  # CL_DEVICE_NAME
    return text.value.decode(errors="replace")
