"""Lanes that part and meet, loops, predication, barriers, exchanges between lanes of a wave, and the preamble."""

import pytest
from assembler import assemble
from bare_gpu import BareGpu, Shape, grown_kib
from wave_items import EPILOGUE, PROLOGUE, read_items


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
    found = read_items(adreno, body, items, lanes)
    for n, value in enumerate(found):
        wave = n // lanes * lanes
        in_word = min(32, items - wave)
        assert value == (10 if n % 4 < 2 else 100) + in_word


def test_a_uniform_predicate_is_the_waves_even_if_only_some_lanes_compute_it(adreno7: BareGpu) -> None:
    body = """
        br predicate=0 offset=alone
        jump offset=join
        alone:
        (jp)cmps.u.eq up0.y, r48.x, 9
        join:
        (jp)br predicate=1 inverted=1 offset=after
        mov.u32u32 r8.x, 5
        after:
        (jp)nop
    """
    for value, expected in ((9, 5), (8, 0)):
        own = f"{PROLOGUE} mov.u32u32 r48.x, {value}\n shl.b r0.w, r0.w, 2\n cmps.u.lt p0.x, r0.w, 32\n{body}{EPILOGUE}"
        out = adreno7.run(own, [256], shape=Shape())
        assert out.done, out.marks
        assert out.words(0) == [expected] * 64


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
    assert read_items(adreno, body) == [(81, 82, 96, 100)[n % 4] for n in range(64)]


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
    assert read_items(adreno, body) == [0 if taken(n & 1, n % 4 >= 2) else 7 for n in range(64)]


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
    assert read_items(adreno, body, 128, 128) == [sum(range(n % 64 + 1)) for n in range(128)]


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
    assert read_items(adreno, body) == wanted


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
    assert read_items(adreno, body) == [111 if n % 4 == 0 else 120 for n in range(64)]


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
    assert read_items(adreno, body) == [(1, 1, 0, 0x88888888)[n % 4] for n in range(64)]


def test_getone_leaves_one_lane_that_goes_on(adreno: BareGpu) -> None:
    once = """
        getone offset=skip
        mov.u32u32 r8.x, 1
        skip:
        (jp)nop
    """
    assert sum(read_items(adreno, once)) == 1
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
    assert read_items(adreno, each) == [1] * 64


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
    assert read_items(adreno, body) == [0] * 10 + [2, 2, 2, 1] + [0, 3] + [3] * 48


def test_shaders_of_earlier_launches_are_forgotten(adreno: BareGpu) -> None:
    """Of 640,000 instructions of 160 bytes a tenth is kept: 10 MB, and what the test takes itself."""
    starts = [assemble(f"mov.u32u32 r8.x, {number}", adreno.generation) for number in range(40)]
    assert grown_kib(adreno.run([*start, *[0] * 15999, *assemble("end", adreno.generation)]) for start in starts) < 40 << 10
