"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from runner.model import Case

from ..areas import Area
from ..coverage import Row
from .table import (
    ACCESS,
    BOXES,
    HOST_ACCESS,
    HOST_MEMORY,
    HOST_OPERATIONS,
    LINEAR_OVERLAPS,
    MAP_FLAGS,
    OFFSETS,
    OVERLAPS,
    PATTERNS,
    PITCHES,
    SUB_OPERATIONS,
)

ROWS = [
    Row(
        "kernels/memory/buffer/*",
        "Buffers: flags, host pointers, queries, lifetime",
        "OpenCL API 3.0, 5.2.1",
        "mem_host_flags",
    ),
    Row("kernels/memory/sub/*", "Sub-buffers", "OpenCL API 3.0, 5.2.1", "buffers"),
    Row("kernels/memory/transfer/*", "Reads, writes, copies, migration", "OpenCL API 3.0, 5.2.2", "buffers"),
    Row("kernels/memory/rect/*", "Rectangular reads, writes, copies", "OpenCL API 3.0, 5.2.2", "basic"),
    Row("kernels/memory/map/*", "Mapping", "OpenCL API 3.0, 5.2.4", "buffers"),
    Row("kernels/memory/fill/*", "Fills", "OpenCL API 3.0, 5.2.3", "buffers"),
]
_AREA = Area("memory", ("execute",), group="memory")


def buffer_cases() -> Iterator[Case]:
    """Buffers of every combination of flags, and their operations from the host."""
    for access, memory, host in product(ACCESS, HOST_MEMORY, HOST_ACCESS):
        params: dict[str, Any] = {"access": access, "memory": memory, "host": host}
        yield _AREA.case(f"buffer/flags.{access}.{memory}.{host}", "flags", params=params)
    for sub, host, operation in product(("", "inherited", "own"), HOST_ACCESS, HOST_OPERATIONS):
        if sub and host == "any":
            continue
        name = f"buffer/access.{f'sub_{sub}.' if sub else ''}{host}.{operation}"
        yield _AREA.case(name, "host_access", host=host, operation=operation, sub=sub)
    for memory, (size, shift) in product(("use", "copy"), ((1, 0), (3, 1), (63, 3), (4097, 63), (70001, 1))):
        params = {"size": size, "shift": shift, "memory": memory}
        yield _AREA.case(f"buffer/size.{memory}.{size}.{shift}", "size", params=params)
    for name, properties in (("none", None), ("null", False), ("empty", True)):
        yield _AREA.case(f"buffer/properties.{name}", "properties", given=properties)
    for used, count in product(("nothing", "kernel", "retained", "sub"), (1, 4)):
        yield _AREA.case(f"buffer/destructor.{used}.{count}", "destructor", used=used, count=count)
    for count in (1, 8):
        yield _AREA.case(f"buffer/lifetime.{count}", "lifetime", count=count)
    yield _AREA.case("buffer/references", "references")


def sub_cases() -> Iterator[Case]:
    """Sub-buffers: each operation in them, two of one buffer, their references."""
    for operation, (origin, memory) in product(SUB_OPERATIONS, ((1, "plain"), (3, "use"))):
        params = {"operation": operation, "origin": origin, "memory": memory}
        yield _AREA.case(f"sub/{operation}.{origin}.{memory}", "sub_operation", params=params)
    for memory, (low, high) in product(("plain", "use", "alloc", "copy"), ((0, 2), (3, 1))):
        yield _AREA.case(f"sub/two.{memory}.{low}.{high}", "sub_two", memory=memory, low=low, high=high)
    for writer, reader in product(("part", "kernel", "parent"), ("part", "map", "parent")):
        if (writer, reader) != ("parent", "parent"):
            yield _AREA.case(f"sub/overlapping.{writer}.{reader}", "sub_overlapping", writer=writer, reader=reader)
    for (name, overlap), down in product((("copy_overlap", True), ("copy_apart", False)), (False, True)):
        yield _AREA.case(f"sub/{name}{'.down' * down}", "sub_copy_between", overlap=overlap, down=down)
    for name, same in (("one", True), ("two", False)):
        yield _AREA.case(f"sub/boxes_overlap.{name}", "sub_boxes_between", same=same)
    for command, source, target in product(("linear", "rect"), ("whole", "sub"), ("whole", "sub")):
        if (source, target) != ("whole", "whole"):
            params = {"command": command, "source": source, "target": target}
            yield _AREA.case(f"sub/copy.{command}.{source}_to_{target}", "sub_copy", params=params)
    for memory in HOST_MEMORY:
        access = {"use": "", "plain": "ro", "alloc": "wo"}.get(memory, "rw")
        yield _AREA.case(f"sub/queries.{memory}", "sub_queries", memory=memory, access=access)
    for memory in ("plain", "use", "copy"):
        yield _AREA.case(f"sub/orphan.{memory}", "sub_orphan", memory=memory)


def transfer_cases() -> Iterator[Case]:
    """Reads, writes and copies, linear and of rectangles, at every offset, and those that overlap."""
    for path, source, target in product(("read", "write", "copy", "copy_within"), OFFSETS, OFFSETS):
        params = {"path": path, "source": source, "target": target}
        yield _AREA.case(f"transfer/{path}.{source}.{target}", "linear", params=params)
    for name in LINEAR_OVERLAPS:
        yield _AREA.case(f"transfer/overlap.{name}", "overlap", name=name, rectangle=False)
    for count, flags, sub in product((1, 3), range(4), (False, True)):
        params = {"count": count, "flags": flags, "sub": sub}
        yield _AREA.case(f"transfer/migrate.{count}.{flags}{'.sub' * sub}", "migrate", params=params)
    for path in ("read", "write", "copy"):
        yield _AREA.case(f"transfer/gated.{path}", "gated", path=path)
    for path, box in product(("read", "write", "copy", "copy_within"), BOXES):
        for from_pitch, to_pitch in product(PITCHES, PITCHES):
            if path == "copy_within" and from_pitch != to_pitch:
                continue  # both sides of one buffer have one pitch
            name = f"rect/{path}.{'x'.join(map(str, box))}.{from_pitch}.{to_pitch}"
            params = {"path": path, "region": list(box), "source": from_pitch, "target": to_pitch}
            yield _AREA.case(name, "rectangle", params=params)
    for path, rows in product(("read", "write", "copy"), ("pitch", "one", "other")):
        yield _AREA.case(f"rect/small.{path}.rows_{rows}", "small_boxes", path=path, rows=rows)
    for name in OVERLAPS:
        yield _AREA.case(f"rect/overlap.{name}", "overlap", name=name, rectangle=True)


def map_cases() -> Iterator[Case]:
    """Mappings, by flags and kind of memory, whole and in part, one and several at once."""
    for flags, memory, blocking in product(MAP_FLAGS, ("plain", "use", "alloc", "copy"), (True, False)):
        name = f"map/{flags}.{memory}.{'blocking' if blocking else 'later'}"
        params = {"flags": flags, "memory": memory, "blocking": blocking}
        yield _AREA.case(name, "map_flags", params=params)
    places = {
        "apart": ((3, 100), (500, 63), (900, 124)),
        "touching": ((0, 100), (100, 63), (163, 861)),
        "same": ((17, 100), (17, 100), (17, 100)),
        "nested": ((0, 1024), (100, 500), (250, 1)),
    }
    orders = {"first": (0, 1, 2), "last": (2, 1, 0), "middle": (1, 2, 0)}
    for (where, at), (first, order), flags in product(places.items(), orders.items(), MAP_FLAGS):
        if flags == "read" or where in ("apart", "touching"):  # mappings for writing must not overlap
            params = {"flags": flags, "places": [list(p) for p in at], "order": list(order)}
            yield _AREA.case(f"map/several.{where}.{first}_first.{flags}", "map_several", params=params)
    for count in (2, 5):
        yield _AREA.case(f"map/counted.{count}", "map_counted", count=count)
    for count, memory in product((2, 5), ("plain", "use")):  # whose maps have pointers of their own, or one
        yield _AREA.case(f"map/each_unmapped.{count}.{memory}", "map_each_unmapped", count=count, memory=memory)
    for before, after, flags in product(("kernel", "fill", "copy"), ("kernel", "fill"), MAP_FLAGS):
        params = {"before": before, "after": after, "flags": flags}
        yield _AREA.case(f"map/between.{before}.{after}.{flags}", "map_ordered", params=params)
    for unmap, flags in product((False, True), ("read_write", "invalidate")):
        if unmap or flags == "read_write":
            name = f"map/gated.{'unmap' if unmap else 'map'}.{flags}"
            yield _AREA.case(name, "map_gated", flags=flags, unmap=unmap)
    for flags in MAP_FLAGS:
        yield _AREA.case(f"map/two_queues.{flags}", "map_two_queues", flags=flags)
    for memory, first in product(("plain", "use"), ("parent", "sub")):
        yield _AREA.case(f"map/parent.{memory}.{first}_first", "map_parent", memory=memory, first=first)
    for flags, launched in product(("read", "read_write"), (False, True)):
        name = f"map/pointer.{flags}{'.kernel' * launched}"
        yield _AREA.case(name, "map_pointer", flags=flags, launched=launched)


def fill_cases() -> Iterator[Case]:
    """clEnqueueFillBuffer with every width of a pattern, at every place."""
    for width, first, memory in product(PATTERNS, (0, 1, 3, 7), ("plain", "sub")):
        params = {"width": width, "first": first, "memory": memory}
        yield _AREA.case(f"fill/{width}.{first}.{memory}", "fill_places", params=params)
    for width, memory in product(PATTERNS, ("use", "alloc")):
        yield _AREA.case(f"fill/{width}.5.{memory}", "fill_places", width=width, first=5, memory=memory)
    for width in PATTERNS:
        yield _AREA.case(f"fill/sequence.{width}", "fill_sequence", width=width)
        yield _AREA.case(f"fill/pattern_is_copied.{width}", "fill_pattern_is_copied", width=width)
        yield _AREA.case(f"fill/large.{width}", "fill_large", width=width)
        yield _AREA.case(f"fill/among.{width}", "fill_among", width=width)


def cases() -> Iterator[Case]:
    """Buffers and their transfers."""
    yield from buffer_cases()
    yield from sub_cases()
    yield from transfer_cases()
    yield from map_cases()
    yield from fill_cases()
