"""Overloads of the builtins, unfolded from templates. Plain Python, because the catalogue reads it too.

A template is `result name(argument, ...)`, and a `: word` at its end distinguishes overloads of one name and type.
In it, `g` is the type of the overload (a vector if the width is more than 1), `s` its scalar type, `i` int, `u` the
unsigned and `l` the signed integer of its size, each of the same width; `t` is the result of a comparison; `@x` is a pointer
to `x` in each address space that can be written, `#x` in each that can be read; `=text` is passed literally. Everything
else is the name of a type.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from ..kit.needs import needs

INTEGERS = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong")
FLOATING = ("half", "float", "double")
TYPES = (*INTEGERS, *FLOATING)
BYTES = {name: 1 << i // 2 for i, name in enumerate(INTEGERS)} | {"half": 2, "float": 4, "double": 8}
WIDTHS = (1, 2, 3, 4, 8, 16)
SPACES = {"@": ("global", "local", "private"), "#": ("global", "local", "private", "constant")}
CL3 = "-cl-std=CL3.0"


class Overload(NamedTuple):  # 19,000 of them in each catalogue
    """One symbol: its call, and the features that it needs. `width`: of its vectors, 1 for scalars."""

    name: str
    type: str
    width: int
    variant: str
    result: str
    arguments: tuple[str, ...]
    requires: tuple[str, ...] = ()
    options: str = ""


def vector(name: str, width: int) -> str:
    """The type's name as OpenCL C writes it."""
    return name if width == 1 else f"{name}{width}"


def integer(name: str, *, unsigned: bool) -> str:
    """The integer type of a scalar type's size."""
    return INTEGERS[2 * (BYTES[name].bit_length() - 1) + unsigned]


@cache
def _meaning(name: str, width: int) -> Mapping[str, str]:
    """What the letters of a template stand for; nothing without a type's name."""
    if not name:
        return {}
    signed = vector(integer(name, unsigned=False), width)
    return {
        "g": vector(name, width),
        "s": name,
        "i": vector("int", width),
        "u": vector(integer(name, unsigned=True), width),
        "l": signed,
        "t": "int" if width == 1 else signed,
    }


def unfold(
    template: str,
    types: tuple[str, ...] = ("",),
    widths: tuple[int, ...] = (1,),
    requires: tuple[str, ...] = (),
    options: str = "",
) -> Iterator[Overload]:
    """Every overload that a template stands for. Without a type's name (""), there is only one."""
    found = re.fullmatch(r"(\S+(?: \S+)*) (\w+)\((.*?)\)(?: : (\S+))?", template)
    if not found:
        raise ValueError(f"no template: {template!r}")
    result, function, listed, word = found.groups(default="")
    arguments = listed.split(", ") if listed else []
    marker = next((a[0] for a in arguments if a[0] in SPACES), "")
    for name in types:
        for width in widths:
            returned = _meaning(name, width).get(result, result)
            wanted = tuple(dict.fromkeys((*needs(name), *requires)))
            for space in SPACES.get(marker, ("",)):
                parameters = tuple(_argument(a, name, width, space) for a in arguments)
                variant = "".join(f".{w}" for w in (word, space) if w)
                yield Overload(function, name, width, variant, returned, parameters, wanted, options)


@cache
def _argument(text: str, name: str, width: int, space: str) -> str:
    if text.startswith("="):
        return text
    if text[0] in SPACES:
        constant = "const " if text[0] == "#" and space != "constant" else ""
        text = f"{constant}{space} {text[1:]}*"
    return re.sub(r"\b[gsiult]\b", lambda found: _meaning(name, width)[found[0]], text)


# Types that a kernel cannot take by pointer, and those that it takes instead.
_STORED = {"size_t": "ulong", "bool": "int", "memory_order": "int"}


def _operand(n: int, argument: str) -> tuple[str, str, str]:
    """For one argument: the kernel's parameter, the declaration that it needs, and the expression that is passed."""
    if argument.startswith("="):
        return "", "event_t e = 0; " if argument in ("=e", "=&e") else "", argument[1:]
    if "private " in argument:
        pointee = argument.replace("const ", "").removeprefix("private ").removesuffix("*")
        stored = "ushort" if pointee == "half" else pointee  # without cl_khr_fp16, a variable cannot be a half
        return "", f"{stored} a{n}[64]; ", f"(__private {pointee} *)a{n}"
    if re.search(r"\*$|image|sampler_t", argument):
        return f"{argument} a{n}", "", f"a{n}"
    return f"__global const {_STORED.get(argument, argument)} *a{n}", "", f"a{n}[0]"


def source(overload: Overload, kernel: str = "f") -> tuple[str, int]:
    """A kernel that calls the overload on its arguments and stores the result, and the number of its parameters."""
    operands = [_operand(n, argument) for n, argument in enumerate(overload.arguments)]
    stored = overload.result not in ("void", "event_t")
    parameters = [f"__global {_STORED.get(overload.result, overload.result)} *r"] if stored else []
    parameters += [parameter for parameter, _, _ in operands if parameter]
    body = "".join(declaration for _, declaration, _ in operands) + ("r[0] = " if stored else "")
    body += f"{overload.name}({', '.join(passed for _, _, passed in operands)});"
    return f"__kernel void {kernel}({', '.join(parameters)}) {{ {body} }}\n", len(parameters)
