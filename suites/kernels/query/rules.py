"""The specification's rules for the values of queries (OpenCL API 3.0, the tables of 4.1 and 4.2).

One file: a function for each rule that kit/queries.py names.
"""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from runner import check
from runner.device import Device

from ..kit.answers import answer, version

_PCI = Path("/sys/bus/pci/devices")
_WINDOWS = Path("/dev/dxg")
_CPUS, _CPU_INFO = Path("/sys/devices/system/cpu"), Path("/proc/cpuinfo")
# Extensions that add further values to CL_DEVICE_PARTITION_PROPERTIES, and these values.
_SCHEMES = {"cl_ext_device_fission": range(0x4050, 0x4054), "cl_intel_device_partition_by_names": (0x4052,)}
Rule = Callable[..., None]
_FP = {"DENORM": 1, "INF_NAN": 2, "NEAREST": 4, "ZERO": 8, "INF": 16, "FMA": 32, "SOFT": 64, "DIVIDE": 128}


def _true(what: str, condition: bool) -> None:
    check.true(what, condition, stage="api")


def _full(d: Device) -> bool:
    return bool(answer(d, "PROFILE") == "FULL_PROFILE")


def _has(d: Device, extension: str) -> bool:
    return extension in answer(d, "EXTENSIONS").split()


def at_least(d: Device, v: int, full: int, embedded: int) -> None:
    """At least `full`, or `embedded` in the embedded profile."""
    least = full if _full(d) else embedded
    _true(f"{v} >= {least}", v >= least)


def gated(d: Device, v: int, gate: str, full: int, embedded: int) -> None:
    """As `at_least` if the query `gate` is true, else 0."""
    if answer(d, gate):
        at_least(d, v, full, embedded)
    else:
        _true(f"{v} is 0, as {gate} is", v == 0)


def gated_bits(d: Device, v: int, gate: str, bits: int) -> None:
    """All of `bits` if the query `gate` is true, else no bit."""
    want = bits if answer(d, gate) else 0
    _true(f"{v:#x} has the bits {want:#x}, as {gate} says", v & want == want and (want or not v) != 0)


def one_of(d: Device, v: int, *values: int) -> None:
    """One of some values."""
    _true(f"{v} is one of {values}", v in values)


def bits_within(d: Device, v: int, bits: int) -> None:
    """No bits except those of `bits`."""
    _true(f"{v:#x} has no bits beside {bits:#x}", not v & ~bits)


def has_bits(d: Device, v: int, bits: int) -> None:
    """All of `bits`, and any other."""
    _true(f"{v:#x} has the bits {bits:#x}", v & bits == bits)


def not_zero(d: Device, v: int) -> None:
    """Any value but 0."""
    _true("not 0", v != 0)


def in_a_full_profile(d: Device, v: int) -> None:
    """CL_TRUE; in the embedded profile CL_FALSE too."""
    _true(f"{v} is CL_TRUE, or CL_FALSE in the embedded profile", v == 1 or (v == 0 and not _full(d)))


def at_most(d: Device, v: int, name: str) -> None:
    """No more than the answer to the query `name`."""
    top = answer(d, name)
    _true(f"{v} <= {top}, which is {name}", v <= top)


def power_of_two_or_zero(d: Device, v: int) -> None:
    """0, or a power of two."""
    _true(f"{v} is 0 or a power of two", v & (v - 1) == 0)


def zero_or_at_least(d: Device, v: int, full: int, embedded: int) -> None:
    """0, or as `at_least`."""
    least = full if _full(d) else embedded
    _true(f"{v} is 0 or >= {least}", v == 0 or v >= least)


def zero_where_zero(d: Device, v: int, name: str) -> None:
    """0 if the query `name` is."""
    _true(f"{v} is 0 if {name} is", v == 0 or answer(d, name) != 0)


def vendor(d: Device, v: int) -> None:
    """A vendor's number: PCI's, or one of Khronos's list."""
    _true(f"{v:#x} is PCI's number of a vendor, or of Khronos' list, which begins at 0x10000", v > 0)


def pci_bus(d: Device, v: list[int]) -> None:
    """Domain, bus, device and function of a display controller or accelerator (PCI classes 03, 12) of this machine."""
    if "EMULATOR_GPU" in os.environ:
        raise check.Unsupported("the place of an emulated GPU on the PCI bus is an invented one")
    place = _PCI / "{:04x}:{:02x}:{:02x}.{:x}".format(*v)
    _true(f"{place.name} is a device of this machine", place.is_dir())
    kind, vendor_id = (int((place / name).read_text(), 16) for name in ("class", "vendor"))
    _true(f"{place.name} is of class {kind:#08x}, one that computes", kind >> 16 in (0x03, 0x12))
    check.equal("CL_DEVICE_VENDOR_ID", answer(d, "VENDOR_ID"), vendor_id, stage="api")


def luid_valid(d: Device, v: int) -> None:
    """A LUID identifies an adapter of Windows: under Linux only a guest of Windows has one."""
    _true(f"{v} is CL_TRUE or CL_FALSE", v in (0, 1))
    _true("a LUID is valid only if /dev/dxg leads to Windows", not v or _WINDOWS.exists())


def luid(d: Device, v: bytes) -> None:
    """A LUID that is not 0 if CL_DEVICE_LUID_VALID is true (cl_khr_device_uuid)."""
    _true("not only zeros if CL_DEVICE_LUID_VALID is true", any(v) or not answer(d, "LUID_VALID"))


def node_mask(d: Device, v: int) -> None:
    """One bit if CL_DEVICE_LUID_VALID is true."""
    _true(f"{v:#x} has one bit if CL_DEVICE_LUID_VALID is true", v.bit_count() == 1 or not answer(d, "LUID_VALID"))


def megahertz(d: Device, v: int) -> None:
    """A clock's frequency in MHz."""
    _true(f"{v} MHz is a clock's frequency", v < 10_000)


def clock_of_the_system(d: Device, v: int) -> None:
    """The system's value for a CPU, within a factor of two: the greatest, or, if that is unknown, the present one."""
    greatest = [int(p.read_text()) // 1000 for p in _CPUS.glob("cpu*/cpufreq/cpuinfo_max_freq")]
    present = [round(float(n)) for n in re.findall(r"^cpu MHz\s*: ([\d.]+)", _CPU_INFO.read_text(), re.MULTILINE)]
    clocks = (greatest or present) if answer(d, "TYPE") & 2 else []  # CL_DEVICE_TYPE_CPU
    if not clocks or not v:  # the number is implementation-defined (4.2): 0 states no frequency
        raise check.Unsupported("a CPU device whose clock both the device and the system report")
    _true(f"{v} MHz is the clock of a CPU of {max(clocks)} MHz", max(clocks) / 2 <= v <= 2 * max(clocks))


def nanoseconds(d: Device, v: int) -> None:
    """A timer's resolution: with more than a millisecond it could not measure a command."""
    _true(f"{v} ns is a timer's resolution", 1 <= v <= 1_000_000)


def item_sizes(d: Device, v: list[int]) -> None:
    """The greatest number of work-items in each dimension: one number a dimension, none of them 0."""
    check.equal("as many sizes as dimensions", len(v), answer(d, "MAX_WORK_ITEM_DIMENSIONS"), stage="api")
    _true(f"each of {v} is at least 1", all(n >= 1 for n in v))
    _true(f"one of {v} is greater than 0", max(v) > 0)


def width_of(d: Device, v: int, extension: str) -> None:
    """A vector width of at least 1 if the device has the type's extension, else 0."""
    if _has(d, extension):
        _true(f"{v} >= 1, with {extension}", v >= 1)
    else:
        _true(f"{v} is 0, without {extension}", v == 0)


def max_mem_alloc(d: Device, v: int) -> None:
    """The largest allocation in bytes: a quarter of the global memory or 1 GiB, and at least the profile's minimum.

    The minimum holds "for devices that are not of type CL_DEVICE_TYPE_CUSTOM".
    """
    if answer(d, "TYPE") & 0x10:
        _true(f"{v} bytes can be allocated on a custom device", v > 0)
        return
    size = answer(d, "GLOBAL_MEM_SIZE")
    least = max(min(1 << 30, size // 4), 32 << 20 if _full(d) else 1 << 20)
    _true(f"{v} >= max(min(1 GiB, a quarter of {size}), the minimum)", v >= least)


def single_fp(d: Device, v: int) -> None:
    """CL_DEVICE_SINGLE_FP_CONFIG: round to nearest, infinities and NaN; in the embedded profile a rounding mode."""
    if _full(d):
        has_bits(d, v, _FP["NEAREST"] | _FP["INF_NAN"])
    else:
        _true(f"{v:#x} rounds to nearest or to zero", v & (_FP["NEAREST"] | _FP["ZERO"]) != 0)


def double_fp(d: Device, v: int) -> None:
    """CL_DEVICE_DOUBLE_FP_CONFIG: fma, round to nearest, infinities, NaN and denormals; 0 without cl_khr_fp64."""
    if _has(d, "cl_khr_fp64"):
        has_bits(d, v, _FP["FMA"] | _FP["NEAREST"] | _FP["INF_NAN"] | _FP["DENORM"])
    else:
        _true(f"{v:#x} is 0, without cl_khr_fp64", v == 0)


def half_fp(d: Device, v: int) -> None:
    """CL_DEVICE_HALF_FP_CONFIG: round to nearest with infinities and NaN, or to zero."""
    rounded = v & (_FP["NEAREST"] | _FP["INF_NAN"]) == _FP["NEAREST"] | _FP["INF_NAN"]
    _true(f"{v:#x} rounds to nearest with infinities, or to zero", rounded or bool(v & _FP["ZERO"]))


def cache(d: Device, v: int, kind: str) -> None:
    """The size of a cache: not 0 if the query `kind` says that there is one."""
    if answer(d, kind):
        _true(f"{v} > 0, with a cache", v > 0)
    else:
        _true(f"{v} fits in 64 bits, without a cache", v >= 0)


def text(d: Device, v: str) -> None:
    """A text that is not empty."""
    _true("the text is not empty", bool(v.strip()))


def text_of(d: Device, v: str, pattern: str) -> None:
    """A text that matches a regular expression."""
    _true(f"{v!r} is of the form {pattern}", re.fullmatch(pattern, v) is not None)


def words(d: Device, v: str) -> None:
    """Names separated by spaces, as in CL_DEVICE_EXTENSIONS; the text may be empty."""
    names = v.split()
    _true("names of letters, digits and underscores, separated by spaces", re.fullmatch(r"(\w+( +\w+)*)? *", v) is not None)
    check.equal("names that come twice", sorted({n for n in names if names.count(n) > 1}), [], stage="api")


def words_of(d: Device, v: str, pattern: str) -> None:
    """Names separated by spaces, each of which matches a regular expression; SPIR-V is one of them if there are any."""
    wrong = [w for w in v.split() if not re.fullmatch(pattern, w)]
    check.equal(f"words that are not of the form {pattern}", wrong, [], stage="api")
    _true(f"{v!r} names SPIR-V if it names anything", not v or "SPIR-V_" in v)


def no_blanks(d: Device, v: str) -> None:
    """Names separated by semicolons, none of them empty."""
    _true("names separated by semicolons, none empty", not v or all(v.split(";")))


def own_platform(d: Device, v: int) -> None:
    """The platform that listed the device."""
    _true("the platform is the one that listed the device", v == d.device.platform.int_ptr)


def partitions(d: Device, v: list[int]) -> None:
    """The schemes by which a device can be partitioned, or a 0 if there are none."""
    most = answer(d, "PARTITION_MAX_SUB_DEVICES")
    schemes = [n for n in v if n]
    own = {0x1086, 0x1087, 0x1088}.union(*(numbers for name, numbers in _SCHEMES.items() if _has(d, name)))
    names = " ".join(hex(n) for n in schemes if n not in own)
    check.equal("schemes that are not in the specification or an extension of the device", names, "", stage="api")
    _true("a device that can be partitioned can have sub-devices", not schemes or most >= 1)
    _true("a device without a scheme answers with a 0", bool(schemes) or v == [0])


def no_partition(d: Device, v: list[int]) -> None:
    """Empty or 0: the device was not made by a partition."""
    _true(f"{v} is empty or 0: a root device has no partition", v in ([], [0]))


def image_alignment(d: Device, v: int) -> None:
    """0 without cl_khr_image2d_from_buffer, and not 0 with it."""
    able = _has(d, "cl_khr_image2d_from_buffer")
    _true(f"{v} is 0 if and only if there are no 2D images from buffers", (v != 0) == able)


def svm(d: Device, v: int) -> None:
    """CL_DEVICE_SVM_CAPABILITIES: atomics need a fine grain, and fine-grain buffers need coarse-grain ones."""
    _true(f"{v:#x}: atomics need a fine grain", not v & 8 or bool(v & 6))
    _true(f"{v:#x}: fine-grain buffers come with coarse ones", not v & 2 or bool(v & 1))


def version_of(d: Device, v: int, name: str, prefix: str, target: str = "device") -> None:
    """The version that the answer to the query `name` states after `prefix`."""
    reported = answer(d, name, target).removeprefix(prefix).split()[0]
    check.equal(f"version in {name}", ".".join(map(str, version(v))), reported, stage="api")


def versions(d: Device, v: list[tuple[str, int]]) -> None:
    """Names with versions: no name is empty, no entry comes twice."""
    names = [n for n, _ in v]
    _true("no name is empty or has a blank", all(n and " " not in n for n in names))
    same = sorted({str(n) for n in v if v.count(n) > 1})
    check.equal("entries that come twice", same, [], stage="api")


def c_versions(d: Device, v: list[tuple[str, int]]) -> None:
    """The versions of OpenCL C: all that a device of this version must support, and none newer than it."""
    check.equal("names", sorted({n for n, _ in v}), ["OpenCL C"], stage="api")
    have, full = {version(n) for _, n in v}, version(answer(d, "NUMERIC_VERSION"))
    need = {(1, 0), (1, 1), (1, 2)} | {v for v in ((3, 0), (3, 1)) if full >= v}
    check.equal("versions that are missing", sorted(need - have), [], stage="api")
    _true(f"no version in {sorted(have)} is newer than the device", max(have) <= full)


def feature_names(d: Device, v: list[tuple[str, int]]) -> None:
    """Names of the features of OpenCL C, each with a version."""
    wrong = [n for n, _ in v if not n.startswith("__opencl_c_")]
    check.equal("names that are not a feature's", wrong, [], stage="api")


def not_all_zero(d: Device, v: bytes) -> None:
    """Bytes that are not all 0."""
    _true("not only zeros", any(v))


def booleans(d: Device, v: list[int]) -> None:
    """A list of CL_TRUE and CL_FALSE."""
    _true(f"{v} are CL_TRUE or CL_FALSE", all(n in (0, 1) for n in v))


def each_once(d: Device, v: list[Any]) -> None:
    """A list that is not empty and holds nothing twice."""
    _true("the list is not empty", bool(v))
    check.equal("elements that come twice", sorted({n for n in v if v.count(n) > 1}), [], stage="api")


def holds(d: Device, v: list[Any], element: str) -> None:
    """A list that holds `element`."""
    _true(f"{element} is among {v}", element in v)


def spirv_extensions(d: Device, v: list[str]) -> None:
    """Names of the registry, and those that the device's extensions of OpenCL need (none of these is core SPIR-V)."""
    check.equal("names that are not SPIR-V's", [n for n in v if not re.fullmatch(r"SPV_[A-Z]+_\w+", n)], [], stage="api")
    needs = {"expect_assume": "expect_assume", "spirv_linkonce_odr": "linkonce_odr", "subgroup_rotate": "subgroup_rotate"}
    missing = [n for own, n in needs.items() if _has(d, f"cl_khr_{own}") and f"SPV_KHR_{n}" not in v]
    check.equal("extensions of SPIR-V that the device's own need", missing, [], stage="api")


def spirv_capabilities(d: Device, v: list[int]) -> None:
    """The capabilities of every device, and those of the types that this one has (OpenCL SPIR-V Environment 3.0, 3)."""
    missing = {"Addresses": 4, "Linkage": 5, "Kernel": 6, "Vector16": 7, "Float16Buffer": 8, "Int16": 22, "Int8": 39}
    check.equal("capabilities of every device that it lacks", [n for n, c in missing.items() if c not in v], [], stage="api")
    types = {"Float16": (9, _has(d, "cl_khr_fp16")), "Float64": (10, _has(d, "cl_khr_fp64")), "Int64": (11, _full(d))}
    for name, (code, there) in types.items():
        _true(f"{name} is listed if the device has it", there == (code in v) or (name == "Int64" and not there))


def of_all_devices(d: Device, v: str) -> None:
    """The extensions of the platform: at least those that all of its devices have."""
    common = set.intersection(*(set(one.extensions.split()) for one in d.device.platform.get_devices()))
    check.equal(
        "extensions of all devices that the platform does not name", sorted(common - set(v.split())), [], stage="api"
    )


def host_timer(d: Device, v: int) -> None:
    """The resolution of a timer in ns, less than a second."""
    _true(f"a resolution of {v} ns is less than a second", v < 1_000_000_000)


RULES: dict[str, Any] = {name: rule for name, rule in list(globals().items()) if callable(rule)}
