"""The catalogue of the suite: pure tables and generators, area by area."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from runner.model import Case

from .api_table import ERRORS
from .conversion_table import CONVERSIONS, REINTERPRETATIONS
from .image_table import IMAGE_FORMATS, SAMPLERS
from .integer_table import OPERATIONS, result_type
from .math_table import BUILTINS, EDGES, OTHER_TYPES, VECTORS
from .printf_table import FORMATS
from .program_table import OPTIONS, REFUSALS

FEATURES = {"half": "fp16", "double": "fp64", "long": "int64", "ulong": "int64"}


def needs(*type_names: str) -> tuple[str, ...]:
    """The features that a kernel with these types needs."""
    return tuple(dict.fromkeys(FEATURES[name] for name in type_names if name in FEATURES))


def math_cases() -> Iterator[Case]:
    """Builtins of float, as vectors, of half and double; then the edges."""
    for name, builtin in BUILTINS.items():
        yield Case(f"kernels/math/{name}", "math.ulp", math_params(name, builtin.limit))
    for name, width in VECTORS:
        params = math_params(name, BUILTINS[name].limit, width=width)
        yield Case(f"kernels/math/{name}.float{width}", "math.ulp", params)
    for floating, name, limit in OTHER_TYPES:
        params = math_params(name, limit, floating=floating)
        yield Case(f"kernels/math/{name}.{floating}", "math.ulp", params, needs(floating))
    for name in EDGES:
        yield Case(f"kernels/math/edge/{name}", "math.edge", {"builtin": name})


def math_params(name: str, limit: float, floating: str = "float", width: int = 1) -> dict[str, Any]:
    """What the body math.ulp reads."""
    return {"builtin": name, "type": floating, "width": width, "limit": limit}


def integer_cases() -> Iterator[Case]:
    """Operators and builtins, each on some types."""
    for name, operation in OPERATIONS.items():
        for type_name in operation.types:
            params = {"operation": name, "type": type_name}
            requires = needs(type_name, result_type(operation, type_name))
            yield Case(f"kernels/integer/{name}.{type_name}", "integer.operation", params, requires)


def vector_cases() -> Iterator[Case]:
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


def conversion_cases() -> Iterator[Case]:
    """convert_, as_, and half in memory."""
    for target, suffix, source, width in CONVERSIONS:
        params = {"target": target, "suffix": suffix, "source": source, "width": width}
        w = "" if width == 1 else str(width)
        name = f"{target}{w}{suffix}.{source}{w}"
        yield Case(f"kernels/conversion/{name}", "conversion.convert", params, needs(target, source))
    for target, source, size, used in REINTERPRETATIONS:
        params = {"target": target, "source": source, "bytes": size, "used_bytes": used}
        requires = needs(source.rstrip("0123456789"))
        yield Case(f"kernels/conversion/as_{target}.{source}", "conversion.as_type", params, requires)
    for mode in ("", "rtz", "rtp", "rtn"):
        name = f"vstore_half_{mode}" if mode else "vstore_half"
        yield Case(f"kernels/conversion/{name}", "conversion.half_memory", {"mode": mode})


def workgroup_cases() -> Iterator[Case]:
    """Work-groups, the memory that they share, index spaces."""
    for name in ("reduction", "transpose", "scan", "global_fence", "async_copy", "private_array"):
        yield Case(f"kernels/workgroup/{name}", f"workgroup.{name}")
    yield Case("kernels/workgroup/struct", "workgroup.struct", requires=("int64",))
    for name in ("identifiers", "odd_sizes"):
        yield Case(f"kernels/ndrange/{name}", f"ndrange.{name}")


def atomic_cases() -> Iterator[Case]:
    """Atomics of 32 bits."""
    kinds = {"add": "add", "sub": "add", "inc": "add", "dec": "add", "min": "extreme", "max": "extreme"}
    kinds |= {"xchg": "exchange", "cmpxchg": "compare_exchange", "bits": "bits"}
    for space in ("global", "local"):
        for name, kind in kinds.items():
            params = {"operation": name, "space": space}
            yield Case(f"kernels/atomic/{name}.{space}", f"atomic.{kind}", params)


def memory_cases() -> Iterator[Case]:
    """Buffers, and the events of what is done to them."""
    for name in ("offsets", "fill", "sub_buffer", "map", "host_pointer"):
        yield Case(f"kernels/memory/{name}", f"memory.{name}", requires=("execute",))
    for path in ("write", "read", "copy"):
        params = {"path": path}
        yield Case(f"kernels/memory/rectangles.{path}", "memory.rectangles", params, ("execute",))
    for name in ("marker", "commands", "error", "callback", "profiling"):
        yield Case(f"kernels/event/{name}", f"event.{name}", requires=("execute",))


def control_cases() -> Iterator[Case]:
    """Code generation around conditions."""
    for type_name in ("char", "ushort", "int"):
        yield Case(f"kernels/control/float_select.{type_name}", "control.float_select", {"type": type_name})
    for type_name in ("uchar", "int", "float"):
        params = {"type": type_name}
        yield Case(f"kernels/control/guarded_load.{type_name}", "control.guarded_load", params, ("int64",))
    for suffix in ("l", "ul", "ll"):
        yield Case(f"kernels/control/literal.{suffix}", "control.literal", {"suffix": suffix}, ("int64",))
    yield Case("kernels/control/loop", "control.loop")
    yield Case("kernels/control/signed_zero", "control.signed_zero")


def image_cases() -> Iterator[Case]:
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


def program_cases() -> Iterator[Case]:
    """Builds, and what printf prints."""
    for name, (source, options, error, log) in REFUSALS.items():
        params = {"source": source, "options": options, "error": error, "log": log}
        yield Case(f"kernels/program/refuse.{name}", "program.refusal", params)
    yield Case("kernels/program/options", "program.options", {"rows": OPTIONS})
    for name in ("link", "binary", "kernel_info"):
        yield Case(f"kernels/program/{name}", f"program.{name}")
    for name, (type_name, rows) in FORMATS.items():
        params = {"type": type_name, "rows": rows}
        yield Case(f"kernels/printf/{name}", "printf.formats", params, ("printf", "execute"))
    yield Case("kernels/printf/items", "printf.items", requires=("printf", "execute"))


def api_cases() -> Iterator[Case]:
    """Errors of the API."""
    for mistake, error in ERRORS.items():
        requires = ("images",) if mistake.startswith(("image.", "sampler.")) else ()
        yield Case(f"kernels/api/{mistake}", "api.error", {"mistake": mistake, "error": error}, requires)


def cases() -> Iterator[Case]:
    """Every case of the suite."""
    yield from math_cases()
    yield from integer_cases()
    yield from vector_cases()
    yield from conversion_cases()
    yield from workgroup_cases()
    yield from atomic_cases()
    yield from memory_cases()
    yield from control_cases()
    yield from image_cases()
    yield from program_cases()
    yield from api_cases()
