"""Some components of an image's elements: a compiler may fetch only those, and must put each in its place.

OpenCL C 3.0, 6.15.15.2 and 6.15.15.3.
"""

import numpy as np

from runner import check
from runner.device import Device

from . import codec, images
from .table import KINDS, Format

_COORDINATES = {1: "x", 2: "(int2)(x, y)", 3: "(int4)(x, y, z, 0)"}  # by axes
_WAYS = {"without a sampler": "", "by a sampler": "s, "}


def check_components(device: Device, *, kind: str, format: str) -> None:
    """Every choice of components, with a sampler and without; each choice from another pixel."""
    of, fmt = KINDS[kind], Format.of(format)
    width, height, depth = of.extents
    image, content = images.filled(device, of, fmt)
    lines: list[str] = []
    places: list[tuple[int, list[int]]] = []
    for sampler in _WAYS.values():
        for mask in range(1, 16):
            n = len(places)
            where = f"int x = (i + {n}) % {width}, y = {n % height}, z = {n % depth};"
            read = f"v = read_image{fmt.suffix}(m, {sampler}{_COORDINATES[of.axes]});"
            stores = "".join(f" r[({n} * {width} + i) * 4 + {c}] = v.s{c};" for c in range(4) if mask >> c & 1)
            lines.append(f"{{ {where} {read}{stores} }}")
            places.append((n, [mask >> c & 1 for c in range(4)]))
    scalar = {"f": "float", "i": "int", "ui": "uint"}[fmt.suffix]
    body = "\n    ".join(lines)
    kernel = device.build(
        f"""
__constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
__kernel void f(__read_only image{kind}_t m, __global {scalar} *r) {{
    int i = get_global_id(0);
    {scalar}4 v;
    {body}
}}
"""
    ).f
    texels = codec.texels(content, fmt)
    want = np.array([np.roll(texels[n % depth, n % height], -n, axis=0) * np.array(kept) for n, kept in places])
    out = device.buffer(np.zeros(want.shape, codec.VALUES[fmt.suffix]))
    device.launch(kernel, [width], None, image, out)
    got = device.read(out, codec.VALUES[fmt.suffix], want.shape)
    for way, found, expected in zip(_WAYS, np.split(got, 2), np.split(want, 2), strict=True):
        check.equal(f"components of {kind} {format} {way}", found, expected.astype(found.dtype))
