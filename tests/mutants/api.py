"""Calls whose errors are lost, exchanged, or never looked for."""

import ctypes
import math
from dataclasses import replace
from typing import Any

from mutation import Function, Mutant, api, api_of, of

call = api_of("api")

_CALL, _CREATE = "suites.kernels.api.mistakes.call", "suites.kernels.api.mistakes.create"
_OK = "CL_SUCCESS"


def _answer(name: str, topic: str, function: str, error: str, instead: str = _OK) -> Mutant:
    """A function that returns `instead` when it should return `error`."""

    def outer(inner: Function, called: str, *arguments: Any) -> Any:
        got = inner(called, *arguments)
        changed = called == function and (got == error or (isinstance(got, tuple) and got[1] == error))
        return instead if changed and isinstance(got, str) else (0, instead) if changed else got

    place = _CREATE if function.startswith(("clCreate", "clLink", "clEnqueueMap")) else _CALL
    return call(f"{name}", f"{topic}/{function}.*", place, of(outer))


def _ignores(name: str, topic: str, function: str, *changes: tuple[int, Any]) -> Mutant:
    """A function that never looks at arguments: it replaces them by valid ones."""

    def outer(inner: Function, called: str, *arguments: Any) -> Any:
        if called == function:
            listed = list(arguments)
            for at, right in changes:
                listed[at] = right(listed[at]) if callable(right) else right
            arguments = tuple(listed)
        return inner(called, *arguments)

    place = _CREATE if function.startswith(("clCreate", "clLink", "clEnqueueMap")) else _CALL
    return call(f"{name}", f"{topic}/{function}.*", place, of(outer))


def _writes(name: str, case: str, function: str, size_at: int, more: int) -> Mutant:
    """A query that writes `more` bytes than its answer has, or, below 0, that many fewer than there is room for."""

    def outer(inner: Function, called: str, *arguments: Any) -> Any:
        got = inner(called, *arguments)
        if called == function and got == _OK and arguments[size_at + 1]:
            size = arguments[size_at]
            if more < 0:
                ctypes.memset(arguments[size_at + 1] + more, 0, 1)
            else:
                ctypes.memset(arguments[size_at + 1] + size, 0, more)
        return got

    return call(f"{name}", f"{case}", ".guards.call", of(outer))


def _writes_more(name: str, case: str, function: str, at: int, size: int) -> Mutant:
    """A call that writes a byte after the `size` bytes at its argument `at`."""

    def outer(inner: Function, called: str, *arguments: Any) -> Any:
        got = inner(called, *arguments)
        if called == function:
            ctypes.memset(arguments[at] + size, 0, 1)
        return got

    place = "create" if function.startswith(("clCreate", "clEnqueueMap")) else "call"
    return call(f"{name}", f"{case}", f"suites.kernels.api.guards.{place}", of(outer))


@of
def _writes_third_size(inner: Function, stage: Any, function: str, values: list[Any]) -> Any:
    """A suggestion of three sizes for two dimensions."""
    got = inner(stage, function, values)
    ctypes.memset(values[5] + 16, 1, 8)
    return got


def _binary_and_a_byte(inner: Function) -> Function:
    """CL_PROGRAM_BINARIES with a byte after each binary."""

    def outer(function: str, *arguments: Any) -> Any:
        got = inner(function, *arguments)
        if function == "clGetProgramInfo" and arguments[1] == 0x1165:
            outer.size = ctypes.c_size_t.from_address(arguments[3]).value  # type: ignore[attr-defined]
        if function == "clGetProgramInfo" and arguments[1] == 0x1166:
            ctypes.memset(ctypes.c_void_p.from_address(arguments[3]).value + outer.size, 0, 1)  # type: ignore[attr-defined]
        return got

    return outer


@of
def _full_group_refused(inner: Function, called: str, *arguments: Any) -> Any:
    """A launch that refuses a group of CL_KERNEL_WORK_GROUP_SIZE."""
    if called == "clEnqueueNDRangeKernel" and arguments[5] and math.prod(arguments[5]) >= 1024:  # llvmpipe's
        return "CL_INVALID_WORK_GROUP_SIZE"
    return inner(called, *arguments)


def _low_names(properties: Any) -> Any:
    """A driver that reads the low 32 bits of a property's name: of 1 << 32 the end of the list."""
    return properties and type(properties)(*(p & 0xFFFFFFFF if n % 2 == 0 else p for n, p in enumerate(properties)))


def _only(mutant: Mutant, mistake: str) -> Mutant:
    """A mutant that one case must see."""
    return replace(mutant, cases=mutant.cases.removesuffix("*") + mistake)


def _first(values: Any) -> Any:
    """The first of several numbers, and zeros."""
    return values and type(values)(values[0])


def _not_the_second(values: Any) -> Any:
    """Three numbers, the second of which is lost."""
    return type(values)(values[0], 0, values[2])


@of
def _too_wide(inner: Function, called: str, *arguments: Any) -> Any:
    """CL_KERNEL_NUM_ARGS of eight bytes."""
    got = inner(called, *arguments)
    if called == "clGetKernelInfo" and arguments[1] == 0x1191 and arguments[4]:
        ctypes.c_size_t.from_address(arguments[4]).value = 8
    return got


_ONES, _ZEROS = ((ctypes.c_size_t * 3)(n, n, n) for n in (1, 0))
MUTANTS = [
    _only(_ignores("rectangle.rows_beyond", "transfer", "clEnqueueReadBufferRect", (3, _not_the_second)), "beyond_in_y"),
    _only(
        _answer("rectangle.end_refused", "transfer", "clEnqueueCopyBufferRect", _OK, "CL_INVALID_VALUE"), "target_to_the_end"
    ),
    _only(_ignores("svm_memcpy.touching", "svm", "clEnqueueSVMMemcpy", (4, lambda n: n + 1)), "touching*"),
    _only(
        _ignores("read_image.row_of_1d", "image_transfer", "clEnqueueReadImage", (3, _not_the_second)),
        "origin_of_second_dimension_1d",
    ),
    _only(_ignores("launch.other_offsets", "kernel", "clEnqueueNDRangeKernel", (3, _first)), "offset_wraps_in_?"),
    _only(_answer("image.limit_refused", "image", "clCreateImage", _OK, "CL_INVALID_IMAGE_SIZE"), "highest_3d"),
    _only(_answer("context.user_sync", "platform", "clCreateContext", "CL_INVALID_PROPERTY"), "user_sync_of_two"),
    api(
        "api/queue.none_on_its_device",
        "kernels/api/platform/clCreateCommandQueueWithProperties.on_device*",
        "suites.kernels.api.mistakes.queried",  # a device that says that it has device queues
        lambda inner: lambda *arguments: b"\1" + bytes(7),
    ),
    call("guard.wide_word", "kernel/clGetKernelInfo.guard", ".guards.call", _too_wide),
    _ignores("copy_rectangle.null_region", "transfer", "clEnqueueCopyBufferRect", (5, lambda region: region or _ONES)),
    _ignores("fill_image.null_origin", "image_transfer", "clEnqueueFillImage", (3, lambda origin: origin or _ZEROS)),
    _answer("unmap.context", "transfer", "clEnqueueUnmapMemObject", "CL_INVALID_CONTEXT"),
    _ignores("sampler.normalized", "memory", "clCreateSampler", (1, bool)),
    _ignores("svm_migrate.sizes", "svm", "clEnqueueSVMMigrateMem", (3, 0)),
    _ignores("svm_argument.kind", "kernel", "clSetKernelArgSVMPointer", (1, lambda index: 0 if index < 3 else index)),
    _ignores("read.offset", "transfer", "clEnqueueReadBuffer", (3, 0)),
    _ignores("fill.width_up", "transfer", "clEnqueueFillBuffer", (3, lambda n: 1 << max(n - 1, 0).bit_length())),
    _ignores("copy.target_offset", "transfer", "clEnqueueCopyBuffer", (4, 4096)),
    _ignores("map.flags", "transfer", "clEnqueueMapBuffer", (3, lambda bits: bits & 1 or 2)),
    _ignores("rectangle.host_row_pitch", "transfer", "clEnqueueReadBufferRect", (8, 0), (9, 0)),
    _ignores("copy_rectangle.target_row_pitch", "transfer", "clEnqueueCopyBufferRect", (8, 16)),
    _ignores("sub_buffer.origin", "memory", "clCreateSubBuffer", (3, lambda region: region and type(region)(0, region[1]))),
    _ignores("barrier.wait_list", "platform", "clEnqueueBarrierWithWaitList", (1, 0), (2, 0)),
    _ignores("build.data", "program", "clBuildProgram", (5, 0)),
    _ignores("context.properties", "platform", "clCreateContext", (0, 0)),
    _ignores("launch.local_size", "kernel", "clEnqueueNDRangeKernel", (5, 0)),
    _ignores("sampler_info.room", "memory", "clGetSamplerInfo", (2, 64)),
    _ignores("migrate.flags", "transfer", "clEnqueueMigrateMemObjects", (3, 1)),
    _answer(
        "queue.not_supported",
        "platform",
        "clCreateCommandQueueWithProperties",
        "CL_INVALID_QUEUE_PROPERTIES",
        "CL_INVALID_VALUE",
    ),
    _answer("buffer.svm_size", "memory", "clCreateBuffer", "CL_INVALID_BUFFER_SIZE"),
    _answer(
        "image.view_refused", "image", "clCreateImage", "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR", "CL_INVALID_IMAGE_DESCRIPTOR"
    ),
    _ignores("migrate.all_but_the_first", "transfer", "clEnqueueMigrateMemObjects", (1, 1)),
    _ignores("wait.all_but_the_first", "platform", "clWaitForEvents", (0, 1)),
    _answer("program.no_executable", "program", "clGetProgramInfo", "CL_INVALID_PROGRAM_EXECUTABLE"),
    _answer("device.bit_beside", "platform", "clGetDeviceIDs", "CL_INVALID_DEVICE_TYPE"),
    _answer("exec_info.half_a_pointer", "kernel", "clSetKernelExecInfo", "CL_INVALID_VALUE"),
    _answer("copy.overlap", "transfer", "clEnqueueCopyBuffer", "CL_MEM_COPY_OVERLAP"),
    _answer("read.host_flags", "transfer", "clEnqueueReadBuffer", "CL_INVALID_OPERATION"),
    _answer("write_rectangle.host_flags", "transfer", "clEnqueueWriteBufferRect", "CL_INVALID_OPERATION"),
    _answer("image.size_or_descriptor", "image", "clCreateImage", "CL_INVALID_IMAGE_SIZE", "CL_INVALID_IMAGE_DESCRIPTOR"),
    _answer("image.format", "image", "clCreateImage", "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR", "CL_IMAGE_FORMAT_NOT_SUPPORTED"),
    _answer("copy_image.format", "image_transfer", "clEnqueueCopyImage", "CL_IMAGE_FORMAT_MISMATCH"),
    _answer("fill_image.region", "image_transfer", "clEnqueueFillImage", "CL_INVALID_VALUE", "CL_INVALID_IMAGE_SIZE"),
    _answer("event.set_twice", "platform", "clSetUserEventStatus", "CL_INVALID_OPERATION"),
    _answer("launch.unset", "kernel", "clEnqueueNDRangeKernel", "CL_INVALID_KERNEL_ARGS"),
    call("launch.full_group", "kernel/clEnqueueNDRangeKernel.group_full_*", _CALL, _full_group_refused),
    _answer("kernel.name", "kernel", "clCreateKernel", "CL_INVALID_KERNEL_NAME", "CL_INVALID_VALUE"),
    _answer("task.required_size", "kernel", "clEnqueueTask", "CL_INVALID_WORK_GROUP_SIZE"),
    _answer("sub_buffer.of_sub_buffer", "memory", "clCreateSubBuffer", "CL_INVALID_MEM_OBJECT", "CL_INVALID_VALUE"),
    _answer("link.null_program", "program", "clLinkProgram", "CL_INVALID_PROGRAM", "CL_INVALID_VALUE"),
    _answer("wait.two_contexts", "platform", "clWaitForEvents", "CL_INVALID_CONTEXT"),
    _ignores("svm_fill.whole_patterns", "svm", "clEnqueueSVMMemFill", (4, lambda n: n and -(-n // 128) * 128)),
    _ignores("fill.whole_patterns", "transfer", "clEnqueueFillBuffer", (5, lambda n: -(-n // 128) * 128)),
    _answer("svm_fill.misaligned", "svm", "clEnqueueSVMMemFill", "CL_INVALID_VALUE"),
    _ignores("device_ids.high_bits", "platform", "clGetDeviceIDs", (1, lambda bits: bits & 0xFFFFFFFF or 4)),
    _ignores("context_from_type.high_bits", "platform", "clCreateContextFromType", (1, lambda bits: bits & 0xFFFFFFFF or 4)),
    _answer(
        "local.zero_refused_otherwise", "kernel", "clEnqueueNDRangeKernel", "CL_INVALID_WORK_GROUP_SIZE", "CL_INVALID_VALUE"
    ),
    _answer("retain.any_memory", "memory", "clRetainMemObject", "CL_INVALID_MEM_OBJECT"),
    _answer("release.any_program", "program", "clReleaseProgram", "CL_INVALID_PROGRAM"),
    _answer("link.any_program", "program", "clLinkProgram", "CL_INVALID_PROGRAM", "CL_INVALID_VALUE"),
    _answer("build.any_program", "program", "clBuildProgram", "CL_INVALID_PROGRAM"),
    _answer("argument.any_kernel", "kernel", "clSetKernelArg", "CL_INVALID_KERNEL"),
    _answer("read.any_queue", "transfer", "clEnqueueReadBuffer", "CL_INVALID_COMMAND_QUEUE"),
    _answer("copy_image.any_image", "image_transfer", "clEnqueueCopyImage", "CL_INVALID_MEM_OBJECT"),
    _ignores("sampler.name_of_high_bits", "memory", "clCreateSamplerWithProperties", (1, _low_names)),
    _ignores("buffer.name_of_high_bits", "memory", "clCreateBufferWithProperties", (1, _low_names)),
    _ignores("context.name_of_high_bits", "platform", "clCreateContext", (0, _low_names)),
    _writes("guard.one_behind", "kernel/clGetKernelInfo.guard", "clGetKernelInfo", 2, 1),
    _writes("guard.behind_texts", "program/clGetProgramBuildInfo.guard", "clGetProgramBuildInfo", 3, 1),
    _writes("guard.behind_il", "program/il.guard", "clGetProgramInfo", 2, 4),
    _writes_more("guard.row_pitch", "image_transfer/clEnqueueMapImage.guard.image2d", "clEnqueueMapImage", 6, 8),
    _writes_more("guard.slice_pitch", "image_transfer/clEnqueueMapImage.guard.image3d", "clEnqueueMapImage", 7, 8),
    _writes_more("guard.status", "program/binaries.guard", "clCreateProgramWithBinary", 5, 4),
    _writes_more("guard.timer", "platform/clGetHostTimer.guard", "clGetHostTimer", 1, 8),
    call("guard.binaries", "program/binaries.guard", ".guards.call", _binary_and_a_byte),
    call(
        "guard.suggested", "kernel/clGetKernelSuggestedLocalWorkSizeKHR.guard", ".guards.call_extension", _writes_third_size
    ),
    _writes("guard.word_behind", "platform/guard.device", "clGetDeviceInfo", 2, 8),
    _writes("guard.one_in_front", "program/clGetProgramInfo.guard", "clGetProgramInfo", 2, -1),
]
