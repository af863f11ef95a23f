"""Reads of memory that was never written, and races: marks that do not end the submission."""

import pytest
from bare_gpu import BareGpu, Shape
from memory_items import run

# ---- what was never written


@pytest.mark.parametrize(
    ("body", "mark", "value"),
    [
        ("add.u r20.x, r9.x, 0", "add.u r20.x, r9.x, 0 (instruction 6): r9.x was never written", 0xDEAD7E7E),
        ("mov.u16u16 hr40.x, hr18.y\nmov.u16u32 r20.x, hr40.x", "hr18.y was never written", 0xDEAD),
        ("mov.u32u16 hr18.x, r6.y\nmov.u16u32 r20.x, hr18.y", "hr18.y was never written", 0xDEAD),
        ("mov.u32u16 hr18.x, r6.y\nmov.u32u32 r20.x, r9.x", "r9.x was never written", 0xDEAD0000),
        ("ldl type=u32 dst=r20.x address=r6.y size=1", "ldl: byte 0 of local memory was never written", 0xDEAD7E7E),
        ("ldp type=u32 dst=r20.x address=r6.y offset=8 size=1",
         "ldp: byte 8 of private memory was never written", 0xDEAD7E7E),
        ("stl type=u16 data=hr12.x address=r6.y size=1\nldl type=u32 dst=r20.x address=r6.y size=1",
         "ldl: byte 2 of local memory was never written", 0xDEAD0000),
        ("mov.u32u32 r20.x, c1.x", "constant c1.x was not loaded", None),  # what an earlier submission left
    ],
)  # fmt: skip
def test_a_read_of_what_nothing_wrote_is_said(adreno: BareGpu, body: str, mark: str, value: int | None) -> None:
    out = run(adreno, f"{body}\nstg type=u32 data=r20.x address=r5.x size=1")
    assert out.done
    assert len(out.marks) == 1
    assert out.marks[0].startswith("undefined: ")
    assert out.marks[0].endswith(mark)
    assert value is None or out.words(1)[0] == value


def test_a_register_is_written_lane_by_lane(adreno: BareGpu) -> None:
    body = """
        cmps.u.eq p0.x, r0.w, 3
        br predicate=0 offset=join
        mov.u32u32 r9.x, 1
        join:
        (jp)add.u r9.y, r9.x, 1
    """
    out = run(adreno, body, shape=Shape())
    assert out.done
    assert [mark.split(": ")[-1] for mark in out.marks] == ["r9.x was never written"]
    assert not run(adreno, body.replace("r0.w, 3", "r0.w, 64"), shape=Shape()).marks


# ---- races

_ALL_READ = "mov.u32u32 r20.x, 0\nldl type=u32 dst=r20.x address=r6.y size=1\n"


@pytest.mark.parametrize("writer", [0, 5, 63])
def test_a_write_after_all_have_read_is_a_race_whoever_writes(adreno: BareGpu, writer: int) -> None:
    body = f"""{_ALL_READ}
        cmps.u.eq p0.x, r0.w, {writer}
        br predicate=0 inverted=1 offset=out
        stl type=u32 data=r6.x address=r6.y size=1
        out:
        (jp)nop
    """
    for fence, races in (("", True), ("fence\n", False), ("bar\n", False)):
        out = run(adreno, body.replace(_ALL_READ, _ALL_READ + fence), shape=Shape())
        assert out.done
        assert any(mark.startswith("race: ") for mark in out.marks) == races, out.marks


def test_a_fence_orders_a_wave_and_not_a_group(adreno: BareGpu) -> None:
    body = """
        xor.b r7.x, r0.w, 64
        shl.b r7.x, r7.x, 2
        stl type=u32 data=r6.x address=r6.x size=1
        fence
        ldl type=u32 dst=r20.x address=r7.x size=1
    """
    for lanes, races in ((128, False), (64, True)):
        out = run(adreno, body, shape=Shape((128, 1, 1), lanes=lanes))
        assert out.done
        assert any(mark.startswith("race: ") for mark in out.marks) == races, out.marks


@pytest.mark.parametrize(
    ("body", "races"),
    [
        ("stl type=u32 data=r6.x address=r6.y size=1", True),
        ("stl type=u32 data=r6.x address=r6.x size=1\nldl type=u32 dst=r20.x address=r7.x size=1", True),
        ("stl type=u32 data=r6.x address=r6.x size=1\nbar\nldl type=u32 dst=r20.x address=r7.x size=1", False),
        ("stl type=u32 data=r6.x address=r6.x size=1\nbar\nldl type=u32 dst=r20.x address=r7.x size=1\n"
         "stl type=u32 data=r6.x address=r6.x size=1", True),
        ("stl type=u32 data=r6.x address=r6.x size=1\nbar\nldl type=u32 dst=r20.x address=r7.x size=1\nbar\n"
         "stl type=u32 data=r6.x address=r6.x size=1", False),
        ("stl type=u32 data=r6.x address=r6.x size=1\nldl type=u32 dst=r20.x address=r6.x size=1", False),
        ("atomic.l.add type=u32 dst=r20.x address=r6.y data=r6.x", False),
        ("atomic.l.add type=u32 dst=r20.x address=r6.y data=r6.x\nstl type=u32 data=r6.x address=r6.x size=1", True),
        ("atomic.l.add type=u32 dst=r20.x address=r6.y data=r6.x\nldl type=u32 dst=r20.x address=r6.y size=1", False),
        ("shl.b r9.x, r0.w, 1\nstl type=u16 data=hr12.x address=r9.x size=1", False),
        ("shl.b r9.x, r0.w, 1\nand.b r9.x, r9.x, -4\nstl type=u32 data=r6.x address=r9.x size=1", True),
    ],
)  # fmt: skip
def test_two_items_at_one_word_without_a_barrier_are_a_race(adreno: BareGpu, body: str, races: bool) -> None:
    neighbour = "add.u r7.x, r0.w, 1\nand.b r7.x, r7.x, 63\nshl.b r7.x, r7.x, 2\n"
    for lanes in (64, 128):
        out = run(adreno, neighbour + body, shape=Shape((64, 1, 1), lanes=lanes, local_kib=2))
        assert out.done
        assert any(mark.startswith("race: ") for mark in out.marks) == races, out.marks
        assert all(mark.startswith(("race: ", "undefined: ")) for mark in out.marks)


def test_a_race_between_waves_is_seen_and_names_the_items(adreno: BareGpu) -> None:
    body = "mov.u32u32 r7.x, 16\ncmps.u.lt p0.x, r0.w, 127\nbr predicate=0 offset=2\n"
    body += "stl type=u32 data=r6.x address=r7.x size=1\nnop\n"
    body = body.replace("offset=2", "offset=out").replace(
        "nop\n", "out:\n(jp)cmps.u.lt p0.x, r0.w, 1\nbr predicate=0 inverted=1 offset=end\n"
    )
    out = run(
        adreno, f"{body}stl type=u32 data=r6.x address=r7.x size=1\nend:\n(jp)nop", shape=Shape((128, 1, 1), (2, 1, 1))
    )
    assert out.done
    assert {mark.split(": ", 3)[3] for mark in out.marks if "byte 16" in mark} == {
        f"work-items 0 and 127 of group {n} touch byte 16 of local memory, and no barrier is between" for n in (0, 1)
    }
