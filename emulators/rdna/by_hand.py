"""What AMD's pseudo-code says loosely, or not at all: C for these instructions, and why it stands here.

A text sees what a translated one does (pseudocode.py). Sections: "RDNA3" Instruction Set Architecture, Reference Guide.
"""

from __future__ import annotations

from collections.abc import Mapping

_ROUND = "floor(x + 0.5) rounds the sum, and so is wrong for large odd numbers and just below a half"
_LDEXP = "2.0 ** n leaves the range of the type before the product does"
_FRACT = "the difference rounds to 1 for small negative numbers; the hardware's largest answer is the number below 1"
_EXPONENT = "exponent() is the field, which a denormal has not"
_SCALE = "VCC is one bit a lane; what is not written is S0; DENORM stands for any denormal (16.9, V_DIV_SCALE_F32)"
_FMAS = "the text multiplies up alone; a quotient that was scaled down is scaled down again (LLVM and ACO rely on it)"
_ZERO = "what a rounding mode changes for one instruction"
_EXACT = "rounded once"
_TURNS = "the product with 2 pi is not rounded on the hardware, which takes turns"

# Vector instructions, of which this is one lane, and scalar ones.
TEXTS: Mapping[str, tuple[str, str]] = {
    "V_RNDNE_F32": ("D0 = float_bits(__builtin_roundevenf(as_float(S0)));", _ROUND),
    "V_RNDNE_F64": ("D0 = double_bits(__builtin_roundeven(as_double(S0)));", _ROUND),
    "V_RNDNE_F16": ("D0 = half_bits(__builtin_roundevenf(half_float(S0)));", _ROUND),
    "S_RNDNE_F32": ("D0 = float_bits(__builtin_roundevenf(as_float(S0)));", _ROUND),
    "S_RNDNE_F16": ("D0 = half_bits(__builtin_roundevenf(half_float(S0)));", _ROUND),
    "V_LDEXP_F32": ("D0 = float_bits((float)ldexp(as_float(S0), exponent_limit((i32)S1)));", _LDEXP),
    "V_LDEXP_F64": ("D0 = double_bits(ldexp(as_double(S0), exponent_limit((i32)S1)));", _LDEXP),
    "V_LDEXP_F16": ("D0 = half_bits((float)ldexp(half_float(S0), (i16)S1));", _LDEXP),
    "V_FRACT_F32": ("float x = as_float(S0), r = x - floorf(x); D0 = float_bits(r >= 1 ? 0x1.fffffep-1f : r);", _FRACT),
    "V_FRACT_F64": (
        "double x = as_double(S0), r = x - floor(x); D0 = double_bits(r >= 1 ? 0x1.fffffffffffffp-1 : r);",
        _FRACT,
    ),
    "V_FRACT_F16": ("float x = half_float(S0), r = to_half(x - floorf(x)); D0 = r >= 1 ? 0x3bff : half_bits(r);", _FRACT),
    "V_FREXP_EXP_I32_F32": ("int e = 0; float x = as_float(S0); if (isfinite(x)) frexpf(x, &e); D0 = (u32)e;", _EXPONENT),
    "V_FREXP_EXP_I32_F64": ("int e = 0; double x = as_double(S0); if (isfinite(x)) frexp(x, &e); D0 = (u32)e;", _EXPONENT),
    "V_FREXP_EXP_I16_F16": ("int e = 0; float x = half_float(S0); if (isfinite(x)) frexpf(x, &e); D0 = (u16)e;", _EXPONENT),
    "V_FMAC_DX9_ZERO_F32": (
        "float a = as_float(S0), b = as_float(S1); if (a != 0 && b != 0) D0 = float_bits(fmaf(a, b, as_float(D0)));",
        "the text answers a third source, which there is not",
    ),
    "V_RSQ_F32": ("D0 = float_bits((float)(1 / sqrt((double)as_float(S0))));", _EXACT),
    "V_RSQ_F16": ("D0 = half_bits((float)(1 / sqrt((double)half_float(S0))));", _EXACT),
    "V_SIN_F32": ("D0 = float_bits(sine_of_turns(as_float(S0)));", _TURNS),
    "V_COS_F32": ("D0 = float_bits(cosine_of_turns(as_float(S0)));", _TURNS),
    "V_SIN_F16": ("D0 = half_bits(sine_of_turns(half_float(S0)));", _TURNS),
    "V_COS_F16": ("D0 = half_bits(cosine_of_turns(half_float(S0)));", _TURNS),
    "V_CVT_PK_RTZ_F16_F32": ("D0 = half_towards_zero(as_float(S0)) | half_towards_zero(as_float(S1)) << 16;", _ZERO),
    "S_CVT_PK_RTZ_F16_F32": ("D0 = half_towards_zero(as_float(S0)) | half_towards_zero(as_float(S1)) << 16;", _ZERO),
    "V_CVT_OFF_F32_I4": ("D0 = float_bits((float)(i32)sign_extend(S0, 4) / 16);", "the text names a table that it has not"),
    "V_CVT_F16_F32": ("D0 = half_bits(as_float(S0));", "a signalling NaN is made quiet"),
    "V_SAT_PK_U8_I16": ("D0 = f32_to_u8((i16)S0) | f32_to_u8((i16)(S0 >> 16)) << 8;", "a lambda of statements"),
    "V_PERM_B32": ("D0 = permute_bytes((S0 << 32) | (u32)S1, (u32)S2);", "a lambda of statements"),
    "V_DIV_FMAS_F32": ("D0 = float_bits(div_fmas_32(as_float(S0), as_float(S1), as_float(S2), carry));", _FMAS),
    "V_DIV_FMAS_F64": ("D0 = double_bits(div_fmas_64(as_double(S0), as_double(S1), as_double(S2), carry));", _FMAS),
    "V_DIV_SCALE_F32": ("D0 = div_scale_32((u32)S0, as_float(S1), as_float(S2), &bit);", _SCALE),
    "V_DIV_SCALE_F64": ("D0 = div_scale_64(S0, as_double(S1), as_double(S2), &bit);", _SCALE),
    "V_MAD_U64_U32": ("u64 p = (u64)(u32)S0 * (u32)S1; D0 = p + S2; bit = D0 < p;", "65 bits"),
    "V_MAD_I64_I32": (
        "__int128 r = (__int128)((i64)(i32)S0 * (i32)S1) + (i64)S2; D0 = (u64)r; bit = (u64)(r >> 64) & 1;",
        "65 bits",
    ),
    "V_MQSAD_U32_U8": ("", "a result of 128 bits: not emulated"),
}

# Instructions that are no function of a lane's operands, in valu.c and crosslane.c; of scalar ones those that touch the
# program counter, or registers by number, in scalar.c.
OWN_CODE: Mapping[str, str] = {
    "V_NOP": "nothing",
    "V_PIPEFLUSH": "nothing",
    "V_READFIRSTLANE_B32": "read_first_lane",
    "V_READLANE_B32": "read_lane",
    "V_WRITELANE_B32": "write_lane",
    "V_PERMLANE16_B32": "permute_row",
    "V_PERMLANEX16_B32": "permute_row",
    "V_PERMLANE64_B32": "permute_half",
    "V_SWAP_B32": "swap",
    "V_SWAP_B16": "swap",
    "V_MOVRELS_B32": "move_relative",
    "V_MOVRELD_B32": "move_relative",
    "V_MOVRELSD_B32": "move_relative",
    "V_FMA_MIX_F32": "fma_mix",
    "V_FMA_MIXLO_F16": "fma_mix",
    "V_FMA_MIXHI_F16": "fma_mix",
    "V_DOT4_I32_IU8": "dot_signs",
    "V_DOT8_I32_IU4": "dot_signs",
    "S_GETPC_B64": "get_pc",
    "S_SETPC_B64": "set_pc",
    "S_SWAPPC_B64": "swap_pc",
    "S_CALL_B64": "call",
    "S_GETREG_B32": "get_register",
    "S_SETREG_B32": "set_register",
    "S_SETREG_IMM32_B32": "set_register",
    "S_SENDMSG_RTN_B32": "message",
    "S_SENDMSG_RTN_B64": "message",
    "S_MOVRELS_B32": "move_scalar_relative",
    "S_MOVRELS_B64": "move_scalar_relative",
    "S_MOVRELD_B32": "move_scalar_relative",
    "S_MOVRELD_B64": "move_scalar_relative",
    "S_BARRIER": "barrier",
    "S_ENDPGM": "end",
    "S_BRANCH": "branch",
    "S_CBRANCH_SCC0": "branch",
    "S_CBRANCH_SCC1": "branch",
    "S_CBRANCH_VCCZ": "branch",
    "S_CBRANCH_VCCNZ": "branch",
    "S_CBRANCH_EXECZ": "branch",
    "S_CBRANCH_EXECNZ": "branch",
    "S_ROUND_MODE": "round_mode",
    "S_DENORM_MODE": "denorm_mode",
    "S_WAITCNT": "nothing",
    "S_WAITCNT_VSCNT": "nothing",
    "S_WAITCNT_VMCNT": "nothing",
    "S_WAITCNT_EXPCNT": "nothing",
    "S_WAITCNT_LGKMCNT": "nothing",
    "S_WAITCNT_DEPCTR": "nothing",
    "S_WAIT_IDLE": "nothing",
    "S_WAIT_EVENT": "nothing",
    "S_NOP": "nothing",
    "S_SLEEP": "nothing",
    "S_DELAY_ALU": "nothing",
    "S_CLAUSE": "nothing",
    "S_SET_INST_PREFETCH_DISTANCE": "nothing",
    "S_SETPRIO": "nothing",
    "S_INCPERFLEVEL": "nothing",
    "S_DECPERFLEVEL": "nothing",
    "S_ICACHE_INV": "nothing",
    "S_TTRACEDATA": "nothing",
    "S_TTRACEDATA_IMM": "nothing",
    "S_SENDMSG": "nothing",
    "S_VERSION": "nothing",
}

# Instructions that keep a denormal whatever the mode says, or never do (16.x; LLVM's FlushesDenormals and ACO say the same).
KEEPS_DENORMALS = (
    "V_CMP_CLASS_",
    "V_CMPX_CLASS_",
    "V_MOV_",
    "V_FREXP_",
    "V_LDEXP_",
    "V_CNDMASK_",
    "V_CVT_PK_RTZ_",
    "V_PK_",
    "V_DOT2ACC_",
)
FLUSHES_DENORMALS = (
    "V_EXP_F32",
    "V_LOG_F32",
    "V_RCP_F32",
    "V_RCP_IFLAG_F32",
    "V_RSQ_F32",
    "V_SQRT_F32",
    "V_SIN_F32",
    "V_COS_F32",
)

# With the modifier `clamp` an integer instruction saturates: the exact value, and its bounds. {0} and so on are operands.
SATURATING: Mapping[str, tuple[str, str]] = {
    "V_ADD_NC_U32": ("u32", "(i64)(u32)S0 + (u32)S1"),
    "V_SUB_NC_U32": ("u32", "(i64)(u32)S0 - (u32)S1"),
    "V_SUBREV_NC_U32": ("u32", "(i64)(u32)S1 - (u32)S0"),
    "V_ADD_CO_U32": ("u32", "(i64)(u32)S0 + (u32)S1"),
    "V_SUB_CO_U32": ("u32", "(i64)(u32)S0 - (u32)S1"),
    "V_SUBREV_CO_U32": ("u32", "(i64)(u32)S1 - (u32)S0"),
    "V_ADD_CO_CI_U32": ("u32", "(i64)(u32)S0 + (u32)S1 + (i64)carry"),
    "V_SUB_CO_CI_U32": ("u32", "(i64)(u32)S0 - (u32)S1 - (i64)carry"),
    "V_SUBREV_CO_CI_U32": ("u32", "(i64)(u32)S1 - (u32)S0 - (i64)carry"),
    "V_ADD_NC_I32": ("i32", "(i64)(i32)S0 + (i32)S1"),
    "V_SUB_NC_I32": ("i32", "(i64)(i32)S0 - (i32)S1"),
    "V_ADD_NC_U16": ("u16", "(i64)(u16)S0 + (u16)S1"),
    "V_SUB_NC_U16": ("u16", "(i64)(u16)S0 - (u16)S1"),
    "V_ADD_NC_I16": ("i16", "(i64)(i16)S0 + (i16)S1"),
    "V_SUB_NC_I16": ("i16", "(i64)(i16)S0 - (i16)S1"),
    "V_MAD_U32_U24": ("u32", "(i64)((S0 & 0xffffff) * (S1 & 0xffffff) + (u32)S2)"),
    "V_MAD_I32_I24": ("i32", "sign_extend(S0, 24) * sign_extend(S1, 24) + (i32)S2"),
    "V_MAD_U16": ("u16", "(i64)(u16)S0 * (u16)S1 + (u16)S2"),
    "V_MAD_I16": ("i16", "(i64)(i16)S0 * (i16)S1 + (i16)S2"),
    "V_MAD_U32_U16": ("u32", "(i64)((u64)(u16)S0 * (u16)S1 + (u32)S2)"),
    "V_MAD_I32_I16": ("i32", "(i64)(i16)S0 * (i16)S1 + (i32)S2"),
    "V_PK_ADD_U16": ("u16", "(i64)(u16)S0 + (u16)S1"),
    "V_PK_SUB_U16": ("u16", "(i64)(u16)S0 - (u16)S1"),
    "V_PK_ADD_I16": ("i16", "(i64)(i16)S0 + (i16)S1"),
    "V_PK_SUB_I16": ("i16", "(i64)(i16)S0 - (i16)S1"),
    "V_PK_MAD_U16": ("u16", "(i64)(u16)S0 * (u16)S1 + (u16)S2"),
    "V_PK_MAD_I16": ("i16", "(i64)(i16)S0 * (i16)S1 + (i16)S2"),
    "V_DOT4_U32_U8": ("u32", "(i64)dot_bytes((u32)S0, (u32)S1) + (u32)S2"),
}
