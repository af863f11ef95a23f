"""The catalogue of images: IMAGE=1, if a device makes 2D images from buffers; with FLOAT16=1 they hold halves."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from runner.model import Case

METHODS = {"image_dot": "tinygrad/image/matmul.*", "image_conv2d": "tinygrad/image/conv2d.*"}  # with IMAGE=1
NEEDS = ("image2d_from_buffer", "images")
Shape = tuple[int, ...]

# name, shapes
MATMUL: tuple[tuple[str, Shape, Shape], ...] = (
    ("square", (64, 64), (64, 64)),
    ("least", (4, 4), (4, 4)),
    ("odd", (33, 17), (17, 65)),
    ("row", (1, 128), (128, 256)),
    ("column", (128, 64), (64, 4)),
    ("pitch", (36, 20), (20, 52)),
    ("batch", (3, 16, 12), (3, 12, 20)),
    ("tall", (256, 64), (64, 256)),
)
CONV: tuple[tuple[str, Shape, Shape, Mapping[str, int]], ...] = (
    ("padded", (1, 16, 16, 16), (32, 16, 3, 3), {"padding": 1}),
    ("plain", (1, 8, 9, 12), (8, 8, 3, 3), {}),
    ("strided", (2, 8, 17, 19), (12, 8, 3, 3), {"stride": 2, "padding": 1}),
    ("pointwise", (1, 64, 8, 8), (32, 64, 1, 1), {}),
    ("channels_odd", (1, 3, 16, 16), (5, 3, 3, 3), {}),
    ("one_channel", (1, 1, 12, 12), (4, 1, 5, 5), {"padding": 2}),
    ("grouped", (1, 16, 8, 8), (16, 4, 3, 3), {"groups": 4, "padding": 1}),
    ("depthwise", (1, 16, 16, 16), (16, 1, 3, 3), {"groups": 16}),
    ("batch", (4, 4, 6, 6), (8, 4, 2, 2), {}),
)
# Numbers of elements: images of one row, of the widest row, of many rows.
SIZES = {"one_pixel": 4, "row": 4 * 67, "widest_row": 4 * 16384, "rows": 4 * 16384 * 3, "halves": 4 * 20002}
ELEMENTWISE = ("scaled", "turned", "padded", "summed")
PROGRAMS = ("network", "replayed", "many_images", "shared", "unaligned_copy", "attention", "assigned")
GRADIENTS = ("matmul", "conv2d")


def _case(name: str, kind: str, params: Mapping[str, Any], extra: Sequence[str] = ()) -> Case:
    return Case(f"tinygrad/image/{name}", f"image.{kind}", params, tuple(sorted((*NEEDS, *extra))))


def cases() -> Iterator[Case]:
    """Every case of the family."""
    for name, *shapes in MATMUL:
        for stored in ("float32", "float16"):
            params: dict[str, Any] = {"op": "matmul", "shapes": shapes, "stored": stored, "args": {}}
            yield _case(f"matmul.{stored}.{name}", "stored", params)
    for name, x, w, args in CONV:
        for stored in ("float32", "float16"):
            params = {"op": "conv2d", "shapes": [x, w], "stored": stored, "args": dict(args)}
            yield _case(f"conv2d.{stored}.{name}", "stored", params)
    for size, count in SIZES.items():
        for op in ELEMENTWISE:
            for dtype in ("float32", "float16"):
                needs = ("fp16",) if dtype == "float16" else ()
                params = {"op": op, "count": count, "dtype": dtype}
                yield _case(f"{op}.{dtype}.{size}", "elementwise", params, needs)
    for name in PROGRAMS:
        yield _case(f"program.{name}", "program", {"what": name})
    for name in GRADIENTS:
        yield _case(f"gradient.{name}", "gradient", {"op": name})
