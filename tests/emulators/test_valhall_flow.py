"""Valhall's control flow, memory and lanes, in hand-written shaders."""

import pytest
from bare_gpu import PAGE
from bare_mali import pair
from bare_valhall import BareValhall, Shape
from bifrost_assembler import words
from valhall_assembler import assemble

ID = "LSHIFT_OR.i32 r0 = r60 #0 #0x03020100 lanes2=b22\nIADD.u64 r2 = u0 r0 lanes1=w0\n"
STORE = "STORE.i32 @r4 = r2 .wait0\n"


def values(valhall: BareValhall, code: str, items: int = 16, **shape: object) -> list[int]:
    out = valhall.launch(ID + code + STORE, [4 * items], shape=Shape((items, 1, 1), **shape))  # type: ignore[arg-type]
    assert out.done, out.marks
    assert not out.marks + out.hazards
    return out.words(0)


def test_lanes_part_and_join(valhall: BareValhall) -> None:
    code = """
        MOV.i32 r4 = r60
        ICMP_OR.u32 r5 = r60 #0x03020100 #0 cmpf=lt lanes1=b3
        BRANCHZ = ^r5 big cmpf=eq .reconverge
        IADD_IMM.i32 r4 = r4 #100 .reconverge
        big:
    """
    assert values(valhall, code) == [n + 100 if n < 3 else n for n in range(16)]


def test_a_loop_whose_lanes_leave_one_after_the_other(valhall: BareValhall) -> None:
    code = """
        MOV.i32 r4 = #0
        MOV.i32 r5 = r60 .reconverge
        loop:
        IADD_IMM.i32 r4 = r4 #3
        IADD_IMM.i32 r5 = r5 #-1
        ICMP_OR.s32 r6 = r5 #0 #0 cmpf=ge
        BRANCHZ = ^r6 loop cmpf=ne .reconverge
    """
    assert values(valhall, code) == [3 * (n + 1) for n in range(16)]


@pytest.mark.parametrize(("half", "taken"), [("h0", 0), ("h1", 1), ("none", 0)])
def test_a_branch_by_half_of_a_register(valhall: BareValhall, half: str, taken: int) -> None:
    code = f"""
        IADD_IMM.i32 r5 = #0 #0x00001234
        IADD_IMM.i32 r4 = #0 #1
        BRANCHZ = r5 out cmpf=eq swz0={half} .reconverge
        MOV.i32 r4 = #0 .reconverge
        out:
    """
    assert values(valhall, code) == [taken] * 16


def test_lanes_that_leave_a_loop_without_reconvergence_stay_apart(valhall: BareValhall) -> None:
    """As a board showed for Mesa's `break`: each lane sees only itself after the loop."""
    code = """
        MOV.i32 r5 = r60 .reconverge
        loop:
        BRANCHZ = r5 on cmpf=ne .reconverge
        BRANCHZ = #0 out cmpf=eq {}
        on:
        IADD_IMM.i32 r5 = r5 #-1
        BRANCHZ = #0 loop cmpf=eq .reconverge
        out:
        WMASK r4 = #0xffffffff subgroup=subgroup16
    """
    assert values(valhall, code.format("")) == [1 << n for n in range(16)]
    assert values(valhall, code.format(".reconverge")) == [0xFFFF] * 16


def test_a_barrier_orders_the_warps_of_a_group(valhall: BareValhall) -> None:
    """An item of one warp loads what an item of another has stored in local memory."""
    code = """
        IADD.u64 r6 = s19.0 r0 lanes1=w0
        STORE.i32 @r60 = r6 .wait0
        BARRIER .wait
        IADD_IMM.i32 r8 = #0 #252
        ISUB.u32 r8 = r8 r0
        IADD.u64 r6 = s19.0 r8 lanes1=w0
        LOAD.i32 @r4 = r6 .wait0
    """
    assert values(valhall, code, 64, local=256) == list(range(63, -1, -1))


def test_a_register_is_gone_after_its_last_use(valhall: BareValhall) -> None:
    out = valhall.launch(ID + "MOV.i32 r5 = ^r60\nMOV.i32 r4 = r60\n" + STORE, [64])
    assert out.done
    assert out.words(0) == [0xDEAD7E7E] * 16
    assert [m for m in out.marks if "r60 was never written" in m]


def test_a_register_that_is_written_outlives_its_last_use(valhall: BareValhall) -> None:
    assert values(valhall, "IADD_IMM.i32 r60 = ^r60 #5\nMOV.i32 r4 = r60\n") == [n + 5 for n in range(16)]
    loaded = "STORE.i32 @r60 = r2 .wait0\nMOV.i32 r6 = r2\nMOV.i32 r7 = r3\nLOAD.i32 @r6 = ^r6 .wait0\nMOV.i32 r4 = r6\n"
    assert values(valhall, loaded) == list(range(16))


@pytest.mark.parametrize("bits", [8, 16, 24, 32, 48, 64, 96, 128])
def test_loads_and_stores_of_each_size(valhall: BareValhall, bits: int) -> None:
    data = bytes(range(1, 17))
    zero = "".join(f"MOV.i32 r{n} = #0\n" for n in range(4, 8))
    code = f"{zero}MOV.i32 r0 = u0\nMOV.i32 r1 = u1\nLOAD.i{bits} @r4 = r0 .wait0\nSTORE.i{bits} @r4 = r0 offset=16 .wait0"
    out = valhall.launch(code, [data + bytes(16)], shape=Shape((1, 1, 1)))
    assert out.done, out.marks
    assert out.buffers[0] == data + data[: bits // 8].ljust(16, b"\0")


@pytest.mark.parametrize("bits", [8, 16, 32])
@pytest.mark.parametrize("extend", ["sext", "zext"])
def test_a_load_that_is_extended_to_64_bits(valhall: BareValhall, bits: int, extend: str) -> None:
    code = f"""
        MOV.i32 r0 = u0
        MOV.i32 r1 = u1
        LOAD.i{bits} @r4 = r0 count=2 lane_dest=d0 extend={extend} .wait0
        STORE.i64 @r4 = r0 .wait0
    """
    out = valhall.launch(code, [b"\x93\xa2\xb1\xc0" + bytes(4)], shape=Shape((1, 1, 1)))
    assert out.done, out.marks
    value = 0xC0B1A293 & (1 << bits) - 1
    assert int.from_bytes(out.buffers[0], "little") == (value - (1 << bits) & (1 << 64) - 1 if extend == "sext" else value)


@pytest.mark.parametrize(
    ("line", "after", "old"),
    [
        ("ATOM_RETURN.i32 @r6:r4 = r2 atom_opc=aadd written=0 .wait0", 12, 5),
        ("ATOM_RETURN.i32 @r6:r4 = r2 atom_opc=axchg written=0 .wait0", 7, 5),
        ("ATOM_RETURN.i32 @r6:r4 = r2 atom_opc=axchg compare=compare count=2 written=0 .wait0", 7, 5),
        ("ATOM_RETURN.i32 @r8:r4 = r2 atom_opc=axchg compare=compare count=2 written=0 .wait0", 5, 5),
        ("ATOM1_RETURN.i32 @r4 = r2 atom_opc=ainc .wait0", 6, 5),
        ("ATOM.i32 @r6 = r2 atom_opc=asmax .wait0", 7, 99),
    ],
)  # fmt: skip
def test_an_atomic_and_what_it_returns(valhall: BareValhall, line: str, after: int, old: int) -> None:
    """r6 and r7 are 7 and 5, r8 and r9 are 1 and 2; 5 is in memory."""
    numbers = "".join(f"IADD_IMM.i32 r{r} = #0 #{n}\n" for r, n in ((4, 99), (6, 7), (7, 5), (8, 1), (9, 2)))
    code = f"{numbers}MOV.i32 r2 = u0\nMOV.i32 r3 = u1\n{line}\nSTORE.i32 @r4 = r2 offset=4 .wait0"
    out = valhall.launch(code, [words([5, 0])], shape=Shape((1, 1, 1)))
    assert out.done, out.marks
    assert out.words(0) == [after, old]


def test_what_other_lanes_have(valhall: BareValhall) -> None:
    permuted = values(valhall, "CLPER.i32 r4 = r60 #0x07060504 lanes1=b00 lane_op=xor subgroup=subgroup8\n")
    assert permuted == [n ^ 4 for n in range(16)]
    assert values(valhall, "WMASK r4 = r60 subgroup=subgroup16\n") == [0xFFFE] * 16


def test_a_buffer_of_constants_ends_where_its_descriptor_says(valhall: BareValhall) -> None:
    """A resource of eight words: its type, its bytes, its address. What lies after it reads as zeros."""
    code = "MOV.i32 r5 = #0\nLD_BUFFER.i32 @r4 = r0 #0 .wait0\n" + STORE
    base = BareValhall.addresses([len(assemble(ID + code)), 0x600, PAGE])[3]
    shape = Shape((16, 1, 1), resources=((9, 32, *pair(base + 64), 0, 0, 0, 0),))
    out = valhall.launch(ID + code, [bytes(64) + words(range(100, 116))], shape=shape)
    assert out.done, out.marks
    assert out.words(0)[:16] == [100 + n if n < 8 else 0 for n in range(16)]


def test_the_address_of_a_place_in_a_buffer(valhall: BareValhall) -> None:
    code = "LEA_BUFFER @r6 = r0 #0 count=2 .wait0\nLOAD.i32 @r4 = r6 .wait0\n" + STORE
    base = BareValhall.addresses([len(assemble(ID + code)), 0x600, PAGE])[3]
    shape = Shape((16, 1, 1), resources=((9, 64, *pair(base + 64), 0, 0, 0, 0),))
    out = valhall.launch(ID + code, [bytes(64) + words(range(100, 116))], shape=shape)
    assert out.done, out.marks
    assert out.words(0)[:16] == list(range(100, 116))


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("LD_BUFFER.i32 @r4 = r0 #0 .wait0", "the table of resources 0 of 0"),
        ("MOV.i32 r4 = u9", "the launch has 2 uniforms, not u9"),
        ("IADD.u64 r4 = r1 r2", "64 bits of an odd number"),
        ("STORE.i32 @r0 = r4 .wait0", "is in no buffer of the submission"),
    ],
)
def test_what_a_launch_has_not_is_a_fault(valhall: BareValhall, code: str, said: str) -> None:
    out = valhall.launch(f"MOV.i32 r0 = #0\nIADD_IMM.i32 r4 = #0 #1\nMOV.i32 r5 = #0\n{code}", [64])
    assert not out.done
    assert out.marks[-1].startswith("fault: ")
    assert said in out.marks[-1]


@pytest.mark.parametrize("word", [1 << 48 | 0xC0 << 40, 0x91 << 48 | 3 << 46 | 1 << 30, 11 << 59 | 0xC0 << 40])
def test_a_word_that_is_not_an_instruction_is_a_fault(valhall: BareValhall, word: int) -> None:
    """An unknown opcode, a bit that must be 0, a reserved flow."""
    out = valhall.launch(word.to_bytes(8, "little") + bytes(64))
    assert not out.done
    assert out.marks[-1].startswith("fault: "), out.marks
