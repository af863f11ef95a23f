"""The table of encodings: against itself, and against Mesa's description (src/freedreno/isa/)."""

import itertools
import re
from pathlib import Path

import pytest
from bare_gpu import BareGpu
from isaspec import Bitset, instructions

from emulators.adreno.generate import pattern
from emulators.adreno.instructions import INSTRUCTIONS, Instruction


def test_no_word_is_two_instructions() -> None:
    for a, b in itertools.combinations(INSTRUCTIONS, 2):
        (mask, value), (other_mask, other_value) = pattern(a), pattern(b)
        differ = (value ^ other_value) & mask & other_mask
        together = a.generations[0] <= b.generations[1] and b.generations[0] <= a.generations[1]
        assert differ or not together, f"{a.name} and {b.name}"


def test_no_field_lies_on_a_fixed_bit_or_on_another_field() -> None:
    """Fields that are read in one way or another share their bits: cat5's sampler, texture and descriptor."""
    shared = {"condition", "descriptor", "sampler", "texture", "mode", "base_high", "bit18", "bit53"}
    for i in INSTRUCTIONS:
        mask, _ = pattern(i)
        taken = mask
        for name, (low, high) in i.form.fields.items():
            bits = (1 << high + 1) - (1 << low)
            if name not in shared:
                assert not bits & taken, f"{i.name}: {name}"
                taken |= bits


def test_the_assembler_writes_what_the_table_reads(adreno: BareGpu, adreno7: BareGpu) -> None:
    for i in INSTRUCTIONS:
        for gpu in (adreno, adreno7):
            if i.generations[0] <= gpu.generation * 100 <= i.generations[1]:
                _, word = pattern(i)
                assert re.sub(r"\(\w+\)", "", gpu.text(word)).split(" ")[0].split(".")[
                    : i.name.count(".") + 1
                ] == i.name.split("."), f"{word:#x}"


# ---- Mesa's source

_WITH_MESA = pytest.mark.nightly("reads the source of Mesa; what the table has, its own tests run")


def _own(i: Instruction, bitset: Bitset) -> bool:
    """Whether Mesa's entry is of that name, and of one of the table's generations."""
    name = bitset.name
    if name.startswith("mov-"):
        name = "mov"
    elif name.startswith("quad_shuffle."):
        name = "quad_shuffle"
    elif re.fullmatch(r"atomic\.[a-z]+", name):
        name = name.replace("atomic.", "atomic.l.")
    return name == i.name and bitset.generations[0] <= i.generations[1] and i.generations[0] <= bitset.generations[1]


# Bits without a meaning in Mesa's description, by which the table tells ldib.b and stib.b from others.
_FREE = 3 << 52


@_WITH_MESA
def test_each_fixed_bit_is_as_mesa_describes_it(mesa: Path) -> None:
    described = instructions(mesa)
    for i in INSTRUCTIONS:
        mask, value = pattern(i)
        own = [bitset for bitset in described if _own(i, bitset)]
        assert own, f"{i.name}: Mesa has no such instruction"
        for bitset in own:
            assert not (value ^ bitset.value) & mask & bitset.mask, f"{i.name}, {bitset.name}"
            assert not mask & ~bitset.mask & ~(_FREE & bitset.any), f"{i.name}: bits that are not fixed in {bitset.name}"


# Fields that only some instructions of a form have, and those that are one field in Mesa's description and two here.
_NOT_FIELDS = {"condition", "bit18", "bit50", "bit53", "descriptor", "mode", "base_low", "base_high", "inverted2",
               "predicate2", "dst", "dst_a1", "type", "dimensions", "typed"}  # fmt: skip


@_WITH_MESA
def test_each_field_lies_where_mesa_describes_one(mesa: Path) -> None:
    described = instructions(mesa)
    for i in INSTRUCTIONS:
        if i.name == "tcinv":
            continue  # has no operands; the form is that of its category
        for bitset in (b for b in described if _own(i, b)):
            for name, span in i.form.fields.items():
                assert span in bitset.fields or name in _NOT_FIELDS, (
                    f"{i.name}: {name} {span}, in {bitset.name} {bitset.fields}"
                )


@_WITH_MESA
def test_what_mesa_has_and_the_table_has_not_is_not_taken_for_another(mesa: Path) -> None:
    # Their don't-cares overlap in Mesa's description itself; in the code that Mesa emits they do not.
    local = {(name, "ldib.b") for name in ("ldl", "ldlw", "ldp", "stl", "stlw", "stp", "ray_intersection")}
    known = local | {(name, "stib.b") for name in ("stl", "stlw", "stp")}
    for bitset, i in itertools.product(instructions(mesa), INSTRUCTIONS):
        mask, value = pattern(i)
        together = bitset.generations[0] <= i.generations[1] and i.generations[0] <= bitset.generations[1]
        if together and not _own(i, bitset) and not (value ^ bitset.value) & mask & bitset.mask:
            assert (bitset.name, i.name) in known
