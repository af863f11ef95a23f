"""Each instruction of Bifrost that only computes, in all its forms, by exact arithmetic (bifrost_meaning.py)."""

import itertools
import random
import re
from collections.abc import Iterator, Sequence

import pytest
from bare_mali import BareMali, Shape
from bifrost_assembler import TABLES, alternatives, encode, words
from bifrost_meaning import MEANINGS, expected, is_right

from emulators.mali.table import Instruction

_EDGES = (
    *(0, 1, 2, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFF0000),
    *(0x3C00BC00, 0x7C00FC00, 0x7E000001, 0x03FF8001, 0x7BFF0400, 0x38003801, 0x64006401, 0x00FF8000),  # halves
    *(0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x00000001, 0x007FFFFF, 0x3F000000, 0x40200000, 0x4B000001,
      0x7F7FFFFF, 0x477FE000, 0x477FF000, 0x33000001, 0x4F000000, 0xCF000001),
)  # fmt: skip
COUNT = 128
# Options that are not emulated: no source says what they do.
UNKNOWN = {"mask", "divzero", "offset", "rto", "inf", "inf0"}
_TIES_AWAY = re.compile(r"FROUND|V2F32|_TO_")  # where `rtna` is known
_FORMS = 12


def _instructions() -> list[tuple[str, Instruction]]:
    return [(unit, i) for unit, table in TABLES.items() for i in table if not i.meaning.startswith("@")]


def operands(seed: str) -> list[tuple[int, int, int]]:
    """Words of three sources: pairs of edges, then random ones, many of them small, or floats of one size."""
    chance = random.Random(seed)
    pairs = list(itertools.product(_EDGES, _EDGES))
    chance.shuffle(pairs)
    # (1 + 2^-10) (1 - 2^-11) + 2^-21 + 2^-24 lies above the middle of two halves, and its float does not.
    found = [(0x3C013C01, 0x3BFF3BFF, 0x00090009)]
    found += [(a, b, chance.choice(_EDGES)) for a, b in pairs[: COUNT // 2]]
    while len(found) < COUNT:
        a, b, c = (chance.getrandbits(32) for _ in range(3))
        match chance.randrange(4):
            case 0:
                b, c = a ^ chance.getrandbits(4), c & 31
            case 1:
                b = b & 0x807FFFFF | a & 0x7F800000
                c = c & 0x807FFFFF | a & 0x7F800000
            case 2:
                a, b, c = a & 0xFFF0FFF, b & 0xF000F, c & 0x1F001F
        found.append((a, b, c))
    return found


def forms(instruction: Instruction) -> list[dict[str, str]]:
    """Each option of each modifier, and some at random together."""
    alone = alternatives(instruction)
    chance = random.Random(instruction.name)
    found = list(alone)
    for _ in range(_FORMS if len(alone) > 4 else 0):
        mixed: dict[str, str] = {}
        for choice in chance.sample(alone, min(4, len(alone))):
            mixed |= choice
        found.append(mixed)
    return found


def run(mali: BareMali, line: str, count: int, values: Sequence[Sequence[int]]) -> list[int]:
    """What an instruction computes into r20 from each of the operands in r10, r11 and r12, a work-item for each."""
    loads = "".join(f"+IADD.u32 r1 = r0 u{2 * n}\n+LOAD.i32 @r{10 + n} = r1 u{2 * n + 1}\n" for n in range(min(count, 3)))
    shader = f"""
        *LSHIFT_OR.i32 r0 = r60 0 #2
        {loads}{line}
        +IADD.u32 r2 = r0 u6
        +STORE.i32 @r20 = r2 u7
    """
    data = [words([v[n] for v in values]) for n in range(3)]
    out = mali.launch(shader, [*data, 4 * len(values)], shape=Shape((len(values), 1, 1)))
    assert out.done, out.marks
    assert not out.marks
    assert not out.hazards
    return out.words(3)


def is_unknown(instruction: Instruction, modifiers: dict[str, str]) -> bool:
    away = modifiers.get("round") == "rtna" and not _TIES_AWAY.search(instruction.name)
    return away or bool(UNKNOWN & set(modifiers.values()))


def wrong(mali: BareMali, unit: str, instruction: Instruction, most: int) -> Iterator[str]:
    """The errors in the first `most` forms.

    The sources are r10, r11, r12, and r10 again; then the other way round, because the order of the ports has a meaning.
    """
    values = operands(instruction.name)
    count = len(instruction.sources)
    orders = ((0, 1, 2, 0), (1, 0, 2, 1))[: min(count, 2)]
    for modifiers, order in itertools.product(forms(instruction)[:most], orders):
        try:
            _, chosen = encode(instruction, order[:count], modifiers)
        except AssertionError:  # two options that no encoding has together
            continue
        if is_unknown(instruction, chosen):
            continue
        text = " ".join(f"{name}={option}" for name, option in modifiers.items())
        sources = " ".join(f"r{10 + n}" for n in order[:count])
        found = run(mali, f"{unit}{instruction.name} r20 = {sources} {text}", count, values)
        for v, word in zip(values, found, strict=True):
            given = [v[n] for n in order[:count]]
            answer = expected(instruction.name, given, chosen)
            if not is_right(instruction.name, word, answer):
                of = ", ".join(f"{x:#x}" for x in given)
                yield f"{unit}{instruction.name} {chosen} of {of}: {word:#x}, not {answer:#x}"


_EACH = pytest.mark.parametrize(("unit", "instruction"), [pytest.param(u, i, id=f"{u}{i.name}") for u, i in _instructions()])


@_EACH
def test_an_instruction_computes_what_it_means(mali: BareMali, unit: str, instruction: Instruction) -> None:
    found = list(itertools.islice(wrong(mali, unit, instruction, 2), 4))
    assert not found, "\n".join(found)


@pytest.mark.nightly("ci/test has the first two forms of each")
@_EACH
def test_an_instruction_in_all_its_forms(mali: BareMali, unit: str, instruction: Instruction) -> None:
    found = list(itertools.islice(wrong(mali, unit, instruction, 1000), 4))
    assert not found, "\n".join(found)


def test_each_instruction_has_a_meaning() -> None:
    assert {i.name for _, i in _instructions()} <= MEANINGS.keys()


def test_an_option_that_is_not_emulated_is_unknown(mali: BareMali) -> None:
    found = 0
    for unit, instruction in _instructions():
        for modifiers in alternatives(instruction):
            ports = (0, 1, 2, 0)[: len(instruction.sources)]
            try:
                _, chosen = encode(instruction, ports, modifiers)
            except AssertionError:
                continue
            if not is_unknown(instruction, chosen):
                continue
            sources = " ".join(f"r{10 + n}" for n in ports)
            text = " ".join(f"{name}={option}" for name, option in modifiers.items())
            out = mali.launch(f"*NOP\n{unit}{instruction.name} r20 = {sources} {text}\nend", shape=Shape((1, 1, 1)))
            assert not out.done
            assert out.marks[-1].startswith("unknown: "), out.marks
            found += 1
    assert found > 8
