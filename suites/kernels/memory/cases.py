"""The cases of the area."""

from collections.abc import Iterator
from itertools import product

from runner.model import Case

from ..areas import Area, combine
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

_AREA = Area("memory", ("execute",), group="memory")


def buffer_cases() -> Iterator[Case]:
    """Buffers with every combination of flags, and operations of the host on them."""
    rows = combine(access=ACCESS, memory=HOST_MEMORY, host=HOST_ACCESS)
    yield from _AREA.each("buffer/flags.{access}.{memory}.{host}", "flags", rows)
    for params in combine(sub=("", "inherited", "own"), host=HOST_ACCESS, operation=HOST_OPERATIONS):
        if not params["sub"] or params["host"] != "any":
            of = "sub_{sub}." if params["sub"] else ""
            yield _AREA.case(f"buffer/access.{of}{{host}}.{{operation}}", "host_access", params=params)
    for memory, (size, shift) in product(("use", "copy"), ((1, 0), (3, 1), (63, 3), (4097, 63), (70001, 1))):
        yield _AREA.case("buffer/size.{memory}.{size}.{shift}", "size", size=size, shift=shift, memory=memory)
    for name, properties in (("none", None), ("null", False), ("empty", True)):
        yield _AREA.case(f"buffer/properties.{name}", "properties", given=properties)
    rows = combine(used=("nothing", "kernel", "retained", "sub"), count=(1, 4))
    yield from _AREA.each("buffer/destructor.{used}.{count}", "destructor", rows)
    yield from _AREA.each("buffer/lifetime.{count}", "lifetime", combine(count=(1, 8)))
    yield _AREA.case("buffer/references", "references")


def sub_cases() -> Iterator[Case]:
    """Sub-buffers: each operation on one, two of the same buffer, their references."""
    for operation, (origin, memory) in product(SUB_OPERATIONS, ((1, "plain"), (3, "use"))):
        params = {"operation": operation, "origin": origin, "memory": memory}
        yield _AREA.case("sub/{operation}.{origin}.{memory}", "sub_operation", params=params)
    for memory, (low, high) in product(("plain", "use", "alloc", "copy"), ((0, 2), (3, 1))):
        yield _AREA.case("sub/two.{memory}.{low}.{high}", "sub_two", memory=memory, low=low, high=high)
    for writer, reader in product(("part", "kernel", "parent"), ("part", "map", "parent")):
        if (writer, reader) != ("parent", "parent"):
            yield _AREA.case("sub/overlapping.{writer}.{reader}", "sub_overlapping", writer=writer, reader=reader)
    rows = combine(overlap=(True, False), down=(False, True))
    yield from _AREA.each("sub/{overlap:copy_overlap|copy_apart}{down:.down}", "sub_copy_between", rows)
    yield from _AREA.each("sub/boxes_overlap.{same:one|two}", "sub_boxes_between", combine(same=(True, False)))
    for params in combine(command=("linear", "rect"), source=("whole", "sub"), target=("whole", "sub")):
        if "sub" in params.values():
            yield _AREA.case("sub/copy.{command}.{source}_to_{target}", "sub_copy", params=params)
    for memory in HOST_MEMORY:
        access = {"use": "", "plain": "ro", "alloc": "wo"}.get(memory, "rw")
        yield _AREA.case("sub/queries.{memory}", "sub_queries", memory=memory, access=access)
    yield from _AREA.each("sub/orphan.{memory}", "sub_orphan", combine(memory=("plain", "use", "copy")))


def transfer_cases() -> Iterator[Case]:
    """Reads, writes and copies, linear and of rectangles, at every offset; copies that overlap."""
    rows = combine(path=("read", "write", "copy", "copy_within"), source=OFFSETS, target=OFFSETS)
    yield from _AREA.each("transfer/{path}.{source}.{target}", "linear", rows)
    rows = combine(path=("read", "write", "copy", "copy_within"), source=(0, 3), target=(0, 1))
    yield from _AREA.each("transfer/long.{path}.{source}.{target}", "long", rows)
    yield from _AREA.each("transfer/overlap.{name}", "overlap", combine(name=LINEAR_OVERLAPS), rectangle=False)
    rows = combine(count=(1, 3), flags=range(4), sub=(False, True))
    yield from _AREA.each("transfer/migrate.{count}.{flags}{sub:.sub}", "migrate", rows)
    yield from _AREA.each("transfer/gated.{path}", "gated", combine(path=("read", "write", "copy")))
    boxes = [list(box) for box in BOXES]
    for params in combine(path=("read", "write", "copy", "copy_within"), region=boxes, source=PITCHES, target=PITCHES):
        if params["path"] != "copy_within" or params["source"] == params["target"]:  # in one buffer the pitches are the same
            yield _AREA.case("rect/{path}.{region}.{source}.{target}", "rectangle", params=params)
    rows = combine(path=("read", "write", "copy"), rows=("pitch", "one", "other"))
    yield from _AREA.each("rect/small.{path}.rows_{rows}", "small_boxes", rows)
    yield from _AREA.each("rect/overlap.{name}", "overlap", combine(name=OVERLAPS), rectangle=True)


def map_cases() -> Iterator[Case]:
    """Mappings by flags and kind of memory, of the whole and of parts, one and several at once."""
    rows = combine(flags=MAP_FLAGS, memory=("plain", "use", "alloc", "copy"), blocking=(True, False))
    yield from _AREA.each("map/{flags}.{memory}.{blocking:blocking|later}", "map_flags", rows)
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
    yield from _AREA.each("map/counted.{count}", "map_counted", combine(count=(2, 5)))
    rows = combine(count=(2, 5), memory=("plain", "use"))  # whose maps have different pointers, or the same one
    yield from _AREA.each("map/each_unmapped.{count}.{memory}", "map_each_unmapped", rows)
    rows = combine(before=("kernel", "fill", "copy"), after=("kernel", "fill"), flags=MAP_FLAGS)
    yield from _AREA.each("map/between.{before}.{after}.{flags}", "map_ordered", rows)
    for unmap, flags in ((False, "read_write"), (True, "read_write"), (True, "invalidate")):
        yield _AREA.case("map/gated.{unmap:unmap|map}.{flags}", "map_gated", flags=flags, unmap=unmap)
    yield from _AREA.each("map/two_queues.{flags}", "map_two_queues", combine(flags=MAP_FLAGS))
    rows = combine(memory=("plain", "use"), first=("parent", "sub"))
    yield from _AREA.each("map/parent.{memory}.{first}_first", "map_parent", rows)
    rows = combine(flags=("read", "read_write"), launched=(False, True))
    yield from _AREA.each("map/pointer.{flags}{launched:.kernel}", "map_pointer", rows)


def fill_cases() -> Iterator[Case]:
    """clEnqueueFillBuffer with patterns of every width, at every place."""
    name = "fill/{width:d}.{first}.{memory}"
    yield from _AREA.each(name, "fill_places", combine(width=PATTERNS, first=(0, 1, 3, 7), memory=("plain", "sub")))
    yield from _AREA.each(name, "fill_places", combine(width=PATTERNS, memory=("use", "alloc")), first=5)
    for width in PATTERNS:
        for body in ("sequence", "pattern_is_copied", "large", "among"):
            yield _AREA.case(f"fill/{body}.{width}", f"fill_{body}", width=width)


def cases() -> Iterator[Case]:
    """Buffers and their transfers."""
    yield from buffer_cases()
    yield from sub_cases()
    yield from transfer_cases()
    yield from map_cases()
    yield from fill_cases()
