"""The cases of the area."""

from collections.abc import Iterator
from itertools import product

from runner.model import Case

from ..areas import Area, combine

_WIDE_S = 300.0  # s: they write gigabytes, or run billions of items
# The number of cycles, and how many bytes may stay for each; the cycles are in leak.py.
LEAKS = {
    "build": (200, 20 << 10),  # radeonsi with LLVM caches 16 KiB of code for each build; a leaked program takes 119 KiB
    "failing_build": (200, 4 << 10),
    "build_and_launch": (60, 32 << 10),
    "launch": (150, 1 << 10),
    "one_context": (200, 8 << 10),
    "one_queue": (200, 8 << 10),
    "buffer": (300, 4 << 10),
    "host_buffer": (300, 4 << 10),
    "sub_buffer": (600, 1 << 10),
    "transfer": (300, 1 << 10),
    "mapping": (300, 1 << 10),
    "event": (300, 1 << 10),
    "kernel_object": (300, 1 << 10),
    "image": (200, 4 << 10),
    "image_launched": (120, 4 << 10),
    "image_relaunched": (120, 1 << 10),
    "image_transfer": (150, 1 << 10),
    "image_read": (150, 4 << 10),
    "image_mapping": (150, 4 << 10),
    "image_of_buffer": (150, 1 << 10),
    "svm": (200, 4 << 10),
}
_LEAKS_NEED = {"image": ("images",), "svm": ("svm",)}
# The number of live values, and the kernel's required group size: without one, the code must work for every size.
_HELD = {"few": (56, 16), "many": (112, 16), "any_size": (56, None)}
_AREA = Area("stress")


def limit_cases() -> Iterator[Case]:
    """The device's limits, used in full and exceeded."""
    for params in combine(parts=(1, 2, 3, 4), static=(False, True)):
        yield _AREA.case("local/{static:array|argument}.{parts}of4", "local", params=params, groups=5 - params["parts"])
    yield from _AREA.each("local/{static:array|argument}.beyond", "local_beyond", combine(static=(False, True)), "execute")
    for name, more in (("below", -64), ("full", 0), ("beyond", 64)):
        yield _AREA.case(f"local/both.{name}", "local_both", "execute", more=more)
    beside = combine(kib=(4, 8, 12, 16, 24, 28, 31), own=(4, 256, 1000))
    yield from _AREA.each("local/beside.{kib}_kib.{own}", "local_beside", beside, "execute")
    for size, args in ((4096, 1), (65536, 1), (65536, 8), (1 << 20, 0), (0, 1)):
        name = f"constant/{size or 'largest'}.{args or 'all'}"
        yield _AREA.case(name, "constant", size=size if args != 0 else 65536, args=args)
    yield from _AREA.each("constant/table.{words}", "table", combine(words=(256, 4096, 16384)))
    for type_name, count in (
        *(("pointer", 16), ("pointer", 64), ("pointer", 0), ("char", 126), ("short", 64), ("int", 0), ("long", 0)),
        *(("char3", 32), ("int4", 0), ("uint8", 0), ("long16", 0), ("ushort16", 0)),
    ):
        yield _AREA.case(f"arguments/{{type}}.{count or 'most'}", "arguments", type=type_name, count=count)


def kernel_cases() -> Iterator[Case]:
    """Kernels with many statements, branches, functions or variables."""
    for generator, counts in {
        "straight": (300, 1000, 3000),
        "branches": (50, 200, 400),
        "switch": (16, 60, 200),
        "functions": (10, 60, 200),
        "nested": (8, 30, 120),
        "expression": (30, 60),
        "array": (16, 64, 256, 1024),
    }.items():
        folder = "registers" if generator == "array" else "kernel"
        rows = combine(generator=[generator], count=counts)
        yield from _AREA.each(f"{folder}/{{generator}}.{{count}}", "generated", rows)
    yield from _AREA.each("kernel/kernels.{count}", "kernels", combine(count=(32, 150)))
    trips = ([5000], [64, 64], [8, 8, 8], [5, 5, 5, 5], [3, 3, 3, 3, 3, 3], [1, 1, 40, 1, 1, 40], [100000])
    yield from _AREA.each("kernel/loops.{counts}", "loops", combine(counts=trips))
    rows = combine(type=("uint", "float", "uint4", "ulong", "double"), live=(16, 64, 128, 192))
    yield from _AREA.each("registers/{type}.{live}", "pressure", rows)
    for types, (name, (live, group)) in product(("uint", "mixed", "wide"), _HELD.items()):
        params = {"types": types, "live": live, "group": group}
        yield _AREA.case(f"registers/held.{types}.{name}", "held", *("int64",) * (types == "wide"), params=params)
    flows = ("straight", "divided", "nested", "switched", "left", "continued")
    for params in combine(types=("mixed", "long"), flow=flows, values=(20, 36, 144), shared=(False, True)):
        wide = ("int64",) * (params["types"] == "long")
        # All items have to reach a barrier.
        if not params["shared"] or params["flow"] in ("straight", "divided", "nested", "switched"):
            name = "registers/{types}.{flow}.{values}{shared:.shared}"
            yield _AREA.case(name, "flow", *wide, params=params)


def load_cases() -> Iterator[Case]:
    """Many work-items, many commands, many objects."""
    for size, group in (
        *(([1 << 20], None), ([1 << 20], [64]), ([1 << 16], [1]), ([100003], None), ([1024, 1024], None)),
        *(([1000, 999], None), ([64, 128, 128], [4, 4, 4]), ([127, 3, 501], None), ([1, 1, 1 << 16], None)),
        ([1, 1 << 18], None),
    ):
        yield _AREA.case(f"items/{{size}}{'.groups_of_{group}' if group else ''}", "items", size=size, group=group)
    for what, (count, limit) in LEAKS.items():
        requires = ("execute", *_LEAKS_NEED.get(what.partition("_")[0], ()))
        requires += ("images_write",) if "launched" in what else ()
        # 132 builds or more take PoCL half a minute.
        limit_s = 90 if what in ("build", "failing_build") else None
        yield _AREA.case("leak/{what}", "leak", *requires, timeout_s=limit_s, what=what, count=count, limit=limit)
    # A third of the cycles fills caches; then follow up to three windows of the same length. Nightly: it takes 3:36 minutes
    # of CPU time, 15 minutes beside other work (llvmpipe 25.0.7, two cores). About 1 KiB for each program was seen to stay
    # there; four times that is a leak.
    params = {"what": "build_and_launch", "count": 15000, "limit": 4 << 10}
    yield _AREA.case("leak/build_and_launch.10000", "leak", "execute", timeout_s=3600, params=params)
    for what in ("buffer", "copy", "image"):
        yield _AREA.case("exhausted/{what}", "exhausted", "execute", *("images",) * (what == "image"), what=what)
    counts = {"contexts": 64, "queues": 128, "buffers": 2000, "kernels": 500, "programs": 24, "events": 1000}
    for what, count in counts.items():
        yield _AREA.case("many/{what}", "many", "execute", what=what, count=count)
    # Binding tables fill iris's buffer for them, 512 KiB on Gen12, after 2,048 launches.
    yield _AREA.case("many/image_launches", "image_launches", "images", "images_write", "execute", count=2200)
    for part, count in ((64, 1), (16, 1), (8, 1), (4, 1), (64, 8)):
        yield _AREA.case("many/large.{part}.{count}", "large", "int64", "execute", part=part, count=count)


def wide_cases() -> Iterator[Case]:
    """Buffers and ranges whose sizes exceed 31 or 32 bits."""
    rows = combine(by=("kernel", "items", "fill", "copy", "host"))
    yield from _AREA.each("wide/buffer.{by}", "wide_buffer", rows, "execute", "int64", timeout_s=_WIDE_S)
    for name, count, offset in (
        ("31_bits", (1 << 31) + 1024, 0),
        ("32_bits", (1 << 32) + 1024, 0),
        ("across_32_bits", 1 << 22, (1 << 32) - (1 << 21)),
        ("across_40_bits", 1 << 22, (1 << 40) - (1 << 21)),
    ):
        params = {"count": count, "offset": offset}
        yield _AREA.case(f"wide/range.{name}", "wide_range", "execute", "int64", timeout_s=_WIDE_S, params=params)


def cases() -> Iterator[Case]:
    """Limits and load."""
    yield from limit_cases()
    yield from kernel_cases()
    yield from load_cases()
    yield from wide_cases()
