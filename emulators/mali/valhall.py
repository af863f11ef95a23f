"""The instructions of Valhall shaders that are emulated: encoding, semantics, source.

Each stands in Mesa's src/panfrost/compiler/valhall/ISA.xml under the same name. words.py says how an entry is read,
table.py what the letters of its operands mean; what it does is one C expression, or after an @ the name of a
function.
"""

from __future__ import annotations

from collections.abc import Iterator

from emulators.mali.table import Instruction
from emulators.mali.words import row

# An instruction for integers of several sizes: the suffix, what is added to the opcode, the letter of the operands.
_UNSIGNED = (("u32", 0, "u"), ("v2u16", 1, "U"), ("v4u8", 2, "B"))
_SIGNED = (("s32", 8, "s"), ("v2s16", 9, "S"), ("v4s8", 10, "b"))
_PLAIN = (("i32", 0, "u"), ("v2i16", 1, "U"), ("v4i8", 2, "B"))
_WIDE = (("u64", 0x103, "d"), ("s64", 0x10B, "D"))


def _arithmetic() -> Iterator[Instruction]:
    for name, second, meaning, word in (
        ("IADD", 0, "SATURATE(a + b)", "saturate"),
        ("ISUB", 1, "SATURATE(a - b)", "saturate"),
        ("HADD", 11, "(a + b + (MOD(round) == O_rtp)) >> 1", "rhadd"),
    ):
        for suffix, more, k in (*_UNSIGNED, *_SIGNED):
            yield row(f"{name}.{suffix}", 0xA0 + more, second, f"{k}{k}:{k}", meaning, f"wide0 wide1 {word}")
        if name != "HADD":
            for suffix, more, k in _WIDE:
                yield row(
                    f"{name}.{suffix}", 0xA0 + more, second, f"{k}{k}:d", meaning.removeprefix("SATURATE"), "wide0 wide1"
                )
    for suffix, more, k in (*_PLAIN, *_SIGNED):
        product = "WHOLE(a, b)" if k == "u" else "SATURATE(a * b)"
        yield row(f"IMUL.{suffix}", 0xA0 + more, 10, f"{k}{k}:{k}", product, "wide0 wide1 saturate")
    for suffix, more, k in _WIDE:
        yield row(f"SHADDX.{suffix}", 0xA0 + more, 7, f"d{k}u:d", "a + (b << c)", "wide1", sources="0 8 shift")
    for suffix, more, k in _PLAIN:
        yield row(f"IADD_IMM.{suffix}", 0x110 + more, 0, f"{k}{k}:{k}", "a + b", sources="0 imm")
    for suffix, more, k in _UNSIGNED:
        words = "swizzle0" if k == "U" else ""
        yield row(f"CLZ.{suffix}", 0x91, 4 + more, f"{k}:{k}", "leading_zeros(a, WIDTH)", words)
    for suffix, more, k in _SIGNED:
        yield row(f"IABS.{suffix}", 0x91, more, f"{k}:{k}", "a < 0 ? -a : a", "" if k == "b" else "wide0")


def _bitwise() -> Iterator[Instruction]:
    for number, (operation, sign) in enumerate((("AND", "&"), ("OR", "|"), ("XOR", "^"))):
        for suffix, more, k in _PLAIN:
            for name, second, shifted, words in (
                ("LSHIFT", 0x100, "(a << AMOUNT(c))", ""),
                ("RSHIFT", 0, "((MOD(arithmetic) ? SIGNED(a) : a) >> AMOUNT(c))", "arithmetic"),
            ):
                yield row(
                    f"{name}_{operation}.{suffix}", 0xB4 + more, second | number, f"{k}{k}{k}:{k}",
                    f"NOT_RESULT({shifted} {sign} b)", f"wide0 lanes2 not not_result {words}", sources="0 16 8",
                )  # fmt: skip
    for suffix, more, k in _PLAIN:
        words = "mux swizzle0 swizzle1 swizzle2" if k == "U" else "mux"
        yield row(f"MUX.{suffix}", 0xB8 + more, 0, f"{k}{k}{k}:{k}", "MUX(a, b, c)", words)


def _comparisons() -> Iterator[Instruction]:
    for number, (operation, sign) in enumerate((("OR", "||"), ("AND", "&&"))):
        for suffix, more, k in (*_UNSIGNED, *_SIGNED):
            c = {"s": "u", "S": "U", "b": "B"}.get(k, k)
            meaning = f"TRUTH(COMPARE(a, b) {sign} c)"
            yield row(f"ICMP_{operation}.{suffix}", 0xF0 + more, number, f"{k}{k}{c}:{c}", meaning, "wide0 wide1 cmpf truth")
        for suffix, opcode, kinds in (("f32", 0xF4, "ffu:u"), ("v2f16", 0xF5, "hhU:U")):
            words = "float0 float1 swizzle0 swizzle1 cmpf truth"
            yield row(f"FCMP_{operation}.{suffix}", opcode, number, kinds, f"TRUTH(COMPARE_FLOAT(a, b) {sign} c)", words)
    for suffix, opcode, kinds in (
        ("u32", 0x150, "uuuu:u"), ("v2u16", 0x151, "UUUU:U"), ("s32", 0x158, "ssuu:u"), ("v2s16", 0x159, "SSUU:U"),
    ):  # fmt: skip
        yield row(f"CSEL.{suffix}", opcode, 0, kinds, "COMPARE(a, b) ? c : e", "cmpf")
    for suffix, opcode, kinds in (("f32", 0x154, "ffww:u"), ("v2f16", 0x155, "hhUU:U")):
        yield row(f"CSEL.{suffix}", opcode, 0, kinds, "COMPARE_FLOAT(a, b) ? c : e", "cmpf")


def _floats() -> Iterator[Instruction]:
    both = "clamp float0 float1 swizzle0 swizzle1"
    for suffix, more, k, fused, limits in (
        ("f32", 0, "f", "fmaf(a, b, c)", "0x1p-126f, 0x1.fffffep127f"),
        ("v2f16", 1, "h", "fma_half(a, b, c)", "0x1p-14f, 65504"),
    ):
        flushed = f"flushed_number(i, a, {limits})"
        yield row(f"FADD.{suffix}", 0xA4 + more, 0, f"{k}{k}:{k}", "a + b", both)
        yield row(f"FMIN.{suffix}", 0xA4 + more, 2, f"{k}{k}:{k}", "min_float(a, b, O_nan_suppress)", both)
        yield row(f"FMAX.{suffix}", 0xA4 + more, 3, f"{k}{k}:{k}", "max_float(a, b, O_nan_suppress)", both)
        yield row(f"FMA.{suffix}", 0xB2 + more, 0, f"{k}{k}{k}:{k}", fused, f"{both} float2 swizzle2")
        yield row(f"FADD_IMM.{suffix}", 0x114 + more, 0, f"{k}{k}:{k}", "a + b", sources="0 imm")
        yield row(f"FROUND.{suffix}", 0x90, 13 + 2 * more, f"{k}:{k}", "round_float(a, MOD(round))", "round float0 swizzle0")
        yield row(f"FLUSH.{suffix}", 0x98, more, f"{k}:{k}", flushed, "flush float0 swizzle0")
    yield row("FREXPM.f32", 0x99, 0, "f:f", "mantissa(a, MOD(log), MOD(sqrt))", "log swizzle0")
    yield row("FREXPE.f32", 0x99, 2, "F:s", "EXPONENT(a)", "log swizzle0")
    scaled = "clamp float0 float1 float2"
    for name, more, special in (("", 0, "none"), ("_N", 1, "n"), ("_LEFT", 2, "left"), ("_SCALE16", 3, "scale16")):
        yield row(f"FMA_RSCALE{name}.f32", 0x160 + more, 0, "fffw:f", f"scaled_fma(a, b, c, (i32)e, O_{special})", scaled)
    yield row("LDEXP.f32", 0xA4, 6, "fw:f", "(float)scalbn((double)a, clamp_exponent((i32)b))", "round float0")
    yield row("FEXP.f32", 0xA4, 8, "wf:f", "fixed_exp2((i32)a, b)", "clamp float1")
    yield row("FADD_LSCALE.f32", 0xA4, 9, "ff:f", "a + mantissa(b, true, false)", "clamp float0 float1")
    root = "a == 0 ? copysignf(INFINITY, a) : "
    for name, second, kinds, meaning in (
        ("FRCP.f32", 0, "f:f", "1 / a"), ("FRCP.f16", 1, "H:H", "1 / a"),
        ("FRSQ.f32", 2, "f:f", root + "(float)(1 / sqrt((double)a))"), ("FRSQ.f16", 3, "H:H", root + "1 / sqrtf(a)"),
        ("FLOGD.f32", 8, "f:f", "log_by_distance(a)"),
    ):  # fmt: skip
        yield row(name, 0x9C, second, kinds, meaning, "float0 swizzle0")
    yield row("FSIN_TABLE.u6", 0x9C, 4, "w:f", "turn(a)")
    yield row("FCOS_TABLE.u6", 0x9C, 5, "w:f", "turn(a + 16)")


def _conversions() -> Iterator[Instruction]:
    narrow = "narrow(a, i) | narrow(b, i) << 16"
    yield row("V2F32_TO_V2F16", 0xA5, 4, "ff:w", narrow, "clamp round float0 float1")
    for name, second, kinds, meaning, words in (
        ("S8_TO_S32", 0x00, "s:s", "a", "byte0"), ("U8_TO_U32", 0x10, "u:u", "a", "byte0"),
        ("S8_TO_F32", 0x01, "s:f", "(float)a", "byte0"), ("U8_TO_F32", 0x11, "u:f", "(float)a", "byte0"),
        ("V2S8_TO_V2S16", 0x02, "S:S", "a", "halfswizzle"), ("V2U8_TO_V2U16", 0x12, "U:U", "a", "halfswizzle"),
        ("V2S8_TO_V2F16", 0x03, "S:h", "(float)a", "halfswizzle"), ("V2U8_TO_V2F16", 0x13, "U:h", "(float)a", "halfswizzle"),
        ("S16_TO_S32", 0x04, "s:s", "a", "half0"), ("U16_TO_U32", 0x14, "u:u", "a", "half0"),
        ("S16_TO_F32", 0x05, "s:f", "(float)a", "half0"), ("U16_TO_F32", 0x15, "u:f", "(float)a", "half0"),
        ("V2S16_TO_V2F16", 0x07, "S:h", "from_integer(a, MOD(round), 11)", "wide0 round"),
        ("V2U16_TO_V2F16", 0x17, "U:h", "from_integer(a, MOD(round), 11)", "wide0 round"),
        ("S32_TO_F32", 0x09, "s:f", "from_integer(a, MOD(round), 24)", "wide0 round"),
        ("U32_TO_F32", 0x19, "u:f", "from_integer(a, MOD(round), 24)", "wide0 round"),
        ("F16_TO_S32", 0x0A, "H:s", "to_integer(a, MOD(round), INT32_MIN, INT32_MAX)", "float0 half0 round"),
        ("F16_TO_U32", 0x1A, "H:u", "to_integer(a, MOD(round), 0, UINT32_MAX)", "float0 half0 round"),
        ("F16_TO_F32", 0x0B, "H:f", "a", "float0 lane0 round"),
        ("F32_TO_S32", 0x0C, "f:s", "to_integer(a, MOD(round), INT32_MIN, INT32_MAX)", "float0 round"),
        ("F32_TO_U32", 0x1C, "f:u", "to_integer(a, MOD(round), 0, UINT32_MAX)", "float0 round"),
        ("V2F16_TO_V2S16", 0x0E, "h:S", "to_integer(a, MOD(round), -32768, 32767)", "float0 swizzle0 round"),
        ("V2F16_TO_V2U16", 0x1E, "h:U", "to_integer(a, MOD(round), 0, 65535)", "float0 swizzle0 round"),
    ):  # fmt: skip
        yield row(name, 0x90, second, kinds, meaning, words)


def _memory() -> Iterator[Instruction]:
    for number, bits in enumerate((8, 16, 24, 32, 48, 64, 96, 128)):
        count, lanes = (bits + 31) // 32, f"lanes_of_{bits}"
        words = f"at27 slot count access offset16 {lanes}"
        yield row(f"LOAD.i{bits}", 0x60, number, "ww:", "@load", words, "0 0h", f"w{count}")
        yield row(f"LD_BUFFER.i{bits}", 0x6A, number, "ww:", "@load", f"at27 slot count constants {lanes}", "", f"w{count}")
        yield row(f"STORE.i{bits}", 0x61, number, "ww:", "@store", "at27 slot count access offset16", "0 0h", f"r{count}")
    for bits, number in ((32, 3), (64, 5)):
        words, n = "at27 slot count offset8", bits // 32
        yield row(f"ATOM1_RETURN.i{bits}", 0x69, number, "ww:", "@atom", f"{words} atomic1", "0 0h", f"w{n}")
        yield row(f"ATOM.i{bits}", 0x68, number, "ww:", "@atom", f"{words} atomic", "0 0h", f"r{n}")
        yield row(f"ATOM_RETURN.i{bits}", 0x120, number, "ww:", "@atom", f"{words} atomic compare written", "0 0h", f"rw{n}")
    yield row("ST_CVT", 0x71, 0, "www:", "@store_converted", "slot count memory_access size format", "0 0h 16", "r")
    for suffix, kinds, words in (("_IMM", "ww:", "table"), ("", "www:", "")):
        more = 0 if suffix else 0x10
        yield row(
            f"LD_TEX{suffix}", 0x66 + more, 1, kinds, "@load_image", f"at37 slot count size format {words}", staging="w"
        )
        yield row(f"LEA_TEX{suffix}", 0x67 + more, 1, kinds, "@address_image", f"at37 slot count {words}", staging="w")
    yield row("LEA_BUFFER", 0x6B, 0, "ww:", "@address_buffer", "slot count", staging="w2")
    words = "slot count written texture"
    yield row("TEX_FETCH", 0x125, 0, "ww:", "@ask_texture", words, "0 0h", "rw")
    yield row("TEX_SINGLE", 0x128, 0, "ww:", "@ask_texture", f"{words} level", "0 0h", "rw")


def _draws() -> Iterator[Instruction]:
    """The instructions that fills of images need."""
    varying = "slot count size sample"
    yield row("LD_ATTR_IMM", 0x66, 0, "ww:", "@load_attribute", "at37 slot count size format table", staging="w")
    yield row("LEA_BUF_IMM", 0x5E, 0, "w:", "@address_packet", "slot count buffer", staging="w2")
    yield row("LD_VAR_BUF_IMM.f32", 0x5C, 0, "w:", "@load_packet", f"{varying} source number", staging="w")
    yield row("LD_VAR_IMM", 0x54, 0, "w:", "@load_varying", f"{varying} format buffer", staging="w")
    yield row("ATEST", 0x7D, 0, "wfw:", "@test", "slot count swizzle1", staging="w1")
    words = "slot count size format offset8"
    yield row("BLEND", 0x7F, 0, "www:", "@blend", words, "16 0 0h", "r4")


VALHALL: tuple[Instruction, ...] = (
    row("NOP", 0x00, 0, ":", "@nop"),
    row("BRANCHZ", 0x1F, 0, "u:", "@branch", "zero"),
    row("BARRIER", 0x45, 0, ":", "@barrier", "slot"),
    row("MOV.i32", 0x91, 0, "w:w", "a"),
    row("NOT_OLD.i32", 0x91, 14, "u:u", "~a"),
    row("POPCOUNT.i32", 0x91, 12, "u:u", "__builtin_popcount((u32)a)"),
    row("BITREV.i32", 0x91, 13, "u:u", "__builtin_bitreverse32((u32)a)"),
    row("WMASK", 0x95, 0, "w:w", "@ballot", "subgroup"),
    row("CLPER.i32", 0xA0, 15, "wu:w", "@permute", "lanes1 subgroup lane_op inactive"),
    row("MKVEC.v2i16", 0xA1, 5, "UU:w", "a | b << 16", "swizzle0 swizzle1"),
    row("MKVEC.v2i8", 0xBD, 0, "uuw:w", "a | b << 8 | c << 16", "bytes"),
    *_arithmetic(),
    *_bitwise(),
    *_comparisons(),
    *_floats(),
    *_conversions(),
    *_memory(),
    *_draws(),
)
