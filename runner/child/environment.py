"""Which variables a record holds, and how they are shown: a list of names, and no value that looks like a secret.

What a CI job is given, tokens, passwords, addresses with a login, is not for results, which are published.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

HIDDEN = "[hidden]"
# What decides what is tested. A variable whose name is not here is in no record, whatever it begins with.
_NAMES = """
AGX_MESA_DEBUG AMDGPU_GPU_ID AMD_DEBUG ASAN_OPTIONS BIFROST_MESA_DEBUG CLC_DEBUG DEV EMULATOR_GPU FD_GPU_ID FD_MESA_DEBUG
GALLIUM_DRIVER GALLIUM_OVERRIDE_CPU_CAPS GALLIUM_PRINT_OPTIONS GALLIUM_THREAD GALLIVM_DEBUG GALLIVM_PERF GPU INTEL_DEBUG
INTEL_FORCE_PROBE INTEL_SIMD_DEBUG INTEL_STUB_GPU_PLATFORM IR3_SHADER_DEBUG LD_LIBRARY_PATH LD_PRELOAD
LIBGL_ALWAYS_SOFTWARE LP_DEBUG LP_FORCE_MAX_CL_WORK_GROUPS LP_NATIVE_VECTOR_WIDTH LP_NUM_THREADS LP_PERF
MESA_DEBUG MESA_EXTENSION_OVERRIDE MESA_LOADER_DRIVER_OVERRIDE MESA_SHADER_CACHE_DIR MESA_SHADER_CACHE_DISABLE
MESA_SPIRV_DEBUG MESA_VK_DEVICE_SELECT MIDGARD_MESA_DEBUG NIR_DEBUG NOUVEAU_CHIPSET OCL_ICD_DEBUG
OCL_ICD_FILENAMES OCL_ICD_PLATFORM_SORT OCL_ICD_VENDORS OPENCL_LAYERS OPENCL_VENDOR_PATH PAN_GPU_ID
PAN_MESA_DEBUG RADEON_GPU_ID RADV_DEBUG RADV_PERFTEST RUSTICL_CL_VERSION RUSTICL_DEBUG RUSTICL_DEVICE_TYPE
RUSTICL_ENABLE RUSTICL_FEATURES RUSTICL_MAX_WORK_GROUPS TSAN_OPTIONS UBSAN_OPTIONS V3D_DEBUG V3D_GPU_ID
VK_DRIVER_FILES VK_ICD_FILENAMES VK_INSTANCE_LAYERS VK_LAYER_PATH VK_LOADER_DEBUG ZINK_DEBUG ZINK_DESCRIPTORS
"""
_RECORDED = frozenset(_NAMES.split())
_SECRET_NAME = re.compile(
    r"TOKEN|SECRET|PASS(W|PHRASE|$)|CREDENTIAL|PRIVATE|(_|API|ACCESS)KEY(_|$)|_JWT|(_|^)(PAT|PWD|PIN|AUTH|DSN)(_|$)(?<!^PWD)|"
    r"COOKIE|NETRC|UPLOAD",
    re.IGNORECASE,
)
_LOGIN = re.compile(r"(?<=//)[^/\s]+@")
_TOKEN = re.compile(
    # The marks of GitLab, GitHub, Slack, AWS, Hugging Face, npm, PyPI, Vault, JSON web tokens and keys.
    r"\b(?:gl[a-z]{2,8}-|gh[a-z]_|github_pat_|xox[a-z]-|AKIA|ASIA|hf_|sk-|eyJ|npm_|pypi-|hvs\.)[A-Za-z0-9_.=-]{8,}|"
    # Keys; a request's header; what an address's query, an option or an assignment calls so.
    r"-----BEGIN[\s\S]*|(?i:(?:(?:JOB|PRIVATE|DEPLOY)-TOKEN|Authorization)\s*[:=].*|\bBearer\s+\S+|"
    r"(?:(?<![\w-])[\w-]*?(?:token|secret|passw(?:or)?d|signature|credential|api_?key)[\w-]{0,200}=|--(?:token|password|secret)\s+)[^\s&;]+)|"
    # And what is long, of one piece and of all kinds of characters, which no word is.
    r"(?<![A-Za-z0-9+_-])(?=[A-Za-z0-9+_-]*[a-z])(?=[A-Za-z0-9+_-]*[A-Z])(?=[A-Za-z0-9+_-]*[0-9])[A-Za-z0-9+_-]{32,}",
)


def mask(text: str) -> str:
    """A text without logins of URLs, and without what looks like a token or a key."""
    return _TOKEN.sub(HIDDEN, _LOGIN.sub(f"{HIDDEN}@", text))


def recorded(environment: Mapping[str, str]) -> dict[str, str]:
    """What of an environment belongs into a record, by name; what looks like a secret is masked there, too."""
    return {name: mask(environment[name]) for name in sorted(_RECORDED & environment.keys())}


def without_secrets(environment: Mapping[str, str]) -> dict[str, str]:
    """An environment for a process whose output is published: what is a secret by its name or its look is left out."""
    return {
        name: value
        for name, value in environment.items()
        if name in _RECORDED or not (_SECRET_NAME.search(name) or mask(value) != value)
    }
