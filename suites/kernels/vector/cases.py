"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case

from ..needs import needs


def cases() -> Iterator[Case]:
    """Components and layout of vectors."""
    for type_name, width in (("char", 3), ("float", 4), ("long", 8), ("int", 16), ("ushort", 2)):
        params = {"type": type_name, "width": width}
        yield Case(f"kernels/vector/swizzle.{type_name}{width}", "vector.swizzle", params, needs(type_name))
    for width in (2, 3, 8, 16):
        yield Case(f"kernels/vector/halves.int{width}", "vector.halves", {"width": width})
    for type_name, width in (("float", 3), ("char", 3), ("short", 4), ("long", 2), ("uchar", 16), ("int", 8)):
        params = {"type": type_name, "width": width}
        name = f"vload_vstore.{type_name}{width}"
        yield Case(f"kernels/vector/{name}", "vector.vload_vstore", params, needs(type_name))
    for width in (4, 8):
        yield Case(f"kernels/vector/shuffle.short{width}", "vector.shuffle", {"width": width})
    yield Case("kernels/vector/three", "vector.three", requires=("int64",))
    yield Case("kernels/vector/relational.float4", "vector.relational")
