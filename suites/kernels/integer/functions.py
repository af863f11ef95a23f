"""The integer builtins of OpenCL C 3.0 (6.15.3) and of cl_khr_extended_bit_ops (6.15.3.1)."""

from functools import partial

from ..kit.integers import IntegerType, bounds, fits_bits, saturate, wrap
from .operation import WIDTHS, Operation

_SMALL = ("char", "uchar", "short", "ushort", "int", "uint")


def _pattern(value: int, t: IntegerType) -> int:
    return value % 2**t.bits


def _clz(t: IntegerType, a: int) -> int:
    return t.bits - _pattern(a, t).bit_length()


def _ctz(t: IntegerType, a: int) -> int:
    return (a & -a).bit_length() - 1 if a else t.bits


def _rotate(t: IntegerType, a: int, b: int) -> int:
    pattern, by = _pattern(a, t), b % t.bits
    return wrap(pattern << by | pattern >> (t.bits - by), t.scalar)


def _mad_hi(t: IntegerType, a: int, b: int, c: int) -> int | None:
    value = (a * b >> t.bits) + c
    low, high = bounds(t.scalar)
    return wrap(value, t.scalar) if not t.signed or low <= value <= high else None


def _clamp(t: IntegerType, a: int, low: int, high: int) -> int | None:
    return min(max(a, low), high) if low <= high else None


def _mul24(t: IntegerType, a: int, b: int, c: int = 0) -> int | None:
    """mul24 and mad24; the product of operands beyond 24 bits is implementation-defined."""
    return wrap(a * b + c, t.scalar) if all(fits_bits(x, 24, t.signed) for x in (a, b)) else None


def _upsample(t: IntegerType, a: int, b: int) -> int:
    return a << t.bits | _pattern(b, t)


def _field(t: IntegerType, offset: int, count: int) -> int | None:
    """The mask of a bit field; None if the type does not hold the field."""
    return (2**count - 1) << offset if offset + count <= t.bits else None


def _insert(t: IntegerType, base: int, inserted: int, offset: int, count: int) -> int | None:
    field = _field(t, offset, count)
    return None if field is None else wrap(base & ~field | inserted << offset & field, t.scalar)


def _extract(t: IntegerType, a: int, offset: int, count: int) -> int | None:
    return None if _field(t, offset, count) is None else _pattern(a, t) >> offset & 2**count - 1


def _extract_signed(t: IntegerType, a: int, offset: int, count: int) -> int | None:
    value = _extract(t, a, offset, count)
    negative = value is not None and count > 0 and value >> count - 1
    return value - 2**count if value is not None and negative else value


def _reverse(t: IntegerType, a: int) -> int:
    return wrap(int(f"{_pattern(a, t):0{t.bits}b}"[::-1], 2), t.scalar)


_builtin = partial(Operation, spread=2)
_scalars = partial(_builtin, operands=1, scalars=1, widths=WIDTHS)
_bits = partial(Operation, spread=1, requires=("cl_khr_extended_bit_ops",))
_fields = partial(_bits, scalars=2, scalar_type="uint", domain="fields")

BUILTINS: dict[str, Operation] = {
    "abs": _builtin({"abs(a)": lambda t, a: abs(a)}, operands=1, result="unsigned", turn=2),
    "abs_diff": _builtin({"abs_diff(a, b)": lambda t, a, b: abs(a - b)}, result="unsigned", turn=3),
    "add_sat": _builtin({"add_sat(a, b)": lambda t, a, b: saturate(a + b, t.scalar)}, turn=4),
    "sub_sat": _builtin({"sub_sat(a, b)": lambda t, a, b: saturate(a - b, t.scalar)}),
    "hadd": _builtin({"hadd(a, b)": lambda t, a, b: (a + b) >> 1}, turn=1),
    "rhadd": _builtin({"rhadd(a, b)": lambda t, a, b: (a + b + 1) >> 1}, turn=2),
    "clamp": _builtin({"clamp(a, b, c)": _clamp}, operands=3, turn=3),
    "clamp_scalar": _scalars({"clamp(a, s, u)": _clamp}, scalars=2, turn=4),
    "clz": _builtin({"clz(a)": _clz}, operands=1),
    "ctz": _builtin({"ctz(a)": _ctz}, operands=1, requires=("opencl_c_3.0",), options="-cl-std=CL3.0", turn=1),
    "max": _builtin({"max(a, b)": lambda t, a, b: max(a, b)}, turn=2),
    "max_scalar": _scalars({"max(a, s)": lambda t, a, s: max(a, s)}, turn=3),
    "min": _builtin({"min(a, b)": lambda t, a, b: min(a, b)}, turn=4),
    "min_scalar": _scalars({"min(a, s)": lambda t, a, s: min(a, s)}),
    "mad_hi": _builtin({"mad_hi(a, b, c)": _mad_hi}, operands=3, turn=1),
    "mad_sat": _builtin({"mad_sat(a, b, c)": lambda t, a, b, c: saturate(a * b + c, t.scalar)}, operands=3, turn=2),
    "mul_hi": _builtin({"mul_hi(a, b)": lambda t, a, b: a * b >> t.bits}, turn=3),
    "mad24": _builtin({"mad24(a, b, c)": _mul24}, operands=3, types=("int", "uint"), spread=0, domain="24 bits"),
    "mul24": _builtin({"mul24(a, b)": _mul24}, types=("int", "uint"), spread=0, domain="24 bits"),
    "popcount": _builtin({"popcount(a)": lambda t, a: _pattern(a, t).bit_count()}, operands=1, turn=1),
    "rotate": _builtin({"rotate(a, b)": _rotate}, turn=2),
    "upsample": _builtin({"upsample(a, as_{low}(b))": _upsample}, types=_SMALL, result="wider", turn=3),
    "bit_reverse": _bits({"bit_reverse(a)": _reverse}, operands=1, turn=4),
    "bitfield_extract_signed": _fields({"bitfield_extract_signed(a, s, u)": _extract_signed}, operands=1, result="signed"),
    "bitfield_extract_unsigned": _fields(
        {"bitfield_extract_unsigned(a, s, u)": _extract}, operands=1, result="unsigned", turn=1
    ),
    "bitfield_insert": _fields({"bitfield_insert(a, b, s, u)": _insert}, operands=2, turn=2),
}
