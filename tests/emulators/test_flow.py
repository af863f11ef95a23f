"""Lanes that part and meet, loops, predication, barriers, what lanes of a wave say to each other, and the preamble."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import pytest
from assembler import assemble
from bare_gpu import BareGpu, Outcome, Shape

_PROLOGUE = """
    mov.u32u32 r4.x, c0.x
    mov.u32u32 r4.y, c0.y
    (rpt3)mov.u32u32 r8.x, 0
    and.b r6.x, r0.w, 3
    and.b r6.y, r0.w, 63
"""
_EPILOGUE = """
    (jp)stg.a type=u32 data=r8.x address=r4.x index=r0.w size=1
    end
"""


def _run(gpu: BareGpu, body: str, items: int = 64, lanes: int = 64, words: int = 0, constants: Sequence[int] = (), groups: int = 1) -> Outcome:
    shape = Shape((items, 1, 1), (groups, 1, 1), lanes, 4, 512)
    return gpu.run(f"{_PROLOGUE}{body}{_EPILOGUE}", [4 * (words or items)], constants, shape)


def _lanes(gpu: BareGpu, body: str, items: int = 64, lanes: int = 64) -> list[int]:
    """r8.x of each work-item at the end."""
    out = _run(gpu, body, items, lanes)
    assert out.done, out.marks
    assert not out.marks
    return out.words(0)


@pytest.mark.parametrize(("items", "lanes"), [(1, 64), (64, 64), (65, 64), (100, 128), (128, 128), (300, 128)])
def test_each_lane_takes_its_arm_and_all_meet_again(adreno: BareGpu, items: int, lanes: int) -> None:
    body = """
        cmps.u.lt p0.x, r6.x, 2
        br predicate=0 inverted=1 offset=other
        add.u r8.x, r8.x, 10
        jump offset=join
        other:
        (jp)add.u r8.x, r8.x, 100
        join:
        (jp)movmsk dst=r9.x size=3
        cbits.b r9.x, r9.x
        add.u r8.x, r8.x, r9.x
    """
    found = _lanes(adreno, body, items, lanes)
    for n, value in enumerate(found):
        wave = n // lanes * lanes
        in_word = min(32, items - wave)
        assert value == (10 if n % 4 < 2 else 100) + in_word


def test_nested_branches(adreno: BareGpu) -> None:
    body = """
        cmps.u.ge p0.x, r6.x, 2
        br predicate=0 offset=high
        cmps.u.eq p0.y, r6.x, 1
        br predicate=1 offset=one
        add.u r8.x, r8.x, 1
        jump offset=low_join
        one:
        (jp)add.u r8.x, r8.x, 2
        low_join:
        (jp)add.u r8.x, r8.x, 16
        jump offset=join
        high:
        (jp)cmps.u.eq p0.y, r6.x, 3
        br predicate=1 inverted=1 offset=two
        add.u r8.x, r8.x, 4
        two:
        (jp)add.u r8.x, r8.x, 32
        join:
        (jp)add.u r8.x, r8.x, 64
    """
    assert _lanes(adreno, body) == [(81, 82, 96, 100)[n % 4] for n in range(64)]


@pytest.mark.parametrize(
    ("branch", "taken"),
    [
        ("br predicate=0", lambda x, _: x),
        ("br predicate=0 inverted=1", lambda x, _: not x),
        ("br predicate=1", lambda _, y: y),
        ("brao predicate=0 predicate2=1", lambda x, y: x or y),
        ("brao predicate=0 inverted=1 predicate2=1", lambda x, y: not x or y),
        ("brao predicate=0 predicate2=1 inverted2=1", lambda x, y: x or not y),
        ("braa predicate=0 predicate2=1", lambda x, y: x and y),
        ("braa predicate=0 predicate2=1 inverted2=1", lambda x, y: x and not y),
        ("bany predicate=0", lambda _x, _y: True),
        ("bany predicate=2", lambda _x, _y: False),
        ("ball predicate=0", lambda _x, _y: False),
        ("ball predicate=3", lambda _x, _y: True),
        ("bany predicate=3 inverted=1", lambda _x, _y: False),
        ("ball predicate=2 inverted=1", lambda _x, _y: True),
    ],
)
def test_a_branch_by_predicates(adreno: BareGpu, branch: str, taken: object) -> None:
    assert callable(taken)
    body = f"""
        and.b p0.x, r6.x, 1
        cmps.u.ge p0.y, r6.x, 2
        cmps.u.gt p0.z, r6.x, 3
        cmps.u.le p0.w, r6.x, 3
        {branch} offset=there
        mov.u32u32 r8.x, 7
        there:
        (jp)nop
    """
    assert _lanes(adreno, body) == [0 if taken(n & 1, n % 4 >= 2) else 7 for n in range(64)]


def test_a_loop_ends_for_each_lane_at_its_own_time(adreno: BareGpu) -> None:
    body = """
        mov.u32u32 r8.x, 0
        mov.u32u32 r8.y, r6.y
        loop:
        (jp)cmps.u.eq p0.x, r8.y, 0
        br predicate=0 offset=out
        add.u r8.x, r8.x, r8.y
        sub.u r8.y, r8.y, 1
        jump offset=loop
        out:
        (jp)nop
    """
    assert _lanes(adreno, body, 128, 128) == [sum(range(n % 64 + 1)) for n in range(128)]


def test_two_loops_with_a_break_in_the_inner_one(adreno: BareGpu) -> None:
    body = """
        mov.u32u32 r8.y, 0
        outer:
        (jp)mov.u32u32 r8.z, 0
        inner:
        (jp)cmps.u.gt p0.x, r8.z, r8.y
        br predicate=0 offset=next
        cmps.u.eq p0.x, r8.z, r6.x
        br predicate=0 offset=next
        add.u r8.x, r8.x, 1
        add.u r8.z, r8.z, 1
        jump offset=inner
        next:
        (jp)add.u r8.y, r8.y, 1
        cmps.u.lt p0.x, r8.y, 5
        br predicate=0 offset=outer
    """
    wanted = [sum(min(k + 1, n % 4) for k in range(5)) for n in range(64)]
    assert _lanes(adreno, body) == wanted


def test_predicated_parts_execute_in_their_lanes(adreno: BareGpu) -> None:
    body = """
        cmps.u.lt p0.x, r6.x, 1
        predt
        mov.u32u32 r8.x, 10
        add.u r8.y, r8.y, 1
        predf
        mov.u32u32 r8.x, 20
        prede
        add.u r8.x, r8.x, r8.y
        add.u r8.x, r8.x, 100
    """
    assert _lanes(adreno, body) == [111 if n % 4 == 0 else 120 for n in range(64)]


def test_predication_takes_p0_as_it_was_at_predt(adreno: BareGpu) -> None:
    body = """
        cmps.u.lt p0.x, r6.x, 2
        predt
        cmps.u.ge p0.x, r6.x, 0     ; of the lanes that execute
        mov.u32u32 r8.x, 1
        prede
        cmps.u.eq p0.x, r6.x, 3
        predt
        movmsk dst=r9.x size=0
        mov.u32u32 r8.x, r9.x
        prede
    """
    assert _lanes(adreno, body) == [(1, 1, 0, 0x88888888)[n % 4] for n in range(64)]


def test_getone_leaves_one_lane_that_goes_on(adreno: BareGpu) -> None:
    once = """
        getone offset=skip
        mov.u32u32 r8.x, 1
        skip:
        (jp)nop
    """
    assert sum(_lanes(adreno, once)) == 1
    each = """
        loop:
        (jp)getone offset=rest
        movmsk dst=r9.x size=1
        cbits.b r9.x, r9.x
        cbits.b r9.y, r9.y
        add.u r8.x, r9.x, r9.y
        jump offset=out
        rest:
        (jp)jump offset=loop
        out:
        (jp)nop
    """
    assert _lanes(adreno, each) == [1] * 64


def test_getlast_is_of_the_first_cluster_of_eight_with_an_active_lane(adreno: BareGpu) -> None:
    body = """
        cmps.u.lt p0.x, r6.y, 10
        br predicate=0 offset=out
        cmps.u.gt p0.x, r6.y, 13
        br predicate=0 offset=rest
        getlast offset=others
        mov.u32u32 r8.x, 1      ; of 10 to 13 the last one
        jump offset=out
        others:
        (jp)mov.u32u32 r8.x, 2
        jump offset=out
        rest:
        (jp)getlast offset=out  ; of 14 and 15, and all beyond them
        mov.u32u32 r8.x, 3
        out:
        (jp)nop
    """
    assert _lanes(adreno, body) == [0] * 10 + [2, 2, 2, 1] + [0, 3] + [3] * 48


def test_a_lock_that_a_lane_of_the_wave_holds_is_released(adreno: BareGpu) -> None:
    body = """
        mov.u32u32 r9.x, 0
        mov.u32u32 r9.y, 1
        cmps.u.ne p0.x, r0.w, 0
        br predicate=0 offset=spin
        stl type=u32 data=r9.x address=r9.x size=1
        spin:
        (jp)bar
        again:
        (jp)atomic.l.xchg type=u32 dst=r10.x address=r9.x data=r9.y
        cmps.u.ne p0.x, r10.x, 0
        br predicate=0 offset=again
        add.u r8.x, r8.x, 5
        atomic.l.xchg type=u32 dst=r10.x address=r9.x data=r9.x
    """
    assert _lanes(adreno, body) == [5] * 64


def test_a_barrier_holds_back_every_wave_of_the_group(adreno: BareGpu) -> None:
    """Three rounds: each item writes, all wait, each reads what the item of the opposite end wrote."""
    body = """
        mov.u32u32 r9.w, 0
        shl.b r9.x, r0.w, 2
        mov.u32u32 r10.x, 1020
        sub.u r9.y, r10.x, r9.x
        round:
        (jp)shl.b r10.y, r9.w, 10
        add.u r10.y, r10.y, r9.x
        add.u r10.z, r0.w, r9.w
        stl type=u32 data=r10.z address=r10.y size=1
        bar
        shl.b r10.y, r9.w, 10
        add.u r10.y, r10.y, r9.y
        ldl type=u32 dst=r10.w address=r10.y size=1
        add.u r8.x, r8.x, r10.w
        add.u r9.w, r9.w, 1
        cmps.u.lt p0.x, r9.w, 3
        br predicate=0 offset=round
    """
    assert _lanes(adreno, body, 256) == [3 * (255 - n) + 3 for n in range(256)]


def test_lanes_wait_at_a_barrier_in_different_arms(adreno: BareGpu) -> None:
    body = """
        cmps.u.lt p0.x, r6.x, 2
        br predicate=0 offset=there
        bar
        mov.u32u32 r8.x, 1
        jump offset=join
        there:
        (jp)bar
        mov.u32u32 r8.x, 2
        join:
        (jp)nop
    """
    assert _lanes(adreno, body) == [2 if n % 4 < 2 else 1 for n in range(64)]


def test_lanes_that_have_ended_hold_nobody_back(adreno: BareGpu) -> None:
    body = """
        cmps.u.lt p0.x, r0.w, 70
        br predicate=0 offset=go_on
        end
        go_on:
        (jp)bar
        mov.u32u32 r8.x, 1
    """
    assert _lanes(adreno, body, 128) == [1] * 70 + [0] * 58


def test_the_preamble_runs_once_and_its_constants_are_for_all(adreno: BareGpu) -> None:
    body = """
        shps offset=body
        mov.u32u32 r9.x, 1
        atomic.g.add type=u32 dst=r10.x address=r4.z data=r9.x
        stc type=u32 dst=c2.x data=r9.x size=1
        mov.u32u32 r9.y, 30
        mov.u16u16 a1.x, h(2)
        stc type=u32 dst=c2.y dst_a1=1 data=r9.y size=1
        shpe
        body:
        (jp)add.u r8.x, c2.x, c2.w
    """
    text = f"{_PROLOGUE.replace('r4.y, c0.y', 'r4.y, c0.y') }mov.u32u32 r4.z, c0.z\nmov.u32u32 r4.w, c0.w\n{body}{_EPILOGUE}"
    out = adreno.run(text, [4 * 128, 4], [0, 0, 0, 0] * 2, Shape((128, 1, 1), (3, 1, 1)))
    assert out.done, out.marks
    assert not out.marks
    assert out.words(0) == [31] * 128
    assert out.words(1) == [1]


def test_ids_of_items_and_groups(adreno: BareGpu, adreno7: BareGpu) -> None:
    shader = """
        mov.u32u32 r4.x, c0.x
        mov.u32u32 r4.y, c0.y
        mov.u32u32 r2.x, r1.z
        mad.u24 r2.x, c1.y, r2.x, r1.y       ; of 3
        mad.u24 r2.x, c1.x, r2.x, r1.x       ; of 2
        mad.u24 r2.x, c1.z, r2.x, r0.w       ; of 30 items
        mul.u24 r2.x, r2.x, c1.w
        add.u r2.x, r2.x, r4.x
        mov.u32u32 r2.y, r4.y
        stg type=u32 data=r0.x address=r2.x size=7
        end
    """
    for gpu in (adreno, adreno7):
        out = gpu.run(shader, [30 * 12 * 32], [2, 3, 30, 32], Shape((5, 3, 2), (2, 3, 2)))
        assert out.done, out.marks
        rows = list(struct.iter_unpack("<8I", out.buffers[0]))
        for group in range(12):
            for item in range(30):
                x, y, z = item % 5, item // 5 % 3, item // 15
                assert rows[group * 30 + item][:7] == (x, y, z, item, group % 2, group // 2 % 3, group // 6)


# ---- lanes that see each other

_VALUE = "mov.u32u32 r9.x, r6.y\nmul.u24 r9.x, r9.x, 3\nmov.u32u32 r9.y, 5\n"


@pytest.mark.parametrize(
    ("mode", "source"),
    [
        (1, lambda n: n ^ 5),
        (2, lambda n: n - 5 if n >= 5 else n),
        (3, lambda n: n + 5 if n + 5 < 64 else n),
        (6, lambda n: (n - 5) % 64),
        (7, lambda n: (n + 5) % 64),
    ],
)
def test_a_shuffle(adreno: BareGpu, mode: int, source: object) -> None:
    assert callable(source)
    for index in ("index=5 data_immediate=1", "index=r9.y"):
        found = _lanes(adreno, f"{_VALUE}shfl type=u32 dst=r8.x data=r9.x {index} mode={mode}\n")
        assert found == [3 * source(n) for n in range(64)]
    half = f"{_VALUE}mov.u32u16 hr30.x, r9.x\nshfl type=u16 dst=hr30.y data=hr30.x index=5 data_immediate=1 mode={mode}\nmov.u16u32 r8.x, hr30.y\n"
    assert _lanes(adreno, half) == [3 * source(n) for n in range(64)]


@pytest.mark.parametrize(("exchange", "source"), [(1, lambda n: n ^ 1), (2, lambda n: n ^ 2), (3, lambda n: n ^ 3), (0, lambda n: n & ~3 | 2)])
def test_a_quad_shuffle(adreno: BareGpu, exchange: int, source: object) -> None:
    """horiz, vert, diag, and the lane of the quad that a register names."""
    assert callable(source)
    (word,) = assemble(f"quad_shuffle type=u32 dst=r8.x mask=1 base_high={exchange}")
    operands = 1 | 36 << 1 | 37 << 9  # full; r9.x, r9.y
    code = [*assemble(f"{_PROLOGUE}{_VALUE}mov.u32u32 r9.y, 2"), word | operands, *assemble(_EPILOGUE)]
    out = adreno.run(code, [256])
    assert out.done, out.marks
    assert out.words(0) == [3 * source(n) for n in range(64)]


@pytest.mark.parametrize("size", [2, 4, 8, 16])
def test_brcst_active_takes_the_last_active_lane_of_the_lower_half(adreno: BareGpu, size: int) -> None:
    exponent = size.bit_length() - 2
    (word,) = assemble(f"brcst.active type=u32 dst=r8.x mask=1 base_high={exponent}")
    code = [
        *assemble(f"{_PROLOGUE}{_VALUE}cmps.u.eq p0.x, r6.x, 3\nbr predicate=0 offset=3"),
        word | 1 | 36 << 1,
        *assemble(f"nop\n{_EPILOGUE}"),
    ]
    out = adreno.run(code, [256])
    assert out.done, out.marks
    wanted = [0] * 64
    for cluster in range(0, 64, size):
        active = [n for n in range(cluster, cluster + size // 2) if n % 4 != 3]
        for n in range(cluster + size // 2, cluster + size):
            if active and n % 4 != 3:
                wanted[n] = 3 * active[-1]
    assert out.words(0) == wanted


def test_a_lane_knows_its_number_and_its_wave(adreno: BareGpu) -> None:
    assert _lanes(adreno, "getfiberid type=u32 dst=r8.x\n", 200, 128) == [n % 128 for n in range(200)]
    assert _lanes(adreno, "getwid type=u32 dst=r8.x\n", 200, 64) == [n // 64 for n in range(200)]
    assert _lanes(adreno, "getspid type=u32 dst=r8.x\n", 64) == [0] * 64


# ---- what ends a submission


@pytest.mark.parametrize(
    ("code", "mark"),
    [
        ("loop:\njump offset=loop\nend", "fault: the submission does not end"),
        ("jump offset=20\nend", "fault: jump #20 (instruction 0): the shader goes on at instruction 20 of 2"),
        ("jump offset=-1\nend", "fault: jump #-1 (instruction 0): the shader goes on at instruction 4294967295 of 2"),
        ("nop", "fault: a shader without an end"),
        ("shpe\nend", "fault: shpe (instruction 0): the end of a preamble that has not begun"),
        ("shps offset=3\nend\nshpe\nend", "fault: end (instruction 1): the shader ends in its preamble"),
        ("shps offset=3\nshps offset=2\nshpe\nend", "fault: shps #2 (instruction 1): a preamble begins in the preamble"),
        ("add.u r0.x, r63.x, 1\nend", "fault: add.u r0.x, r63.x, 1 (instruction 0): there is no register 252"),
    ],
)
def test_a_shader_that_cannot_go_on_is_a_fault(adreno: BareGpu, code: str, mark: str) -> None:
    out = adreno.run(code, budget=1 << 20)
    assert not out.done
    assert out.marks[-1] == mark


def test_a_word_that_is_no_instruction_is_unknown(adreno: BareGpu) -> None:
    out = adreno.run([0x47F0000000000000 | 1 << 60, *assemble("end")])
    assert not out.done
    assert out.marks[-1].startswith("unknown: unknown")


def test_shaders_that_differ_in_their_highest_bits_alone_are_two(adreno: BareGpu) -> None:
    """They once were one: by a hash in which such differences cancel each other."""
    for one, other, answer in (("sign.f r8.x, r9.x", "sin r8.x, r9.x", 0x3F576AA4), ("absneg.f r8.x, r9.x", "sqrt r8.x, r9.x", 0x3F800000)):
        lines = "mov.u32u32 r9.x, 0x3f800000\n" + f"{one}\nadd.u r8.y, r8.y, 1\n" * 16
        first = _lanes(adreno, lines)
        second = _lanes(adreno, lines.replace(one, other))
        assert first == [0x3F800000] * 64
        assert second == [answer] * 64
