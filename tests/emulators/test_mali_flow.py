"""Branches, loops, barriers, exchanges between lanes, and the parameters of a launch."""

from collections.abc import Callable

import pytest
from bare_gpu import Outcome
from bare_mali import NARROW, BareMali, Shape

_HEAD = """
    *LSHIFT_OR.i32 r0 = r60 0 #2
    +IADD.u32 r1 = r0 u0
"""
_TAIL = "+STORE.i32 @r20 = r1 u1"
_ONE_WARP = Shape()


def run(mali: BareMali, body: str, shape: Shape = _ONE_WARP, words: int = 0) -> Outcome:
    """r60 is the work-item's number in a row of groups; r20 at the end is stored, one word for each."""
    count = shape.size[0] * shape.groups[0]
    return mali.launch(f"{_HEAD}{body}{_TAIL}", [4 * (words or count)], shape=shape)


def lanes(mali: BareMali, body: str, shape: Shape = _ONE_WARP) -> list[int]:
    out = run(mali, body, shape)
    assert out.done, out.marks
    assert not out.marks
    assert not out.hazards
    return out.words(0)


@pytest.mark.parametrize(
    ("name", "source", "taken"),
    [
        ("BRANCHZ.i16 = r60 yes cmpf=ne widen0=h0", "", lambda n: n != 0),
        ("BRANCHZ.i32 = r60 yes cmpf=eq", "", lambda n: n == 0),
        ("BRANCHZ.s32 = r10 yes cmpf=lt", "+ISUB.s32 r10 = r60 #3", lambda n: n < 3),
        ("BRANCHZ.s32 = r10 yes cmpf=ge", "+ISUB.s32 r10 = r60 #3", lambda n: n >= 3),
        ("BRANCHZ.u32 = r10 yes cmpf=gt", "+ISUB.s32 r10 = r60 #3", lambda n: n != 3),
        ("BRANCHZ.s16 = r10 yes cmpf=le widen0=h1", "*IMUL.i32 r10 = r60 #0x8000", lambda n: n < 2),
        ("BRANCHZ.u16 = r10 yes cmpf=le widen0=h0", "*IMUL.i32 r10 = r60 #0x8000", lambda n: n % 2 == 0),
        ("BRANCHZ.f32 = r10 yes cmpf=gt", "*FADD.f32 r10 = r60 #0xc0000000", lambda _: False),
        ("BRANCHZ.f32 = r10 yes cmpf=ne", "*MOV.i32 r10 = #0x7fc00000", lambda _: True),
        ("BRANCHZ.f16 = r10 yes cmpf=lt widen0=h1", "*MOV.i32 r10 = #0xbc000000", lambda _: True),
    ],
)
def test_a_branch_on_a_value_and_zero(mali: BareMali, name: str, source: str, taken: Callable[[int], bool]) -> None:
    body = f"""
        *MOV.i32 r20 = #1
        {source or "*NOP"}
        +{name}
        *MOV.i32 r20 = #2
        yes:
        *IMUL.i32 r20 = r20 #10
    """
    assert lanes(mali, body) == [10 if taken(n) else 20 for n in range(8)]


def test_lanes_of_a_loop_leave_one_by_one_and_join(mali: BareMali) -> None:
    body = """
        *MOV.i32 r20 = #0
        *MOV.i32 r10 = r60
        loop:
        +BRANCHZ.i32 = r10 out cmpf=eq
        +IADD.s32 r20 = r20 r10
        +ISUB.s32 r10 = r10 #1
        +JUMP = loop
        out:
        +WMASK r11 = r60 subgroup=subgroup8
        *LSHIFT_OR.i32 r20 = r20 r11 #8
    """
    assert lanes(mali, body) == [n * (n + 1) // 2 << 8 | 0xFE for n in range(8)]


def test_lanes_that_leave_a_loop_without_reconvergence_stay_apart(mali: BareMali) -> None:
    """As a board showed for Mesa's `break`: each lane sees only itself after the loop."""
    body = """
        *MOV.i32 r10 = r60
        loop:
        +BRANCHZ.i32 = r10 on cmpf=ne
        +JUMP = out flow=FLOW
        on:
        +ISUB.s32 r10 = r10 #1
        +JUMP = loop
        out:
        *MOV.i32 r11 = #0xffffffff
        +WMASK r20 = r11 subgroup=subgroup8
    """
    assert lanes(mali, body.replace("FLOW", "3")) == [1 << n for n in range(8)]
    assert lanes(mali, body.replace("FLOW", "2")) == [0xFF] * 8


def test_nested_arms(mali: BareMali) -> None:
    body = """
        *LSHIFT_AND.i32 r10 = r60 #1 #0
        *LSHIFT_AND.i32 r11 = r60 #2 #0
        *MOV.i32 r20 = #0
        +BRANCHZ.i32 = r10 even cmpf=eq
        +IADD.s32 r20 = r20 #1
        +BRANCHZ.i32 = r11 done cmpf=eq
        +IADD.s32 r20 = r20 #16
        +JUMP = done
        even:
        +IADD.s32 r20 = r20 #256
        done:
        +IADD.s32 r20 = r20 #4096
    """
    assert lanes(mali, body) == [4096 + (1 + 16 * (n >> 1 & 1) if n & 1 else 256) for n in range(8)]


def test_a_jump_to_nowhere_ends_a_lane(mali: BareMali) -> None:
    body = "*MOV.i32 r20 = #7\n+BRANCHZ.i32 = r60 #0 cmpf=ne\n"
    out = run(mali, "*MOV.i32 r20 = #7\n" + "+BRANCHZ.i32 = r60 skip cmpf=eq\nend\nskip:\n")
    assert out.done
    assert out.words(0) == [7] + [0] * 7
    assert not run(mali, body).done  # a constant that the clause does not have


def test_a_barrier_orders_the_warps_of_a_group(mali: BareMali) -> None:
    body = """
        *LSHIFT_OR.i32 r10 = r60 0 #2
        +IADD.s32 r11 = r60 #100
        +STORE.i32 @r11 = r10 0x0 seg=wls
        +BARRIER
        *LSHIFT_XOR.i32 r10 = r10 #0x7c #0
        +LOAD.i32 @r20 = r10 0x0 seg=wls
    """.replace("0x0", "#0")
    shape = Shape((32, 1, 1), local=128)
    assert lanes(mali, body, shape) == [100 + (n ^ 31) for n in range(32)]
    unordered = run(mali, body.replace("+BARRIER", "*NOP"), shape)
    assert any(m.startswith("race: ") for m in unordered.marks) or any("was never written" in m for m in unordered.marks)
    forbidden = run(mali, body, Shape((32, 1, 1), local=128, barriers=False))
    assert not forbidden.done
    assert "a barrier in a launch that says that it has none" in forbidden.marks[0]


def test_half_of_the_registers(mali: BareMali) -> None:
    low = "*MOV.i32 r15 = #3\n*MOV.i32 r14 = r15\n*MOV.i32 r48 = r14\n+STORE.i32 @r14 = r1 u1\nend\n"
    assert run(mali, low, Shape(allocation=NARROW)).words(0) == [3] * 8
    out = run(mali, "*MOV.i32 r20 = #3\n", Shape(allocation=NARROW))
    assert not out.done
    assert out.marks[0].startswith("fault: ")
    assert "there is no register r20" in out.marks[0]


def test_the_registers_that_a_launch_sets(mali: BareMali) -> None:
    shape = Shape((4, 2, 2), (3, 2, 2))
    for n, register in enumerate(f"r{n}" for n in range(55, 63)):
        code = f"""
            *IMUL.i32 r10 = r62 #48
            *IMUL.i32 r11 = r61 #12
            +IADD.s32 r10 = r10 r11
            +IADD.s32 r10 = r10 r60
            *LSHIFT_OR.i32 r10 = r10 0 #2
            +IADD.s32 r10 = r10 u0
            *MOV.i32 r20 = {register}
            +STORE.i32 @r20 = r10 u1
        """
        out = mali.launch(code, [4 * 192], shape=shape)
        assert out.done, out.marks
        assert not out.marks
        found = out.words(0)
        for at in range(192):
            item = at % 12, at // 12 % 4, at // 48
            x, y, z = (i % s for i, s in zip(item, shape.size, strict=True))
            group = [i // s for i, s in zip(item, shape.size, strict=True)]
            assert found[at] == [x | y << 16, z, *group, *item][n], (register, at)
    out = mali.launch("*MOV.i32 r20 = r60\n+STORE.i32 @r20 = u0 u1", [4], shape=Shape((1, 1, 1), preload=0))
    assert "undefined: " in out.marks[0]


def test_a_uniform_that_the_launch_has_not(mali: BareMali) -> None:
    out = run(mali, "*MOV.i32 r20 = u2\n")
    assert not out.done
    assert "the launch has 2 uniforms, not u3" in out.marks[0]


def test_a_shader_without_an_end_and_one_that_runs_for_ever(mali: BareMali) -> None:
    out = mali.launch("loop:\n+JUMP = loop", budget=1 << 12)
    assert not out.done
    assert out.marks == ["fault: the submission does not end"] or "does not end" in out.marks[0]


@pytest.mark.parametrize(
    ("how", "source"),
    [
        ("lane_op=none", lambda _: 5),
        ("lane_op=xor", lambda n: n ^ 5),
        ("lane_op=shift", lambda n: n + 5 & 7),
        ("lane_op=none subgroup=subgroup4", lambda n: n & 4 | 1),
        ("lane_op=xor subgroup=subgroup2", lambda n: n ^ 1),
    ],
)
def test_lanes_read_each_other(mali: BareMali, how: str, source: Callable[[int], int]) -> None:
    size = "" if "subgroup" in how else "subgroup=subgroup8"
    body = f"*IMUL.i32 r10 = r60 #3\n+CLPER.i32 r20 = r10 #5 {how} {size}\n"
    assert lanes(mali, body) == [3 * source(n) for n in range(8)]


@pytest.mark.parametrize(
    ("option", "value"), [("zero", 0), ("umax", 0xFFFFFFFF), ("smin", 0x80000000), ("f1", 0x3F800000), ("v2inf", 0x7C007C00)]
)
def test_what_a_lane_that_does_not_run_answers(mali: BareMali, option: str, value: int) -> None:
    body = f"""
        *MOV.i32 r20 = #1
        *MOV.i32 r11 = r60
        +BRANCHZ.i32 = r60 out cmpf=eq
        +CLPER.i32 r20 = r11 #0 subgroup=subgroup8 inactive_result={option}
        out:
        *NOP
    """
    assert lanes(mali, body) == [1] + [value] * 7


def test_the_short_form_reads_in_fours(mali: BareMali) -> None:
    assert lanes(mali, "*MOV.i32 r10 = r60\n+CLPER_OLD.i32 r20 = r10 #2\n") == [2, 2, 2, 2, 6, 6, 6, 6]


def test_lanes_that_vote(mali: BareMali) -> None:
    for size, text in ((2, "subgroup2"), (4, "subgroup4"), (8, "subgroup8")):
        found = lanes(mali, f"*LSHIFT_AND.i32 r10 = r60 #3 #0\n+WMASK r20 = r10 subgroup={text}\n")
        everyone = 0b11101110
        assert found == [everyone >> (n // size * size) & (1 << size) - 1 for n in range(8)]


def test_the_clock(mali: BareMali) -> None:
    first, second = (run(mali, "+LD_GCLK.u64 @r20 source=cycle_counter\n").words(0)[0] for _ in range(2))
    assert first != second
