"""The kinds of images and formats of the area. Plain Python, because the catalogue reads it too."""

from __future__ import annotations

from dataclasses import dataclass

from runner.image_formats import MINIMUM, MINIMUM_READ_WRITE, PLAIN


@dataclass(frozen=True, slots=True)
class ImageType:
    """One of the six types of images.

    `extents` are width, height (or layers of a 1D array) and depth (or layers of a 2D array) in elements.
    """

    name: str  # as in the type of OpenCL C: image<name>_t
    axes: int  # the number of coordinates of an access
    layered: bool  # whether the last of them selects an image of an array
    extents: tuple[int, int, int]

    @property
    def spatial(self) -> int:
        """The number of axes along which a sampler addresses and filters."""
        return self.axes - self.layered


# No extent is a power of two, and none occurs twice in a type.
KINDS = {
    kind.name: kind
    for kind in (
        ImageType("1d", 1, False, (13, 1, 1)),
        ImageType("1d_array", 2, True, (7, 5, 1)),
        ImageType("1d_buffer", 1, False, (13, 1, 1)),
        ImageType("2d", 2, False, (7, 5, 1)),
        ImageType("2d_array", 3, True, (7, 5, 3)),
        ImageType("3d", 3, False, (7, 5, 4)),
    )
}
SAMPLED = tuple(name for name in KINDS if name != "1d_buffer")

_INTEGER_SUFFIX = {"sint": "i", "uint": "ui"}


@dataclass(frozen=True, slots=True)
class Format:
    """A format, with the names of `runner.image_formats`."""

    order: str
    channel: str

    @classmethod
    def of(cls, name: str) -> Format:
        """The format of a name such as "rgba.unorm8"."""
        return cls(*name.split("."))

    @property
    def name(self) -> str:
        return f"{self.order}.{self.channel}"

    @property
    def suffix(self) -> str:
        """The suffix of read_image and write_image: f, i or ui."""
        return _INTEGER_SUFFIX.get(self.channel[:4], "f")

    @property
    def normalized(self) -> bool:
        return "norm" in self.channel

    @property
    def letters(self) -> str:
        """The channels in memory; `l` is luminance, `i` intensity, `d` depth."""
        letters = {"intensity": "i", "luminance": "l", "depth": "d", "srgba": "rgba", "sbgra": "bgra"}
        return letters.get(self.order, self.order)


VECTORS = {"f": "float4", "i": "int4", "ui": "uint4"}


def _formats(*orders: str, channels: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{order}.{channel}" for order in orders for channel in channels)


_BYTES = ("unorm8", "snorm8", "sint8", "uint8")
_REAL = ("unorm8", "unorm16", "snorm8", "snorm16", "half", "float")
CORE = (*MINIMUM, "bgra.unorm8")
BOTH = MINIMUM_READ_WRITE
# Formats that a kernel can write on known devices; the depth formats follow.
WRITABLE = (*_formats("r", "rg", "rgba", channels=PLAIN), "bgra.unorm8", "a.unorm8")
DEPTH = _formats("depth", channels=("unorm16", "float"))
# Formats that a kernel can only read.
SWIZZLED = (
    *_formats("bgra", channels=_BYTES[1:]),
    *_formats("argb", "abgr", channels=_BYTES),
    *_formats("ra", channels=PLAIN),
    *_formats("a", channels=("snorm8", "unorm16", "snorm16", "half", "sint32", "uint32")),
    *_formats("intensity", "luminance", channels=_REAL),
    "srgba.unorm8",
    "sbgra.unorm8",
    "rgb.unorm101010",
    "rgba.unorm101010_2",
    "abgr.unorm2_101010",
)
# Orders with channels that the specification does not allow for them (API 3.0, 5.3.1.1), but that devices list.
UNUSUAL = (
    *_formats("rgb", channels=("sint32", "uint32", "float")),
    *_formats("intensity", "luminance", channels=("sint8", "sint16", "sint32", "uint8", "uint16", "uint32")),
)
# Elements of 1, 2, 4, 8 and 16 bytes, and an order whose channels a transfer must not exchange.
SIZES = ("r.uint8", "rg.uint8", "bgra.unorm8", "rgba.sint16", "rg.half", "rgba.float")

# One of each kind of normalized channels; none has elements as wide as the one before it.
NORMALIZED = ("r.unorm16", "rgba.unorm16", "rg.unorm8", "srgba.unorm8", "rgba.snorm8", "rg.snorm16", "a.unorm8")
# Formats whose elements are converted before they are filtered: from sRGB, or from a packed word.
CONVERTED = tuple(name for name in SWIZZLED if name[0] == "s" or "1010" in name)
# Further formats that a sampler may filter: those of real channels that have no cases of their own.
FILTERED = tuple(
    name
    for name in (*WRITABLE, *SWIZZLED)
    if Format.of(name).suffix == "f" and name not in (*NORMALIZED, "rgba.unorm8", "rgba.float")
)
# Formats that have cases of their own in premerge.
FEW_FORMATS = ("rgba.unorm8", "rgba.sint16", "rgba.float", "bgra.unorm8")
# The formats of a view and of the image whose elements it shows.
VIEWS = (
    ("rgba.unorm8", "rgba.unorm8"),
    ("r.float", "r.float"),
    ("srgba.unorm8", "rgba.unorm8"),
    ("sbgra.unorm8", "bgra.unorm8"),
    ("depth.unorm16", "r.unorm16"),
    ("depth.float", "r.float"),
)
COMMON = (*FEW_FORMATS, "rgba.uint8", "rgba.sint32", "rgba.half", "r.float", "rg.half", "r.uint8", "rgba.snorm8")
FILTERS = ("nearest", "linear")
# The valid combinations of addressing, filter and normalized coordinates (API 3.0, 5.7).
SAMPLERS = tuple(
    (addressing, filtering, normalized)
    for normalized in (False, True)
    for addressing in ("none", "clamp_to_edge", "clamp", "repeat", "mirrored_repeat")
    for filtering in FILTERS
    if normalized or addressing not in ("repeat", "mirrored_repeat")
)

# Images that one kernel queries: kind, format, access, and "unused" for one that it does not query.
SEVERAL: dict[str, list[list[str]]] = {
    name: [image.split() for image in images]
    for name, images in {
        "formats": ("2d rgba.unorm8 read_only", "2d r.float read_only"),
        "formats_exchanged": ("2d r.float read_only", "2d rgba.unorm8 read_only"),
        "kinds": ("3d rgba.sint32 read_only", "2d r.half read_only", "1d rg.uint8 read_only"),
        "arrays": ("1d_array r.uint8 read_only", "2d_array rgba.float read_only"),
        "written": ("2d rgba.float read_only", "2d r.uint32 write_only"),
        "both_written": ("2d rgba.sint16 write_only", "1d r.float write_only"),
        "read_and_written": ("2d rgba.float read_only", "2d r.uint32 read_write"),
        "both_read_and_written": ("2d rgba.sint16 read_write", "1d r.float read_write"),
        "first_unused": ("2d rgba.sint16 read_only unused", "2d r.float read_only"),
        "first_unused_written": ("2d rgba.sint16 write_only unused", "2d r.float write_only"),
        "of_buffers": ("1d_buffer rgba.float read_only", "1d_buffer rgba.float write_only"),
        "third": ("2d rgba.unorm8 read_only", "2d rgba.unorm8 read_only", "2d rgba.uint32 read_only"),
    }.items()
}


def listed(access: str, kind: str, name: str) -> tuple[str, ...]:
    """The feature that an access ("read", "write" or "read_write") to a format needs; none for the minimum of formats."""
    if name in (MINIMUM_READ_WRITE if access == "read_write" else MINIMUM):
        return ()
    return (f"image_buffer:{name}",) if kind == "1d_buffer" else (f"image_{access}:{name}",)


#: How a sampler gets its modes: from clCreateSampler, or from a list of properties that has all, only one, or none.
SAMPLERS_MADE = ("classic", "all", "normalized_coords", "addressing_mode", "filter_mode", "defaults")
