"""The random programs beyond those of the catalogue, for `runner fuzz`. Needs no device and no numpy."""

import re
from collections.abc import Sequence
from dataclasses import replace

from runner.model import Case

from .random_programs.cases import program_case
from .random_programs.families import FAMILIES, program_of
from .random_programs.omission import NAMES as OMITTED
from .random_programs.opencl_c import source

NAMES = tuple(FAMILIES)
USUAL = tuple(name for name in FAMILIES if name != "mixed")  # which mixes other families and costs as much as five
__all__ = ["NAMES", "OMITTED", "USUAL", "kind_of", "program_case_of", "several", "text_of"]
_NOT_A_BUILTIN = re.compile(
    r"\b(?:kernel|get_global_id|get_local_id|for|while|if|switch|tame_\w+|bits_\w+|number_\w+|[fgh]\d?)$"
)


def program_case_of(family: str, number: int, without: Sequence[str]) -> Case:
    """The case of one program. `without`: operations that it leaves out, because their faults are known."""
    case = program_case(family, number)
    return replace(case, params={**case.params, "without": list(without)})


def several(family: str, numbers: Sequence[int], without: Sequence[str]) -> Case:
    """The case of many programs; it prints `program N` before it runs each."""
    case = program_case_of(family, numbers[0], without)
    params = {**case.params, "numbers": list(numbers)}
    return replace(case, id=f"{case.id}..{numbers[-1]}", params=params)


def text_of(case: Case) -> str:
    """The case's program in OpenCL C."""
    return source(program_of(**case.params)[0])


def kind_of(text: str) -> str:
    """The functions that a small failing program calls, its operators and its statements, as a text."""
    body = text.partition("kernel void f(")[2].partition("{")[2].partition(" out[")[0]
    calls = {name for name in re.findall(r"\b([a-z]\w*)(?=\()", body) if not _NOT_A_BUILTIN.match(name)}
    operators = set(re.findall(r" (<<|>>|[-+*/%&|^<>?]|[<>=!]=|&&|\|\|) ", body))
    statements = set(re.findall(r"\b(for|while|do|switch|if|continue|return)\b", body))
    return " ".join(sorted(calls) + sorted(operators) + sorted(statements)) or "assignments"
