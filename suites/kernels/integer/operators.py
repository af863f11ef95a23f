"""The operators of OpenCL C 3.0 on integers (6.5)."""

import operator
from collections.abc import Callable
from functools import partial

from ..kit.integers import BITS, IntegerType, bounds, quotient, wrap
from .operation import WIDTHS, Model, Operation

_Binary = Callable[[int, int], int]


def _fits(value: int, type_name: str) -> bool:
    low, high = bounds(type_name)
    return low <= value <= high


def _arithmetic(exact: Callable[..., int]) -> Model:
    """C99 6.2.5, 6.5: unsigned wraps; signed overflow is undefined, also for a small scalar that is promoted to int."""

    def model(t: IntegerType, *operands: int) -> int | None:
        value = exact(*operands)
        if t.signed:
            return value if _fits(value, t.scalar) else None
        if t.promoted != t.scalar and not _fits(value, t.promoted):
            return None
        return wrap(value, t.scalar)

    return model


def _divides(exact: _Binary) -> Model:
    """6.5.1: a quotient by zero or out of range is unspecified."""

    def model(t: IntegerType, a: int, b: int) -> int | None:
        return exact(a, b) if b and _fits(quotient(a, b), t.scalar) else None

    return model


def _bitwise(exact: Callable[..., int]) -> Model:
    return lambda t, *operands: wrap(exact(*operands), t.scalar)


def _truth(test: Callable[..., bool]) -> Model:
    """6.5.4-6.5.8: true is 1 for scalars, and -1 (all bits) for a vector's component."""
    return lambda t, *operands: int(test(*operands)) * (1 if t.width == 1 else -1)


def _shift_left(t: IntegerType, a: int, b: int) -> int:
    """6.5.10: a shift by the low bits of b, as many as the width of the promoted type needs."""
    return wrap(a << b % BITS[t.promoted], t.promoted)


def _shift_left_assigned(t: IntegerType, a: int, b: int) -> int | None:
    value = _shift_left(t, a, b)
    return value if _fits(value, t.scalar) else None if t.signed else wrap(value, t.scalar)


def _shift_right(t: IntegerType, a: int, b: int) -> int:
    return a >> b % BITS[t.promoted]


def _ternary(t: IntegerType, a: int, b: int, c: int) -> int:
    """6.5.9: a scalar chooses by whether it is zero, a vector's component by its most significant bit."""
    chosen = c != 0 if t.width == 1 else bool(c % 2**t.bits >> t.bits - 1)
    return a if chosen else b


def _modulo(a: int, b: int) -> int:
    return a - b * quotient(a, b)


def _widened(model: Model) -> Model:
    """6.4.6: a scalar operand is converted to the components' type and repeated."""
    return lambda t, a, s: model(t, a, wrap(s, t.scalar))


_ADD, _SUB = _arithmetic(operator.add), _arithmetic(operator.sub)
_MUL = _arithmetic(operator.mul)
_REVERSED = _arithmetic(lambda a, b: b - a)
_AND, _OR, _XOR = _bitwise(operator.and_), _bitwise(operator.or_), _bitwise(operator.xor)
_mixed = partial(Operation, widths=WIDTHS, spread=2)

OPERATORS: dict[str, Operation] = {
    "add": Operation({"a + b": _ADD}),
    "sub": Operation({"a - b": _SUB}, spread=2, turn=1),
    "mul": Operation({"a * b": _MUL}),
    "divide": Operation({"a / b": _divides(quotient)}),
    "modulo": Operation({"a % b": _divides(_modulo)}, spread=2, turn=4),
    "divide_near": Operation({"a / b": _divides(quotient), "a % b": _divides(_modulo)}, spread=1, domain="multiples"),
    "unary": Operation(
        {"-a": _arithmetic(operator.neg), "+a": _bitwise(operator.pos), "~a": _bitwise(operator.invert)}, 1, spread=2, turn=1
    ),
    "step": Operation(
        {
            "x++": _arithmetic(lambda a: a + 1),
            "--x": _arithmetic(lambda a: a - 1),
            "y = x--, x = y": _bitwise(operator.pos),
            "y = ++x, x = y": _arithmetic(lambda a: a + 1),
        },
        1,
        assigns=True,
        spread=2,
        turn=2,
    ),
    "bitwise": Operation({"a & b": _AND, "a | b": _OR, "a ^ b": _XOR}, spread=2, turn=3),
    "shift_left": Operation({"a << b": _shift_left}, result="promoted"),
    "shift_right": Operation({"a >> b": _shift_right}, result="promoted", spread=2),
    "compare": Operation(
        {
            "a < b": _truth(operator.lt),
            "a <= b": _truth(operator.le),
            "a > b": _truth(operator.gt),
            "a >= b": _truth(operator.ge),
            "a == b": _truth(operator.eq),
            "a != b": _truth(operator.ne),
        },
        result="truth",
    ),
    "logical": Operation(
        {
            "a && b": _truth(lambda a, b: bool(a and b)),
            "a || b": _truth(lambda a, b: bool(a or b)),
            "!a": _truth(lambda a, b: not a),
        },
        result="truth",
        spread=2,
        turn=2,
    ),
    "ternary": Operation({"c ? a : b": _ternary}, 3, spread=2, turn=3),
    "ternary_scalar": _mixed({"s ? a : b": lambda t, a, b, s: a if s else b}, scalars=1, turn=4),
    "assign_arithmetic": Operation({"x += b": _ADD, "x -= b": _SUB, "x *= b": _MUL}, assigns=True, spread=2),
    "assign_divide": Operation({"x /= b": _divides(quotient), "x %= b": _divides(_modulo)}, assigns=True, spread=2, turn=1),
    "assign_bits": Operation(
        {"x &= b": _AND, "x |= b": _OR, "x ^= b": _XOR, "x <<= b": _shift_left_assigned, "x >>= b": _shift_right},
        assigns=True,
        spread=2,
        turn=2,
    ),
    "mixed": _mixed({"a + s": _ADD, "s - a": _REVERSED, "s & a": _AND, "a ^ s": _XOR}, 1, 1, turn=3),
    "mixed_compare": _mixed(
        {"a < s": _truth(operator.lt), "s >= a": _truth(lambda a, s: s >= a), "a == s": _truth(operator.eq)},
        1,
        1,
        result="truth",
        turn=4,
    ),
    "mixed_shift": _mixed({"a << s": _shift_left, "a >> s": _shift_right}, 1, 1),
    "mixed_narrow": _mixed(
        {"a + s": _widened(_ADD), "s | a": _widened(_OR)},
        1,
        1,
        types=("short", "ushort", "int", "uint", "long", "ulong"),
        scalar_type="char",
        turn=4,
    ),
}
