"""The configurations that every driver has, for --variant; those of a single driver are in drivers.yaml."""

from collections.abc import Mapping

from runner import ROOT

# As runner/verdict/sanitizer.py reads frames: module, function, place in the source.
_SANITIZED = "halt_on_error=0:handle_segv=0:handle_sigbus=0:handle_abort=0:stack_trace_format='    #%n %m %f %S'"
VARIANTS: Mapping[str, Mapping[str, str]] = {
    "no_variants": {"RUSTICL_DEBUG": "no_variants"},
    "sync": {"RUSTICL_DEBUG": "sync"},
    "validate": {"RUSTICL_DEBUG": "validate"},
    "max_work_groups_3": {"RUSTICL_MAX_WORK_GROUPS": "3"},
    "no_reuse_context": {"RUSTICL_DEBUG": "no_reuse_context"},
    "opencl_1_2": {"RUSTICL_CL_VERSION": "1.2"},
    "type_gpu": {"RUSTICL_DEVICE_TYPE": "gpu"},
    "type_accelerator": {"RUSTICL_DEVICE_TYPE": "accelerator"},
    "cold_cache": {"MESA_SHADER_CACHE_DISABLE": "true"},
    "asan": {
        # A report leaves the process alive, a signal is left to ci/crash_place.c, and a failed allocation returns NULL.
        "ASAN_OPTIONS": f"{_SANITIZED}:detect_leaks=0:suppress_equal_pcs=0:allocator_may_return_null=1:handle_sigfpe=0",
        "UBSAN_OPTIONS": f"{_SANITIZED}:print_stacktrace=1:suppressions='{ROOT}/ci/sanitizers/undefined.txt'",
    },
    # In Python and LLVM, which are built without it, the runtime sees only half of the synchronisation of their threads.
    "tsan": {
        "TSAN_OPTIONS": f"{_SANITIZED}:ignore_noninstrumented_modules=1:report_signal_unsafe=0:exitcode=0:"
        f"suppressions='{ROOT}/ci/sanitizers/thread.txt'"
    },
    "checks": {},  # what ci/mesa-build --checks built: nothing is set, but it has expectations of its own
}
# Output that a PASS in a variant must not have: names of Vulkan's rules. The layer prints each only once for a module.
FAULTS: Mapping[str, tuple[str, ...]] = {"validation": ("VUID-",)}
SANITIZERS = {"asan": "libasan.so", "tsan": "libtsan.so"}  # variants, and the runtime that comes before every library
GL_SHARING = "gl_sharing"  # of zink
