"""Loads, stores, segments, bounds, uniform buffers and atomics.

One file: each way to memory, in turn.
"""

import struct
from collections.abc import Callable

import pytest
from bare_gpu import PAGE
from bare_mali import BareMali, Shape
from bifrost_assembler import words

ONE = Shape((1, 1, 1))
_BYTES = bytes((37 * n + 129) & 0xFF for n in range(64))


def _load(mali: BareMali, name: str, count: int, options: str = "", before: str = "") -> bytes:
    """What the staging registers r10 to r13 hold, for each work-item."""
    code = f"{before}+LOAD.{name} @r10 = u0 u1 {options}\n"
    for n in range(count):
        code += f"*MOV.i32 r6 = u2\n+IADD.s32 r5 = r6 #{4 * n}\n+STORE.i32 @r{10 + n} = r5 u3\n"
    out = mali.launch(code, [_BYTES, 16], shape=ONE)
    assert out.done, out.marks
    assert not out.marks
    assert not out.hazards
    return out.buffers[1][: 4 * count]


@pytest.mark.parametrize("bits", [24, 32, 48, 64, 96, 128])
def test_a_load_fills_its_registers(mali: BareMali, bits: int) -> None:
    found = _load(mali, f"i{bits}", (bits + 31) // 32)
    assert found[: bits // 8] == _BYTES[: bits // 8]


@pytest.mark.parametrize(
    ("name", "options", "wanted"),
    [
        ("i8", "lane_dest=b0", 0x11223381),
        ("i8", "lane_dest=b1", 0x11228144),
        ("i8", "lane_dest=b2", 0x11813344),
        ("i8", "lane_dest=b3", 0x81223344),
        ("i8", "extend=zext lane_dest=h0", 0x11220081),
        ("i8", "extend=sext lane_dest=h1", 0xFF813344),
        ("i8", "extend=zext lane_dest=w0", 0x00000081),
        ("i8", "extend=sext lane_dest=w0", 0xFFFFFF81),
        ("i16", "lane_dest=h0", 0x1122A681),
        ("i16", "lane_dest=h1", 0xA6813344),
        ("i16", "extend=zext lane_dest=w0", 0x0000A681),
        ("i16", "extend=sext lane_dest=w0", 0xFFFFA681),
    ],
)
def test_a_narrow_load_writes_its_part(mali: BareMali, name: str, options: str, wanted: int) -> None:
    found = _load(mali, name, 1, options, "*MOV.i32 r10 = #0x11223344\n")
    assert int.from_bytes(found, "little") == wanted


@pytest.mark.parametrize("bits", [8, 16, 24, 32, 48, 64, 96, 128])
def test_a_store_writes_its_bytes_and_no_other(mali: BareMali, bits: int) -> None:
    values = [0x04030201, 0x08070605, 0x0C0B0A09, 0x100F0E0D]
    moves = "".join(f"*MOV.i32 r{10 + n} = #{v:#x}\n" for n, v in enumerate(values))
    out = mali.launch(f"{moves}+STORE.i{bits} @r10 = u0 u1\n", [bytes([0xEE]) * 32], shape=ONE)
    assert out.done, out.marks
    assert not out.marks
    size = bits // 8
    assert out.buffers[0] == words(values)[:size] + bytes([0xEE]) * (32 - size)


def test_a_store_of_half_a_register_is_said(mali: BareMali) -> None:
    out = mali.launch("*MOV.i32 r10.h0 = #1\n+STORE.i16 @r10 = u0 u1\n+STORE.i32 @r10 = u0 u1\n", [4], shape=ONE)
    assert len(out.marks) == 1
    assert "+STORE.i32" in out.marks[0]
    assert out.marks[0].endswith("r10.h1 was never written")


@pytest.mark.parametrize("instruction", ["+LOAD.i32 @r10 = r5 u1", "+STORE.i32 @r60 = r5 u1", "+AXCHG.i32 @r60 = r5 u1"])
def test_an_access_beyond_a_buffer_is_a_fault(mali: BareMali, instruction: str) -> None:
    for offset, right in ((60, True), (61, False), (64, False), (-4, False)):
        if offset == 61 and "AXCHG" not in instruction:
            continue
        out = mali.launch(f"*MOV.i32 r6 = u0\n+IADD.s32 r5 = r6 #{offset & 0xFFFFFFFF:#x}\n{instruction}\n", [64], shape=ONE)
        assert out.done == right, out.marks
        if not right:
            assert out.marks[0].startswith(f"fault: {instruction.split()[0]}")


def test_an_access_may_lie_at_any_byte_and_an_atomic_may_not(mali: BareMali) -> None:
    code = "*MOV.i32 r6 = u0\n+IADD.s32 r5 = r6 #1\n{}\n+STORE.i32 @r10 = u2 u3\n"
    out = mali.launch(code.format("+LOAD.i32 @r10 = r5 u1"), [_BYTES, 4], shape=ONE)
    assert out.done, out.marks
    assert not out.marks
    assert out.buffers[1] == _BYTES[1:5]
    out = mali.launch(code.format("*MOV.i32 r10 = #1\n+AXCHG.i32 @r10 = r5 u1"), [_BYTES, 4], shape=ONE)
    assert not out.done
    assert "is not aligned to 4 bytes" in out.marks[0]


@pytest.mark.parametrize(("segment", "size", "what"), [("wls", 64, "local"), ("tl", 64, "private")])
def test_local_and_private_memory(mali: BareMali, segment: str, size: int, what: str) -> None:
    shape = Shape((1, 1, 1), local=size) if segment == "wls" else Shape((1, 1, 1), private=size)
    code = f"*MOV.i32 r10 = #77\n+STORE.i32 @r10 = #{{}} #0 seg={segment}\n"
    code += f"+LOAD.i32 @r11 = #{{}} #0 seg={segment}\n+STORE.i32 @r11 = u0 u1\n"
    out = mali.launch(code.format(size - 4, size - 4), [4], shape=shape)
    assert out.done, out.marks
    assert not out.marks
    assert out.words(0) == [77]
    out = mali.launch(code.format(size, size), [4], shape=shape)
    assert not out.done
    assert f"byte {size} is not in the {size} bytes of {what} memory" in out.marks[0]
    out = mali.launch(f"+LOAD.i32 @r11 = #8 #0 seg={segment}\n+STORE.i32 @r11 = u0 u1\n", [4], shape=shape)
    assert out.words(0) == [0xDEAD7E7E]
    assert f"byte 8 of {what} memory was never written" in out.marks[0]


@pytest.mark.parametrize("segment", ["wls", "tl"])
def test_a_segment_among_the_addresses(mali: BareMali, segment: str) -> None:
    code = f"""
        *MOV.i32 r8 = #12
        *MOV.i32 r9 = #0
        *MOV.i32 r10 = #5
        +STORE.i32 @r10 = #12 #0 seg={segment}
        *SEG_ADD r4 = r8 seg={segment}
        +SEG_ADD r5 = r9 seg={segment}
        +LOAD.i32 @r11 = r4 r5
        +STORE.i32 @r11 = u0 u1
    """
    out = mali.launch(code, [4], shape=Shape((1, 1, 1), local=64, private=64))
    assert out.done, out.marks
    assert out.words(0) == [5]


def test_a_null_pointer_stays_one_in_a_segment(mali: BareMali) -> None:
    code = """
        *MOV.i32 r8 = #0
        *SEG_ADD r4 = r8 seg=tl preserve_null=preserve_null
        +SEG_ADD r5 = r8 seg=tl preserve_null=preserve_null
        *LSHIFT_OR.i32 r4 = r4 r5 #0
        +STORE.i32 @r4 = u0 u1
    """
    out = mali.launch(code, [bytes([1]) * 4], shape=Shape((1, 1, 1), private=64))
    assert out.words(0) == [0]


def test_each_work_item_has_private_memory_of_its_own(mali: BareMali) -> None:
    code = """
        +STORE.i32 @r60 = #4 #0 seg=tl
        *LSHIFT_OR.i32 r0 = r60 0 #2
        +LOAD.i32 @r11 = #4 #0 seg=tl
        +IADD.u32 r1 = r0 u0
        +STORE.i32 @r11 = r1 u1
    """
    out = mali.launch(code, [64], shape=Shape((16, 1, 1), private=16))
    assert out.words(0) == list(range(16))
    assert not out.marks


def test_a_uniform_buffer_ends_where_its_descriptor_says(mali: BareMali) -> None:
    start = BareMali.addresses([4096] * 3)[3]
    code = "+LOAD.i64 @r10 = #{} #{} seg=ubo\n*MOV.i32 r6 = u0\n*MOV.i32 r7 = u1\n+STORE.i64 @r10 = r6 r7\n"
    # A shader of this length and the other mappings take a page each: the first buffer is the fourth.
    shape = Shape((1, 1, 1), ubos=((start, 32),))
    data: list[bytes | int] = [_BYTES, 8]
    inside = mali.launch(code.format(24, 0).replace("u0", "u2").replace("u1", "u3"), data, shape=shape)
    assert inside.done, inside.marks
    assert inside.buffers[1] == _BYTES[24:32]
    behind = mali.launch(code.format(28, 0).replace("u0", "u2").replace("u1", "u3"), data, shape=shape)
    assert behind.buffers[1] == bytes(8)
    missing = mali.launch(code.format(0, 1).replace("u0", "u2").replace("u1", "u3"), data, shape=shape)
    assert not missing.done
    assert "uniform buffer 1 of 1" in missing.marks[0]
    assert BareMali.base < start < BareMali.base + 16 * PAGE


# ---- atomics


def _signed(x: int) -> int:
    return x - (x >> 31 << 32)


_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "aadd": lambda a, b: a + b,
    "asmin": lambda a, b: min(a, b, key=_signed),
    "asmax": lambda a, b: max(a, b, key=_signed),
    "aumin": min,
    "aumax": max,
    "aand": lambda a, b: a & b,
    "aor": lambda a, b: a | b,
    "axor": lambda a, b: a ^ b,
}
_ONES: dict[str, Callable[[int], int]] = {
    "ainc": lambda a: a + 1,
    "adec": lambda a: a - 1,
    "aumax1": lambda a: max(a, 1),
    "asmax1": lambda a: max(a, 1, key=_signed),
    "aor1": lambda a: a | 1,
}
_VALUES = (0, 1, 5, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF)


_GLOBAL = "*MOV.i32 r4 = u0\n*MOV.i32 r5 = u1\n"
_LOCAL = """
    *MOV.i32 r9 = u4
    +STORE.i32 @r9 = #16 #0 seg=wls
    *MOV.i32 r8 = #16
    *SEG_ADD r4 = r8 seg=wls
    *MOV.i32 r8 = #0
    +SEG_ADD r5 = r8 seg=wls
"""


def _atomic(mali: BareMali, begin: str, post: str, old: int, data: int, wls: bool) -> tuple[int, int]:
    """The memory afterwards, and the lane's result."""
    code = f"""
        {_LOCAL if wls else _GLOBAL}
        *MOV.i32 r6 = u5
        {begin} ; +ATOM_CX @r10 = r4 r5 t
        {post}
        +STORE.i32 @r20 = u2 u3
    """
    end = "+LOAD.i32 @r11 = #16 #0 seg=wls\n+STORE.i32 @r11 = u0 u1\n" if wls else ""
    out = mali.launch(code + end, [words([old]), 4], [old, data], Shape((1, 1, 1), local=64))
    assert out.done, out.marks
    assert not out.marks
    assert not out.hazards
    return out.words(0)[0], out.words(1)[0]


@pytest.mark.parametrize("wls", [False, True])
@pytest.mark.parametrize("name", _OPERATIONS)
def test_an_atomic_and_what_it_returns(mali: BareMali, name: str, wls: bool) -> None:
    for old in _VALUES:
        for data in _VALUES:
            begin = f"*ATOM_C_RETURN.i32 = r4 r5 r6 atom_opc={name}"
            found = _atomic(mali, begin, f"*ATOM_POST.i32 r20 = r10 r11 atom_opc={name}", old, data, wls)
            assert found == (_OPERATIONS[name](old, data) & 0xFFFFFFFF, old), (old, data)


@pytest.mark.parametrize("name", _ONES)
def test_an_atomic_with_one(mali: BareMali, name: str) -> None:
    for old in _VALUES:
        found = _atomic(mali, f"*ATOM_C1_RETURN.i32 = r4 r5 atom_opc={name}", "*MOV.i32 r20 = r10", old, 0, False)
        assert found == (_ONES[name](old) & 0xFFFFFFFF, old)
        silent = _atomic(mali, f"*ATOM_C1.i32 = r4 r5 atom_opc={name}", "*MOV.i32 r20 = #9", old, 0, False)
        assert silent == (_ONES[name](old) & 0xFFFFFFFF, 9)


def test_an_atomic_without_an_answer(mali: BareMali) -> None:
    assert _atomic(mali, "*ATOM_C.i32 = r4 r5 r6 atom_opc=aadd", "*MOV.i32 r20 = #9", 40, 2, False) == (42, 9)


def test_atomics_of_all_lanes_follow_each_other(mali: BareMali) -> None:
    code = """
        *MOV.i32 r4 = u0
        *MOV.i32 r5 = u1
        *ATOM_C1_RETURN.i32 = r4 r5 atom_opc=ainc ; +ATOM_CX @r10 = r4 r5 t
        *LSHIFT_OR.i32 r0 = r60 0 #2
        +IADD.u32 r1 = r0 u2
        +STORE.i32 @r10 = r1 u3
    """
    out = mali.launch(code, [4, 256], shape=Shape((16, 1, 1), (4, 1, 1)))
    assert out.words(0) == [64]
    assert sorted(out.words(1)) == list(range(64))


@pytest.mark.parametrize("bits", [32, 64])
def test_exchanges(mali: BareMali, bits: int) -> None:
    n = bits // 32
    old, new = [7, 0x70000000][:n], [9, 0x90000000][:n]
    moves = "".join(f"*MOV.i32 r{10 + k} = #{v}\n" for k, v in enumerate(new))
    out = mali.launch(f"{moves}+AXCHG.i{bits} @r10 = u0 u1\n+STORE.i{bits} @r10 = u2 u3\n", [words(old), 4 * n], shape=ONE)
    assert (out.words(0), out.words(1)) == (new, old)
    for compared, result in ((old, new), ([8, 0x70000000][:n], old)):
        moves = "".join(f"*MOV.i32 r{10 + k} = #{v}\n" for k, v in enumerate([*new, *compared]))
        code = f"{moves}+ACMPXCHG.i{bits} @r10 = u0 u1\n+STORE.i{bits} @r10 = u2 u3\n"
        out = mali.launch(code, [words(old), 4 * n], shape=ONE)
        assert out.done, out.marks
        assert (out.words(0), out.words(1)) == (result, old)


@pytest.mark.parametrize("name", ["aadd", "asmin", "aumax", "axor"])
def test_an_atomic_of_64_bits(mali: BareMali, name: str) -> None:
    old, data = 0x8000000000000005, 0x00000001FFFFFFFF
    wanted = {"aadd": old + data, "asmin": old, "aumax": old, "axor": old ^ data}[name] & (1 << 64) - 1
    code = f"""
        *MOV.i32 r4 = u0
        *MOV.i32 r5 = u1
        *MOV.i32 r10 = #{data & 0xFFFFFFFF:#x}
        *MOV.i32 r11 = #{data >> 32:#x}
        *ATOM_C_RETURN.i64 = r4 r5 r10 atom_opc={name} ; +ATOM_CX @r10 = r4 r5 t
        +STORE.i64 @r10 = u2 u3
    """
    out = mali.launch(code, [struct.pack("<Q", old), 8], shape=ONE)
    assert out.done, out.marks
    assert out.buffers[0] == struct.pack("<Q", wanted)
    assert out.buffers[1] == struct.pack("<Q", old)


def test_what_is_not_emulated_is_unknown(mali: BareMali) -> None:
    out = mali.launch("*ATOM_POST.i64 r20 = r60 r60 atom_opc=aadd\nend", shape=ONE)
    assert not out.done
    assert out.marks[0].startswith("unknown: *ATOM_POST.i64")
