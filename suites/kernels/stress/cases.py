"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from runner.model import Case

from ..areas import Area
from ..coverage import Row
from ..kit.needs import needs

ROWS = [
    Row("kernels/stress/local/*", "Local memory up to its end", "OpenCL API 3.0, 4.2", "allocations"),
    Row(
        "kernels/stress/constant/*",
        "Constant buffers and tables up to the largest",
        "OpenCL API 3.0, 4.2",
        "api",
    ),
    Row("kernels/stress/arguments/*", "Many arguments", "OpenCL API 3.0, 4.2", "api"),
    Row("kernels/stress/kernel/*", "Large generated kernels", "OpenCL C 3.0, 6", "compiler"),
    Row("kernels/stress/registers/*", "More live values than registers", "OpenCL C 3.0, 6", "basic"),
    Row("kernels/stress/items/*", "Large ranges", "OpenCL API 3.0, 3.2.1", "thread_dimensions"),
    Row("kernels/stress/leak/*", "Leaks of memory, files and threads", "OpenCL API 3.0, 5", "compiler"),
    Row("kernels/stress/exhausted/*", "Memory that ends", "OpenCL API 3.0, 5.2.1, 5.3.1", "allocations"),
    Row("kernels/stress/wide/*", "Sizes, places and ranges beyond 31 bits", "OpenCL API 3.0, 4.2, 5.2, 5.8", "allocations"),
    Row("kernels/stress/many/*", "Many live objects, large buffers", "OpenCL API 3.0, 5", "allocations"),
]

_WIDE_S = 300.0  # s: they write gigabytes, or run billions of items
# How often, and how many bytes may stay a time; the cycles are in leak.py.
LEAKS = {
    "build": (200, 8 << 10),
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
_AREA = Area("stress")


def limit_cases() -> Iterator[Case]:
    """What a device says to be its most, asked for in full, and one more."""
    for parts, static in product((1, 2, 3, 4), (False, True)):
        name = f"local/{'array' if static else 'argument'}.{parts}of4"
        yield _AREA.case(name, "local", parts=parts, static=static, groups=5 - parts)
    for static in (False, True):
        name = f"local/{'array' if static else 'argument'}.beyond"
        yield _AREA.case(name, "local_beyond", "execute", static=static)
    for name, more in (("below", -64), ("full", 0), ("beyond", 64)):
        yield _AREA.case(f"local/both.{name}", "local_both", "execute", more=more)
    for size, args in ((4096, 1), (65536, 1), (1 << 20, 1), (65536, 8), (1 << 20, 0), (0, 1)):
        if size <= 65536 or args == 0 or size == 0:
            name = f"constant/{size or 'largest'}.{args or 'all'}"
            yield _AREA.case(name, "constant", size=size if args != 0 else 65536, args=args)
    for words in (256, 4096, 16384):
        yield _AREA.case(f"constant/table.{words}", "table", words=words)
    for type_name, count in (
        ("pointer", 16),
        ("pointer", 64),
        ("pointer", 0),
        ("char", 126),
        ("short", 64),
        ("int", 0),
        ("long", 0),
        ("char3", 32),
        ("int4", 0),
        ("uint8", 0),
        ("long16", 0),
        ("ushort16", 0),
    ):
        name = f"arguments/{type_name}.{count or 'most'}"
        yield _AREA.case(name, "arguments", *needs(type_name.rstrip("0123456789")), type=type_name, count=count)


def kernel_cases() -> Iterator[Case]:
    """Kernels of many statements, branches, functions, variables."""
    for generator, counts in {
        "straight": (300, 1000, 3000),
        "branches": (50, 200, 400),
        "switch": (16, 60, 200),
        "functions": (10, 60, 200),
        "nested": (8, 30, 120),
        "expression": (30, 60),
        "array": (16, 64, 256, 1024),
    }.items():
        for count in counts:
            kind = "registers/array" if generator == "array" else f"kernel/{generator}"
            yield _AREA.case(f"{kind}.{count}", "generated", generator=generator, count=count)
    for count in (32, 150):
        yield _AREA.case(f"kernel/kernels.{count}", "kernels", count=count)
    for trips in (
        [5000],
        [64, 64],
        [8, 8, 8],
        [5, 5, 5, 5],
        [3, 3, 3, 3, 3, 3],
        [1, 1, 40, 1, 1, 40],
        [100000],
    ):
        name = f"kernel/loops.{'x'.join(map(str, trips))}"
        yield _AREA.case(name, "loops", counts=trips)
    for type_name, live in product(("uint", "float", "uint4", "ulong", "double"), (16, 64, 128, 192)):
        requires = needs(type_name)
        yield _AREA.case(f"registers/{type_name}.{live}", "pressure", *requires, type=type_name, live=live)


def load_cases() -> Iterator[Case]:
    """Many work-items, many commands, many objects."""
    for size, group in (
        ([1 << 20], None),
        ([1 << 20], [64]),
        ([1 << 16], [1]),
        ([100003], None),
        ([1024, 1024], None),
        ([1000, 999], None),
        ([64, 128, 128], [4, 4, 4]),
        ([127, 3, 501], None),
        ([1, 1, 1 << 16], None),
        ([1, 1 << 18], None),
    ):
        name = f"items/{'x'.join(map(str, size))}{'.groups_of_' + 'x'.join(map(str, group)) if group else ''}"
        yield _AREA.case(name, "items", size=size, group=group)
    for what, (count, limit) in LEAKS.items():
        requires = ("execute", *_LEAKS_NEED.get(what.partition("_")[0], ()))
        requires += ("images_write",) if "launched" in what else ()
        leak = _AREA.case(f"leak/{what}", "leak", *requires, what=what, count=count, limit=limit)
        # 132 builds or more: PoCL takes half a minute
        yield replace(leak, timeout_s=90) if what in ("build", "failing_build") else leak
    # A third of them fills caches, and a window of as many follows, or up to three. A night's: 3:36 minutes of CPU time,
    # 15 minutes beside other work (llvmpipe 25.0.7, two cores). About 1 KiB a program was seen to stay there; four times
    # that is a leak.
    yield _AREA.case(
        "leak/build_and_launch.10000", "leak", "execute", timeout_s=3600, what="build_and_launch", count=15000, limit=4 << 10
    )
    for what in ("buffer", "copy", "image"):
        yield _AREA.case(f"exhausted/{what}", "exhausted", "execute", *("images",) * (what == "image"), what=what)
    for what, count in (
        ("contexts", 64),
        ("queues", 128),
        ("buffers", 2000),
        ("kernels", 500),
        ("programs", 24),
        ("events", 1000),
    ):
        yield _AREA.case(f"many/{what}", "many", "execute", what=what, count=count)
    for part, count in ((64, 1), (16, 1), (8, 1), (4, 1), (64, 8)):
        yield _AREA.case(f"many/large.{part}.{count}", "large", "int64", "execute", part=part, count=count)


def wide_cases() -> Iterator[Case]:
    """Buffers and ranges beyond what 31 or 32 bits count."""
    for by in ("kernel", "items", "fill", "copy", "host"):
        yield _AREA.case(f"wide/buffer.{by}", "wide_buffer", "execute", "int64", timeout_s=_WIDE_S, by=by)
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
