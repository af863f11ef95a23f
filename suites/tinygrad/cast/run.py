"""The operations of the family: casts and bitcasts, by themselves and fused with a selection, and type promotion."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from runner import check
from runner.device import Device

from ..bounded import Array
from ..ops import Op, exactly
from ..results import tensor
from .formats import bfloat16, float8
from .promotion import of_constant, promoted

CUT = 10  # the selections compare with it


def _named(method: str) -> Op:
    return Op(lambda x, dtype: getattr(x, method)(), exactly(lambda x, dtype: x.astype(dtype)), bits=True)


def _chain(x: Array, through: list[str]) -> Array:
    for dtype in through:
        x = x.astype(dtype)
    return x


def _cast_chain(x: Any, through: list[str]) -> Any:
    for dtype in through:
        x = x.cast(dtype)
    return x


def _selected(apply: Callable[..., Any], reference: Callable[..., Array]) -> Op:
    """Pass on the integer, the integer as a float, and a constant; `constant` and `dtype` have defaults."""

    def on_device(x: Any, constant: str = "2.5", dtype: str = "float32") -> Any:
        return apply(x, x.cast(dtype), float(constant))

    def in_numpy(x: Array, constant: str = "2.5", dtype: str = "float32") -> Array:
        kind = np.dtype(dtype).type
        return np.asarray(reference(x, x.astype(dtype), kind(float(constant)))).astype(dtype)

    return Op(on_device, exactly(in_numpy))


# Arithmetic of two bfloat16: tinygrad computes in float32 and rounds.
ARITHMETIC: Mapping[str, tuple[Callable[[Any, Any], Any], Callable[[Array, Array], Array]]] = {
    "add": (lambda x, y: x + y, np.add),
    "mul": (lambda x, y: x * y, np.multiply),
    "maximum": (lambda x, y: x.maximum(y), np.maximum),
    "where": (lambda x, y: (x < 0).where(y, x), lambda x, y: np.where(x < 0, y, x)),
    "lt": (lambda x, y: x < y, np.less),
}


def _bfloat16_arithmetic(x: Array, y: Array, of: str) -> Array:
    result = ARITHMETIC[of][1](bfloat16(x), bfloat16(y))
    return result if result.dtype == bool else bfloat16(result)


def _on_bfloat16(x: Any, y: Any, of: str) -> Any:
    result = ARITHMETIC[of][0](x.bfloat16(), y.bfloat16())
    return result if result.dtype.name == "bool" else result.contiguous().float()


OPS: dict[str, Op] = {
    "cast": Op(
        lambda x, dtype: x.cast(dtype),
        exactly(lambda x, dtype: x.astype(dtype)),
        lambda g, x, dtype: [g.cast(x.dtype)],
        bits=True,
    ),
    "bitcast": Op(lambda x, dtype: x.bitcast(dtype), exactly(lambda x, dtype: x.view(dtype)), bits=True),
    **{name: _named(name) for name in ("float", "half", "double", "int", "long", "short", "bool")},
    "chain": Op(_cast_chain, exactly(_chain)),
    # Stored as bfloat16, so that it has the bits, and read as float32.
    "bfloat16": Op(lambda x: x.bfloat16().contiguous().float(), exactly(lambda x: bfloat16(x.astype(np.float32)))),
    "from_bfloat16": Op(
        lambda x, dtype: x.bfloat16().contiguous().cast(dtype), exactly(lambda x, dtype: bfloat16(x).astype(dtype))
    ),
    "bfloat16_bits": Op(
        lambda x: x.bitcast("bfloat16").float(),
        exactly(lambda x: (x.astype(np.uint32) << np.uint32(16)).view(np.float32)),
        bits=True,
    ),
    "bfloat16_arithmetic": Op(_on_bfloat16, exactly(_bfloat16_arithmetic)),
    "float8": Op(lambda x, through: x.cast(through).contiguous().float(), exactly(lambda x, through: float8(x, through))),
    "cast_clip": Op(
        lambda x: x.cast("float32").clip(0.5, 77.25), exactly(lambda x: np.clip(x.astype(np.float32), 0.5, 77.25))
    ),
    "cast_where": _selected(lambda x, y, c: (x < CUT).where(y, c), lambda x, y, c: np.where(x < CUT, y, c)),  # type: ignore[arg-type, return-value]
    "cast_max": _selected(lambda x, y, c: y.maximum(c), lambda x, y, c: np.where(y < c, c, y)),  # type: ignore[arg-type, return-value]
    "cast_pad": _selected(
        lambda x, y, c: (-y).pad(((3, 5),), value=c), lambda x, y, c: np.pad(-y, (3, 5), constant_values=c)
    ),
    # tinygrad 0.14 pads before it casts: a constant that the integer cannot hold is rounded, or refused.
    "pad_of_cast": _selected(
        lambda x, y, c: y.pad(((3, 5),), value=c), lambda x, y, c: np.pad(y, (3, 5), constant_values=c)
    ),
    "cast_mul": _selected(lambda x, y, c: y * c, lambda x, y, c: y * c),
    "where_cast": Op(
        lambda x: (x < CUT).where(x, 7).cast("float32"),
        exactly(lambda x: np.where(x < CUT, x, x.dtype.type(7)).astype(np.float32)),
    ),
    "promoted": Op(
        lambda x, y, of="add": ARITHMETIC[of][0](x, y), exactly(lambda x, y, of="add": promoted(ARITHMETIC[of][1], x, y))
    ),
    "promoted_constant": Op(lambda x, constant: x * constant, exactly(of_constant)),
}


def check_sizes(device: Device) -> None:
    """The element size that tinygrad states is the one in its buffer, and numpy's."""
    tinygrad = device.tinygrad()
    for name in ("bool", "int8", "uint16", "int32", "uint32", "float32", "int64"):
        x = tensor(tinygrad, np.ones(7, name))
        check.equal(f"{name}: element_size", x.element_size(), np.dtype(name).itemsize)
        check.equal(f"{name}: nbytes of the buffer", x.uop.buffer.nbytes, 7 * np.dtype(name).itemsize)
        check.equal(f"{name}: is_floating_point", x.is_floating_point(), np.dtype(name).kind == "f")
