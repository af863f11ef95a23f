"""A small language of integers without undefined behaviour: its programs, and how OpenCL C spells them.

Every operation is total: signed sums are computed on the unsigned type, divisors are made odd and positive,
indices are masked, loops are counted. So whatever is cut out of a program leaves one that is as well defined.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

BITS = {"char": 8, "uchar": 8, "short": 16, "ushort": 16, "int": 32, "uint": 32, "long": 64, "ulong": 64}
SCALARS = tuple(BITS)
WIDTHS = (2, 3, 4, 8)


@dataclass(frozen=True, slots=True)
class Node:
    """An expression: `op` with `args`, or a leaf whose `value` is a constant, a name, an index list."""

    op: str
    type: str
    args: tuple[Node, ...] = ()
    value: Any = None


Block = tuple["Statement", ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """assign, if, for, while, do, switch, call, break, continue or return; `value` is a count, a name, labels."""

    op: str
    nodes: tuple[Node, ...] = ()
    blocks: tuple[Block, ...] = ()
    value: Any = None


@dataclass(frozen=True, slots=True)
class Function:
    """A function. Its variables are declared at its top, so that a statement can move without its scope.

    `arrays` maps to a size, a power of two; `array_parameter` is one that the caller owns.
    """

    name: str
    result: str
    parameters: tuple[tuple[str, str], ...]  # name, type
    variables: tuple[tuple[str, str, int], ...]  # name, type, initial value of each component
    arrays: tuple[tuple[str, str, int], ...]  # name, type, size
    body: Block
    array_parameter: tuple[str, str, int] | None = None


@dataclass(frozen=True, slots=True)
class Program:
    """Functions, a callee before its callers; the last one is the kernel, whose parameters are read from `in`."""

    functions: tuple[Function, ...]

    @property
    def kernel(self) -> Function:
        return self.functions[-1]

    def with_kernel(self, **changes: Any) -> Program:
        return Program((*self.functions[:-1], replace(self.kernel, **changes)))


def base(type_name: str) -> str:
    """The type of a vector's components."""
    return type_name.rstrip("0123456789")


def width(type_name: str) -> int:
    """How many components; 1 for a scalar."""
    return int(type_name[len(base(type_name)) :] or 1)


def vector(scalar: str, components: int) -> str:
    """The type of so many components."""
    return scalar if components == 1 else f"{scalar}{components}"


def unsigned(type_name: str) -> str:
    """The unsigned type of that shape."""
    return type_name if type_name.startswith("u") else f"u{type_name}"


def signed(type_name: str) -> str:
    """The signed type of that shape."""
    return type_name.removeprefix("u")


def wrap(value: int, scalar: str) -> int:
    """`value` modulo 2 to the power of the type's bits, in its range."""
    bits = BITS[scalar]
    value %= 1 << bits
    return value - (1 << bits) if not scalar.startswith("u") and value >> bits - 1 else value


def computed_in(type_name: str) -> str:
    """The unsigned type in which sums are computed: scalars are promoted, vectors are not."""
    if width(type_name) > 1:
        return unsigned(type_name)
    return "ulong" if BITS[type_name] == 64 else "uint"


def constant(value: int, type_name: str) -> Node:
    """A leaf; every component of a vector has the value."""
    return Node("constant", type_name, value=wrap(value, base(type_name)))


def outputs(kernel: Function) -> list[tuple[str, str, int]]:
    """What the kernel leaves in `out`, as (expression, scalar type, words): variables, then arrays."""
    named = [(name, kind) for name, kind in kernel.parameters] + [(n, t) for n, t, _ in kernel.variables]
    out = []
    for name, kind in named:
        parts = [""] if width(kind) == 1 else [f".s{i:x}" for i in range(width(kind))]
        out += [(f"{name}{part}", base(kind), 1) for part in parts]
    for name, kind, size in kernel.arrays:
        out += [(f"{name}[{i}]", kind, 1) for i in range(size)]
    return out


def source(program: Program) -> str:
    """The program in OpenCL C: `kernel void f(global const ulong *in, global ulong *out)`."""
    parts = [_function(function) for function in program.functions[:-1]]
    kernel = program.kernel
    heads = [
        f"{kind} {name} = {_from_word(kind, f'in[get_global_id(0) * {len(kernel.parameters)} + {i}]')};"
        for i, (name, kind) in enumerate(kernel.parameters)
    ]
    found = outputs(kernel)
    tails = [
        f"out[get_global_id(0) * {len(found)} + {i}] = (ulong)({unsigned(kind)})({name});"
        for i, (name, kind, _) in enumerate(found)
    ]
    lines = [*heads, *_declarations(kernel), *_block(kernel.body), *tails]
    text = "\n    ".join(lines)
    return "".join(parts) + f"kernel void f(global const ulong *in, global ulong *out) {{\n    {text}\n}}\n"


def _from_word(kind: str, word: str) -> str:
    scalar = base(kind)
    one = f"({scalar}){word}" if scalar.startswith("u") else f"as_{scalar}(({unsigned(scalar)}){word})"
    return one if width(kind) == 1 else f"({kind})({one})"


def _function(function: Function) -> str:
    parameters = [f"{kind} {name}" for name, kind in function.parameters]
    if function.array_parameter:
        name, kind, _ = function.array_parameter
        parameters.append(f"{kind} *{name}")
    text = "\n    ".join([*_declarations(function), *_block(function.body)])
    return f"{function.result} {function.name}({', '.join(parameters)}) {{\n    {text}\n}}\n"


def _declarations(function: Function) -> list[str]:
    lines = [f"{kind} {name} = {spell(constant(value, kind))};" for name, kind, value in function.variables]
    for name, kind, size in function.arrays:
        lines.append(f"{kind} {name}[{size}];")
        lines.append(f"for (int i = 0; i < {size}; i++) {name}[i] = ({kind})(i * 3 + 1);")
    return lines


def _block(block: Block) -> list[str]:
    return [line for statement in block for line in _statement(statement)]


def _indented(block: Block) -> list[str]:
    return [f"    {line}" for line in _block(block)]


def _statement(s: Statement) -> list[str]:
    match s.op:
        case "assign":
            return [f"{spell(s.nodes[0])} = {spell(s.nodes[1])};"]
        case "call":
            array = [s.value[1]] if s.value[1] else []
            return [f"{spell(s.nodes[0])} = {s.value[0]}({', '.join([*map(spell, s.nodes[1:]), *array])});"]
        case "if":
            other = ["} else {", *_indented(s.blocks[1])] if s.blocks[1] else []
            return [f"if ({spell(s.nodes[0])}) {{", *_indented(s.blocks[0]), *other, "}"]
        case "for":
            counter, count = s.value
            return [
                f"for ({counter} = 0; {counter} < {count}; {counter}++) {{",
                *_indented(s.blocks[0]),
                "}",
            ]
        case "while":
            counter, count = s.value
            head = f"while ({counter}++ < {count} && {spell(s.nodes[0])}) {{"
            return [f"{counter} = 0;", head, *_indented(s.blocks[0]), "}"]
        case "do":
            counter, count = s.value
            tail = f"}} while ({counter}++ < {count} && {spell(s.nodes[0])});"
            return [f"{counter} = 0;", "do {", *_indented(s.blocks[0]), tail]
        case "switch":
            lines = [f"switch ({spell(s.nodes[0])}) {{"]
            for (labels, falls), body in zip(s.value, s.blocks, strict=True):
                lines += [f"case {label}:" for label in labels] if labels else ["default:"]
                lines += ["    {", *(f"    {line}" for line in _indented(body)), "    }"]
                lines += [] if falls else ["    break;"]
            return [*lines, "}"]
        case "return":
            return [f"return {spell(s.nodes[0])};"]
        case _:
            return [f"{s.op};"]


def spell(n: Node) -> str:  # noqa: C901 - one arm a kind
    """An expression in OpenCL C, of exactly its type or, for narrow scalars, promoted with the same value."""
    args = [spell(a) for a in n.args]
    match n.op:
        case "constant":
            one = _literal(n.value, base(n.type))
            return one if width(n.type) == 1 else f"({n.type})({one})"
        case "variable":
            return str(n.value)
        case "element":
            name, size = n.value
            return f"{name}[({args[0]}) & {size - 1}]"
        case "component":
            return f"({args[0]}).s{n.value:x}"
        case "swizzle":
            return f"({args[0]}).s{''.join(f'{i:x}' for i in n.value)}"
        case "vector":
            return f"({n.type})({', '.join(args)})"
        case "cast":
            u = unsigned(n.type)
            inner = f"({u})({args[0]})" if width(n.type) == 1 else f"convert_{u}({args[0]})"
            return inner if u == n.type else f"as_{n.type}({inner})"
        case "+" | "-" | "*" | "&" | "|" | "^" | "<<" | ">>" | "/" | "%":
            return _unsigned_operation(n, args)
        case "signed>>":
            return f"({n.type})(({args[0]}) >> ({args[1]}))"
        case "signed/" | "signed%":
            ones = [f"({n.type})({k})" if width(n.type) > 1 else k for k in ("127", "1")]
            return f"({n.type})(({args[0]}) {n.op[-1]} ((({args[1]}) & {ones[0]}) | {ones[1]}))"
        case "<" | ">" | "<=" | ">=" | "==" | "!=" | "&&" | "||":
            return f"(({args[0]}) {n.op} ({args[1]}))"
        case "!":
            return f"(!({args[0]}))"
        case "?:":
            chosen = f"(({args[0]}) ? ({args[1]}) : ({args[2]}))"
            return chosen if width(n.type) > 1 else f"({n.type}){chosen}"
        case _:
            cast = [f"({a.type})({text})" if width(a.type) == 1 else text for a, text in zip(n.args, args, strict=True)]
            return f"{n.op}({', '.join(cast)})"


def _unsigned_operation(n: Node, args: list[str]) -> str:
    wide, u = computed_in(n.type), unsigned(n.type)
    if width(n.type) > 1:
        a, b = (text if arg.type == u else f"as_{u}({text})" for arg, text in zip(n.args, args, strict=True))
        divisor = f"({b} | ({u})(1))"
    else:
        a, b = (f"({wide})({text})" for text in args)
        divisor = f"({b} | 1)"
    right = divisor if n.op in "/%" else b
    inner = f"({u})({a} {n.op} {right})" if width(n.type) == 1 else f"({a} {n.op} {right})"
    return inner if u == n.type else f"as_{n.type}({inner})"


def _literal(value: int, scalar: str) -> str:
    if scalar in ("ulong", "uint"):
        return f"{value}{'ul' if scalar == 'ulong' else 'u'}"
    if scalar in ("long", "int"):
        suffix = "L" if scalar == "long" else ""
        lowest = -(1 << BITS[scalar] - 1)
        text = f"({value + 1}{suffix} - 1)" if value == lowest else f"{value}{suffix}"
        return f"({text})" if value < 0 else text
    return f"({scalar})({value})"
