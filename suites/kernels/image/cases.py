"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case

from .table import IMAGE_FORMATS, SAMPLERS


def cases() -> Iterator[Case]:
    """Images: samplers, writes, transfers."""
    for dims, order, type_name, filtering, addressing, normalized, declared in SAMPLERS:
        params = {"dims": dims, "order": order, "type": type_name, "filter": filtering}
        params |= {"addressing": addressing, "normalized": normalized, "declared": declared}
        name = f"read{dims}d.{order}.{type_name}.{filtering}.{addressing}"
        yield Case(f"kernels/image/{name}", "image.sampler", params, ("images",))
    for dims, order, type_name in IMAGE_FORMATS:
        params = {"dims": dims, "order": order, "type": type_name}
        write = ("images", "images3d_write" if dims == 3 else "images_write")
        yield Case(f"kernels/image/write{dims}d.{order}.{type_name}", "image.write", params, write)
        moved = ("images", "execute")
        for way in ("host", "image_to_image", "image_to_buffer", "buffer_to_image"):
            yield Case(f"kernels/image/{way}{dims}d.{order}.{type_name}", f"image.{way}", params, moved)
    for dims in (1, 2, 3):
        yield Case(f"kernels/image/fill{dims}d", "image.fill", {"dims": dims}, ("images", "execute"))
    yield Case("kernels/image/queries", "image.queries", requires=("images",))
