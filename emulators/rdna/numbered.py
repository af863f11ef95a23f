"""Opcodes whose numbers are listed as text: those of architectures that tinygrad's package does not have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

REALS = ("F", "LT", "EQ", "LE", "GT", "LG", "GE", "O", "U", "NGE", "NLG", "NGT", "NLE", "NEQ", "NLT", "T")
INTEGERS = ("F", "LT", "EQ", "LE", "GT", "NE", "GE", "T")
_WITH_LITERAL = re.compile("MADMK|MADAK|FMAMK|FMAAK")
_PREFIXES = {"MUBUF": "BUFFER_", "MIMG": "IMAGE_", "DS": "DS_"}


@dataclass(frozen=True, slots=True)
class Numbered:
    """An opcode with the interface of tinygrad's."""

    name: str
    value: int


@dataclass(frozen=True, slots=True)
class Numbers:
    """An architecture's opcodes.

    Names stand in the order of their numbers; a number says where the next one stands.
    """

    forms: Mapping[str, str]
    accesses: str  # global and private memory, and buffers
    atomics: str
    comparisons: Sequence[tuple[int, Sequence[str], str]]  # the first number, conditions, what is compared
    exec_step: int  # from a comparison's number to that of the one that sets EXEC, too
    class_step: int  # likewise, of those of a class
    long_vop1: int  # the number of VOP1's first opcode in words of 64 bits; VOP2's is 256, that of comparisons 0


def _named(prefix: str, text: str) -> Iterator[Numbered]:
    number = 0
    for word in text.split():
        if word.isdigit():
            number = int(word)
            continue
        yield Numbered(prefix + word, number)
        number += 1


def _comparisons(numbers: Numbers) -> Iterator[Numbered]:
    for first, conditions, kind in numbers.comparisons:
        step = numbers.class_step if "CLASS" in conditions else numbers.exec_step
        for n, condition in enumerate(conditions):
            yield Numbered(f"V_CMP_{condition}_{kind}", first + n)
            yield Numbered(f"V_CMPX_{condition}_{kind}", first + step + n)


def forms(numbers: Numbers) -> dict[str, list[Numbered]]:
    """All opcodes, by form."""
    found = {form: list(_named(_PREFIXES.get(form, f"{form[0]}_"), text)) for form, text in numbers.forms.items()}
    found["VOPC"] = list(_comparisons(numbers))
    for form, prefix in (("FLAT", "FLAT_"), ("GLOBAL", "GLOBAL_"), ("SCRATCH", "SCRATCH_"), ("MUBUF", "BUFFER_")):
        atomics = () if form == "SCRATCH" else _named(f"{prefix}ATOMIC_", numbers.atomics)
        found[form] = [*found.get(form, ()), *_named(prefix, numbers.accesses), *atomics]
    for op in chain(found["VOP2"], found["VOP1"], found["VOPC"]):
        if _WITH_LITERAL.search(op.name):
            continue
        first = 0 if op in found["VOPC"] else 256 if op in found["VOP2"] else numbers.long_vop1
        long = "VOP3SD" if op in found["VOP2"] and "_CO_" in op.name else "VOP3"
        found[long].append(Numbered(op.name, first + op.value))
    return found
