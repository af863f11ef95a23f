"""Buffers at the wrong place, of the wrong size, for the wrong reader."""

from collections.abc import Callable
from typing import Any

from mutation import Function, api, api_of, compiler, of

call = api_of("memory")


def keyword(name: str, change: Callable[[Any], Any]) -> Callable[[Function], Function]:
    """A call that takes another value for one keyword."""

    def outer(inner: Function, *args: Any, **kwargs: Any) -> Any:
        return inner(*args, **({**kwargs, name: change(kwargs[name])} if name in kwargs else kwargs))

    return of(outer)


def position(index: int, change: Callable[[Any], Any]) -> Callable[[Function], Function]:
    """A call that takes another value at one position."""

    def outer(inner: Function, *args: Any, **kwargs: Any) -> Any:
        changed = [*args[:index], change(args[index]), *args[index + 1 :]] if len(args) > index else args
        return inner(*changed, **kwargs)

    return of(outer)


@of
def _forgotten(inner: Function, device: Any, buffer: Any, flags: str, *rest: Any, **named: Any) -> Any:
    """A mapping for writing only that does not have the buffer's contents."""
    mapped, event = inner(device, buffer, flags, *rest, **named)
    if flags == "write":
        event.wait()
        mapped[...] = 0x77
    return mapped, event


def answer(change: Callable[[Any], Any]) -> Callable[[Function], Function]:
    """A call that answers something else."""
    return lambda inner: lambda *args, **kwargs: change(inner(*args, **kwargs))


def of_function(name: str, wrap: Callable[[Function], Function]) -> Callable[[Function], Function]:
    """`suites.kernels.kit.opencl.call` that errs in one function of the API."""

    def outer_wrap(inner: Function) -> Function:
        wrong = wrap(inner)
        return lambda *args, **kwargs: (wrong if args[0] == name else inner)(*args, **kwargs)

    return outer_wrap


def instead(code: str, other: str) -> Callable[[Function], Function]:
    """One error's name for another."""
    return answer(lambda result: other if result == code else result)


@of
def _copied(inner: Function, context: Any, flags: int, size: int = 0, hostbuf: Any = None) -> Any:
    return inner(context, (flags & ~8) | 32 if flags & 8 else flags, size, hostbuf)


@of
def _cleared(inner: Function, queue: Any, objects: Any, *args: Any, **kwargs: Any) -> Any:
    import numpy as np
    import pyopencl as cl

    event = inner(queue, objects, *args, **kwargs)
    cl.enqueue_fill_buffer(queue, objects[-1], np.zeros(1, np.uint8), 0, 1)
    return event


COPY, FILL = "pyopencl.enqueue_copy", "pyopencl.enqueue_fill_buffer"
RECT = "kernels/memory/rect/"
MUTANTS = [
    call("copy.no_source_offset", "transfer/copy.*", COPY, keyword("src_offset", lambda _: 0)),
    call("read.even_offset", "transfer/read.*", COPY, keyword("src_offset", lambda n: n & ~1)),
    call("write.no_offset", "transfer/write.*", COPY, keyword("dst_offset", lambda _: 0)),
    call("copy.whole_words", "transfer/copy_within.*", COPY, keyword("byte_count", lambda n: max(n & ~3, 1))),
    api("memory/rect.no_host_pitches", f"{RECT}read.*", COPY, keyword("host_pitches", lambda _: (0, 0))),
    api("memory/rect.no_slice_pitch", f"{RECT}write.*", COPY, keyword("buffer_pitches", lambda p: (p[0], 0))),
    api("memory/rect.no_row_pitch", f"{RECT}copy.*", COPY, keyword("src_pitches", lambda p: (0, p[1]))),
    api("memory/small.rows_for_width", f"{RECT}small.*", COPY, keyword("region", lambda r: (r[1], r[1], r[2]))),
    api("memory/small.slices_for_rows", f"{RECT}small.write.*", COPY, keyword("region", lambda r: (r[0], r[2], r[2]))),
    call("sub_copy.no_origin", "sub/copy.*", "pyopencl.Buffer.get_sub_region", position(1, lambda _: 0)),
    api("memory/rect.one_slice_less", f"{RECT}copy*", COPY, keyword("region", lambda r: (r[0], r[1], max(r[2] - 1, 1)))),
    api("memory/rect.no_z_origin", f"{RECT}write.*", COPY, keyword("host_origin", lambda o: (o[0], o[1], 0))),
    *(
        call(f"fill.{n}.half", f"fill/{n}.*", FILL, position(2, lambda p: p[: len(p) // 2]))
        for n in (2, 4, 8, 16, 32, 64, 128)
    ),
    call("fill.no_offset", "fill/*", FILL, position(3, lambda _: 0)),
    call("fill.whole_blocks", "fill/1.*", FILL, position(4, lambda n: n & ~3 or n)),
    call(
        "fill.half_pattern",
        "fill/128.*",
        FILL,
        position(2, lambda p: p[: max(len(p) // 2, 1)].repeat(1) if p.ndim and len(p) == 128 else p),
    ),
    call("sub.no_origin", "sub/*", "pyopencl.Buffer.get_sub_region", position(1, lambda _: 0)),
    call(
        "sub.query_offset",
        "sub/queries.*",
        ".sub.query",
        lambda inner: lambda buffer, what, kind: 0 if what == 0x1108 else inner(buffer, what, kind),
    ),
    call("unmap.of_what_is_not_mapped", "map/each_unmapped.*", ".map.call", lambda inner: lambda *arguments: "CL_SUCCESS"),
    call("map.write_without_contents", "map/write.*", ".map.map_part", _forgotten),
    call("map.no_offset", "map/*", "pyopencl.enqueue_map_buffer", position(3, lambda _: 0)),
    call("map.only_reads", "map/gated.map.*", FILL, keyword("wait_for", lambda _: None)),
    call("use_host_ptr.copies", "map/pointer.*", "pyopencl.Buffer", _copied),
    call("access.not_refused", "buffer/access.*", ".create.call", instead("CL_INVALID_OPERATION", "CL_SUCCESS")),
    call("access.maps_not_refused", "buffer/access.*", ".create.create", answer(lambda result: (result[0], "CL_SUCCESS"))),
    call(
        "access.refused",
        "buffer/access.*.read",
        ".create.call",
        of_function("clEnqueueReadBuffer", answer(lambda _: "CL_INVALID_OPERATION")),
    ),
    call("overlap.not_refused", "transfer/overlap.*", ".transfer.call", instead("CL_MEM_COPY_OVERLAP", "CL_SUCCESS")),
    api(
        "memory/overlap.too_strict",
        f"{RECT}overlap.*interleaved",
        "suites.kernels.memory.transfer.call",
        answer(lambda _: "CL_MEM_COPY_OVERLAP"),
    ),
    call(
        "overlap.by_offsets_in_the_parts", "sub/copy_overlap.down", ".sub.call", instead("CL_MEM_COPY_OVERLAP", "CL_SUCCESS")
    ),
    api(
        "memory/overlap.touching_is_overlapping",
        f"{RECT}overlap.*touching_backwards",
        "suites.kernels.memory.transfer.call",
        answer(lambda _: "CL_MEM_COPY_OVERLAP"),
    ),
    call("boxes_overlap.without_offsets", "sub/boxes_overlap.two", ".sub.call", answer(lambda _: "CL_SUCCESS")),
    call(
        "destructor.same",
        "buffer/destructor.*",
        ".create.call",
        of_function("clSetMemObjectDestructorCallback", position(3, lambda n: n // 2)),
    ),
    call(
        "flags.lost",
        "buffer/flags.*",
        ".create.query",
        lambda inner: lambda b, what, kind: inner(b, what, kind) & ~128 if what == 0x1101 else inner(b, what, kind),
    ),
    call("migrate.clears", "transfer/migrate.*", "pyopencl.enqueue_migrate_mem_objects", _cleared),
    compiler("memory/sub.next_byte", "kernels/memory/sub/two.*", r"b\[i / 2\]", "b[i / 2 + 1]"),
]
