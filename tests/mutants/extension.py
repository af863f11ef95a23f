"""Extensions and optional features that are nearly there."""

from __future__ import annotations

from mutation import api, compiler

from mutants.memory import instead

OPTIONAL = "suites.kernels.extension.optional"
MUTANTS = [
    api(
        "extension/function.none",
        "kernels/extension/function/cl_*",
        "suites.kernels.extension.address.address_of",
        lambda inner: lambda device, name: 0,
    ),
    api(
        "extension/function.any",
        "kernels/extension/function/none.*",
        "suites.kernels.extension.address.address_of",
        lambda inner: lambda device, name: 4096,
    ),
    api(
        "extension/pipe.created",
        "kernels/extension/pipe/create",
        "suites.kernels.opencl.create",
        lambda inner: lambda *args: (inner(*args)[0], "CL_SUCCESS"),
    ),
    api(
        "extension/queue.created",
        "kernels/extension/enqueue/set_default",
        "suites.kernels.opencl.call",
        instead("CL_INVALID_OPERATION", "CL_SUCCESS"),
    ),
    compiler("extension/macro.defined", "kernels/extension/pipe/macro", r"#ifdef \w+", "#if 1"),
    compiler("extension/arm.kernel", "kernels/extension/arm_svm/kernel", r"0x5a5a", "0x5a5b"),
]
