"""How each back end's listing of a kernel is read, and how it is found in a driver's output."""

from pathlib import Path

import pytest

from runner.compiler_stats.formats import ListedKernel, parse
from runner.compiler_stats.listing import ListingExtractor, divide
from runner.run.supervisor import Supervisor

# What was printed by FD630 (26.2.6), M1 (26.2.6), Navi 21 (both), Mali-G52, -G57 and -T860, V3D 4.2, TGL (25.0.7).
_IR3 = """\
MESA: info: (sy)stp.u32 p[r1.w], r1.z, 1
MESA: info: ldp.u32 r2.y, p[r2.x], 1
MESA: info: ldp.u32 r3.z, p[r2.z], 1
MESA: info: ; CL prog 14/1: 58 instr, 33 nops, 25 non-nops, 7 mov, 0 cov, 96 dwords
MESA: info: ; CL prog 14/1: 0 last-baryf, 0 last-helper, 0 half, 4 full, 20 constlen
MESA: info: ; CL prog 14/1: 36 cat0, 7 cat1, 8 cat2, 2 cat3, 0 cat4, 0 cat5, 5 cat6, 0 cat7
MESA: info: ; CL prog 14/1: 0 sstall, 2 (ss), 152 systall, 2 (sy), 1 loops
MESA: info: ; CL prog 14/1: 16 max_waves, 1 double_threadsize
"""


_AGX = (
    "CS shader: 3810 instrs, 581 alu, 581 fscib, 0 ic, 25504 code size, 103 gprs, 200 uniforms, 1520 scratch, "
    "1024 threads, 1 loops, 946:1321 spills:fills, 193 preamble inst\n"
)


_RADEONSI = """\
\ts_branch BB1                                                ; bf820011
\ts_nop 0                                                     ; bf800000
\t(then repeated 5 times)
BB3:
\ts_ashr_i32 s7, s6, 31                                       ; 91079f06
\ts_mov_b32 s3, 0x31016fac                       ; BE8303FF 31016FAC
*** SHADER STATS ***
SGPRS: 108
VGPRS: 40
Spilled SGPRs: 0
Spilled VGPRs: 0
Private memory VGPRs: 64
Code Size: 516 bytes
LDS: 0 bytes
Scratch: 16384 bytes per wave
Max Waves: 12
********************
"""


def _parse(text: str, compiler: str) -> list[tuple[str, dict[str, float]]]:
    return [(block.variant, block.metrics) for block in parse(text.splitlines(), [compiler])]


def test_ir3_says_what_a_kernel_takes_and_its_private_memory_is_counted_in_the_disassembly() -> None:
    ((_, metrics), (_, second)) = _parse(_IR3 + _IR3, "ir3")
    assert (
        metrics
        == second
        == {
            "instructions": 58,
            "nops": 33,
            "code_dwords": 96,
            "half_registers": 0,
            "full_registers": 4,
            "constants_vec4": 20,
            "sstall_cycles": 0,
            "ss_syncs": 2,
            "systall_cycles": 152,
            "sy_syncs": 2,
            "loops": 1,
            "max_waves": 16,
            "private_stores": 1,
            "private_loads": 2,
        }
    )


def test_agx_prints_a_kernel_on_one_line_and_spills_with_fills() -> None:
    ((_, metrics),) = _parse(_AGX, "agx")
    assert (metrics["instructions"], metrics["registers"], metrics["scratch_bytes"]) == (3810, 103, 1520)
    assert (metrics["spills"], metrics["fills"], metrics["threads"], metrics["loops"]) == (946, 1321, 1024, 1)
    assert metrics["preamble_instructions"] == 193


_MALI = "SHADER-DB: MESA_SHADER_KERNEL shader: "


_BIFROST = (
    f"{_MALI}70 inst, 58 tuples, 13 clauses, 5.000000 cycles, 2.291667 arith, 0.000000 texture, 0.000000 vary, "
    "5.000000 ldst, 58 quadwords, 2 threads, 0 preloads, 1 loops, 0:0 spills:fills\n"
)


_VALHALL = (
    f"{_MALI}87 inst, 6.000000 cycles, 0.187500 fma, 0.734375 cvt, 1.375000 sfu, 0.000000 v, 0.000000 t, "
    "6.000000 ls, 48 quadwords, 2 threads, 0 loops, 0:0 spills:fills\n"
)


_MIDGARD = f"{_MALI}412 inst, 364 bundles, 220 quadwords, 8 registers, 2 threads, 1 loops, 64:128 spills:fills\n"


_V3D = (
    "SHADER-DB-(null) - MESA_SHADER_COMPUTE shader: 2812 inst, 2 threads, 1 loops, 1645 uniforms, 64 max-temps, "
    "234:444 spills:fills, 0 sfu-stalls, 2812 inst-and-stalls, 464 nops\n"
)


def test_panfrost_prints_what_each_generation_of_mali_counts() -> None:
    (_, bifrost), (_, valhall), (_, midgard) = _parse(_BIFROST + _VALHALL + _MIDGARD, "panfrost")
    assert bifrost == {
        "instructions": 70,
        "tuples": 58,
        "clauses": 13,
        "cycles": 5.0,
        "arithmetic_cycles": 2.291667,
        "texture_cycles": 0.0,
        "load_store_cycles": 5.0,
        "code_quadwords": 58,
        "threads": 2,
        "loops": 1,
        "spills": 0,
        "fills": 0,
    }
    assert valhall == {
        "instructions": 87,
        "cycles": 6.0,
        "fma_cycles": 0.1875,
        "cvt_cycles": 0.734375,
        "sfu_cycles": 1.375,
        "texture_cycles": 0.0,
        "load_store_cycles": 6.0,
        "code_quadwords": 48,
        "threads": 2,
        "loops": 0,
        "spills": 0,
        "fills": 0,
    }
    assert midgard == {
        "instructions": 412,
        "bundles": 364,
        "code_quadwords": 220,
        "registers": 8,
        "threads": 2,
        "loops": 1,
        "spills": 64,
        "fills": 128,
    }


_BRW = """\
Native code for unnamed compute shader (null) (src_hash 0xcd003306) (sha1 6d0b5949aa9cc8180d1dbe9a4d45c2d3c3787595)
SIMD8 shader: 329 instructions. 0 loops. 2006 cycles. 0:0 spills:fills, 6 sends, scheduled with mode top-down. \
Promoted 23 constants. Non-SSA regs (after NIR): 347. Compacted 5744 to 4512 bytes (21%)
SIMD16 shader: 4414 instructions. 1 loops. 264504 cycles. 259:414 spills:fills, 70 sends, scheduled with mode non-lifo. \
Promoted 0 constants. Non-SSA regs (after NIR): 2064. Compacted 91072 to 82352 bytes (10%)
"""


def test_brw_prints_each_simd_width() -> None:
    assert _parse(_BRW, "brw") == [
        (
            "SIMD8",
            {"instructions": 329, "loops": 0, "cycles": 2006, "spills": 0, "fills": 0, "sends": 6, "code_bytes": 4512},
        ),
        (
            "SIMD16",
            {
                "instructions": 4414,
                "loops": 1,
                "cycles": 264504,
                "spills": 259,
                "fills": 414,
                "sends": 70,
                "code_bytes": 82352,
            },
        ),
    ]


def test_v3d_counts_the_registers_as_temporaries() -> None:
    ((_, metrics),) = _parse(_V3D, "v3d")
    assert metrics == {
        "instructions": 2812,
        "threads": 2,
        "loops": 1,
        "uniforms": 1645,
        "registers": 64,
        "spills": 234,
        "fills": 444,
        "sfu_stalls": 0,
        "nops": 464,
    }


def test_radeonsi_prints_a_block_and_its_instructions_are_counted_repeated_ones_too() -> None:
    ((_, metrics),) = _parse(_RADEONSI, "radeonsi")
    assert metrics == {
        "sgprs": 108,
        "vgprs": 40,
        "spilled_sgprs": 0,
        "spilled_vgprs": 0,
        "private_vgprs": 64,
        "code_bytes": 516,
        "lds_bytes": 0,
        "scratch_bytes_per_wave": 16384,
        "max_waves": 12,
        "instructions": 9,
    }
    ((_, without),) = _parse(_RADEONSI[_RADEONSI.index("***") :], "radeonsi")  # polaris10 of 25.0.7 lists none
    assert "instructions" not in without


def test_a_program_of_several_kernels_gives_each_its_own_block() -> None:
    blocks = [ListedKernel("", {"instructions": float(n)}) for n in (15, 12, 30)]
    assert [own[0].metrics["instructions"] for own in divide(blocks, 3)] == [15, 12, 30]
    widths = [ListedKernel(variant, {}) for variant in ("SIMD8", "SIMD16", "SIMD32", "SIMD16")]
    assert [[block.variant for block in own] for own in divide(widths, 2)] == [["SIMD8", "SIMD16", "SIMD32"], ["SIMD16"]]


def test_if_the_count_does_not_tell_whose_a_block_is_no_kernel_gets_it() -> None:
    blocks = [ListedKernel("", {"instructions": float(n)}) for n in (15, 12)]
    assert divide(blocks, 3) == [[ListedKernel("", {})]] * 3


_MARKS = (
    '@@runner built {{"source": "{0}", "compile_s": 0.5}}\n'
    '@@runner kernel {{"source": "{0}", "name": "f", "private_bytes": 256, "work_group_items": 64}}\n'
    "@@runner made\n"
)


def _listing(source: str, lines: int) -> str:
    noise = "MESA: info: (rpt5)nop and whatever else a disassembly holds\n" * lines
    return "@@runner build\n" + noise + _IR3 + _MARKS.format(source)


def test_a_listing_larger_than_the_log_is_read_whole_and_leaves_what_the_case_printed(tmp_path: Path) -> None:
    output = tmp_path / "output"
    sieve = ListingExtractor(["ir3"], ["Unhandled ALU op"])
    supervisor = Supervisor(output, 1 << 30, clean=sieve.clean)
    complaint = "Unhandled ALU op b2i64\n"
    text = "first\n" + "".join(_listing(f"s{i}", 8000) for i in range(3)) + "no newline"
    output.write_text(text + _listing("s3", 5).replace(_IR3, complaint + _IR3) + "last\n")
    assert len(text) > 4 * (64 + 192) * 1024
    assert supervisor.take_output() == f"first\nno newline{complaint}last\n"
    kernels = sieve.take()
    assert [(k.name, k.source, k.compile_s) for k in kernels] == [("f", f"s{i}", 0.5) for i in range(4)]
    assert {k.metrics["instructions"] for k in kernels} == {58}
    assert sieve.take() == []


@pytest.mark.parametrize(
    "line",
    [
        "@@runner built {",
        "@@runner built",
        '@@runner built {"source": 1, "compile_s": 0.5}',
        '@@runner kernel {"source": "s", "name": "f"}',
        "@@runner kernel " + "[" * 100_000,
        "@@runner surprise",
        "@@runner \udcff",
        "x @@runner built null",
    ],
)
def test_a_printed_line_that_only_looks_like_a_mark_stays_in_the_log(tmp_path: Path, line: str) -> None:
    output = tmp_path / "output"
    sieve = ListingExtractor(["ir3"], [])
    text = f"{line}\n".encode("utf-8", "surrogateescape")
    output.write_bytes(text + _listing("s", 1).encode() + text)
    sieve.clean(output)
    assert output.read_bytes() == text + text
    assert len(sieve.take()) == 1


def test_the_listing_of_a_build_that_never_ended_stays_in_the_log(tmp_path: Path) -> None:
    output = tmp_path / "output"
    sieve = ListingExtractor(["ir3"], [])
    output.write_text("@@runner build\nir3: Assertion `x' failed.\n")
    sieve.clean(output)
    assert output.read_text() == "ir3: Assertion `x' failed.\n"
    output.write_text("@@runner build\nwarning: no\n@@runner refused\n" + _listing("s", 1))
    sieve.clean(output)
    assert output.read_text() == "warning: no\n"
    assert len(sieve.take()) == 1
