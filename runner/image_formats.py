"""The names of image formats in ids and features: `rgba.unorm8`. Standard library only."""

_ORDERS = "r a rg ra rgb rgba bgra argb intensity luminance rx rgx rgbx depth depth_stencil srgb srgbx srgba sbgra abgr"
_CHANNELS = (
    "snorm8 snorm16 unorm8 unorm16 unorm565 unorm555 unorm101010 sint8 sint16 sint32 uint8 uint16 uint32 half float "
    "unorm24 unorm101010_2"
)
# The numbers of CL_R and of CL_SNORM_INT8, and those that follow them (cl.h).
ORDERS = {name: 0x10B0 + i for i, name in enumerate(_ORDERS.split())}
CHANNELS = {name: 0x10D0 + i for i, name in enumerate(_CHANNELS.split())} | {"unorm2_101010": 0x10E5}

_PACKED = ("unorm565", "unorm555", "unorm101010", "unorm24", "unorm101010_2", "unorm2_101010")
PLAIN = tuple(name for name in CHANNELS if name not in _PACKED)
_BYTES = ("unorm8", "snorm8", "sint8", "uint8")
_REAL = ("unorm8", "unorm16", "snorm8", "snorm16", "half", "float")
# Which channel types an order may have (API 3.0, 5.3.1.1).
VALID: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("r", "a", "rg", "ra", "rx", "rgx"), PLAIN),
    "rgba": (*PLAIN, "unorm101010_2"),
    **dict.fromkeys(("rgb", "rgbx"), ("unorm565", "unorm555", "unorm101010")),
    **dict.fromkeys(("bgra", "argb"), _BYTES),
    "abgr": (*_BYTES, "unorm2_101010"),  # cl_ext_image_unorm_int_2_101010
    **dict.fromkeys(("intensity", "luminance"), _REAL),
    **dict.fromkeys(("srgb", "srgbx", "srgba", "sbgra"), ("unorm8",)),
    "depth": ("unorm16", "float"),
    "depth_stencil": ("unorm24", "float"),
}

_INTEGERS = ("sint8", "sint16", "sint32", "uint8", "uint16", "uint32")
# What every device with images lists for each type of image (API 3.0, 5.3.2.1), but BGRA only in the full profile.
MINIMUM = tuple(f"rgba.{channel}" for channel in ("unorm8", "unorm16", *_INTEGERS, "half", "float"))
MINIMUM_FULL = (*MINIMUM, "bgra.unorm8")
# The same if one kernel may read and write an image.
MINIMUM_READ_WRITE = tuple(
    f"{order}.{channel}" for order in ("r", "rgba") for channel in ("unorm8", *_INTEGERS, "half", "float")
)


def name_of(order: int, channel: int) -> str:
    """The name of a format by its numbers, or "" for one that no specification names."""
    orders, channels = ({number: name for name, number in names.items()} for names in (ORDERS, CHANNELS))
    return f"{orders[order]}.{channels[channel]}" if order in orders and channel in channels else ""


def is_valid(name: str) -> bool:
    """True if the order may have the channel type."""
    order, _, channel = name.partition(".")
    return channel in VALID.get(order, ())
