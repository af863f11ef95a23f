"""Which variables a child gets, and which a record holds: two lists of names, and no value that looks like a secret.

Secrets of a CI job (tokens, passwords, addresses with a login) must reach neither the results, which are published, nor the
driver under test, whose output is published too.
"""

import re
from collections.abc import Collection, Mapping

HIDDEN = "[hidden]"
# Variables that decide what is tested. Any other is in no record, whatever it begins with, and in no child
# either, unless it is one of _SYSTEM_VARIABLES, or a driver's entry in drivers.yaml (`passes`) or PASSED names it.
_NAMES = """
ACO_DEBUG AGX_MESA_DEBUG AMDGPU_GPU_ID AMD_DEBUG ANV_DEBUG ANV_QUEUE_THREAD_DISABLE ASAHI_MESA_DEBUG ASAN_OPTIONS
BIFROST_MESA_DEBUG CLC_DEBUG DEV DXIL_DEBUG EMULATOR_ACCEPT EMULATOR_EXECUTE EMULATOR_GPU FD_GPU_ID FD_MESA_DEBUG
GALLIUM_DRIVER GALLIUM_DUMP_CPU GALLIUM_LOG_FILE GALLIUM_NOSSE GALLIUM_OVERRIDE_CPU_CAPS GALLIUM_PIPE_SEARCH_DIR
GALLIUM_PRINT_OPTIONS GALLIUM_THREAD GALLIUM_TRACE GALLIUM_TRACE_TC GALLIVM_DEBUG GALLIVM_PERF GPU INTEL_DEBUG
INTEL_DECODE INTEL_FORCE_PROBE INTEL_MEASURE INTEL_NO_HW INTEL_PRECISE_TRIG INTEL_SHADER_ASM_READ_PATH
INTEL_SHADER_BIN_DUMP_PATH INTEL_SIMD_DEBUG INTEL_STUB_GPU_PLATFORM IR3_SHADER_DEBUG LD_LIBRARY_PATH LD_PRELOAD
LIBGL_ALWAYS_SOFTWARE LIBGL_DEBUG LIMA_DEBUG LP_DEBUG LP_FORCE_MAX_CL_WORK_GROUPS LP_FORCE_SSE2 LP_NATIVE_VECTOR_WIDTH
LP_NO_RAST LP_NUM_THREADS LP_PERF MESA_DEBUG MESA_EXTENSION_MAX_YEAR MESA_EXTENSION_OVERRIDE
MESA_LOADER_DRIVER_OVERRIDE MESA_LOG MESA_LOG_FILE MESA_LOG_LEVEL MESA_NO_ERROR MESA_PROCESS_NAME
MESA_SHADER_CACHE_DIR MESA_SHADER_CACHE_DISABLE MESA_SHADER_CACHE_MAX_SIZE MESA_SHADER_CACHE_SHOW_STATS
MESA_SHADER_CAPTURE_PATH MESA_SHADER_DUMP_PATH MESA_SHADER_READ_PATH MESA_SPIRV_DEBUG MESA_VK_ABORT_ON_DEVICE_LOSS
MESA_VK_DEVICE_SELECT MESA_VK_VERSION_OVERRIDE MIDGARD_MESA_DEBUG NAK_DEBUG NIR_DEBUG NIR_SKIP NOUVEAU_CHIPSET
NVK_DEBUG NVK_I_WANT_A_BROKEN_VULKAN_DRIVER OCL_ICD_DEBUG OCL_ICD_FILENAMES OCL_ICD_PLATFORM_SORT OCL_ICD_VENDORS
OPENCL_LAYERS OPENCL_VENDOR_PATH PANVK_DEBUG PAN_GPU_ID PAN_MESA_DEBUG PCO_DEBUG PVR_DEBUG R600_DEBUG RADEON_DEBUG
RADEON_GPU_ID RADV_DEBUG RADV_FORCE_FAMILY RADV_FORCE_VRS RADV_PERFTEST ROGUE_DEBUG RUSTICL_CL_VERSION RUSTICL_DEBUG
RUSTICL_DEVICE_TYPE RUSTICL_ENABLE RUSTICL_FEATURES RUSTICL_MAX_WORK_GROUPS ST_DEBUG TSAN_OPTIONS TU_DEBUG
UBSAN_OPTIONS V3D_DEBUG V3D_GPU_ID VC4_DEBUG VK_ADD_DRIVER_FILES VK_ADD_LAYER_PATH VK_DRIVER_FILES VK_ICD_FILENAMES
VK_INSTANCE_LAYERS VK_LAYER_PATH VK_LOADER_DEBUG VK_LOADER_DRIVERS_SELECT VK_LOADER_LAYERS_ENABLE ZINK_DEBUG
ZINK_DESCRIPTORS ZINK_INLINE_UNIFORMS
"""
_RECORDED = frozenset(_NAMES.split())
_PATHS = frozenset({"LD_LIBRARY_PATH", "LD_PRELOAD", "OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH", "VK_DRIVER_FILES"})  # of them
PASSED = "RUNNER_PASSES"  # further names, with spaces or commas between: of a vendor's driver, say
# Variables that a program needs on any system, those of Python and of OpenCL's and Vulkan's loaders, and the project's own.
_SYSTEM = """
DISPLAY HOME LANG LANGUAGE LC_ALL LC_CTYPE LC_MESSAGES LC_NUMERIC LOGNAME NO_COLOR PATH SHELL TEMP TERM TMP TMPDIR TZ
USER WAYLAND_DISPLAY XDG_CACHE_HOME XDG_CONFIG_DIRS XDG_CONFIG_HOME XDG_DATA_DIRS XDG_DATA_HOME XDG_RUNTIME_DIR
GLIBC_TUNABLES LD_BIND_NOW LD_DEBUG LD_DEBUG_OUTPUT MALLOC_ARENA_MAX MALLOC_CHECK_ MALLOC_PERTURB_ OMP_NUM_THREADS
OPENBLAS_NUM_THREADS VALGRIND_LIB VALGRIND_OPTS CC CXX DEBUG PYTHONFAULTHANDLER PYTHONHOME PYTHONNOUSERSITE PYTHONPATH
PYTHONSAFEPATH PYTHONUNBUFFERED PYTEST_DISABLE_PLUGIN_AUTOLOAD OCL_ICD_FORCE_LEGACY_TERMINATION OPENCL_LAYER_PATH
VK_IMPLICIT_LAYER_PATH VK_LOADER_LAYERS_DISABLE EMULATOR_CC EMULATOR_SHADERS EMULATOR_STATISTICS EMULATOR_TRACE
RUNNER_APPS RUNNER_ARM64_ROOT RUNNER_COMMAND RUNNER_CRASH_PLACE RUNNER_CTS RUNNER_CTS_BUILD RUNNER_CTS_FULL
RUNNER_CTS_RESULTS RUNNER_EMULATOR RUNNER_MESA_BUILD RUNNER_NOOP_FENCE RUNNER_PIGLIT RUNNER_PIGLIT_STRICT
RUNNER_RENDER_NODE RUNNER_ROOT_PACKAGES RUNNER_SHIMS RUNNER_TINYGRAD_SRC RUSTICL_RUNNER_CACHE
"""
_SYSTEM_VARIABLES = frozenset(_SYSTEM.split())
_LOGIN = re.compile(r"(?:(?<=//)|(?<=\\/\\/))[^/\s]+@")  # also if JSON has escaped the slashes
_SECRET_NAME = (
    r"token|secret|passw(?:or)?d|passphrase|signature|credential|cookie|jwt|(?:api|access|private|ssh|deploy)[_-]?key"
)
_TOKEN = re.compile(
    # The marks of GitLab, GitHub, Slack, AWS, Hugging Face, npm, PyPI, Vault, JSON web tokens, shops, clouds, mail and keys.
    r"\b(?:gl[a-z]{2,8}-|gh[a-z]_|github_pat_|xox[a-z]-|AKIA|ASIA|hf_|sk-|eyJ|npm_|pypi-|hvs\.|[sr]k_live_|do[opr]_v1_|SG\.|"
    r"ya29\.|AIza|GR1348941)[A-Za-z0-9_.=-]{8,}|"
    # Keys; a request's header; such names in an address's query, an option, an assignment or an object of JSON.
    r"-----BEGIN[\s\S]*|(?i:Authorization\s*[:=].*|\bBearer\s+\S+|"
    rf"(?:(?<![\w-])(?:[\w-]*?(?:{_SECRET_NAME})[\w-]{{0,200}}|sig|key|pass|auth)[\"']?\s*[:=]\s*[\"']?|"
    r"--(?:token|password|secret|api-?key|auth)\s+|(?<!\S)-u\s+(?=\S+:))[^\s&;,\"'}]+)|"
    # And long strings without spaces that mix all kinds of characters, as no word does; with slashes, as at AWS.
    r"(?<![A-Za-z0-9+_-])(?=[A-Za-z0-9+_-]*[a-z])(?=[A-Za-z0-9+_-]*[A-Z])(?=[A-Za-z0-9+_-]*[0-9])[A-Za-z0-9+_-]{32,}|"
    r"(?<![A-Za-z0-9+/._-])(?=[a-zA-Z+/]{0,39}[0-9])(?=[A-Z0-9+/]{0,39}[a-z])(?=[a-z0-9+/]{0,39}[A-Z])"
    r"[A-Za-z0-9+][A-Za-z0-9+/]{39}(?![A-Za-z0-9+/._-])"
)


def mask(text: str) -> str:
    """A text without logins of URLs, and without anything that looks like a token or a key."""
    return _TOKEN.sub(HIDDEN, _LOGIN.sub(f"{HIDDEN}@", text))


def recorded(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables that belong in a record, by name; values that look like a secret are masked there, too."""
    return {name: mask(environment[name]) for name in sorted(_RECORDED & environment.keys())}


def passed(environment: Mapping[str, str], more: Collection[str] = ()) -> dict[str, str]:
    """The variables for a process whose output is published: the names in the lists, and `more`.

    A value that looks like a secret is left out, except what the system itself needs, mostly paths.
    """
    asked = {*more, *re.split(r"[\s,]+", environment.get(PASSED, ""))}
    return {
        name: value
        for name, value in environment.items()
        if name in _SYSTEM_VARIABLES or name in _PATHS or (name in _RECORDED | asked and mask(value) == value)
    }
