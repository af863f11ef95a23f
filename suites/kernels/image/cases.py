"""The cases of the area: types of images x formats x operations, and samplers.

One file: it is a table, the catalogue of the area.
"""

import itertools
from collections.abc import Iterator
from typing import Any

from runner.model import Case

from ..areas import Area, combine
from .table import (
    BOTH,
    CONVERTED,
    CORE,
    DEPTH,
    FILTERED,
    FILTERS,
    KINDS,
    NORMALIZED,
    SAMPLED,
    SAMPLERS,
    SAMPLERS_MADE,
    SEVERAL,
    SIZES,
    SWIZZLED,
    VIEWS,
    WRITABLE,
    Format,
    listed,
)

_OTHER_FLAGS = ("alloc_host_ptr", "copy_host_ptr", "host_read_only", "host_no_access")
_TWO_SAMPLERS = {  # by the field in which they differ
    "addressing": (("clamp", "nearest", False), ("clamp_to_edge", "nearest", False)),
    "repetition": (("repeat", "nearest", True), ("mirrored_repeat", "nearest", True)),
    "filter": (("clamp", "nearest", False), ("clamp", "linear", False)),
    "coordinates": (("clamp", "nearest", False), ("clamp", "nearest", True)),
}
_PLAIN, _NEAREST, _LINEAR = (7, 5), ("clamp_to_edge", "nearest", True), ("repeat", "linear", True)
_TURNS = {  # format, extents and sampler of each launch of one kernel; the launches differ in one of these
    "formats": [(fmt, _PLAIN, _NEAREST) for fmt in ("rgba.unorm8", "r.float", "rgba.half", "bgra.unorm8", "rgba.unorm8")],
    "extents": [("rgba.float", extents, _LINEAR) for extents in (_PLAIN, (8, 5), (7, 4), (8, 4), (1, 5), _PLAIN)],
    "samplers": [
        ("rgba.float", _PLAIN, modes)
        for modes in (_NEAREST, ("repeat", "nearest", True), _LINEAR, ("clamp", "linear", True))
    ],
    "coordinates": [("rgba.float", _PLAIN, ("clamp_to_edge", "nearest", normalized)) for normalized in (True, False, True)],
}
_READ_WRITE = ("opencl_c_3.0", "__opencl_c_read_write_images")
_COPIED = {  # images that one kernel writes, each with another format; the first is not the widest
    "copied": ["rgba.unorm8", "r.float", "rgba.sint16", "rgba.half"],
    "copied_back": ["rgba.uint32", "rgba.half", "r.sint8", "rgba.unorm8"],
}
_AREA = Area("image")


def _case(
    op: str, name: str, fmt: str, *needs: str, use: str = "write", shared: str = "all", kind: str = "2d", **more: Any
) -> Case:
    """A case of a kind and a format. `shared`: on what, besides the kind, the source of its program depends."""
    depth = ("cl_khr_depth_images",) * fmt.startswith("depth.")
    group = f"image.{op}.{kind}.{shared or Format.of(fmt).suffix}"
    params = {"kind": kind, "format": fmt, **more}
    requires = ("images", *listed(use, kind, fmt), *needs, *depth)
    return _AREA.case(f"{op}/{name}", op, *requires, in_group=group, params=params)


def _kinds(formats: tuple[str, ...], kinds: tuple[str, ...] = tuple(KINDS)) -> Iterator[tuple[str, str]]:
    """Pairs of a kind and a format; only 2D images have depth formats."""
    for kind, fmt in itertools.product(kinds, formats):
        if not fmt.startswith("depth.") or kind in ("2d", "2d_array"):
            yield kind, fmt


def _writes(kind: str) -> tuple[str, ...]:
    return ("images3d_write",) if kind == "3d" else ("images_write",)


def cases() -> Iterator[Case]:
    """Every case of the area."""
    yield from _accesses()
    yield from _sheets()
    yield from _conversions()
    yield from _samplers()
    yield from _several()
    yield from _transfers()
    yield from _host_memory()
    yield from _aliases()
    yield from _largest()
    yield from _queries()


def _accesses() -> Iterator[Case]:
    name = "{kind}.{format}"
    for kind, fmt in (*_kinds((*WRITABLE, *DEPTH)), *_kinds(SWIZZLED, SAMPLED)):
        yield _case("read", name, fmt, use="read", kind=kind, shared=_own(fmt))
    for kind, fmt in (*_kinds(WRITABLE, SAMPLED), *_kinds(SWIZZLED, ("2d", "3d"))):
        yield _case("border", name, fmt, use="read", kind=kind, shared="")
    for kind, fmt in _kinds((*WRITABLE, *DEPTH)):
        yield _case("write", name, fmt, *_writes(kind), kind=kind, shared=_own(fmt))
    for kind, fmt in _kinds((*BOTH, *DEPTH)):
        needs = (*_writes(kind), *_READ_WRITE)
        yield _case("read_write", name, fmt, *needs, use="read_write", kind=kind, shared=_own(fmt))
    for kind, fmt, places in itertools.product(("1d", "1d_buffer", "2d"), ("rgba.float", "rgba.sint16"), (2, 9, 40)):
        yield _case("known", f"{name}.{places}", fmt, use="read", kind=kind, shared="", places=places)
    for kind, fmt in _kinds(CORE):
        yield _case("next_launch", name, fmt, *_writes(kind), kind=kind, shared="")


def _sheets() -> Iterator[Case]:
    for operation in ("read", "sample", "write", "fill", "fill_read_only"):
        needs = ("images", "execute", *("images_write",) * (operation == "write"))
        yield _AREA.case("every/{operation}.{kind}", "every", *needs, kind="2d", operation=operation)


def _own(fmt: str) -> str:
    """A depth image needs a program of its own."""
    return "depth" if fmt.startswith("depth.") else ""


def _conversions() -> Iterator[Case]:
    for fmt in (*CORE[:-1], "rgba.snorm8", "rgba.snorm16"):
        yield _case("read_all", fmt, fmt, use="read", shared="")
        yield _case("write_all", fmt, fmt, "images_write", shared="")
    needs = ("images", "images_write")
    yield from _AREA.each("many/{images}", "many", combine(images=(2, 8, 16)), *needs, in_group="image.many{images}")
    yield from _AREA.each("many/sampled.{images}", "many_sampled", combine(images=(8, 9, 16, 32)), "images")
    for kind, fmt in (("1d_array", "rgba.half"), ("2d", "rgba.float"), ("2d_array", "rgba.sint16"), ("1d", "rgba.uint8")):
        yield _case("components", f"{kind}.{fmt}", fmt, use="read", kind=kind, shared="")
    for name, formats in _COPIED.items():
        asked = [feature for fmt in formats for access in ("read", "write") for feature in listed(access, "2d", fmt)]
        yield _AREA.case(f"many/{name}", "copied", *needs, *asked, formats=formats)


def _samplers() -> Iterator[Case]:
    for kind in SAMPLED:
        for modes, declared in itertools.product(SAMPLERS, (False, True)):
            yield _sampler(kind, "rgba.float", modes, declared)
        for fmt, modes in itertools.product(("rgba.sint16", "rgba.uint32"), SAMPLERS):
            if modes[1] == "nearest":
                yield _sampler(kind, fmt, modes)
        for addressing in ("none", "clamp_to_edge", "clamp"):
            modes = (addressing, "nearest", False)
            yield _sampler(kind, "rgba.float", modes, edges=True)
            yield _sampler(kind, "rgba.uint8", modes, True, edges=True)
    for kind, modes in itertools.product(("1d", "2d", "2d_array", "3d"), SAMPLERS):
        if modes[0] != "none":
            yield _sampler(kind, "rgba.float", modes, seams=True)
            # With the nearest filter, a seam is ambiguous if the division by the extent is inexact.
            if modes[1:] == ("linear", True):
                yield _sampler(kind, "rgba.float", modes, seams=True, odd=True)
    for kind, axis, filtering in (*itertools.product(("2d",), "xy", FILTERS), *itertools.product(("3d",), "xyz", FILTERS)):
        yield _sampler(kind, "rgba.float", ("repeat", filtering, True), **{f"even_{axis}": True})
    for (kind, axis), filtering in itertools.product((("2d", "x"), ("2d", "y"), ("3d", "z")), FILTERS):
        yield _sampler(kind, "rgba.unorm8", ("repeat", filtering, True), **{f"even_{axis}": True})
    for kind, fmt, modes in itertools.product(("1d", "2d", "3d"), ("rgba.unorm8", "rgba.half"), SAMPLERS):
        if modes[1] == "linear":
            yield _sampler(kind, fmt, modes)
    for kind, modes in itertools.product(SAMPLED, SAMPLERS):  # formats of at most eight bits have a filter of their own
        if modes[1] == "nearest":
            yield _sampler(kind, "rgba.unorm8", modes)
    for (kind, fmt), filtering in itertools.product(_kinds(DEPTH), FILTERS):
        yield _sampler(kind, fmt, ("repeat", filtering, True))
    for (kind, fmt), modes in itertools.product(_kinds(DEPTH), SAMPLERS):  # a depth has no specified border colour
        if modes[0] != "clamp" and modes not in (("repeat", "nearest", True), ("repeat", "linear", True)):
            yield _sampler(kind, fmt, modes)
    for fmt in (*NORMALIZED, *FILTERED):
        yield _sampler("2d", fmt, ("repeat", "nearest", True))
        if fmt != "rgba.half":  # whose linear filters are above
            yield _sampler("2d", fmt, ("clamp_to_edge", "linear", True))
    for fmt, modes in itertools.product(CONVERTED, SAMPLERS):
        if modes not in (("repeat", "nearest", True), ("clamp_to_edge", "linear", True)):
            yield _sampler("2d", fmt, modes)
    for kind, fmt in itertools.product(("1d", "1d_array", "2d_array", "3d"), CONVERTED):
        yield _sampler(kind, fmt, ("repeat", "linear", True))
    for fmt, modes in itertools.product(("r.float", "bgra.unorm8", "rgba.snorm16"), SAMPLERS):
        if modes[0] == "clamp":
            yield _sampler("2d", fmt, modes, True)


def _several() -> Iterator[Case]:
    """Functions with images as arguments, launches in turn, several samplers of one kernel."""
    uses, places = ("read", "sampler", "samplerless", "width", "write"), ("straight", "branch", "loop")
    for use, place in itertools.product(uses, places):
        needs = ("images", *("images_write",) * (use == "write"))
        yield _AREA.case("function/{use}.{place}", "function", *needs, use=use, place=place)
    formats = ["rgba.float", "r.float", "rgba.unorm8", "bgra.unorm8", "rgba.half", "rgba.float"]
    asked = [need for fmt in formats for need in listed("write", "2d", fmt)]
    yield _AREA.case("in_turn/written", "written_in_turn", "images", "images_write", "execute", *asked, formats=formats)
    for what, turns in _TURNS.items():
        asked = [need for fmt, *_ in turns for need in listed("read", "2d", fmt)]
        yield _AREA.case(f"in_turn/{what}", "in_turn", "images", "execute", *asked, turns=turns)
    for field, samplers in _TWO_SAMPLERS.items():
        yield _AREA.case(f"two_samplers/{field}", "two_samplers", "images", "execute", samplers=samplers)
    nearest = [modes for modes in SAMPLERS if modes[1] == "nearest"]
    for given in (False, True):
        params = {"samplers": nearest, "given": given}
        yield _AREA.case("two_samplers/all{given:.given}", "two_samplers", "images", "execute", params=params)


def _sampler(
    kind: str, fmt: str, modes: tuple[str, str, bool], declared: bool = False, *, edges: bool = False, **seams: Any
) -> Case:
    addressing, filtering, normalized = modes
    how = f"{addressing}.{filtering}.{'normalized' if normalized else 'unnormalized'}"
    name = f"{kind}.{fmt}.{how}{'.declared' * declared}{'.edges' * edges}{''.join(f'.{word}' for word in seams)}"
    shared = how + Format.of(fmt).suffix if declared else ""
    params = {"addressing": addressing, "filter": filtering, "normalized": normalized, "declared": declared, "edges": edges}
    return _case("sampler", name, fmt, use="read", kind=kind, shared=shared, **params, **seams)


def _transfers() -> Iterator[Case]:
    for (kind, fmt), layout in itertools.product(_kinds(SIZES), ("packed", "rows", "slices")):
        layered = KINDS[kind].layered or kind == "3d"
        if (
            layout == "packed"
            or (KINDS[kind].axes > 1 and layout == "rows")
            or (layered and fmt in ("bgra.unorm8", "rg.half"))
        ):
            for op in ("host_write", "host_read"):
                yield _case(op, "{kind}.{format}.{layout}", fmt, "execute", kind=kind, layout=layout)
    for kind, fmt in _kinds(SIZES):
        for op in ("image_to_buffer", "buffer_to_image"):
            yield _case(op, "{kind}.{format}", fmt, "execute", kind=kind)
            if fmt in ("rgba.float", "r.uint8"):
                yield _case(op, "{kind}.{format}.sub_buffer", fmt, "execute", kind=kind, sub=True)
        yield _case("copy_within", "{kind}.{format}", fmt, "execute", kind=kind)
    for kind in KINDS:
        for axis in range(KINDS[kind].axes):
            name = f"{kind}.along_{'xyz'[axis]}"
            yield _case("copy_within", name, "rgba.float", "execute", kind=kind, along=axis)
    lengths = {"same": [1, 1], "to_shorter": [2, 1], "to_longer": [1, 2]}
    for kind, fmt, (word, pair) in itertools.product(("2d", "2d_array", "3d"), ("r.uint8", "rgba.float"), lengths.items()):
        yield _case("copy_rows", f"{{kind}}.{{format}}.{word}", fmt, "execute", kind=kind, lengths=pair)
    for kind, fmt in itertools.product(("2d", "2d_array", "3d"), ("r.uint8", "rgba.unorm8", "rgba.float")):
        for way, pitch in (
            ("write", "packed"),
            ("write", "width"),
            ("read", "packed"),
            ("read", "width"),
            ("map", "packed"),
        ):
            name = f"{{kind}}.{{format}}.{{way}}{'.pitch' * (pitch == 'width')}"
            yield _case("square", name, fmt, "execute", kind=kind, way=way, pitch=pitch)
    for source, target, fmt in itertools.product(KINDS, KINDS, SIZES):
        if source == target or fmt in ("bgra.unorm8", "rgba.float", "r.uint8"):
            params = {"source": source, "target": target, "format": fmt}
            needs = ("images", *listed("write", source, fmt), *listed("write", target, fmt), "execute")
            name = "copy/{source}.{target}.{format}"
            yield _AREA.case(name, "copy", *needs, in_group="image.copy.{source}", params=params)
    for kind, fmt in _kinds((*WRITABLE, *DEPTH)):
        yield _case("fill", "{kind}.{format}", fmt, "execute", kind=kind)


def _host_memory() -> Iterator[Case]:
    byte, named = "rgba.uint8", "{kind}.{format}"
    for (kind, fmt), way in itertools.product(_kinds(SIZES), ("read", "write", "invalidate")):
        yield _case("map", f"{named}.{{way}}", fmt, "execute", kind=kind, way=way)
    for kind, op in itertools.product(KINDS, ("map_pitch", "map_count", "info_pitch", "unused_fields")):
        yield _case(op, kind, byte, "execute", kind=kind)
    for kind, use in itertools.product(KINDS, (False, True)):
        if not (use and kind == "1d_buffer"):  # which takes its memory from a buffer
            yield _case("map_unmapped", "{kind}{of_host:.use}", byte, "execute", kind=kind, of_host=use)
    for kind, way in itertools.product(SAMPLED, ("use", "copy", "alloc_copy")):
        yield _case("host_query", "{kind}.{way}", byte, "execute", kind=kind, way=way)
    for kind, fmt in _kinds(("rgba.unorm8", "rgba.float", "r.uint8")):
        for op in ("map_twice", "map_apart", "map_after_command"):
            yield _case(op, named, fmt, "execute", kind=kind)
    formats, ways = ("rgba.unorm8", "r.uint8", "rgba.float"), ("use", "copy", "alloc_copy")
    for kind, fmt, way, padded in itertools.product(SAMPLED, formats, ways, (False, True)):
        if not padded or KINDS[kind].axes > 1:
            name = f"{named}.{{way}}{{padded:.padded}}"
            yield _case("host_pointer", name, fmt, "execute", kind=kind, way=way, padded=padded)
    for kind, way, pitch in itertools.product(SAMPLED, ("copy", "use"), ("row", "slice")):
        if KINDS[kind].axes > (1 if KINDS[kind].layered or pitch == "row" else 2):
            for old in (False, True) if kind in ("2d", "3d") else (False,):
                name = "{kind}.{way}.{pitch}{deprecated:.deprecated}"
                yield _case("host_pitch", name, byte, "execute", kind=kind, way=way, pitch=pitch, deprecated=old)
    for kind in SAMPLED:
        yield _case("alloc", named, byte, "execute", kind=kind)
    for kind, fmt, way in itertools.product(SAMPLED, formats[:2], ("alloc", "alloc_copy", "copy", "use")):
        yield _case("host_map", f"{named}.{{way}}", fmt, "execute", kind=kind, way=way)
    for kind, access in itertools.product(KINDS, ("read_only", "write_only", "no_access")):
        yield _case("host_access", "{kind}.{access}", byte, "execute", kind=kind, access=access)


def _place(extra: int, at: int) -> str:
    """The place of an image in its buffer, for the case's name."""
    return f"{f'.pitch{extra}' * bool(extra)}{'.sub_buffer' * at}"


def _alias_2d(name: str, fmt: str, **more: Any) -> Case:
    """A case of a 2D image of a buffer; all such cases share a program."""
    return _case("alias", f"{{kind}}.{{format}}.{name}", fmt, "execute", "image2d_from_buffer", **more)


def _aliases() -> Iterator[Case]:
    of_buffer, few = ("execute", "image2d_from_buffer"), ("rgba.float", "rgba.unorm8", "r.uint8")
    formats = ("rgba.unorm8", "rgba.sint16", "rgba.float", "r.uint32", "rg.half", "bgra.unorm8", "r.uint8")
    for fmt, by in itertools.product(formats, ("host", "read", "write", "copy")):
        access, shared = "images_write" if by == "write" else "execute", f"{by}.{Format.of(fmt).suffix}"
        for at in (0, 1) if fmt in few else (0,):
            name = "{kind}.{format}.{by}" + _place(0, at)
            yield _case("alias", name, fmt, access, kind="1d_buffer", shared=shared, by=by, extra=0, at=at)
        for extra, at in ((0, 0), (1, 0), (2, 1)) if fmt in few else ((1, 0),):
            name = "{kind}.{format}.{by}" + _place(extra, at)
            yield _case("alias", name, fmt, access, "image2d_from_buffer", shared=shared, by=by, extra=extra, at=at)
    commands, kinds = ("fill", "map", "copy_from", "to_buffer", "from_buffer"), {"1d_buffer": ("execute",), "2d": of_buffer}
    for (kind, needs), fmt, by, at in itertools.product(kinds.items(), ("rgba.unorm8", "r.uint8"), commands, (0, 1)):
        yield _case("alias", "{kind}.{format}.{by}" + _place(0, at), fmt, *needs, kind=kind, by=by, extra=0, at=at)
    for by in commands:
        yield _alias_2d("{by}.pitch1", "rgba.unorm8", by=by, extra=1, at=0)
    for fmt, (extra, at) in itertools.product(("rgba.unorm8", "r.uint8"), ((0, 0), (1, 0), (2, 1))):
        yield _alias_2d("{by}" + _place(extra, at), fmt, by="part", extra=extra, at=at)
    for by, at in itertools.product(("size", "written_size"), (0, 1)):
        yield _alias_2d("{by}" + _place(at, at), "rgba.float", by=by, extra=at, at=at)
    for by, at in itertools.product(("host", "map"), (0, 1)):
        yield _alias_2d("use_host.{by}" + _place(0, at), "rgba.unorm8", by=by, extra=0, at=at, user=True)
    ways = ("read", "write", "map", "between", "from_image", "to_image")
    for fmt, way in itertools.product(("r.uint8", "rgba.unorm8", "rgba.float"), ways):
        yield _case("square_alias", "{kind}.{format}.{way}", fmt, *of_buffer, way=way)
    for fmt, mode in itertools.product(few, ("clamp_to_edge", "clamp", "repeat", "mirrored_repeat")):
        for extra, at in ((0, 0), (1, 0), (2, 1))[: 3 if mode == "clamp" else 2]:
            name = "{kind}.{format}.{addressing}" + _place(extra, at)
            yield _case("sampled_alias", name, fmt, *of_buffer, shared="", addressing=mode, extra=extra, at=at)
    for fmt, parent in VIEWS:
        needs = (*listed("write", "2d", parent), "execute", "opencl3")
        yield _case("view", "{format}.of.{of}", fmt, *needs, use="read", of=parent)
    for kind, (flag, word) in itertools.product(("1d_buffer", "2d"), enumerate(("none", "rw", "wo", "ro"))):
        needs = ("execute", *("opencl3",) * (kind == "2d"))
        yield _case("inherited", f"{{kind}}.{word}", "rgba.uint8", *needs, kind=kind, access=flag)


def _largest() -> Iterator[Case]:
    for kind in SAMPLED:
        yield _case("largest", kind, "rgba.uint32", "execute", use="read", kind=kind, shared="ui")
    for kind in ("1d_array", "2d", "2d_array", "3d"):
        yield _case("thick", kind, "rgba.uint32", "execute", use="read", kind=kind, shared="")
    sizes = ("r.uint8", "rg.uint8", "r.uint32", "rgba.uint16", "rgba.uint32")  # 1, 2, 4, 8 and 16 bytes
    for kind, fmt in itertools.product(("2d", "2d_array", "3d"), sizes):
        yield _case("tiles", "{kind}.{format}", fmt, "execute", use="read", kind=kind, shared="")
    for kind, fmt in itertools.product(SAMPLED, ("r.uint8", "r.uint16", "rgba.uint8", "rgba.sint16", "rgba.uint32")):
        yield _case("extents", "{kind}.{format}", fmt, *_writes(kind), "execute", kind=kind)
    rows = combine(source=("2d", "2d_array", "3d"), target=("2d", "2d_array", "3d"), format=["rgba.uint8"])
    yield from _AREA.each("largest/copy.{source}.{target}", "largest_copy", rows, "images", "execute")
    yield _AREA.case("largest/2d.4_gib", "4_gib", "images", "execute")
    for width, fmt in ((2048, "rgba.float"), (65536, "rgba.unorm8"), (3 * 2**20 + 5, "r.uint8")):
        needs = ("int64",) * (width > 2048)  # the embedded profile's minimum is 2048
        yield _case("long_buffer", str(width), fmt, *needs, use="read", kind="1d_buffer", shared="", width=width)


def _queries() -> Iterator[Case]:
    for kind, fmt in _kinds(SIZES):
        yield _case("info", "{kind}.{format}", fmt, "execute", kind=kind)
    asked = [
        f for f in (*WRITABLE, *SWIZZLED) if f[:4] != "abgr" and "srgb" not in f and "sbgr" not in f and "1010" not in f
    ]
    for kind, fmt in _kinds((*WRITABLE, *SWIZZLED)):
        if fmt in asked and (kind == "2d" or fmt in ("rgba.half", "rgba.uint32", "bgra.unorm8")):
            shared = kind + fmt.partition(".")[0]
            yield _case("kernel_query", "{kind}.{format}", fmt, use="read", kind=kind, shared=shared)
    for name, several in SEVERAL.items():
        asked_for = [need for kind, fmt, access, *_ in several for need in listed(access.removesuffix("_only"), kind, fmt)]
        asked_for += _READ_WRITE * any("read_write" in image for image in several)
        yield _AREA.case(f"query_several/{name}", "query_several", "images", *asked_for, images=several)
    for form in SAMPLERS_MADE:
        yield _AREA.case("sampler_query/{form}", "sampler_query", "images", *("opencl3",) * (form != "classic"), form=form)
    for kind, access in itertools.product(KINDS, ("read_only", "write_only", "read_write", "kernel_read_and_write")):
        needs = ("images", "execute", *(_READ_WRITE if access.startswith("kernel") else ()))
        for op in ("minimum", "lists"):
            yield _AREA.case(f"{op}/{{kind}}.{{access}}", op, *needs, kind=kind, access=access)
    of_host = [(kind, "use_host_ptr") for kind in KINDS if kind != "1d_buffer"]  # which takes its memory from a buffer
    for kind, flag in (*of_host, *(("2d", flag) for flag in _OTHER_FLAGS)):
        yield _AREA.case("minimum/{kind}.{access}", "minimum", "images", "execute", kind=kind, access=flag)
