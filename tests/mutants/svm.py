"""Shared virtual memory whose pointers are nearly right, and extensions that are nearly there."""

from typing import Any

from mutation import Function, api_of, compiler_of, of

from mutants.memory import answer, instead, of_function, position

call = api_of("svm")

source = compiler_of("svm")


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
    call("free.another_type", "command/free.5.gated", ".commands.call", _another_type),
    call("free.does_not_wait", "command/free.1.callback.gated", ".commands.call", _does_not_wait),
    call(
        "free.all_but_the_last",
        "command/freed.clEnqueueSVMFree",
        ".commands.succeed",
        _of("clEnqueueSVMFree", 2, lambda count: count - 1),
    ),
    call("free.never", "command/freed.clSVMFree", ".commands.release", lambda inner: lambda device, pointer: None),
    call("argument.rounded", "*/kernel.12.4", ".data.launch", _rounded),
    call(
        "null.not_null",
        "command/null",
        ".data.launch",
        lambda inner: lambda device, kernel, items, *args: inner(device, kernel, items, *(a or 64 for a in args)),
    ),
    call("memcpy.short", "coarse/copy.*", ".data.succeed", _of("clEnqueueSVMMemcpy", 5, lambda size: size & ~3)),
    call("fill.half", "coarse/fill.16", ".data.succeed", _half_pattern),
    *(
        call(f"{kind}.fill.{n}.half", f"{kind}/fill.{n}", ".data.succeed", _half_pattern)
        for kind in ("fine", "system")
        for n in (2, 4, 8, 16, 32, 64, 128)
    ),
    call(
        "alloc.ignores_flags",
        "alloc/refused.*",
        ".commands.allocate",
        lambda inner: lambda device, flags, size, alignment=0: inner(device, 1, size or 1, 0),
    ),
    call("alloc.misaligned", "alloc/alignment.0", ".commands.allocate", answer(lambda p: p + 64)),
    call(
        "buffer.not_told",
        "coarse/buffer.0",
        ".commands.call",
        of_function("clGetMemObjectInfo", lambda inner: lambda *args: "CL_SUCCESS"),
    ),
    call(
        "support.wrong_error",
        "alloc/support.*",
        "suites.kernels.kit.opencl.call",
        instead("CL_SUCCESS", "CL_INVALID_OPERATION"),
    ),
    source("list.not_seen", "coarse/list.16.apart", r"= \+\+count", "= count++"),
    source("list.skips", "coarse/list.16.apart", r"n = n->next", "n = n->next ? n->next->next : 0"),
    source("chain.relative", "coarse/list_of_device", r"nodes \+ \(i \+ 1\)", "nodes + (i + 2)"),
]
