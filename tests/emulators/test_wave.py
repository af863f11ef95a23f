"""Exchanges between the lanes of a wave, and what ends a submission."""

import pytest
from assembler import assemble
from bare_gpu import BareGpu
from wave_items import read_items, run_items

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
        found = read_items(adreno, f"{_VALUE}shfl type=u32 dst=r8.x data=r9.x {index} mode={mode}\n")
        assert found == [3 * source(n) for n in range(64)]
    half = f"{_VALUE}mov.u32u16 hr30.x, r9.x\n"
    half += f"shfl type=u16 dst=hr30.y data=hr30.x index=5 data_immediate=1 mode={mode}\nmov.u16u32 r8.x, hr30.y\n"
    assert read_items(adreno, half) == [3 * source(n) for n in range(64)]


@pytest.mark.parametrize(
    ("exchange", "source"), [(1, lambda n: n ^ 1), (2, lambda n: n ^ 2), (3, lambda n: n ^ 3), (0, lambda n: n & ~3 | 2)]
)
def test_a_quad_shuffle(adreno: BareGpu, exchange: int, source: object) -> None:
    """horiz, vert, diag, and the lane of the quad that a register names."""
    assert callable(source)
    shuffle = f"quad_shuffle type=u32 dst=r8.x mask=1 base_high={exchange} src=r9.x src2=r9.y\n"
    assert read_items(adreno, f"{_VALUE}mov.u32u32 r9.y, 2\n{shuffle}") == [3 * source(n) for n in range(64)]


@pytest.mark.parametrize("size", [2, 4, 8, 16])
def test_brcst_active_takes_the_last_active_lane_of_the_lower_half(adreno: BareGpu, size: int) -> None:
    body = f"""{_VALUE}
        cmps.u.eq p0.x, r6.x, 3
        br predicate=0 offset=out
        brcst.active type=u32 dst=r8.x mask=1 base_high={size.bit_length() - 2} src=r9.x
        out:
        (jp)nop
    """
    found = read_items(adreno, body)
    wanted = [0] * 64
    for cluster in range(0, 64, size):
        active = [n for n in range(cluster, cluster + size // 2) if n % 4 != 3]
        for n in range(cluster + size // 2, cluster + size):
            if active and n % 4 != 3:
                wanted[n] = 3 * active[-1]
    assert found == wanted


def test_movs_takes_what_one_lane_has(adreno: BareGpu) -> None:
    for lane in (0, 1, 5, 63):
        for form in (f"mov.u32u32 r49.y, r9.x, {lane}", f"mov.u32u16 hr20.x, ({lane})\nmov.s16s16 a0.x, hr20.x\n"
                     "mov.u32u32 r49.y, r9.x, a0.x"):  # fmt: skip
            assert read_items(adreno, f"{_VALUE}{form}\nmov.u32u32 r8.x, r49.y\n") == [3 * lane] * 64
    half = "mov.u32u16 hr30.x, r9.x\nmov.u16u32 r49.y, hr30.x, 5\nmov.u32u32 r8.x, r49.y\n"
    assert read_items(adreno, f"{_VALUE}{half}") == [15] * 64
    out = run_items(adreno, "mov.u32u32 r49.y, r8.x, 64\n")
    assert any("there is no lane 64" in mark for mark in out.marks), out.marks


def test_a_lane_knows_its_number_and_its_wave(adreno: BareGpu) -> None:
    assert read_items(adreno, "getfiberid type=u32 dst=r8.x\n", 200, 128) == [n % 128 for n in range(200)]
    assert read_items(adreno, "getwid type=u32 dst=r8.x\n", 200, 64) == [n // 64 for n in range(200)]
    assert read_items(adreno, "getspid type=u32 dst=r8.x\n", 64) == [0] * 64


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


def test_a_word_that_is_not_an_instruction_is_unknown(adreno: BareGpu) -> None:
    out = adreno.run([0x47F0000000000000 | 1 << 60, *assemble("end")])
    assert not out.done
    assert out.marks[-1].startswith("unknown: unknown")


def test_shaders_that_differ_only_in_their_highest_bits_are_two(adreno: BareGpu) -> None:
    """They once counted as one, because of a hash in which such differences cancel each other."""
    for one, other, answer in (
        ("sign.f r8.x, r9.x", "sin r8.x, r9.x", 0x3F576AA4),
        ("absneg.f r8.x, r9.x", "sqrt r8.x, r9.x", 0x3F800000),
    ):
        lines = "mov.u32u32 r9.x, 0x3f800000\n" + f"{one}\nadd.u r8.y, r8.y, 1\n" * 16
        first = read_items(adreno, lines)
        second = read_items(adreno, lines.replace(one, other))
        assert first == [0x3F800000] * 64
        assert second == [answer] * 64
