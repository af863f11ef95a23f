"""Programs without operations that are known to fail, to find other failures."""

import re
from collections.abc import Collection
from dataclasses import fields, is_dataclass, replace
from typing import Any

from .floats import OPERANDS
from .interpreter import BUILTINS
from .language import Node, Program, constant

_INTEGER = ("+", "-", "*", "&", "|", "^", "<<", ">>", "/", "%", "signed>>", "signed/", "signed%")
_OTHER = ("<", ">", "<=", ">=", "==", "!=", "?:", "!", "&&", "||", "cast", "vector", "swizzle", "component")
#: What can be left out: values of `Node.op`, and the integers of 8 bits, which become integers of 16 bits.
NAMES = ("char", *BUILTINS, *OPERANDS, *_INTEGER, *_OTHER)


def left_out(program: Program, names: Collection[str]) -> Program:
    """The program with the first operand of the result's type, or 1, instead of these operations; or with wider types."""
    if not names:
        return program
    together = "u" in program.kernel.shared  # the types of a union's members must stay
    changed: Program = _changed(program, names, "char" in names and not together)
    return changed


def _changed(part: Any, names: Collection[str], wider: bool) -> Any:
    if isinstance(part, Node) and part.op in names:
        same = next((a for a in part.args if a.type == part.type), None)
        part = same or constant(1, part.type)
        return _changed(part, names, wider)
    if is_dataclass(part) and not isinstance(part, type):
        return replace(part, **{f.name: _changed(getattr(part, f.name), names, wider) for f in fields(part)})
    if isinstance(part, tuple):
        return tuple(_changed(p, names, wider) for p in part)
    if wider and isinstance(part, str) and (kind := re.fullmatch(r"(u?)char(\d*)", part)):
        return f"{kind[1]}short{kind[2]}"
    return part
