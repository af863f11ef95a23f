"""Instructions of Bifrost that are not emulated: a shader with one of them is an `unknown`, and what is neither here nor in
bifrost.py is no instruction at all. Name, mask, value; Mesa's src/panfrost/compiler/bifrost/ISA.xml.
"""

from __future__ import annotations

# fmt: off
FMA: tuple[tuple[str, int, int], ...] = (
    ("ARSHIFT_DOUBLE.i32", 0x7ff000, 0x33e000), ("ATOM_PRE.i64", 0x7fe000, 0x6ec000), ("CUBEFACE1", 0x7ffc00, 0x706800),
    ("FLSHIFT_DOUBLE.i32", 0x7ff800, 0x33f800), ("FMA_RSCALE.v2f16", 0x7c0000, 0x680000),
    ("FMUL_CSLICE", 0x7ffe00, 0x70d000), ("FMUL_SLICE.f32", 0x7fffc0, 0x70cb40), ("FREXPE.v2f16", 0x7ffea0, 0x701c00),
    ("FREXPE.v2f16", 0x7fffe0, 0x701e00), ("FREXPM.v2f16", 0x7fff20, 0x701b00), ("FREXPM.v2f16", 0x7fff20, 0x701a00),
    ("FRSHIFT_DOUBLE.i32", 0x7ff800, 0x33f000), ("IMULD", 0x7fff80, 0x70f100), ("JUMP_EX", 0x7ff000, 0x2eb000),
    ("LROT_DOUBLE.i32", 0x7ff000, 0x33b000), ("LSHIFT_DOUBLE.i32", 0x7ff000, 0x33c000),
    ("RROT_DOUBLE.i32", 0x7ff000, 0x33a000), ("RSHIFT_DOUBLE.i32", 0x7ff000, 0x33d000), ("SEG_SUB", 0x7fff40, 0x701540),
    ("SHADDXL.i64", 0x7ffe00, 0x70e600), ("SHADDXL.s32", 0x7ff800, 0x70e800), ("SHADDXL.u32", 0x7ff800, 0x70e000),
    ("VN_ASST1.f16", 0x7ff000, 0x6eb000), ("VN_ASST1.f32", 0x7fe000, 0x27c000),
)
ADD: tuple[tuple[str, int, int], ...] = (
    ("ACMPSTORE.i32", 0xffdc0, 0x648c0), ("ACMPSTORE.i64", 0xffdc0, 0x64900), ("BRANCH.f16", 0xf8000, 0x68000),
    ("BRANCH.f32", 0xf8000, 0x68000), ("BRANCH.i16", 0xf8000, 0x68000), ("BRANCH.i32", 0xf8000, 0x68000),
    ("BRANCH.s16", 0xf8000, 0x68000), ("BRANCH.s32", 0xf8000, 0x68000), ("BRANCH.u16", 0xf8000, 0x68000),
    ("BRANCH.u32", 0xf8000, 0x68000), ("BRANCHC.i16", 0xff830, 0x6f030), ("BRANCHC.i32", 0xffa38, 0x6f238),
    ("BRANCH_DIVERG", 0xffe3f, 0x6f83c), ("BRANCH_LOWBITS.f32", 0xffe38, 0x6fa38), ("BRANCH_NO_DIVERG", 0xffe3f, 0x6fa34),
    ("CUBEFACE2", 0xffff8, 0x3de58), ("CUBE_SSEL", 0xffc00, 0x3e000), ("CUBE_TSEL", 0xffc00, 0x3e400),
    ("DISCARD.f32", 0xff800, 0xc8800), ("DOORBELL", 0xffff8, 0xd7860), ("EUREKA", 0xffff8, 0xd7850),
    ("FATAN_ASSIST.f16", 0xfff00, 0x67800), ("FATAN_ASSIST.f32", 0xfffc0, 0x67a00), ("FATAN_TABLE.f16", 0xfff00, 0x67900),
    ("FATAN_TABLE.f32", 0xfffc0, 0x67a40), ("FEXP_TABLE.u4", 0xfffe0, 0x67ac0), ("FLOG_TABLE.f32", 0xfffc0, 0x67300),
    ("FLOG_TABLE.f32", 0xfff40, 0x67340), ("FLOG_TABLE.f32", 0xfffc0, 0x67b00), ("FLOG_TABLE.f32", 0xfff40, 0x67b40),
    ("FLOG_TABLE.f32", 0xfffe0, 0x67ae0), ("FPCLASS.f16", 0xffff0, 0x67c40), ("FPCLASS.f32", 0xffff8, 0x67c50),
    ("FPOW_SC_APPLY", 0xfffc0, 0x75080), ("FPOW_SC_DET.f16", 0xffe00, 0x67400), ("FPOW_SC_DET.f16", 0xffe40, 0x67600),
    ("FPOW_SC_DET.f32", 0xffe40, 0x67640), ("FRCBRT_APPROX_A.f32", 0xfffc0, 0x67200),
    ("FRCBRT_APPROX_A.f32", 0xfff40, 0x67240), ("FRCBRT_APPROX_B.f32", 0xffff8, 0x67ab0),
    ("FRCBRT_APPROX_C.f32", 0xffff8, 0x67ab8), ("FRCP_APPROX.f32", 0xfffc0, 0x67000), ("FRCP_APPROX.f32", 0xfff40, 0x67040),
    ("FREXPE.v2f16", 0xffea0, 0x3dc00), ("FREXPE.v2f16", 0xfffe0, 0x3de00), ("FREXPM.v2f16", 0xfff20, 0x3db00),
    ("FREXPM.v2f16", 0xfff20, 0x3da00), ("FRSQ_APPROX.f32", 0xfffc0, 0x67100), ("FRSQ_APPROX.f32", 0xfff40, 0x67140),
    ("FSINCOS_OFFSET.u6", 0xffff0, 0x67aa0), ("ICMPF.i32", 0xffe00, 0x7be00), ("ICMPI.i32", 0xffb80, 0x7b900),
    ("ICMPI.s32", 0xffb80, 0x7b800), ("ICMPI.u32", 0xffb80, 0x7b880), ("ICMPM.i32", 0xffe00, 0x7ba00),
    ("ILOGB.f32", 0xfffe0, 0x3d9e0), ("ILOGB.v2f16", 0xfffe0, 0x3d9c0), ("IMOV_FMA", 0xffff7, 0xd7820),
    ("KABOOM", 0xffff8, 0xd7858), ("LDEXP.v2f16", 0xffe00, 0x74e00), ("LD_ATTR", 0xf0600, 0x40400),
    ("LD_ATTR", 0xfe600, 0xc4400), ("LD_CVT", 0xff800, 0xc9000), ("LD_TILE", 0xff800, 0xcb000), ("LD_VAR", 0x7c0c0, 0x500c0),
    ("LD_VAR", 0xfc0c0, 0xcc0c0), ("LD_VAR_FLAT", 0x7f8c0, 0x538c0), ("LD_VAR_FLAT", 0xffcc0, 0xcf8c0),
    ("LD_VAR_SPECIAL", 0x7c3e0, 0x500a0), ("LD_VAR_SPECIAL", 0xfc3e0, 0xcc0a0), ("LEA_ATTR", 0xfc600, 0xc0400),
    ("LEA_ATTR", 0xffe00, 0xc8400), ("LEA_TEX", 0xff600, 0xd6600), ("LEA_TEX_IMM", 0xff000, 0xd6000),
    ("LOGB.f32", 0xfffe0, 0x3d9a0), ("LOGB.v2f16", 0xfffe0, 0x3d980), ("SEG_SUB", 0xfff40, 0x3d540),
    ("SHADDXH.i32", 0xfffc0, 0x3f8c0), ("SHIFT_DOUBLE.i32", 0xffe00, 0xefe00), ("ST_TILE", 0xff800, 0xcb800),
    ("TEXS_CUBE.f16", 0xfc000, 0xdc000), ("TEXS_CUBE.f32", 0xfc000, 0x5c000),
    ("VN_ASST2.f32", 0xffff0, 0x3df80), ("VN_ASST2.f32", 0xfffe8, 0x3de80),
    ("VN_ASST2.v2f16", 0xffff0, 0x3dfa0), ("ZS_EMIT", 0xff800, 0xd7800),
)
