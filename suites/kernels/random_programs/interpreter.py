"""The results of a program of `language`, in Python's integers: the reference for the random programs.

One file: it has the meaning of every construct of the language.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from . import floats
from .language import (
    BITS,
    INTEGERS,
    Block,
    Function,
    Node,
    Program,
    Statement,
    base,
    computed_in,
    is_float,
    signed,
    unsigned,
    vector,
    width,
    wrap,
)

Value = Any  # an int or a float, or a tuple of them for a vector
_BREAK, _CONTINUE = object(), object()


@dataclass(frozen=True, slots=True)
class _Return:
    value: Value


class Frame:
    """The variables and arrays of one call; `images` are the images of the program, as the item sees them."""

    def __init__(self, functions: dict[str, Function], function: Function, values: Mapping[str, Value]) -> None:
        self.functions = functions
        self.values: dict[str, Value] = dict(values)
        self.arrays: dict[str, list[Value]] = {}
        self.images: dict[str, dict[tuple[int, int], Value]] = {}
        for name, kind, value in function.variables:
            self.values[name] = filled(value, kind)
        initial = dict(function.initial)
        for name, kind, size in function.arrays:
            given = initial.get(name)
            self.arrays[name] = [evaluate(self, n) for n in given] if given else _initial_array(kind, size)
        for struct in function.structs:
            self.values |= {name: filled(3, kind) for name, kind in struct.values}
            self.arrays |= {name: _initial_array(kind, size) for name, kind, size in struct.arrays}


def interpret(program: Program, words: Mapping[str, int]) -> list[int]:
    """The words that one work-item writes to `out`. `words`: those of `in`, by parameter."""
    frame = initial_frame(program, words)
    run(frame, program.kernel.body)
    return final_words(frame, program.kernel)


def initial_frame(program: Program, words: Mapping[str, int]) -> Frame:
    """An item's frame before the first statement of the kernel."""
    kernel = program.kernel
    values = {name: _from_word(words[name], kind) for name, kind in kernel.parameters}
    return Frame({f.name: f for f in program.functions}, kernel, values)


def final_words(frame: Frame, kernel: Function) -> list[int]:
    """The words of an item's variables and arrays at the end, in the order of `outputs`, without shared memory."""
    named = [*kernel.parameters, *((n, t) for n, t, _ in kernel.variables)]
    named += [value for struct in kernel.structs for value in struct.values]
    arrays = [*kernel.arrays, *(array for struct in kernel.structs for array in struct.arrays)]
    found = [(frame.values[name], kind) for name, kind in named]
    found += [(element, kind) for name, kind, _ in arrays for element in frame.arrays[name]]
    return [word(v, base(kind)) for value, kind in found for v in (value if width(kind) > 1 else (value,))]


def word(value: Any, scalar: str) -> int:
    """The bits of a scalar."""
    return floats.bits(value, scalar) if is_float(scalar) else value % (1 << BITS[scalar])


def _from_word(value: int, kind: str) -> Value:
    if not is_float(kind):
        return filled(value, kind)
    one = floats.real(value, base(kind))
    return one if width(kind) == 1 else (one,) * width(kind)


def filled(value: int, kind: str) -> Value:
    """A value of the type that has the number in each component."""
    one = float(value) if is_float(kind) else wrap(value, base(kind))
    return one if width(kind) == 1 else (one,) * width(kind)


def _initial_array(kind: str, size: int) -> list[Value]:
    return [filled(i * 3 + 1, kind) for i in range(size)]


def run(frame: Frame, block: Block) -> Any:
    """Run statements; returns None, or how the block was left."""
    for statement in block:
        left = _step(frame, statement)
        if left is not None:
            return left
    return None


def _step(frame: Frame, s: Statement) -> Any:  # noqa: C901 - one arm a kind
    match s.op:
        case "assign":
            store(frame, s.nodes[0], evaluate(frame, s.nodes[1]))
        case "call":
            name, array = s.value
            values = [evaluate(frame, n) for n in s.nodes[1:]]
            store(frame, s.nodes[0], _call(frame, frame.functions[name], values, array))
        case "if":
            return run(frame, s.blocks[0] if evaluate(frame, s.nodes[0]) else s.blocks[1])
        case "for":
            counter, count = s.value
            frame.values[counter] = 0
            while frame.values[counter] < count:
                left = run(frame, s.blocks[0])
                if left is _BREAK:
                    break
                if isinstance(left, _Return):
                    return left
                frame.values[counter] += 1
        case "while" | "do":
            return _loop(frame, s)
        case "switch":
            return _switch(frame, s)
        case "copy":
            _copy_struct(frame, s.value[1], frame, s.value[0])
        case "pass":
            callee, target, given = s.value
            values = [evaluate(frame, n) for n in s.nodes]
            function = frame.functions[callee]
            assert function.struct_parameter
            inner = _inner(frame, function, values)
            own = function.struct_parameter.name
            _copy_struct(frame, given, inner, own)
            run(inner, function.body)
            _copy_struct(inner, own, frame, target)
        case "return_struct":
            return _Return(None)
        case "write_image":
            place = frame.values["item"], evaluate(frame, s.nodes[0]) & 7
            frame.images["om"][place] = evaluate(frame, s.nodes[1])
        case "break":
            return _BREAK
        case "continue":
            return _CONTINUE
        case "return":
            return _Return(evaluate(frame, s.nodes[0]))
    return None


def _loop(frame: Frame, s: Statement) -> _Return | None:
    counter, count = s.value
    frame.values[counter] = 0

    def is_true() -> bool:
        frame.values[counter] += 1
        return frame.values[counter] <= count and bool(evaluate(frame, s.nodes[0]))

    going = s.op == "do" or is_true()
    while going:
        left = run(frame, s.blocks[0])
        if left is _BREAK:
            break
        if isinstance(left, _Return):
            return left
        going = is_true()
    return None


def _switch(frame: Frame, s: Statement) -> Any:
    value = evaluate(frame, s.nodes[0])
    arms = list(zip(s.value, s.blocks, strict=True))
    start = next((i for i, ((labels, _), _b) in enumerate(arms) if value in labels), None)
    if start is None:
        start = next((i for i, ((labels, _), _b) in enumerate(arms) if not labels), len(arms))
    for (_, falls), body in arms[start:]:
        left = run(frame, body)
        if left is _BREAK:
            return None
        if left is not None:
            return left
        if not falls:
            return None
    return None


def _call(frame: Frame, function: Function, values: Sequence[Value], array: str) -> Value:
    inner = _inner(frame, function, values)
    if function.array_parameter:
        inner.arrays[function.array_parameter[0]] = frame.arrays[array]
    left = run(inner, function.body)
    assert isinstance(left, _Return), f"{function.name} ends without a return"
    return left.value


def _inner(frame: Frame, function: Function, values: Sequence[Value]) -> Frame:
    return Frame(frame.functions, function, dict(zip((name for name, _ in function.parameters), values, strict=True)))


def _copy_struct(source: Frame, given: str, target: Frame, name: str) -> None:
    """Copy the members of a struct, including its arrays, to another one."""
    for member, value in [(m, v) for m, v in source.values.items() if m.startswith(f"{given}.")]:
        target.values[f"{name}.{member.partition('.')[2]}"] = value
    for member, array in [(m, a) for m, a in source.arrays.items() if m.startswith(f"{given}.")]:
        target.arrays[f"{name}.{member.partition('.')[2]}"] = list(array)


def store(frame: Frame, target: Node, value: Value) -> None:
    """Assign to a target: a variable, a component, an element of an array or a member."""
    match target.op:
        case "variable":
            frame.values[target.value] = value
        case "element":
            name, size = target.value
            frame.arrays[name][evaluate(frame, target.args[0]) & size - 1] = value
        case _:
            whole = list(evaluate(frame, target.args[0]))
            whole[target.value] = value
            store(frame, target.args[0], tuple(whole))


def evaluate(frame: Frame, n: Node) -> Value:  # noqa: C901 - one arm a kind
    """The value of an expression, in the range of its type; a tuple for a vector."""
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
        case "read_image":
            return _pixel(frame.images[n.value[0]], n.value[1], (args[0] & 15) - 4, (args[1] & 15) - 4)
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


def _pixel(image: Mapping[tuple[int, int], Value], address: str, x: int, y: int) -> Value:
    """The pixel that a sampler reads in an image of 8 x 8 (OpenCL C 3.0, 6.15.15.1): outside, the edge's, or zeros."""
    inside = min(max(x, 0), 7), min(max(y, 0), 7)
    return image[inside] if address == "edge" or inside == (x, y) else (0, 0, 0, 0)


def _apply(n: Node, kind: str, operand: str, args: list[Any]) -> Any:
    """One component of an operation. `kind`: the scalar type of the result; `operand`: that of the first operand."""
    if n.op in _COMPARISONS:
        true = 1 if width(n.type) == 1 else -1
        return true if _COMPARISONS[n.op](args[0], args[1]) else 0
    if n.op == "?:":  # for vectors, the sign of the condition chooses
        return args[1] if args[0] < 0 else args[2]
    if is_float(kind) or is_float(operand):
        return floats.apply(n.op, kind, operand, args)
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
    """The type of a comparison: int for scalars, the signed vector of the same shape for vectors (OpenCL C 3.0, 6.5.4)."""
    if width(operand) == 1:
        return "int"
    return vector(INTEGERS[base(operand)], width(operand)) if is_float(operand) else signed(operand)
