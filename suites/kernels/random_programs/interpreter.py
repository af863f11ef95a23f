"""What a program of `language` computes, in Python's integers: the oracle of the random programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .language import (
    BITS,
    Block,
    Function,
    Node,
    Program,
    Statement,
    base,
    computed_in,
    signed,
    unsigned,
    width,
    wrap,
)

Value = Any  # an int, or a tuple of ints for a vector
_BREAK, _CONTINUE = object(), object()


@dataclass(frozen=True, slots=True)
class _Return:
    value: Value


class _Frame:
    """The variables and arrays of one call."""

    def __init__(self, functions: dict[str, Function], function: Function) -> None:
        self.functions = functions
        self.values: dict[str, Value] = {}
        self.arrays: dict[str, list[int]] = {}
        for name, kind, value in function.variables:
            self.values[name] = _filled(value, kind)
        for name, kind, size in function.arrays:
            self.arrays[name] = [wrap(i * 3 + 1, kind) for i in range(size)]


def interpret(program: Program, words: Mapping[str, int]) -> list[int]:
    """The words that one work-item leaves in `out`, for the words of `in` by parameter."""
    kernel = program.kernel
    frame = _Frame({f.name: f for f in program.functions}, kernel)
    for name, kind in kernel.parameters:
        frame.values[name] = _filled(words[name], kind)
    _run(frame, kernel.body)
    out = []
    for name, kind in [*kernel.parameters, *((n, t) for n, t, _ in kernel.variables)]:
        value = frame.values[name]
        out += [v % (1 << BITS[base(kind)]) for v in (value if width(kind) > 1 else (value,))]
    for name, kind, _ in kernel.arrays:
        out += [v % (1 << BITS[kind]) for v in frame.arrays[name]]
    return out


def _filled(value: int, kind: str) -> Value:
    one = wrap(value, base(kind))
    return one if width(kind) == 1 else (one,) * width(kind)


def _run(frame: _Frame, block: Block) -> Any:
    """Run statements; None, or how the block was left."""
    for statement in block:
        left = _step(frame, statement)
        if left is not None:
            return left
    return None


def _step(frame: _Frame, s: Statement) -> Any:  # noqa: C901 - one arm a kind
    match s.op:
        case "assign":
            _store(frame, s.nodes[0], evaluate(frame, s.nodes[1]))
        case "call":
            name, array = s.value
            values = [evaluate(frame, n) for n in s.nodes[1:]]
            _store(frame, s.nodes[0], _call(frame, frame.functions[name], values, array))
        case "if":
            return _run(frame, s.blocks[0] if evaluate(frame, s.nodes[0]) else s.blocks[1])
        case "for":
            counter, count = s.value
            frame.values[counter] = 0
            while frame.values[counter] < count:
                left = _run(frame, s.blocks[0])
                if left is _BREAK:
                    break
                if isinstance(left, _Return):
                    return left
                frame.values[counter] += 1
        case "while" | "do":
            return _loop(frame, s)
        case "switch":
            return _switch(frame, s)
        case "break":
            return _BREAK
        case "continue":
            return _CONTINUE
        case "return":
            return _Return(evaluate(frame, s.nodes[0]))
    return None


def _loop(frame: _Frame, s: Statement) -> _Return | None:
    counter, count = s.value
    frame.values[counter] = 0

    def goes_on() -> bool:
        frame.values[counter] += 1
        return frame.values[counter] <= count and bool(evaluate(frame, s.nodes[0]))

    going = s.op == "do" or goes_on()
    while going:
        left = _run(frame, s.blocks[0])
        if left is _BREAK:
            break
        if isinstance(left, _Return):
            return left
        going = goes_on()
    return None


def _switch(frame: _Frame, s: Statement) -> Any:
    value = evaluate(frame, s.nodes[0])
    arms = list(zip(s.value, s.blocks, strict=True))
    start = next((i for i, ((labels, _), _b) in enumerate(arms) if value in labels), None)
    if start is None:
        start = next((i for i, ((labels, _), _b) in enumerate(arms) if not labels), len(arms))
    for (_, falls), body in arms[start:]:
        left = _run(frame, body)
        if left is _BREAK:
            return None
        if left is not None:
            return left
        if not falls:
            return None
    return None


def _call(frame: _Frame, function: Function, values: Sequence[Value], array: str) -> Value:
    inner = _Frame(frame.functions, function)
    inner.values.update(zip((name for name, _ in function.parameters), values, strict=True))
    if function.array_parameter:
        inner.arrays[function.array_parameter[0]] = frame.arrays[array]
    left = _run(inner, function.body)
    assert isinstance(left, _Return), f"{function.name} ends without a return"
    return left.value


def _store(frame: _Frame, target: Node, value: Value) -> None:
    match target.op:
        case "variable":
            frame.values[target.value] = value
        case "element":
            name, size = target.value
            frame.arrays[name][evaluate(frame, target.args[0]) & size - 1] = value
        case _:
            whole = list(frame.values[target.args[0].value])
            whole[target.value] = value
            frame.values[target.args[0].value] = tuple(whole)


def evaluate(frame: _Frame, n: Node) -> Value:
    """The value of an expression: in the range of its type, a tuple for a vector."""
    match n.op:
        case "constant":
            return n.value if width(n.type) == 1 else (n.value,) * width(n.type)
        case "variable":
            return frame.values[n.value]
        case "element":
            name, size = n.value
            return frame.arrays[name][evaluate(frame, n.args[0]) & size - 1]
        case "&&":
            return int(bool(evaluate(frame, n.args[0])) and bool(evaluate(frame, n.args[1])))
        case "||":
            return int(bool(evaluate(frame, n.args[0])) or bool(evaluate(frame, n.args[1])))
    args = [evaluate(frame, a) for a in n.args]
    match n.op:
        case "component":
            return args[0][n.value]
        case "swizzle":
            return tuple(args[0][i] for i in n.value)
        case "vector":
            return tuple(args)
        case "!":
            return int(not args[0])
        case "?:" if width(n.args[0].type) == 1:
            return args[1] if args[0] else args[2]
    if width(n.type) == 1:
        return _apply(n, n.type, n.args[0].type, args)
    shape = [a if isinstance(a, tuple) else (a,) * width(n.type) for a in args]
    return tuple(_apply(n, base(n.type), base(n.args[0].type), list(column)) for column in zip(*shape, strict=True))


def _apply(n: Node, kind: str, operand: str, args: list[int]) -> int:
    """One component. `kind` is the result's scalar type, `operand` that of the first operand."""
    if n.op in _COMPARISONS:
        true = 1 if width(n.type) == 1 else -1
        return true if _COMPARISONS[n.op](args[0], args[1]) else 0
    if n.op == "?:":  # of vectors: the sign of the condition chooses
        return args[1] if args[0] < 0 else args[2]
    if n.op == "cast":
        return wrap(args[0], kind)
    if n.op in _BUILTINS:
        return wrap(_BUILTINS[n.op](operand, *args), kind)
    if n.op.startswith("signed"):
        return _signed_operation(n.op, kind if width(n.type) > 1 else _promoted(kind), args)
    bits = BITS[base(computed_in(n.type))]
    a, b = (v % (1 << bits) for v in args)
    match n.op:
        case "<<":
            value = a << (b & bits - 1)
        case ">>":
            value = a >> (b & bits - 1)
        case "/":
            value = a // (b | 1)
        case "%":
            value = a % (b | 1)
        case _:
            value = _ARITHMETIC[n.op](a, b)
    return wrap(value, kind)


def _promoted(kind: str) -> str:
    return "long" if BITS[kind] == 64 else "int"


def _signed_operation(op: str, computed: str, args: list[int]) -> int:
    a, b = args
    if op == "signed>>":
        return a >> (b & BITS[computed] - 1)
    divisor = b & 127 | 1
    quotient = abs(a) // divisor * (-1 if a < 0 else 1)
    return quotient if op == "signed/" else a - quotient * divisor


def _saturated(value: int, kind: str) -> int:
    bits = BITS[kind]
    low, high = (0, (1 << bits) - 1) if kind.startswith("u") else (-(1 << bits - 1), (1 << bits - 1) - 1)
    return min(max(value, low), high)


def _rotate(kind: str, a: int, b: int) -> int:
    bits = BITS[kind]
    pattern, turn = a % (1 << bits), b % bits
    return pattern << turn | pattern >> bits - turn


_ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
}
_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}
_BUILTINS: dict[str, Callable[..., int]] = {
    "min": lambda kind, a, b: min(a, b),
    "max": lambda kind, a, b: max(a, b),
    "abs_diff": lambda kind, a, b: abs(a - b),
    "add_sat": lambda kind, a, b: _saturated(a + b, kind),
    "sub_sat": lambda kind, a, b: _saturated(a - b, kind),
    "hadd": lambda kind, a, b: (a + b) >> 1,
    "rhadd": lambda kind, a, b: (a + b + 1) >> 1,
    "mul_hi": lambda kind, a, b: a * b >> BITS[kind],
    "rotate": _rotate,
    "popcount": lambda kind, a: (a % (1 << BITS[kind])).bit_count(),
    "clz": lambda kind, a: BITS[kind] - (a % (1 << BITS[kind])).bit_length(),
}
BUILTINS = {name: (1 if name in ("popcount", "clz") else 2) for name in _BUILTINS}


def result_type(builtin: str, operand: str) -> str:
    """The type that a builtin returns for operands of a type."""
    return unsigned(operand) if builtin == "abs_diff" else operand


def comparison_type(operand: str) -> str:
    """int for scalars, the signed vector of that shape for vectors (OpenCL C 3.0, 6.5.4)."""
    return "int" if width(operand) == 1 else signed(operand)
