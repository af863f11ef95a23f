"""Shared virtual memory whose pointers are nearly right, and extensions that are nearly there."""

from __future__ import annotations

from typing import Any

from mutation import Function, api, compiler_of, of

from mutants.memory import answer, instead, of_function, position

source = compiler_of("svm")

RUN, DATA = "suites.kernels.svm.commands", "suites.kernels.svm.data"


@of
def _rounded(inner: Function, device: Any, kernel: Any, items: int, *args: Any, **kwargs: Any) -> None:
    inner(device, kernel, items, *(a & ~63 if isinstance(a, int) else a for a in args), **kwargs)


def _of(name: str, index: int, change: Any) -> Any:
    return of_function(name, position(index, change))


_half_pattern = _of("clEnqueueSVMMemFill", 4, lambda width: width // 2)


@of
def _another_type(inner: Function, function: str, *arguments: Any) -> Any:
    """CL_EVENT_COMMAND_TYPE of a marker for every event."""
    got = inner(function, *arguments)
    if function == "clGetEventInfo" and arguments[1] == 0x11D1:
        arguments[3]._obj.value = 0x11FE
    return got


@of
def _does_not_wait(inner: Function, function: str, *arguments: Any) -> Any:
    """clEnqueueSVMFree that drops its wait list."""
    if function == "clEnqueueSVMFree":
        arguments = (*arguments[:5], 0, 0, arguments[7])
    return inner(function, *arguments)


MUTANTS = [
    api("svm/free.another_type", "kernels/svm/command/free.5.gated", f"{RUN}.call", _another_type),
    api("svm/free.does_not_wait", "kernels/svm/command/free.1.callback.gated", f"{RUN}.call", _does_not_wait),
    api(
        "svm/free.all_but_the_last",
        "kernels/svm/command/freed.clEnqueueSVMFree",
        f"{RUN}.succeed",
        _of("clEnqueueSVMFree", 2, lambda count: count - 1),
    ),
    api(
        "svm/free.never",
        "kernels/svm/command/freed.clSVMFree",
        f"{RUN}.release",
        lambda inner: lambda device, pointer: None,
    ),
    api("svm/argument.rounded", "kernels/svm/*/kernel.12.4", f"{DATA}.launch", _rounded),
    api(
        "svm/null.not_null",
        "kernels/svm/command/null",
        f"{DATA}.launch",
        lambda inner: lambda device, kernel, items, *args: inner(device, kernel, items, *(a or 64 for a in args)),
    ),
    api(
        "svm/memcpy.short",
        "kernels/svm/coarse/copy.*",
        f"{DATA}.succeed",
        _of("clEnqueueSVMMemcpy", 5, lambda size: size & ~3),
    ),
    api(
        "svm/fill.half",
        "kernels/svm/coarse/fill.16",
        f"{DATA}.succeed",
        _half_pattern,
    ),
    *(
        api(f"svm/{kind}.fill.{n}.half", f"kernels/svm/{kind}/fill.{n}", f"{DATA}.succeed", _half_pattern)
        for kind in ("fine", "system")
        for n in (2, 4, 8, 16, 32, 64, 128)
    ),
    api(
        "svm/alloc.ignores_flags",
        "kernels/svm/alloc/refused.*",
        f"{RUN}.allocate",
        lambda inner: lambda device, flags, size, alignment=0: inner(device, 1, size or 1, 0),
    ),
    api("svm/alloc.misaligned", "kernels/svm/alloc/alignment.0", f"{RUN}.allocate", answer(lambda p: p + 64)),
    api(
        "svm/buffer.not_told",
        "kernels/svm/coarse/buffer.0",
        f"{RUN}.call",
        of_function("clGetMemObjectInfo", lambda inner: lambda *args: "CL_SUCCESS"),
    ),
    api(
        "svm/support.wrong_error",
        "kernels/svm/alloc/support.*",
        "suites.kernels.kit.opencl.call",
        instead("CL_SUCCESS", "CL_INVALID_OPERATION"),
    ),
    source("list.not_seen", "coarse/list.16.apart", r"= \+\+count", "= count++"),
    source("list.skips", "coarse/list.16.apart", r"n = n->next", "n = n->next ? n->next->next : 0"),
    source("chain.relative", "coarse/list_of_device", r"nodes \+ \(i \+ 1\)", "nodes + (i + 2)"),
]
