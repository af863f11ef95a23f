"""Statements of a device that must agree: strings, versions, macros, queries.

One file: it is a table of statements, with the few queries that they share.
"""

import re
from collections.abc import Callable

from runner import check
from runner.check import Mismatch
from runner.device import Device

from ..kit.answers import answer, version
from .table import FEATURES, NEEDING, STANDARDS

CL3 = "-cl-std=CL3.0"


def extensions(d: Device) -> list[str]:
    """The names in CL_DEVICE_EXTENSIONS."""
    return list(answer(d, "EXTENSIONS").split())


def features(d: Device) -> list[str]:
    """The names in CL_DEVICE_OPENCL_C_FEATURES."""
    return [name for name, _ in answer(d, "OPENCL_C_FEATURES")]


def require(d: Device, condition: str, options: str) -> None:
    """Build a program that fails if the preprocessor finds a condition false."""
    text = condition.replace('"', "")
    d.build(f"#if !({condition})\n#error not so: {text}\n#endif\n__kernel void f(void) {{}}", options)
    check.true(condition, True, stage="build")


def defined(d: Device, name: str, want: bool, options: str) -> None:
    """Require that a macro is defined, or that it is not."""
    require(d, f"{'' if want else '!'}defined({name})", options)


def check_macro(d: Device, *, extension: str) -> None:
    """An extension of the language has its macro if and only if the device lists it."""
    defined(d, extension, extension in extensions(d), "-cl-std=CL1.2")


def check_version(d: Device, *, extension: str) -> None:
    """An extension is in the list with versions if and only if it is in the string."""
    listed = [v for n, v in answer(d, "EXTENSIONS_WITH_VERSION") if n == extension]
    check.equal(f"entries of {extension} with a version", len(listed), int(extension in extensions(d)), stage="api")
    check.true("a version is not 0.0.0", all(listed), stage="api")


def check_feature_macro(d: Device, *, feature: str) -> None:
    """A feature has its macro in OpenCL C 3.0 if and only if it is listed."""
    defined(d, feature, feature in features(d), CL3)


def other_answer(d: Device, query: str, bits: int) -> bool:
    """What another query says about a feature."""
    if query.startswith("extension "):
        return query.split()[1] in extensions(d)
    if query.startswith("profile "):
        return bool(answer(d, "PROFILE") == query.split()[1])
    value = answer(d, query)
    return bool(value & bits if bits else value)


def check_feature_query(d: Device, *, feature: str) -> None:
    """A feature is listed if and only if its query says so."""
    query, bits = FEATURES[feature]
    claimed, listed = other_answer(d, query, bits), feature in features(d)
    if query.startswith("profile") and not claimed:
        return check.true("an embedded device may have it or not", isinstance(listed, bool), stage="api")
    return check.equal(f"{feature} is listed; {query} says {claimed}", listed, claimed, stage="api")


def check_code(d: Device, *, feature: str) -> None:
    """Code that needs a feature builds if and only if the device has the feature."""
    if feature in features(d):
        d.build(NEEDING[feature], CL3)
        check.true("it builds", True, stage="build")
        return
    try:
        d.build(NEEDING[feature], CL3)
    except Mismatch:
        check.true("it does not build", True, stage="build")
    else:
        check.true(f"code that needs {feature} is refused without it", False, stage="build")


def check_standard(d: Device, *, standard: str) -> None:
    """A language version is accepted, with its macro, if and only if it is listed."""
    number, macro = STANDARDS[standard]
    option = f"-cl-std={standard}"
    if number in {version(v) for _, v in answer(d, "OPENCL_C_ALL_VERSIONS")}:
        require(d, f"__OPENCL_C_VERSION__ == {macro}", option)
        return
    try:
        d.build("__kernel void f(void) {}", option)
    except Mismatch as error:
        check.true("it is refused", str(error).startswith("build"), stage="build")
    else:
        check.true(f"{option}, which is not listed, is refused", False, stage="build")


def _names(d: Device, name: str, target: str = "device") -> list[str]:
    return sorted(n for n, _ in answer(d, name, target))


def _same_extensions(d: Device) -> None:
    check.equal("names with a version", _names(d, "EXTENSIONS_WITH_VERSION"), sorted(extensions(d)), stage="api")


def _platform_extensions(d: Device) -> None:
    want = sorted(answer(d, "EXTENSIONS", "platform").split())
    check.equal("names with a version", _names(d, "EXTENSIONS_WITH_VERSION", "platform"), want, stage="api")


def _il(d: Device) -> None:
    want = sorted(answer(d, "IL_VERSION").split())
    got = sorted(f"{n}_{'.'.join(map(str, version(v)))}" for n, v in answer(d, "ILS_WITH_VERSION"))
    check.equal("ILs with a version", got, want, stage="api")


def _built_in(d: Device) -> None:
    want = sorted(n for n in answer(d, "BUILT_IN_KERNELS").split(";") if n)
    check.equal("kernels with a version", _names(d, "BUILT_IN_KERNELS_WITH_VERSION"), want, stage="api")


def _c_version(d: Device) -> None:
    found = re.match(r"OpenCL C (\d)\.(\d)", answer(d, "OPENCL_C_VERSION"))
    newest = (int(found[1]), int(found[2])) if found else (0, 0)
    have = {version(v) for _, v in answer(d, "OPENCL_C_ALL_VERSIONS")}
    check.true(f"OpenCL C {newest} is one of {sorted(have)}", newest in have, stage="api")


def _platform_version(d: Device) -> None:
    device, platform = answer(d, "NUMERIC_VERSION"), answer(d, "NUMERIC_VERSION", "platform")
    check.true(
        f"the platform's version {version(platform)} >= the device's {version(device)}",
        version(platform) >= version(device),
        stage="api",
    )


def _unknown_features(d: Device) -> None:
    for name in features(d):
        defined(d, name, True, CL3)


def _version_macro(d: Device) -> None:
    major, minor = version(answer(d, "NUMERIC_VERSION"))
    require(d, f"__OPENCL_VERSION__ == {100 * major + 10 * minor}", CL3)
    require(d, "CL_VERSION_1_2 == 120 && CL_VERSION_3_0 == 300", CL3)


def _image_macro(d: Device) -> None:
    defined(d, "__IMAGE_SUPPORT__", bool(answer(d, "IMAGE_SUPPORT")), "-cl-std=CL1.2")


def _endian_macro(d: Device) -> None:
    defined(d, "__ENDIAN_LITTLE__", bool(answer(d, "ENDIAN_LITTLE")), "-cl-std=CL1.2")


def _profile_macro(d: Device) -> None:
    defined(d, "__EMBEDDED_PROFILE__", answer(d, "PROFILE") == "EMBEDDED_PROFILE", "-cl-std=CL1.2")


def _platform_profile(d: Device) -> None:
    platform, device = answer(d, "PROFILE", "platform"), answer(d, "PROFILE")
    check.true(
        f"a device of {device} fits a platform of {platform}", platform == "FULL_PROFILE" or device == platform, stage="api"
    )


LISTS: dict[str, Callable[[Device], None]] = {
    "extensions": _same_extensions,
    "platform_extensions": _platform_extensions,
    "il": _il,
    "built_in_kernels": _built_in,
    "c_version": _c_version,
    "platform_version": _platform_version,
    "c_features_unknown": _unknown_features,
    "opencl_version_macro": _version_macro,
    "image_support_macro": _image_macro,
    "endian_macro": _endian_macro,
    "profile_macro": _profile_macro,
    "platform_profile": _platform_profile,
}


def check_list(d: Device, *, what: str) -> None:
    """A list of the device follows its rule. `what`: a name of LISTS."""
    LISTS[what](d)


def _require_implication(what: str, first: bool, second: bool) -> None:
    check.true(what, second or not first, stage="api")


def _require_equal(what: str, first: bool, second: bool) -> None:
    check.equal(what, bool(first), bool(second), stage="api")


Claim = tuple[str, bool, bool]  # a text and two values, of which the first implies the second
Names = set[str]  # extensions and features of a device
# Features that need another feature.
_NEEDS: dict[str, Callable[[Device, Names], list[Claim]]] = {
    "byte_addressable_store": lambda d, have: [
        ("a full device stores bytes", True, "cl_khr_byte_addressable_store" in have)
    ],
    "subgroup_extensions": lambda d, have: [
        (
            "an extension of sub-groups needs sub-groups",
            any(name.startswith("cl_khr_subgroup") for name in have),
            answer(d, "MAX_NUM_SUB_GROUPS") > 0,
        )
    ],
    "images_need_image_support": lambda d, have: [
        (
            "an extension of images needs images",
            bool(have & {"cl_khr_3d_image_writes", "cl_khr_depth_images", "cl_khr_image2d_from_buffer"}),
            bool(answer(d, "IMAGE_SUPPORT")),
        )
    ],
    "il_program": lambda d, have: [
        ("cl_khr_il_program needs an IL", "cl_khr_il_program" in have, bool(answer(d, "IL_VERSION")))
    ],
    "int64_extended_needs_base": lambda d, have: [
        (
            "extended 64-bit atomics come with the base",
            "cl_khr_int64_extended_atomics" in have,
            "cl_khr_int64_base_atomics" in have,
        )
    ],
    "int32_extended_needs_base": lambda d, have: [
        (
            f"extended {space} atomics come with the base",
            f"cl_khr_{space}_int32_extended_atomics" in have,
            f"cl_khr_{space}_int32_base_atomics" in have,
        )
        for space in ("global", "local")
    ],
    "icd": lambda d, have: [
        (
            "cl_khr_icd comes with a suffix",
            "cl_khr_icd" in answer(d, "EXTENSIONS", "platform").split(),
            bool(answer(d, "ICD_SUFFIX_KHR", "platform")),
        )
    ],
    "device_enqueue_needs": lambda d, have: [
        (
            "device enqueue needs generic addresses and program variables",
            "__opencl_c_device_enqueue" in have,
            have >= {"__opencl_c_generic_address_space", "__opencl_c_program_scope_global_variables"},
        )
    ],
    "pipes_need_generic": lambda d, have: [
        ("pipes need generic addresses", "__opencl_c_pipes" in have, "__opencl_c_generic_address_space" in have)
    ],
    "svm_atomics_need": lambda d, have: [
        ("SVM atomics need a fine grain", bool(_svm(d) & 8), bool(_svm(d) & 6)),
        ("a fine grain needs a coarse one", bool(_svm(d) & 6), bool(_svm(d) & 1)),
    ],
    "atomic_order_needs_acq_rel": lambda d, have: [
        ("sequential consistency includes acquire and release", bool(_atomics(d) & 4), bool(_atomics(d) & 2)),
        ("all devices include the device", bool(_atomics(d) & 64), bool(_atomics(d) & 32)),
    ],
    "extended_versioning": lambda d, have: [
        ("OpenCL 3.0 has versions of extensions", True, bool(answer(d, "EXTENSIONS_WITH_VERSION")))
    ],
    "khr_subgroups_needs_progress": lambda d, have: [
        (
            "cl_khr_subgroups needs independent progress",
            "cl_khr_subgroups" in have,
            bool(answer(d, "SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS")),
        )
    ],
}
# An extension, and the query that says the same.
_EXTENSION_AND_QUERY = {
    "fp64": ("cl_khr_fp64", "DOUBLE_FP_CONFIG"),
    "image2d_from_buffer": ("cl_khr_image2d_from_buffer", "IMAGE_PITCH_ALIGNMENT"),
}


def _svm(d: Device) -> int:
    return int(answer(d, "SVM_CAPABILITIES"))


def _atomics(d: Device) -> int:
    return int(answer(d, "ATOMIC_MEMORY_CAPABILITIES"))


def check_needs(d: Device, *, what: str) -> None:
    """A feature implies the features that it needs."""
    have = {*extensions(d), *features(d)}
    if what == "required_atomics":
        need = {f"cl_khr_{s}_int32_{k}_atomics" for s in ("global", "local") for k in ("base", "extended")}
        check.equal("atomics that every device has but this", sorted(need - have), [], stage="api")
    elif what in _EXTENSION_AND_QUERY:
        extension, query = _EXTENSION_AND_QUERY[what]
        _require_equal(f"{extension}, as CL_DEVICE_{query}", extension in have, answer(d, query))
    else:
        for claim in _NEEDS[what](d, have):
            _require_implication(*claim)
