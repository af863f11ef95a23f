"""Arguments that go to the wrong place, come too late, or are taken in spite of a wrong size."""

from collections.abc import Callable
from typing import Any

from mutation import Function, api_of, compiler, compiler_of, of

call = api_of("argument")

source = compiler_of("argument")

_OK = "CL_SUCCESS"


def _sub_buffer_at_zero(inner: Function) -> Function:
    """The origin of a sub-buffer is forgotten."""
    return lambda self, origin, size, flags=0: inner(self, 0, size, flags)


def _clone_is_the_source(inner: Function) -> Function:
    """clCloneKernel returns the kernel itself."""
    from runner.importing import import_suite_module

    def outer(function: str, *arguments: Any) -> Any:
        if function != "clCloneKernel":
            return inner(function, *arguments)
        from mutation import SUITES

        import_suite_module(SUITES / "kernels", "kit.opencl").call("clRetainKernel", arguments[0])
        return arguments[0], _OK

    return outer


@of
def _late(inner: Function, stand: Any, change: Callable[[], Any]) -> None:
    """A command takes the arguments of the time when it runs."""
    change()
    inner(stand, lambda: None)


def _takes_any(inner: Function) -> Function:
    return lambda function, *arguments: _OK if function == "clSetKernelArg" else inner(function, *arguments)


def _global_size(inner: Function) -> Function:
    """The suggestion is one group of everything."""
    return lambda device, kernel, size, offset=None: list(size)


@of
def _next_argument(inner: Function, function: str, *leading: Any) -> Any:
    """clGetKernelArgInfo describes the argument before."""
    if function == "clGetKernelArgInfo":
        leading = (leading[0], 0, leading[2])
    return inner(function, *leading)


@of
def _no_local_arguments(inner: Function, device: Any, kernel: Any, name: int) -> bytes:
    """CL_KERNEL_LOCAL_MEM_SIZE leaves arguments out."""
    return (300).to_bytes(8, "little") if name == 0x11B2 else inner(device, kernel, name)


@of
def _none_for_many(
    inner: Function, device: Any, kernel: Any, name: int, inputs: list[int], *more: Any, **named: Any
) -> list[int]:
    """No local size has more than eight sub-groups."""
    got: list[int] = inner(device, kernel, name, inputs, *more, **named)
    return [0] * len(got) if name == 0x11B8 and inputs[0] > 8 else got


@of
def _floor(inner: Function, device: Any, kernel: Any, name: int, inputs: list[int], *more: Any, **words: Any) -> list[int]:
    """The number of sub-groups leaves a partial one out."""
    got: list[int] = inner(device, kernel, name, inputs, *more, **words)
    if name == 0x2034:
        largest = inner(device, kernel, 0x2033, inputs)[0]
        items = 1
        for n in inputs:
            items *= n
        return [max(items // largest, 1)]
    return got


def _unset_taken(inner: Function) -> Function:
    """A launch does not ask whether each argument is set."""
    return lambda function, *arguments: _OK if function == "clEnqueueNDRangeKernel" else inner(function, *arguments)


MUTANTS = [
    call("unused.not_asked_for", "unused.*.not_set", ".unused.call", _unset_taken),
    source("unused.beside_image", "unused.beside.image", r"imagef\(b", "imagef(a"),
    source("unused.beside_write_image", "unused.beside.write_image", r"imagef\(b", "imagef(a"),
    source("unused.beside_sampler", "unused.beside.sampler", r"b, t,", "b, s,"),
    source("many.few_used", "many.uchar_few_used", r"\(int\)a258", "(int)a2"),
    source("unused.no_offset", "unused.with*_offset.*", r"get_global_offset\(0\) [!=]= 0", "0"),
    source("unused.left_out", "unused.local.set", r"__local int \*x, ", ""),
    source("unused.size_of_value", "unused.value.set", r"float4 x", "float x"),
    source("value.second_is_first", "value.*.4", r"\(w, 1, r\)", "(v, 1, r)"),
    source("value.component", "value.*.3", r"(vstore3\(v)(, 0)", r"\1.xzy\2"),
    source("struct.member", "struct.char_short_char", r"&s\.m2", "&s.m0"),
    source("struct.behind", "struct.int_array", r"r\[k\] = after", "r[k] = after + 1"),
    source("pointer.null", "pointer.null*", r"p == 0", "p != 0"),
    compiler(
        "argument/pointer.locals_overlap",
        "kernels/argument/pointer.local_two",
        r"__local int \*l, (__local int \*m\) \{)\s+",
        r"__local int *l_, \1 __local int *l = m; ",  # the larger one, so that nothing is written beyond it
    ),
    source("pointer.alias", "pointer.alias", r"a\[0\] = 5; b\[0\] \+= 1", "b[0] += 1; a[0] = 5"),
    source("many.last", "many.uint", r"r\[7\] = \(int\)(\**)a7", r"r[7] = (int)\1a6"),
    source("image.swapped", "image.two_images", r"read_imageui\(b", "read_imageui(a"),
    source("image.sampler_swapped", "image.two_samplers", r"i, t,", "i, s,"),
    source("info.const_lost", "info.global_const_volatile*", r"__global const ", "__global "),
    source("info.restrict_lost", "info.global_*restrict", r"\*restrict ", "*"),
    source("required_size", "group_info.reqd.4x2x1", r"size\(4, 2, 1\)", "size(2, 4, 1)"),
    call("sub_buffer_at_zero", "pointer.sub_buffer", "pyopencl.Buffer.get_sub_region", _sub_buffer_at_zero),
    call("clone_is_the_source", "kept.clone*", ".kept.create", _clone_is_the_source),
    call("late", "kept.*_of_a_waiting_command", ".kept._change_while_waiting", _late),
    call("takes_any", "refuse_size.*", ".refusal.call", _takes_any),
    call("suggests_all", "suggested.4096", ".groups.suggest", _global_size),
    call(
        "attributes_of_binary",
        "kernel_info.attributes_of_binary.*",
        ".queries.ask",
        lambda inner: lambda *_: b"reqd_work_group_size(4,2,1)\0",
    ),
    call("info_of_another", "info.*", ".queries.ask", _next_argument),
    call("local_size", "group_info.local*", ".groups.group_info", _no_local_arguments),
    call("sub_group_most", "sub_group_info.local_size_for_most", ".groups.sub_group_info", _none_for_many),
    call("sub_group_floor", "sub_group_info.33", ".groups.sub_group_info", _floor),
]
