"""The programs of `language` in OpenCL C.

One file: it has the text of every construct of the language.
"""

import math
import re

from .floats import MIN_MAGNITUDE, NAN
from .language import (
    BITS,
    INTEGERS,
    SHARED,
    UNION,
    Block,
    Function,
    Node,
    Program,
    Statement,
    at,
    base,
    computed_in,
    constant,
    is_float,
    outputs,
    unsigned,
    vector,
    width,
)
from .sharing import FIRST, SIZES

_BARRIER = "barrier(CLK_LOCAL_MEM_FENCE);"
_SAMPLER = "CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST"


def source(program: Program) -> str:
    """The program in OpenCL C: `kernel void f(global const ulong *in, global ulong *out, ...)`, and what is shared."""
    kernel = program.kernel
    parts = [*_struct_types(program), *(_function(function) for function in program.functions[:-1])]
    heads = ["int item = get_local_id(0);"] if kernel.shared else []
    heads += [
        f"{kind} {name} = {_from_word(kind, f'in[get_global_id(0) * {len(kernel.parameters)} + {i}]')};"
        for i, (name, kind) in enumerate(kernel.parameters)
    ]
    found = outputs(kernel)
    tails = [
        f"out[get_global_id(0) * {len(found)} + {i}] = (ulong)({unsigned(INTEGERS.get(kind, kind))})({_word(name, kind)});"
        for i, (name, kind, _) in enumerate(found)
    ]
    lines = [*heads, *_declarations(kernel), *_shared(kernel), *_block(kernel.body), *tails]
    arguments = ["global const ulong *in", "global ulong *out", *(a for n in kernel.shared if (a := SHARED[n].argument))]
    body = "\n    ".join(lines)
    text = "".join(parts) + f"kernel void f({', '.join(arguments)}) {{\n    {body}\n}}\n"
    return _prelude(text) + text


def _word(name: str, kind: str) -> str:
    return f"bits_{kind}({name})" if is_float(kind) else name


def _prelude(text: str) -> str:
    """What a text with floating-point types needs: pragmas, and the functions that tame numbers (floats.py)."""
    used = {(name, kind) for name, kind in re.findall(r"\b(tame|bits|number|quiet)_((?:half|float|double)\d*)\(", text)}
    kinds = {base(kind) for _, kind in used}
    lines = [f"#pragma OPENCL EXTENSION cl_khr_fp{BITS[kind]} : enable" for kind in ("half", "double") if kind in kinds]
    lines += ["#pragma OPENCL FP_CONTRACT OFF"] if kinds else []
    for name, kind in sorted(used):
        scalar, integer = base(kind), vector(INTEGERS[base(kind)], width(kind))
        match name:
            case "tame":
                least = f"({kind})({_real(MIN_MAGNITUDE[scalar], scalar)})"
                lines.append(f"{kind} tame_{kind}({kind} x) {{ return fabs(x) < {least} ? ({kind})(0) : x; }}")
            case "quiet":
                lines.append(f"{kind} quiet_{kind}({kind} x) {{ return x == x ? x : ({kind})(NAN); }}")
            case "number":
                lines.append(f"{kind} number_{kind}({kind} x) {{ return x == x ? x : ({kind})(0); }}")
            case _:
                nan = f"({integer})({NAN[scalar]:#x})"
                lines.append(f"{integer} bits_{kind}({kind} x) {{ return x == x ? as_{integer}(x) : {nan}; }}")
    return "".join(f"{line}\n" for line in lines)


def _struct_types(program: Program) -> list[str]:
    structs = [s for f in program.functions for s in (*f.structs, *([f.struct_parameter] if f.struct_parameter else []))]
    types = {}
    for struct in structs:
        members = (f"{kind} {field}{f'[{size}]' if size else ''};" for field, kind, size in struct.fields)
        types[struct.type] = f"typedef struct {{ {' '.join(members)} }} {struct.type};\n"
    return list(types.values())


def _shared(kernel: Function) -> list[str]:
    """The declarations of shared memory, and its initial content unless it comes from the host."""
    lines = []
    for name in kernel.shared:
        shared = SHARED[name]
        if name == "u":
            members = (f"{kind} {kind}_[{1024 // SIZES[kind]}];" for kind in UNION)
            lines.append(f"local union {{ {' '.join(members)} }} u;")
            lines.append(f"for (int i = item; i < {shared.size}; i += 32) u.ulong_[i] = i * {FIRST:#x}ul;")
        elif name == "places":
            lines.append("places[item] = get_sub_group_id() << 16 | get_sub_group_local_id();")
        elif name in ("im", "js"):
            lines.append(f"const sampler_t edge = {_SAMPLER} | CLK_ADDRESS_CLAMP_TO_EDGE;")
            lines.append(f"const sampler_t border = {_SAMPLER} | CLK_ADDRESS_CLAMP;")
        elif not shared.argument:
            lines.append(f"local {shared.type} {name}[{shared.size}];")
            lines.append(f"if (item < {shared.size}) {name}[item] = item * 3 + 1;")
    if {"u", "la", "lo"} & set(kernel.shared):
        lines.append(_BARRIER)
    return list(dict.fromkeys(lines))


def _from_word(kind: str, word: str) -> str:
    scalar = base(kind)
    if is_float(kind):
        one = f"tame_{scalar}(quiet_{scalar}(as_{scalar}(({unsigned(INTEGERS[scalar])}){word})))"
    else:
        one = f"({scalar}){word}" if scalar.startswith("u") else f"as_{scalar}(({unsigned(scalar)}){word})"
    return one if width(kind) == 1 else f"({kind})({one})"


def _function(function: Function) -> str:
    parameters = [f"{kind} {name}" for name, kind in function.parameters]
    if function.array_parameter:
        name, kind, _ = function.array_parameter
        parameters.append(f"{kind} *{name}")
    result = function.result
    if function.struct_parameter:
        result = function.struct_parameter.type
        parameters.append(f"{result} {function.struct_parameter.name}")
    text = "\n    ".join([*_declarations(function), *_block(function.body)])
    return f"{result} {function.name}({', '.join(parameters)}) {{\n    {text}\n}}\n"


def _declarations(function: Function) -> list[str]:
    lines = [f"{kind} {name} = {spell(constant(value, kind))};" for name, kind, value in function.variables]
    initial = dict(function.initial)
    for name, kind, size in function.arrays:
        if name in initial:
            lines.append(f"{kind} {name}[{size}] = {{{', '.join(spell(n) for n in initial[name])}}};")
            continue
        lines.append(f"{kind} {name}[{size // 4}][4];" if name.startswith("m") else f"{kind} {name}[{size}];")
        lines += _filled(name, kind, size)
    for struct in function.structs:
        lines.append(f"{struct.type} {struct.name};")
        lines += [f"{name} = ({kind})(3);" for name, kind in struct.values]
        lines += [line for array in struct.arrays for line in _filled(*array)]
    return lines


def _filled(name: str, kind: str, size: int) -> list[str]:
    element = f"{name}[i >> 2][i & 3]" if name.startswith("m") else f"{name}[i]"
    return [f"for (int i = 0; i < {size}; i++) {element} = ({kind})(i * 3 + 1);"]


def _block(block: Block) -> list[str]:
    return [line for statement in block for line in _statement(statement)]


def _indented(block: Block) -> list[str]:
    return [f"    {line}" for line in _block(block)]


def _statement(s: Statement) -> list[str]:  # noqa: C901 - one arm a kind
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
            return [f"for ({counter} = 0; {counter} < {count}; {counter}++) {{", *_indented(s.blocks[0]), "}"]
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
        case "return_struct":
            return [f"return {s.value};"]
        case "copy":
            return [f"{s.value[0]} = {s.value[1]};"]
        case "pass":
            callee, target, given = s.value
            return [f"{target} = {callee}({', '.join([*map(spell, s.nodes), given])});"]
        case "write_image":
            return [f"write_imageui(om, (int2)(item, ({spell(s.nodes[0])}) & 7), {spell(s.nodes[1])});"]
        case "exchange" | "atomic" | "own_atomic" | "sub_group":
            return _group_statement(s)
        case "repeat":
            counter, count = s.value
            head = f"for ({counter} = 0; {counter} < {count}; {counter}++) {{"
            return [head, *_indented(s.blocks[0]), "}"]
        case _:
            return [f"{s.op};"]


def _group_statement(s: Statement) -> list[str]:
    """A statement that all items of a work-group reach."""
    match s.op:
        case "exchange":
            wrote, read = s.value
            target, value, index = map(spell, s.nodes)
            element = f"u.{read}_[({index}) & {1024 // SIZES[read] - 1}]"
            return [f"u.{wrote}_[item] = {value};", _BARRIER, f"{target} = {element};", _BARRIER]
        case "atomic":
            op, name = s.value
            target, value, index, other = map(spell, s.nodes)
            fence = "barrier(CLK_GLOBAL_MEM_FENCE);" if name.startswith("g") else _BARRIER
            done = f"atomic_{op}(&{name}[({index}) & 7]{'' if op in ('inc', 'dec') else f', {value}'});"
            return [done, fence, f"{target} = {name}[({other}) & 7];", fence]
        case "own_atomic":
            op, turn = s.value
            target, value, compared = map(spell, s.nodes)
            operands = {"inc": "", "dec": "", "cmpxchg": f", {compared}, {value}"}.get(op, f", {value}")
            return [f"{target} = atomic_{op}(&lo[item ^ {turn}]{operands});", _BARRIER]
        case _:
            op, lane = s.value
            target, value = spell(s.nodes[0]), f"({s.nodes[1].type})({spell(s.nodes[1])})"
            if op in ("any", "all"):
                return [f"{target} = sub_group_{op}({value} != 0) != 0;"]
            if op == "broadcast":
                return [f"{target} = sub_group_broadcast({value}, {lane} % get_sub_group_size());"]
            return [f"{target} = sub_group_{op}({value});"]


def spell(n: Node) -> str:  # noqa: C901 - one arm a kind
    """An expression in OpenCL C, of exactly its type or, for narrow scalars, promoted with the same value."""
    args = [spell(a) for a in n.args]
    match n.op:
        case "constant":
            one = _real(n.value, n.type) if is_float(n.type) else _literal(n.value, base(n.type))
            return one if width(n.type) == 1 else f"({n.type})({one})"
        case "variable":
            return str(n.value)
        case "element":
            return at(n.value[0], args[0], n.value[1])
        case "component":
            return f"({args[0]}).s{n.value:x}"
        case "swizzle":
            return f"({args[0]}).s{''.join(f'{i:x}' for i in n.value)}"
        case "vector":
            return f"({n.type})({', '.join(args)})"
        case "cast" if is_float(n.type):
            return f"tame_{n.type}(convert_{n.type}_rte({args[0]}))"
        case "cast" if is_float(n.args[0].type):
            return f"convert_{n.type}_sat(number_{n.args[0].type}({args[0]}))"
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
        case "f+" | "f-" | "f*" | "f/":
            return f"tame_{n.type}(({args[0]}) {n.op[1]} ({args[1]}))"
        case "bits":
            return f"bits_{n.args[0].type}({args[0]})"
        case "real":
            whole = f"({n.args[0].type})({args[0]})" if width(n.type) == 1 else args[0]
            return f"tame_{n.type}(quiet_{n.type}(as_{n.type}({whole})))"
        case "read_image":
            place = ", ".join(f"(({a}) & 15) - 4" for a in args)
            return f"read_image{'ui' if n.type[0] == 'u' else 'i'}({n.value[0]}, {n.value[1]}, (int2)({place}))"
        case "!":
            return f"(!({args[0]}))"
        case "?:":
            chosen = f"(({args[0]}) ? ({args[1]}) : ({args[2]}))"
            return chosen if width(n.type) > 1 else f"({n.type}){chosen}"
        case _:
            cast = [f"({a.type})({text})" if width(a.type) == 1 else text for a, text in zip(n.args, args, strict=True)]
            called = f"{n.op}({', '.join(cast)})"
            return f"tame_{n.type}({called})" if is_float(n.type) else called


def _real(value: float, kind: str) -> str:
    """A floating-point literal: a number, never NaN."""
    text = "INFINITY" if math.isinf(value) else abs(value).hex()
    text = f"{'-' if value < 0 else ''}{text}"
    return text if base(kind) == "double" else f"({base(kind)})({text}f)" if "INF" not in text else f"({base(kind)})({text})"


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
