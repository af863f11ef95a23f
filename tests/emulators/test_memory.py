"""Global, local and private memory, constants: what loads and stores move, bounds, alignment."""

import struct

import pytest
from bare_gpu import BASE, BareGpu, Shape
from memory_items import BYTES, done, fault, run

# ---- global memory

_SIZES = {"u8": 1, "u8_32": 1, "u16": 2, "s16": 2, "f16": 2, "u32": 4, "s32": 4, "f32": 4}


@pytest.mark.parametrize("name", _SIZES)
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_a_load_writes_only_its_components_and_a_store_reads_only_its_own(adreno: BareGpu, name: str, count: int) -> None:
    size, half = _SIZES[name], name in ("u8", "u16", "s16", "f16")
    destination = "hr40.x" if half else "r20.x"
    for offset in (0, size, 32, -size):
        body = f"""
            add.u r4.x, r4.x, 8
            add.u r5.x, r5.x, 8
            ldg type={name} dst={destination} address=r4.x offset={offset} size={count}
            stg type={name} data={destination} address=r5.x size={count} offset_low={offset & 255} offset_high={offset >> 8}
        """
        out = done(run(adreno, body))
        at = 8 + offset
        wanted = bytearray(64)
        wanted[at : at + size * count] = BYTES[at : at + size * count]
        assert out.buffers[1] == bytes(wanted)


def test_a_narrow_load_fills_the_register_with_zeros(adreno: BareGpu) -> None:
    body = """
        mov.u32u32 r20.x, 0xffffffff
        mov.u32u32 r20.y, 0xffffffff
        add.u r4.x, r4.x, 60
        ldg type=u8 dst=hr40.x address=r4.x size=1
        ldg type=u8_32 dst=r20.y address=r4.x size=1
        stg type=u32 data=r20.x address=r5.x size=2
    """
    assert done(run(adreno, body)).words(1)[:2] == [0xFFFF0000 | BYTES[60], BYTES[60]]


@pytest.mark.parametrize(("shift", "offset"), [(0, 0), (0, 3), (1, 1), (2, 2)])
def test_an_index_counts_elements_on_a6xx(adreno: BareGpu, shift: int, offset: int) -> None:
    body = f"""
        mov.u32u32 r7.x, 1
        ldg.a type=u16 dst=hr40.x address=r4.x index=r7.x shift={shift} offset={offset} size=1
        stg.a type=u16 data=hr40.x address=r5.x index=r7.x shift={shift} offset={offset} size=1
    """
    out = done(run(adreno, body))
    at = 2 * ((1 << shift) + offset)
    assert out.buffers[1] == bytes(at) + BYTES[at : at + 2] + bytes(62 - at)


def test_an_index_counts_bytes_on_a7xx_whose_base_may_be_a_constant(adreno7: BareGpu) -> None:
    body = """
        mov.u32u32 r7.x, 4
        ldg.a type=u32 dst=r20.x address=r4.x index=r7.x offset=8 size=1
        stg.a type=u32 data=r20.x address=r5.x index=r7.x offset=0 size=1
        ldg.a type=u32 dst=r20.y address=c0.x address_const=1 index=r7.x offset=16 size=1
        stg.a type=u32 data=r20.y address=c0.z address_const=1 index=r7.x offset=4 size=1
    """
    out = done(run(adreno7, body))
    assert out.buffers[1] == bytes(4) + BYTES[12:16] + BYTES[20:24] + bytes(52)


@pytest.mark.parametrize(
    ("body", "mark"),
    [
        ("ldg type=u32 dst=r20.x address=r4.x offset=64 size=1", "ldg: address ADDRESS (4 bytes) is in no buffer"),
        ("ldg type=u32 dst=r20.x address=r4.x offset=60 size=2", "ldg: address ADDRESS (8 bytes) is in no buffer"),
        ("ldg type=u8 dst=hr40.x address=r4.x offset=-1 size=1", "ldg: address ADDRESS (1 bytes) is in no buffer"),
        ("stg type=u32 data=r4.x address=r5.x offset_low=64 size=1", "stg: address ADDRESS (4 bytes) is in no buffer"),
        ("stg type=u32 data=r4.x address=r6.x size=1", "stg: address ADDRESS (4 bytes) is in no buffer"),
        ("ldg type=u32 dst=r20.x address=r4.x offset=2 size=1", "ldg: address ADDRESS is not aligned to 4 bytes"),
        ("ldg type=u16 dst=hr40.x address=r4.x offset=1 size=1", "ldg: address ADDRESS is not aligned to 2 bytes"),
        ("stg type=f16 data=hr8.x address=r5.x offset_low=3 size=1", "stg: address ADDRESS is not aligned to 2 bytes"),
        ("mov.u32u32 r9.x, 0\natomic.g.add type=u32 dst=r20.x address=r6.x data=r9.x",
         "atomic.g.add: address ADDRESS (4 bytes) is in no buffer"),
        ("add.u r4.x, r4.x, 2\natomic.g.add type=u32 dst=r20.x address=r4.x data=r4.y",
         "atomic.g.add: address ADDRESS is not aligned to 4 bytes"),
    ],
)  # fmt: skip
def test_an_access_beside_the_buffers_is_a_fault(adreno: BareGpu, body: str, mark: str) -> None:
    found = fault(run(adreno, body))
    assert found.startswith("fault: ")
    assert f": {mark}" in found


def test_lanes_that_do_not_execute_touch_nothing(adreno: BareGpu) -> None:
    body = """
        cmps.u.lt p0.x, r0.w, 16
        br predicate=0 inverted=1 offset=out
        ldg.a type=u32 dst=r20.x address=r4.x index=r0.w size=1
        stg.a type=u32 data=r20.x address=r5.x index=r0.w size=1
        out:
        (jp)nop
    """
    assert done(run(adreno, body, shape=Shape())).buffers[1] == BYTES


# ---- local and private memory


@pytest.mark.parametrize(
    ("store", "load", "memory"), [("stl", "ldl", "local"), ("stlw", "ldlw", "local"), ("stp", "ldp", "private")]
)
def test_what_is_stored_is_loaded_and_ends_are_kept(adreno: BareGpu, store: str, load: str, memory: str) -> None:
    limit = 2048 if memory == "local" else 512
    body = f"""
        mov.u32u32 r20.x, 0x11223344
        mov.u32u32 r20.y, 0x55667788
        mov.u32u32 r7.x, {limit - 8}
        {store} type=u32 data=r20.x address=r7.x size=2
        {load} type=u8_32 dst=r21.x address=r7.x offset=7 size=1
        {load} type=u16 dst=hr43.x address=r7.x offset=2 size=1
        {load} type=u32 dst=r22.x address=r7.x size=2
        mov.u16u32 r21.y, hr43.x
        stg type=u32 data=r21.x address=r5.x size=2
        stg type=u32 data=r22.x address=r5.x offset_low=8 size=2
    """
    assert done(run(adreno, body)).words(1)[:4] == [0x55, 0x1122, 0x11223344, 0x55667788]
    for offset, size, mark in (
        (limit, 1, f"byte {limit} is not in the {limit} bytes of {memory} memory"),
        (limit - 4, 2, f"byte {limit - 4} is not in the {limit} bytes of {memory} memory"),
        (-4, 1, f"byte -4 is not in the {limit} bytes of {memory} memory"),
        (2, 1, f"byte 2 of {memory} memory is not aligned to 4 bytes"),
    ):
        at = f"mov.u32u32 r7.x, {offset & 0xFFFFFFFF}\nmov.u32u32 r20.x, 0\nmov.u32u32 r20.y, 0\n"
        assert fault(run(adreno, f"{at}{store} type=u32 data=r20.x address=r7.x size={size}")).endswith(f"{store}: {mark}")
        assert fault(run(adreno, f"{at}{load} type=u32 dst=r20.x address=r7.x size={size}")).endswith(f"{load}: {mark}")


def test_private_memory_is_each_items_own_in_each_group(adreno: BareGpu) -> None:
    body = """
        mov.u32u32 r7.x, 508
        mad.u24 r8.x, c1.x, r1.x, r0.w
        stp type=u32 data=r8.x address=r7.x size=1
        bar
        ldp type=u32 dst=r9.x address=r7.x size=1
        stg.a type=u32 data=r9.x address=r5.x index=r8.x size=1
    """
    out = done(run(adreno, body, (64, 4 * 300), Shape((100, 1, 1), (3, 1, 1), private_bytes=512), constants=[100]))
    assert out.words(1) == list(range(300))


# ---- constants: buffers of them, and those of the preamble


def test_ldc_reads_vectors_of_a_buffer_and_zeros_beyond_its_end(adreno: BareGpu) -> None:
    data = struct.pack("<32I", *range(100, 132))
    start = BareGpu.addresses([0, len(data)])[1]
    shape = Shape((4, 1, 1), ubos=((start, 64),))
    body = """
        ldc dst=r20.x type=u32 address=r0.w address_immediate=0 size=3 dimensions=1 descriptor=0
        stg.a type=u32 data=r20.x address=r5.x index=r6.x size=4
        ldc dst=r20.x type=u32 address=r9.y address_immediate=0 size=0 descriptor=0
    """.replace("r9.y", "r6.y")
    code = f"mov.u32u32 r20.w, 0\n{body}"
    out = run(adreno, code, (data, 64), shape)
    assert out.done, out.marks
    wanted = []
    for item in range(4):
        wanted += [100 + 4 * item + 1 + n if 4 * item + 1 + n < 16 else 0 for n in range(4)]
    assert out.words(1) == wanted
    missing = run(adreno, "ldc dst=r20.x type=u32 address=r6.y size=0 descriptor=1", (data, 64), shape)
    assert fault(missing).endswith("constant buffer 1 was not loaded")


def test_constants_that_a_shader_loads_and_stores(adreno: BareGpu) -> None:
    data = struct.pack("<32I", *range(100, 132))
    start = BareGpu.addresses([0, len(data)])[1]
    body = """
        ldg.k type=u32 dst=c2.x address=r4.x offset=4 size=3
        mov.u16u16 a1.x, h(12)
        ldc.k address_immediate=1 address=1 size=0 descriptor=0
        (rpt2)mov.u32u32 r20.x, (r)c2.x
        mov.u32u32 r20.w, c3.w
        stg type=u32 data=r20.x address=r5.x size=4
        stc type=u32 dst=c1.y data=r20.y size=2
        mov.u32u32 r21.x, c1.y
        mov.u32u32 r21.y, c1.z
        stg type=u32 data=r21.x address=r5.x offset_low=16 size=2
        mov.u32u16 hr18.x, r20.x
        stc type=u16 dst=c1.w data=hr18.x size=1
        mov.u32u32 r21.x, c1.w
        stg type=u32 data=r21.x address=r5.x offset_low=24 size=1
    """
    out = run(adreno, body, (data, 64), Shape((4, 1, 1), ubos=((start, 128),)), constants=[0, 0, 0, 0xABCD0000] + [0] * 8)
    assert out.done, out.marks
    assert not out.marks
    assert out.words(1)[:7] == [101, 102, 103, 107, 102, 103, 0xABCD0065]


@pytest.mark.parametrize(
    ("body", "mark"),
    [
        ("mov.u32u32 r20.x, c4.x", "the launch has 16 constants, not c4.x"),
        ("mov.s16s16 a0.x, h(-1)\nabsneg.s r20.x, c<a0.x>", "the launch has 16 constants, not c0.w"),
        ("stc type=u32 dst=c3.z data=r4.x size=4", "the launch has 16 constants, and 14 to 18 are written"),
        ("ldg.k type=u32 dst=c3.w address=r4.x size=2", "the launch has 16 constants, and 15 to 17 are written"),
        ("mov.u16u16 a1.x, h(16)\nstc type=u32 dst=c0.x dst_a1=1 data=r4.x size=1",
         "the launch has 16 constants, and 16 to 17 are written"),
    ],
)  # fmt: skip
def test_a_launch_has_as_many_constants_as_it_says(adreno: BareGpu, body: str, mark: str) -> None:
    found = fault(run(adreno, body.replace("c<a0.x>", "c<a0.x + 0>")))
    assert mark.replace("c0.w", "c") in found


def test_a_range_begins_and_ends_where_the_submission_says(adreno: BareGpu) -> None:
    """Buffers of one byte, and accesses at each of four bytes around it."""
    for offset, inside in ((-1, False), (0, True), (1, False)):
        body = f"ldg type=u8 dst=hr40.x address=r4.x offset={offset} size=1\nstg type=u8 data=hr40.x address=r5.x size=1"
        out = run(adreno, body, (b"\x07", 1))
        assert out.done == inside
        assert out.buffers[1] == (b"\x07" if inside else b"\0")
    assert BareGpu.addresses([1])[0] > BASE
