"""Every atomic operation, on local and global memory and on a buffer's descriptor, by Python's integers."""

import random
import struct

import pytest
from bare_gpu import BareGpu, Shape, registers

from emulators.adreno.instructions import CAT6

_LANES = 64
_NAMES = {letter: [i.name for i in CAT6 if i.name.startswith(f"atomic.{letter}.")] for letter in "lgb"}
_EDGES = (0, 1, 2, 5, 0x1_0000_0005, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)


def _signed(x: int, bits: int = 32) -> int:
    return x - (x >> bits - 1 << bits)


def _result(name: str, old: int, data: int, compare: int, kind: str) -> int:
    choose = _signed if kind == "s32" else int
    return {
        "add": old + data, "sub": old - data, "xchg": data, "inc": old + 1, "dec": old - 1,
        "cmpxchg": data if old == compare else old, "min": min(old, data, key=choose), "max": max(old, data, key=choose),
        "and": old & data, "or": old | data, "xor": old ^ data,
    }[name]  # fmt: skip


def _operands(seed: str, bits: int = 32) -> list[tuple[int, int]]:
    """Data, and cmpxchg's comparand: from a few numbers, which the memory holds too; else random ones."""
    chance, mask = random.Random(seed), (1 << bits) - 1

    def one() -> int:
        few = "cmpxchg" in seed or chance.random() < 0.8
        return (chance.choice(_EDGES) if few else chance.getrandbits(bits)) & mask

    return [(one(), one()) for _ in range(_LANES)]


def _expected(name: str, start: int, operands: list[tuple[int, int]], kind: str, bits: int = 32) -> tuple[list[int], int]:
    """What the lanes get, one after the other, and the value at the end."""
    found, value = [], start
    for data, compare in operands:
        found.append(value)
        value = _result(name, value, data, compare, kind) & (1 << bits) - 1
    assert name != "cmpxchg" or len(set(found)) > 2, "few are exchanged"
    return found, value


_LOAD = """
    mov.u32u32 r4.x, c0.x
    mov.u32u32 r4.y, c0.y
    mov.u32u32 r5.x, c0.z
    mov.u32u32 r5.y, c0.w
    mov.u32u32 r6.x, c1.x
    mov.u32u32 r6.y, c1.y
    shl.b r7.x, r0.w, SHIFT
    ldg.a type=u32 dst=r8.x address=r4.x index=r7.x size=4
"""


@pytest.mark.parametrize("kind", ["u32", "s32"])
@pytest.mark.parametrize("name", _NAMES["l"])
def test_an_atomic_on_local_memory(adreno: BareGpu, name: str, kind: str) -> None:
    operands = _operands(f"{name}{kind}")
    start = 5
    shader = f"""{_LOAD.replace("SHIFT", "2")}
        mov.u32u32 r10.x, 8
        mov.u32u32 r10.y, {start}
        stl type=u32 data=r10.y address=r10.x size=1
        bar
        {name} type={kind} dst=r11.x address=r10.x data=r8.x
        bar
        ldl type=u32 dst=r11.y address=r10.x size=1
        stg.a type=u32 data=r11.x address=r5.x index=r7.x size=2
        end
    """
    rows = b"".join(struct.pack("<4I", data, compare, 0, 0) for data, compare in operands)
    out = adreno.run(shader, [rows, 16 * _LANES, 4])
    assert out.done, out.marks
    found, left = _expected(name.rpartition(".")[2], start, operands, kind)
    assert out.words(1)[::4] == found
    assert set(out.words(1)[1::4]) == {left}
    # All lanes set the word before: one value, and a race that is reported.
    assert all(mark.startswith("race: stl") for mark in out.marks), out.marks


@pytest.mark.parametrize("kind", ["u32", "s32"])
@pytest.mark.parametrize("name", _NAMES["g"])
def test_an_atomic_on_global_memory(adreno: BareGpu, name: str, kind: str) -> None:
    operands = _operands(f"{name}{kind} global")
    shader = f"""{_LOAD.replace("SHIFT", "2")}
        {name} type={kind} dst=r11.x address=r6.x data=r8.x
        stg.a type=u32 data=r11.x address=r5.x index=r0.w size=1
        end
    """
    rows = b"".join(struct.pack("<4I", data, compare, 0, 0) for data, compare in operands)
    out = adreno.run(shader, [rows, 4 * _LANES, struct.pack("<I", 5)])
    assert out.done, out.marks
    assert not out.marks
    found, left = _expected(name.rpartition(".")[2], 5, operands, kind)
    assert out.words(1) == found
    assert out.words(2) == [left]


@pytest.mark.parametrize("name", _NAMES["g"])
def test_an_atomic_of_64_bits(adreno: BareGpu, name: str) -> None:
    """Its type has the number of u8."""
    operands = _operands(f"{name} wide", 64)
    start = 0x1_0000_0005
    shader = f"""{_LOAD.replace("SHIFT", "2")}
        {name} type=u8 dst=r11.x address=r6.x data=r8.x
        shl.b r7.x, r0.w, 1
        stg.a type=u32 data=r11.x address=r5.x index=r7.x size=2
        end
    """
    rows = b"".join(struct.pack("<2Q", data, compare) for data, compare in operands)
    out = adreno.run(shader, [rows, 8 * _LANES, struct.pack("<Q", start)])
    assert out.done, out.marks
    assert not out.marks
    found, left = _expected(name.rpartition(".")[2], start, operands, "u64", 64)
    assert list(struct.unpack(f"<{_LANES}Q", out.buffers[1])) == found
    assert struct.unpack("<Q", out.buffers[2])[0] == left


def _descriptor(address: int, elements: int) -> bytes:
    """A buffer of 32_UINT: format, components as they are; its size; its type; its address."""
    swizzle = 0 | 1 << 3 | 2 << 6 | 3 << 9
    words = [
        0x4B << 22 | swizzle << 4,
        elements & 0x7FFF | elements >> 15 << 15,
        4 << 29,
        0,
        address & 0xFFFFFFFF,
        address >> 32,
    ]
    return struct.pack("<16I", *words, *[0] * 10)


@pytest.mark.parametrize("name", _NAMES["b"])
def test_an_atomic_on_a_buffer_of_a_descriptor(adreno: BareGpu, name: str) -> None:
    operands = _operands(f"{name} buffer")
    shader = f"""{_LOAD.replace("SHIFT", "2")}
        mov.u32u32 r10.x, 1
        mov.u32u32 r11.y, r8.x
        mov.u32u32 r11.z, r8.y
        {name} type=u32 dst=r11.x address=r10.x typed=1 bindless=1 descriptor=0
        stg.a type=u32 data=r11.x address=r5.x index=r0.w size=1
        end
    """
    rows = b"".join(struct.pack("<4I", data, compare, 0, 0) for data, compare in operands)
    words = struct.pack("<2I", 99, 5)
    starts = BareGpu.addresses([0, len(rows), 4 * _LANES, len(words), 64])
    bases = registers(0xA9E8, starts[4] & 0xFFFFFFFF, starts[4] >> 32)
    out = adreno.run(shader, [rows, 4 * _LANES, words, _descriptor(starts[3], 2)], before=bases)
    assert out.done, out.marks
    found, left = _expected(name.rpartition(".")[2], 5, operands, "u32")
    assert out.words(1) == found
    assert out.words(2) == [99, left]


def test_loads_stores_and_the_size_of_a_buffer_by_its_descriptor(adreno: BareGpu, adreno7: BareGpu) -> None:
    """On a7xx with offsets, which lie where others have their opcode: each of these once was another instruction."""
    for gpu, offsets in ((adreno, [0]), (adreno7, [0, 1, 2, 4, 5, 10, 11, 12, 27, 28, 31])):
        for offset in offsets:
            own = f"has_offset={int(offset > 0)} offset_low={offset} offset_high=0"
            shader = f"""
                mov.u32u32 r5.x, c0.z
                mov.u32u32 r5.y, c0.w
                mov.u32u32 r10.x, 2
                ldib.b type=u32 dst=r11.x address=r10.x size=1 bindless=1 {own}
                (rpt1)add.u r12.x, (r)r11.x, 1
                mov.u32u32 r10.x, 64
                stib.b type=u32 data=r12.x address=r10.x size=1 bindless=1 {own}
                resinfo.b type=u32 dst=r11.z bindless=1
                stg type=u32 data=r11.x address=r5.x size=3
                end
            """
            words = struct.pack("<128I", *range(500, 628))
            starts = BareGpu.addresses([0, 0, 16, len(words), 64])
            bases = registers(0xA9E8, starts[4] & 0xFFFFFFFF, starts[4] >> 32)
            out = gpu.run(shader, [b"", 16, words, _descriptor(starts[3], 128)], shape=Shape((1, 1, 1)), before=bases)
            assert out.done, out.marks
            assert out.words(1)[:3] == [502 + offset, 503 + offset, 128]
            left = list(range(500, 628))
            left[64 + offset : 66 + offset] = [503 + offset, 504 + offset]
            assert out.words(2) == left


def test_each_atomic_of_the_table_is_here() -> None:
    operations = {name.rpartition(".")[2] for names in _NAMES.values() for name in names}
    assert {n for n in operations if _result(n, 1, 2, 3, "u32") is not None} == operations
    assert len(_NAMES["l"]) == len(_NAMES["g"]) == 11
