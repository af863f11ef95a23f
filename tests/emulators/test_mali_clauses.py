"""How a clause is packed: tuples, constants, ports, results that a tuple passes to the next one."""

import pytest
from bare_gpu import Outcome
from bare_mali import BareMali, Shape
from bifrost_assembler import assemble, words

_HEAD = """
    *LSHIFT_OR.i32 r0 = r60 0 #2
    +IADD.u32 r1 = r0 u0
"""
_TAIL = "+STORE.i32 @r20 = r1 u1"


def run(mali: BareMali, body: str, items: int = 1, **shape: object) -> Outcome:
    """What r20 holds, a word a work-item."""
    return mali.launch(f"{_HEAD}{body}{_TAIL}", [4 * items], shape=Shape((items, 1, 1), **shape))  # type: ignore[arg-type]


def value(mali: BareMali, body: str) -> int:
    out = run(mali, body)
    assert out.done, out.marks
    assert not out.marks
    assert not out.hazards
    return out.words(0)[0]


_MOST_CONSTANTS = {1: 2, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 6, 8: 5}  # how many pairs a clause of that many tuples can hold


@pytest.mark.parametrize("count", range(1, 9))
def test_clauses_of_one_to_eight_tuples_with_their_constants(mali: BareMali, count: int) -> None:
    """Each tuple computes from the one before it and constants of its own; no bit of one may come from another."""
    rows, x, fma = [], 0, 0
    for n in range(count):
        a, b = 0x9E3779B9 * (2 * n + 1) & 0xFFFFFFFF, 0x85EBCA6B * (2 * n + 3) & 0xFFFFFFFF
        before = fma
        if n == 0:
            rows.append(f"*MOV.i32 = #{a:#x} ; +IADD.s32 r20 = t #{b:#x}")
            fma = a
            x = a + b
        elif n < _MOST_CONSTANTS[count]:
            rows.append(f"*IMUL.i32 = t1 #{a:#x} ; +IADD.s32 r20 = t #{b:#x}")
            fma = x * a
            x = fma + b
        else:
            rows.append("*IMUL.i32 = t1 t1 ; +IADD.s32 r20 = t t0")
            fma = x * x
            x = fma + before
    body = "{\n" + "\n".join(rows) + "\n}\n"
    assert value(mali, body) == x & 0xFFFFFFFF


def test_a_register_is_read_before_the_tuple_before_has_written_it(mali: BareMali) -> None:
    body = """
        *MOV.i32 r10 = #1
        {
        *MOV.i32 r10 = #2
        +IADD.s32 r20 = r10 t0
        }
    """
    assert value(mali, body) == 1 + 2


@pytest.mark.parametrize(
    ("fma", "add"), [("r10", "r11"), ("r10.h0", "r11"), ("r10", "r11.h1"), ("r10.h0", "r10.h1"), ("r10.h1", "r10.h0")]
)
def test_both_results_of_a_tuple_are_written(mali: BareMali, fma: str, add: str) -> None:
    body = f"""
        *MOV.i32 r10 = #0x11112222
        *MOV.i32 r11 = #0x33334444
        {{
        *MOV.i32 {fma} = #0x55556666 ; +MOV.i32 {add} = #0x77778888
        *NOP
        }}
        *LSHIFT_XOR.i32 r20 = r10 r11 #0
    """
    registers = {10: 0x11112222, 11: 0x33334444}
    for target, found in ((fma, 0x55556666), (add, 0x77778888)):
        number, _, half = target[1:].partition(".")
        mask = {"": 0xFFFFFFFF, "h0": 0xFFFF, "h1": 0xFFFF0000}[half]
        registers[int(number)] = registers[int(number)] & ~mask | found & mask
    assert value(mali, body) == registers[10] ^ registers[11]


def test_three_registers_at_the_ports_and_high_ones(mali: BareMali) -> None:
    for a, b, c in ((10, 11, 12), (3, 60, 14), (63, 40, 33), (62, 2, 61)):
        body = "".join(f"*MOV.i32 r{n} = #{1000 * k + 7}\n" for k, n in enumerate((a, b, c)))
        if 1 in (a, b, c):
            continue
        assert value(mali, f"{body}*IADDC.i32 r20 = r{a} r{b} r{c}\n") == 7 + 1007 + (2007 & 1)


def test_the_lane_s_number_and_what_is_not_there(mali: BareMali) -> None:
    clause = bytearray(assemble("*MOV.i32 r20 = #0x10\nend"))
    assert len(clause) % 16 == 0
    out = run(mali, "+LOAD.i32 @r20 = r0 u1 slot=0\n", items=1)
    assert not out.done  # an address outside all buffers
    assert out.marks[0].startswith("fault: +LOAD.i32")
    assert "is in no buffer of the submission" in out.marks[0]


def test_what_was_never_written_is_said(mali: BareMali) -> None:
    out = run(mali, "*MOV.i32 r30.h0 = #1\n*MOV.i32 r20 = r30\n")
    assert out.done
    assert len(out.marks) == 1
    assert "undefined: *MOV.i32 r30" in out.marks[0]
    assert not run(mali, "*MOV.i32 r30.h0 = #1\n*U16_TO_U32 r20 = r30\n").marks
    assert run(mali, "*MOV.i32 r30.h0 = #1\n*U16_TO_U32 r20 = r30 lane0=h1\n").marks


def bad_instruction() -> bytearray:
    """A clause of one NOP, with one bit flipped."""
    code = bytearray(assemble("*NOP"))
    code[8] ^= 0x10
    return code


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (words([0x12345602]), "a clause with a quadword of tag 0x02"),
        (words([0x28, 1 << 30, 0, 0] * 30), "a clause without an end"),
        (words([0x48, 0x40 << 25, 0, 0]), "register mode"),
        (bytes(bad_instruction()), "is not an instruction"),
    ],
)
def test_what_is_not_a_shader_is_the_drivers_fault(mali: BareMali, code: bytes, said: str) -> None:
    out = mali.launch(code.ljust(16, b"\0") + bytes(64))
    assert not out.done
    assert out.marks[0].startswith("fault: ")
    assert said in out.marks[0]
