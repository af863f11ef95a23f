"""Raw files as a camera writes them, made here: DNG 1.4 with a mosaic of 16 bits."""

import struct
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

BLACK, WHITE = 512, 15360
# The colours of the filter, 0 red, 1 green, 2 blue, row by row.
PATTERNS = {"bayer": ("01", "12"), "xtrans": ("120102", "011211", "211011", "102120", "211011", "011211")}
_SIZES = {"B": 1, "H": 2, "I": 4, "s": 1, "r": 8, "q": 8}
_TYPES = {"B": 1, "s": 2, "H": 3, "I": 4, "r": 5, "q": 10}
_D65, _PRIMARIES = 21, (3.2406, -1.5372, -0.4986, -0.9689, 1.8758, 0.0415, 0.0557, -0.2040, 1.0570)  # XYZ to sRGB


def write_dng(path: Path, image: NDArray[np.float32], pattern: str) -> None:
    """An image (rows, columns, 3), in which 1 is white, behind the filter of a pattern; values above 1 are cut off."""
    height, width, _ = image.shape
    filters = np.array([[int(c) for c in row] for row in PATTERNS[pattern]])
    rows, columns = np.mgrid[:height, :width]
    seen = image[rows, columns, filters[rows % len(filters), columns % len(filters)]]
    mosaic = np.clip(np.rint(BLACK + seen * (WHITE - BLACK)), 0, WHITE).astype("<u2").tobytes()
    entries: list[tuple[int, str, Sequence[float] | bytes]] = [
        (254, "I", [0]),
        (256, "I", [width]),
        (257, "I", [height]),
        (258, "H", [16]),
        (259, "H", [1]),
        (262, "H", [32803]),  # a colour filter array
        (271, "s", b"Rusticl\0"),
        (272, "s", b"Mosaic\0"),
        (273, "I", [8]),
        (277, "H", [1]),
        (278, "I", [height]),
        (279, "I", [len(mosaic)]),
        (33421, "H", list(filters.shape)),
        (33422, "B", filters.ravel().tolist()),
        (50706, "B", [1, 4, 0, 0]),
        (50708, "s", b"Rusticl Mosaic\0"),
        (50714, "I", [BLACK]),
        (50717, "I", [WHITE]),
        (50721, "q", _PRIMARIES),
        (50728, "r", [1, 1, 1]),
        (50778, "H", [_D65]),
    ]
    begin = 8 + len(mosaic)
    after = begin + 2 + 12 * len(entries) + 4
    directory, more = struct.pack("<H", len(entries)), b""
    for tag, kind, values in entries:
        if isinstance(values, bytes):
            data = values
        elif kind in "rq":  # a numerator and a denominator
            data = b"".join(struct.pack("<iI" if kind == "q" else "<II", round(v * 10000), 10000) for v in values)
        else:
            data = struct.pack(f"<{len(values)}{kind}", *map(int, values))
        directory += struct.pack("<HHI", tag, _TYPES[kind], len(data) // _SIZES[kind])
        if len(data) <= 4:
            directory += data.ljust(4, b"\0")
        else:
            directory += struct.pack("<I", after + len(more))
            more += data + b"\0" * (len(data) % 2)
    path.write_bytes(b"II*\0" + struct.pack("<I", begin) + mosaic + directory + struct.pack("<I", 0) + more)
