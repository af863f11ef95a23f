"""Extensions and optional features that are nearly there."""

from typing import Any

from mutation import Function, Mutant, api_of, compiler_of, of

from mutants.memory import instead
from mutants.spirv import module

call = api_of("extension")

source = compiler_of("extension")


def _hint(name: str, case: str, pattern: str, replacement: str) -> Mutant:
    """A module of a hint that is read as another."""
    return module(f"hint.{name}", f"hint/{case}", pattern, replacement, area="extension")


@of
def _core_type(inner: Function, function: str, *arguments: Any) -> Any:
    """CL_EVENT_COMMAND_TYPE of clEnqueueSVMFree for an event of clEnqueueSVMFreeARM."""
    got = inner(function, *arguments)
    if function == "clGetEventInfo" and arguments[1] == 0x11D1 and arguments[3]._obj.value == 0x40BA:
        arguments[3]._obj.value = 0x1209
    return got


MUTANTS = [
    _hint("expected_is_taken", "expect.*int", r"OpExpectKHR (%\S+) (%\S+) (%\S+)", r"OpCopyObject \1 \3"),
    _hint("expected_of_bytes", "expect.v16uchar", r"OpExpectKHR (%\S+) (%\S+) (%\S+)", r"OpCopyObject \1 \3"),
    _hint("condition_is_expected", "expect.bool", r"OpExpectKHR (%\S+) (%\S+) (%\S+)", r"OpCopyObject \1 \3"),
    _hint("quotient_of_the_assumed", "assume", r"%x %uint_3", "%x %uint_4"),
    source("hint.c.expected_is_taken", "hint/c.expect", r"__builtin_expect\((.*), (\d+)L\)", r"\2"),
    source("hint.c.branch_is_expected", "hint/c.branch", r"__builtin_expect\((.*), 0\)", "0"),
    source("hint.c.loop_ends_early", "hint/c.loop", r"i < x, 1", "i < x - 1, 1"),
    source("hint.c.case_is_expected", "hint/c.switch", r"__builtin_expect\((.*), (\d)L\)", r"\2"),
    source("hint.c.assumed_everywhere", "hint/c.assume_branch", r"else y = x == 7 .*;", "else y = 3;"),
    call("function.none", "function/cl_*", ".address.address_of", lambda inner: lambda device, name: 0),
    call(
        "function.of_another",
        "function/cl_arm_shared_virtual_memory",
        ".address.address_of",
        lambda inner: lambda device, name: inner(device, name.replace("Unmap", "Map")),
    ),
    call("arm.types_of_core", "arm_svm/types", "suites.kernels.kit.opencl.call", _core_type),
    call(
        "arm.not_told",
        "arm_svm/queries",
        "suites.kernels.kit.opencl.queried",
        lambda inner: lambda *args: bytes(4) if args[-1] == 0x40B7 else inner(*args),
    ),
    call("arm.any_size", "arm_svm/exec_info", ".address.call", instead("CL_INVALID_VALUE", "CL_SUCCESS")),
    call("function.any", "function/none.*", ".address.address_of", lambda inner: lambda device, name: 4096),
    call(
        "pipe.created",
        "pipe/create",
        "suites.kernels.kit.opencl.create",
        lambda inner: lambda *args: (inner(*args)[0], "CL_SUCCESS"),
    ),
    call(
        "queue.created",
        "enqueue/set_default",
        "suites.kernels.kit.opencl.call",
        instead("CL_INVALID_OPERATION", "CL_SUCCESS"),
    ),
    source("macro.defined", "pipe/macro", r"#ifdef \w+", "#if 1"),
    source("arm.kernel", "arm_svm/kernel", r"0x5a5a", "0x5a5b"),
]
