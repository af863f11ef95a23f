"""Barriers, locks, the preamble, and the ids of items and groups."""

import struct

from bare_gpu import BareGpu, Shape
from wave_items import EPILOGUE, PROLOGUE, read_items


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
    assert read_items(adreno, body) == [5] * 64


def test_a_barrier_holds_back_every_wave_of_the_group(adreno: BareGpu) -> None:
    """Three rounds: each item writes, all wait, each reads what the item at the opposite end wrote."""
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
    assert read_items(adreno, body, 256) == [3 * (255 - n) + 3 for n in range(256)]


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
    assert read_items(adreno, body) == [2 if n % 4 < 2 else 1 for n in range(64)]


def test_lanes_that_have_ended_hold_nobody_back(adreno: BareGpu) -> None:
    body = """
        cmps.u.lt p0.x, r0.w, 70
        br predicate=0 offset=go_on
        end
        go_on:
        (jp)bar
        mov.u32u32 r8.x, 1
    """
    assert read_items(adreno, body, 128) == [1] * 70 + [0] * 58


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
    text = f"{PROLOGUE.replace('r4.y, c0.y', 'r4.y, c0.y')}mov.u32u32 r4.z, c0.z\nmov.u32u32 r4.w, c0.w\n{body}{EPILOGUE}"
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
