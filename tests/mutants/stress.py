"""Limits that are one short, large kernels with one wrong step, objects that stay."""

import mmap
import os
from typing import Any

from mutation import Function, api_of, compiler_of, of

from mutants.memory import of_function, position

call = api_of("stress")

source = compiler_of("stress")

_KEPT: list[Any] = []


@of
def _kept(inner: Function, *args: Any, **kwargs: Any) -> Any:
    result = inner(*args, **kwargs)
    result.retain() if hasattr(result, "retain") else _KEPT.append(result)
    return result


@of
def _with_memory(inner: Function, *args: Any) -> Any:
    """An object for which a driver makes something that it never frees."""
    _KEPT.append(bytearray(1 << 16))
    return inner(*args)


def _keeps(keep: Any) -> Any:
    """An image's release that leaves something of the image's size behind."""

    def release(inner: Function, image: Any) -> None:
        size = image.size
        inner(image)
        _KEPT.append(keep(size))

    return of(release)


def _in_a_nameless_file(size: int) -> None:
    """As a driver's memory may lie in a file that it opened once: no page of it is the process's."""
    if not any(isinstance(one, int) for one in _KEPT):
        _KEPT.append(os.memfd_create("device"))
    file = next(one for one in _KEPT if isinstance(one, int))
    os.posix_fallocate(file, os.fstat(file).st_size, size)


MUTANTS = [
    source("local.no_barrier", "local/*", r"barrier\(CLK_LOCAL_MEM_FENCE\);", ""),
    source("local.wraps", "local/array.4of4", r"l\[j\] =", "l[j & ~1] ="),
    source("local.parts_overlap", "local/both.full", r"\{ a, b, c \}", "{ a, b, b }"),
    source("constant.first_page", "constant/65536.1", r"\[i \* stride\]", "[i * stride & 1023]"),
    source("table.short", "constant/table.4096", r"t\[b\[i\]\]", "t[b[i] & 2047]"),
    source("arguments.neighbour", "arguments/int4.most", r"\(uint\)p3\.", "(uint)p2."),
    source("arguments.last", "arguments/pointer.most", r"\+ p125\[0\]", "+ p124[0]"),
    source("straight.one_or", "kernel/straight.1000", r"\|(?!.*\|)", "^"),
    source("switch.falls_through", "kernel/switch.16", r"case 3: (.*) break;", r"case 3: \1"),
    source("branches.inverted", "kernel/branches.50", r">> 7 & 1u\)", ">> 7 & 1u ^ 1u)"),
    source("functions.inline", "kernel/functions.60", r"y >> 5\b", "y >> 6"),
    source("loops.one_less", "kernel/loops.5x5x5x5", r"i3 < 5u", "i3 < 4u"),
    source("spill.slot", "registers/uint.128", r"v101 = v101 \+ (\w+)", r"v101 = v102 + \1"),
    source("spill.vector", "registers/uint4.64", r"sum \+= v9;", "sum += v9.xyzz;"),
    source("array.index", "registers/array.64", r"a\[j\] \^= x1", "a[j] |= x1"),
    source("items.dimension", "items/1000x999", r"get_global_id\(1\) \* 5", "get_global_id(0)"),
    call(
        "items.last_group",
        "items/100003",
        "pyopencl.enqueue_nd_range_kernel",
        position(2, lambda size: (size[0] & ~63, *size[1:])),
    ),
    source("large.32_bits", "many/large.16.1", r"a\[last\] = ", "a[last & 0xffff] = "),
    source("wide.28_bits", "wide/buffer.items", r"a\[i\] \+=", "a[i & 0xfffffff] +="),
    source("wide.last_item", "wide/range.across_32_bits", r"get_global_id\(0\) >> 20", "(uint)get_global_id(0) >> 20"),
    call(
        "wide.fill_of_31_bits",
        "wide/buffer.fill",
        "pyopencl.enqueue_fill_buffer",
        position(4, lambda size: size & 0x3FFFFFFF),
    ),
    call(
        "wide.copy_from_30_bits",
        "wide/buffer.host",
        "pyopencl.enqueue_copy",
        lambda inner: (
            lambda *args, **named: inner(
                *args, **{name: value & 0x3FFFFFFF if name.endswith("offset") else value for name, value in named.items()}
            )
        ),
    ),
    call(
        "wide.offset_of_32_bits",
        "wide/range.across_40_bits",
        "runner.device.Device.launch",
        lambda inner: lambda *args, offset, **named: inner(*args, offset=[n & 0xFFFFFFFF for n in offset], **named),
    ),
    call(
        "leak.programs",
        "leak/build",
        ".leak.call",
        of_function("clReleaseProgram", lambda inner: lambda *args: "CL_SUCCESS"),
    ),
    call(
        "exhausted.code",
        "exhausted/*",
        ".exhausted.create",
        lambda inner: lambda *args: (result := inner(*args), (result[0], result[1] if result[0] else "CL_INVALID_VALUE"))[1],
    ),
    call("leak.queues", "leak/one_queue", "pyopencl.CommandQueue", _kept),
    call("leak.buffers", "leak/buffer", "pyopencl.Buffer.release", lambda inner: _KEPT.append),
    call("leak.images", "leak/image_launched", "pyopencl.MemoryObject.release", lambda inner: _KEPT.append),
    call("leak.untouched", "leak/image_read", "pyopencl.MemoryObject.release", _keeps(lambda size: mmap.mmap(-1, size))),
    call("leak.driver", "leak/image_mapping", "pyopencl.MemoryObject.release", _keeps(_in_a_nameless_file)),
    call("leak.samplers", "leak/image_relaunched", "pyopencl.Sampler", _with_memory),
    call(
        "many.one_lost",
        "many/buffers",
        "pyopencl.enqueue_copy",
        lambda inner: (
            lambda *args, **kwargs: inner(
                *args, **{**kwargs, "dst_offset": kwargs.get("dst_offset", 0) & ~4} if "dst_offset" in kwargs else kwargs
            )
        ),
    ),
]
