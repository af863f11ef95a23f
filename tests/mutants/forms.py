"""A compiler that compiles forms to another meaning, or refuses them without a message."""

import re
from collections.abc import Callable
from typing import Any

from mutation import Mutant, api


def _form(name: str, pattern: str, replacement: str) -> Mutant:
    """Other code for a form's case."""

    def wrap(inner: Callable[..., Any]) -> Callable[..., Any]:
        return lambda device, source: inner(device, re.sub(pattern, replacement, source))

    return api(f"forms/{name}", f"kernels/forms/{name}", "suites.kernels.forms.judge.source", wrap)


def _answers(name: str, case: str, place: str, answer: str) -> Mutant:
    """A build whose answer, or whose log, is always the same."""
    return api(f"forms/{name}", f"kernels/forms/{case}", f"suites.kernels.forms.judge.{place}", lambda _: lambda *_: answer)


MUTANTS = [
    _form("statement/case_range", r"case 10 \.\.\. 300", "case 10 ... 255"),
    _form("statement/elvis", r"\?:", "? 1 :"),
    _form("statement/statement_expression", r"k \+ 1", "k"),
    _form("statement/goto_into_loop", "int i = 2", "int i = 3"),
    _form("declaration/string_copied", r"s\[0\] \+= x", "s[0] += 1"),
    _form("attribute/packed", r"__attribute__\(\(packed\)\)", ""),
    _form("pragma/pack", "#pragma pack.1.", ""),
    _form("kind/boolean", "_Bool k", "char k"),
    _form("kind/empty_struct_member", "struct s {};", "struct s { int k; };"),
    _form("builtin/popcount", r"__builtin_popcount\(x\)", "__builtin_popcount(x & 0x7fffffff)"),
    _form("builtin/ctz", "__builtin_ctz", "__builtin_clz"),
    _form("builtin/shufflevector", "3, 0, 2", "3, 1, 2"),
    _form("builtin/reduce_min", "reduce_min", "reduce_max"),
    _form("builtin/memset_of_pattern", "x, 12", "x, 8"),
    _answers("refused.without_log", "statement/variable_array", "log", ""),
    _answers("refused.accepted", "statement/static_assertion_fails", "build", "CL_SUCCESS"),
    _answers("refused.other_code", "statement/variable_array", "build", "CL_INVALID_VALUE"),
]
