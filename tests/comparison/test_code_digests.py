"""A kernel's code is known again by a digest of its disassembly, in each compiler's listing."""

import pytest

from runner.compiler_stats.formats import parse

# What was printed by FD630, M1 and Navi 21 (26.2.6), Mali-G52, -G610 and -T860, V3D 4.2 and TGL (25.0.7).
_IR3 = """\
MESA: info: NIR (final form) for CL shader :
MESA: info: source_blake3: {0xfd974106}
MESA: info:     con 32    %9 = load_const (0x00000001)
MESA: info: Native code for unnamed CL shader  with blake3 d58f9a26:
MESA: info: ; num_ubos:           0
MESA: info: @in(r0.x)\tin1 (wrmask=0x7)
MESA: info: br p0.x, #l15
MESA: info: (sy)(nop1) mull.u r2.x, r1.w, r1.y
MESA: info: end
MESA: info: ; CL: outputs:
MESA: info: ; CL prog 14/1: 58 instr, 33 nops, 25 non-nops, 7 mov, 0 cov, 96 dwords
MESA: info: ; CL prog 14/1: 0 last-baryf, 0 last-helper, 0 half, 4 full, 20 constlen
"""


_RADEONSI = """\
SHADER KEY
  source_blake3 = {0x3a65584a, 0xde556d58}
Shader main disassembly:
 BB0:
\ts_branch BB1                                                ; bf820014
\ts_nop 0                                                     ; bf800000
\t(then repeated 5 times)
BB3:
\ts_ashr_i32 s7, s6, 31                                       ; 91079f06

*** SHADER STATS ***
SGPRS: 108
Code Size: 516 bytes
********************
"""


_AGX = """\
block0 {
   if_icmp 3, u2, #0x7f7b080ee210, n=1, inv
}
   0: 7e0988098000           mov      r2, u4
   6: 7e0d8a098000           mov      r3, u5

   0: 0501000d00c07200       load     r0_r1_r2, du0, 0, i32, xyz, a
CS shader: 24 instrs, 19 alu, 19 fscib, 16 ic, 166 code size, 19 gprs, 20 uniforms, 0 scratch, 1024 threads, 1 loops
"""


_BRW = """\
impl main {
    32     %390 = load_const (0x00000001)
}

Native code for unnamed compute shader (null) (src_hash 0x9bcb4520) (sha1 b5ccfea804107e67ac407e72fe9d4e23a6b03474)
SIMD8 shader: 331 instructions. 0 loops. 2034 cycles. 0:0 spills:fills, 6 sends. Compacted 5744 to 4512 bytes (21%)
   START B0 (322 cycles)
send(8)         g10UD           g20UD           nullUD          0x04146efd                0x00000000
                            dp data 1 MsgDesc: (DC A64 untyped surface read, Surface = 253, SIMD8, Mask = 0xe)  mlen 2
(-f0.0) if(8)   JIP:  LABEL1          UIP:  LABEL0              { align1 1Q };
   END B0 ->B1 ->B2
"""


_BIFROST = """\
block0 {
    JUMP #0x0 -> block5
}

clause_0:
ds(0) nbb load ncph dwb(0)
{
    *FMA.f32 t0, r6, r7, 0x3d2aaaab /* 0.041667 */
    +NOP t1
}

SHADER-DB: MESA_SHADER_KERNEL shader: 390 inst, 291 tuples, 40 clauses, 12.041667 cycles
"""


_VALHALL = """\
block0 {
   r2 = FRCP.f32 ^r2
   STORE.i32.flow15 r2, ^r4, ^r5, byte_offset:0
}

   FRCP.f32 r2, ^r2
   STORE.i32.slot1.end @r2, ^r4, offset:0

SHADER-DB: MESA_SHADER_KERNEL shader: 50 inst, 2.000000 cycles, 0.015625 fma
"""


_MIDGARD = """\
block0: {
\tST.32 _, R27.u32.x, R26.u64.x, R26.u64.y, _

} from { }

FSQRT.f32 R0.z, R0.w, #0
FMUL.f32 AL1.x, R0.z, #3

SHADER-DB: MESA_SHADER_KERNEL shader: 16 inst, 8 bundles, 12 quadwords
"""


_V3D = """\
MESA_SHADER_COMPUTE prog 1/1 QPU:
0x3de03006bbfc0000 nop                           ; mov r0, 0
0x3c4ef04678eee440 min.pushc -, rf17, r5         ; mov.ifna r1, r3             ; ldunif (0x3e900000 / 0.281250)
SHADER-DB-(null) - MESA_SHADER_COMPUTE shader: 442 inst, 4 threads, 0 loops, 93 uniforms, 33 max-temps
"""


@pytest.mark.parametrize(
    ("compiler", "listing", "same", "other"),
    [
        ("ir3", _IR3, ("load_const (0x00000001)", "load_const (0x00000002)"), ("(sy)(nop1)", "(nop1)")),
        ("ir3", _IR3, ("blake3 d58f9a26", "blake3 4b603342"), ("r1.w, r1.y", "r1.y, r1.w")),
        ("ir3", _IR3, ("CL prog 14/1", "CL prog 9/1"), ("MESA: info: br p0.x, #l15\n", "")),
        ("ir3", _IR3.replace("MESA: info: ", ""), ("num_ubos:           0", "num_ubos: 1"), ("#l15", "#l16")),
        ("radeonsi", _RADEONSI, ("SHADER STATS", "SHADER DATA"), ("repeated 5 times", "repeated 6 times")),
        ("radeonsi", _RADEONSI, ("Code Size: 516", "Code Size: 520"), ("s7, s6, 31", "s7, s6, 30")),
        ("agx", _AGX, ("0x7f7b080ee210", "0x7fde380ee210"), ("7e0d8a098000", "7e0d8a098001")),
        ("agx", _AGX, ("block0", "block1"), ("0501000d00c07200", "0501000d00c07201")),
        ("brw", _BRW, ("%390", "%391"), ("0x04146efd", "0x04146efe")),
        ("brw", _BRW, ("sha1 b5cc", "sha1 9e22"), ("Mask = 0xe", "Mask = 0xf")),
        ("brw", _BRW, ("(322 cycles)", "(320 cycles)"), ("(-f0.0)", "(+f0.0)")),
        ("panfrost", _BIFROST, ("-> block5", "-> block6"), ("r6, r7", "r7, r6")),
        ("panfrost", _BIFROST, ("390 inst", "391 inst"), ("+NOP t1", "+NOP t0")),
        ("panfrost", _VALHALL, ("r2 = FRCP", "r3 = FRCP"), ("FRCP.f32 r2, ^r2", "FRCP.f32 r2, ^r3")),
        ("panfrost", _MIDGARD, ("R26.u64.y", "R25.u64.y"), ("R0.w, #0", "R0.x, #0")),
        ("v3d", _V3D, ("prog 1/1", "prog 2/1"), ("mov r0, 0", "mov r0, 1")),
        ("v3d", _V3D, ("442 inst", "441 inst"), ("0.281250", "0.281251")),
        ("radeonsi", _RADEONSI, ("SGPRS: 108", "SGPRS: 104"), ("BB1  ", "BB3  ")),
    ],
)
def test_the_code_of_a_kernel_is_recognized_only_by_its_disassembly(
    compiler: str, listing: str, same: tuple[str, str], other: tuple[str, str]
) -> None:
    codes = []
    for text in (listing, listing.replace(*same), listing.replace(*other)):
        codes.append([own.code for own in parse((listing + text).splitlines(), [compiler])])
    (first, again), (_, unmoved), (_, moved) = codes
    assert first == again == unmoved != moved
    assert first
    assert {same[0] in listing, other[0] in listing} == {True}


def test_a_compiler_that_lists_nothing_leaves_the_code_unknown() -> None:
    (without,) = parse(_RADEONSI[_RADEONSI.index("***") :].splitlines(), ["radeonsi"])
    assert without.code == ""
