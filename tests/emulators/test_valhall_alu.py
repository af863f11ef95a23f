"""Each instruction of Valhall that only computes, in its forms, by exact arithmetic (valhall_meaning.py)."""

import itertools
from collections.abc import Iterator, Sequence

import pytest
from bare_valhall import BareValhall, Shape
from bifrost_assembler import words
from test_mali_alu import forms, operands
from valhall_assembler import encode_fields
from valhall_meaning import MEANINGS, expected, is_right

from emulators.mali.table import Instruction
from emulators.mali.valhall import VALHALL
from emulators.mali.words import IMMEDIATE, SHIFT

_WIDE = {i.name for i in VALHALL if i.result == "d"}
_INSTRUCTIONS = [i for i in VALHALL if not i.meaning.startswith("@") and i.name not in _WIDE]
_EACH = pytest.mark.parametrize("instruction", [pytest.param(i, id=i.name) for i in _INSTRUCTIONS])
_ADDRESS = "IADD.u64 r2 = u{} r0 lanes1=w0"


def run(valhall: BareValhall, line: str, count: int, values: Sequence[Sequence[int]], results: int = 1) -> list[int]:
    """What an instruction computes into r20 from r10, r12 and r14, for each work-item."""
    loads = "".join(f"{_ADDRESS.format(2 * n)}\nLOAD.i32 @r{10 + 2 * n} = r2 .wait0\n" for n in range(count))
    shader = f"""
        LSHIFT_OR.i32 r0 = r60 #0 #0x03020100 lanes2=b22
        {loads}{line}
        {_ADDRESS.format(2 * count)}
        STORE.i32 @r20 = r2 .wait0
        {_ADDRESS.format(2 * count + 2)}
        STORE.i32 @r21 = r2 .wait0
    """
    if results == 1:
        shader = shader[: shader.rindex("IADD.u64")]
    data = [words([v[n] for v in values]) for n in range(count)]
    out = valhall.launch(shader, [*data, *[4 * len(values)] * results], shape=Shape((len(values), 1, 1)))
    assert out.done, out.marks
    assert not out.marks
    assert not out.hazards
    low = out.words(count)
    return low if results == 1 else [a | b << 32 for a, b in zip(low, out.words(count + 1), strict=True)]


def wrong(valhall: BareValhall, instruction: Instruction, most: int) -> Iterator[str]:
    """The errors in the first `most` forms."""
    values = operands(instruction.name)
    places = instruction.sources
    count = min(len([p for p in places if p not in (IMMEDIATE, SHIFT)]), 3)
    immediate = 0x3C01BF85
    for modifiers in forms(instruction)[:most]:
        _, chosen = encode_fields(instruction, modifiers)
        text = " ".join(f"{name}={option}" for name, option in modifiers.items())
        sources = [f"#{immediate}" if p in (IMMEDIATE, SHIFT) else f"r{10 + 2 * (n % 3)}" for n, p in enumerate(places)]
        found = run(valhall, f"{instruction.name} r20 = {' '.join(sources)} {text}", count, values)
        for v, word in zip(values, found, strict=True):
            given = [immediate if p in (IMMEDIATE, SHIFT) else v[n % 3] for n, p in enumerate(places)]
            answer = expected(instruction.name, given, chosen)
            if not is_right(instruction.name, word, answer):
                yield f"{instruction.name} {chosen} of {', '.join(map(hex, given))}: {word:#x}, not {answer:#x}"


@_EACH
def test_an_instruction_computes_what_it_means(valhall: BareValhall, instruction: Instruction) -> None:
    found = list(itertools.islice(wrong(valhall, instruction, 1), 4))
    assert not found, "\n".join(found)


@pytest.mark.nightly("ci/test has the first form of each")
@_EACH
def test_an_instruction_in_all_its_forms(valhall: BareValhall, instruction: Instruction) -> None:
    found = list(itertools.islice(wrong(valhall, instruction, 1000), 4))
    assert not found, "\n".join(found)


def test_each_instruction_has_a_meaning() -> None:
    assert {i.name for i in _INSTRUCTIONS} <= MEANINGS.keys()


_PARTS = (
    {"none": (0, 64), "w0": (0, 32)} | {f"h{n}": (16 * n, 16) for n in range(2)} | {f"b{n}": (8 * n, 8) for n in range(4)}
)


def _part(value: int, option: str, is_signed: bool) -> int:
    at, width = _PARTS[option]
    part = value >> at & (1 << width) - 1
    return part - (part >> width - 1 << width) if is_signed else part


@pytest.mark.parametrize("option", _PARTS)
@pytest.mark.parametrize("name", sorted(_WIDE))
def test_sums_of_64_bits(valhall: BareValhall, name: str, option: str) -> None:
    values = operands(name)
    amount = "#3" if name.startswith("SHADDX") else ""
    line = f"MOV.i32 r11 = r14\nMOV.i32 r13 = r10\n{name} r20 = r10 r12 {amount} lanes1={option}"
    found = run(valhall, line, 3, values, results=2)
    for (a, b, c), value in zip(values, found, strict=True):
        left, right = a | c << 32, _part(b | a << 32, option, ".s" in name)
        total = left - right if name.startswith("ISUB") else left + (right << 3 if amount else right)
        assert value == total & (1 << 64) - 1, (hex(left), hex(right))
