"""Compiler statistics: how each back end's listing is read, and a real corpus compiled by two compilers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from runner.analysis.kernel_stats import compare, sum_up
from runner.compiler_stats.formats import parse
from runner.compiler_stats.listing import NAME, Kernel, Sieve, divide, read
from runner.drivers.registry import load_drivers
from runner.model import UsageError
from runner.run.supervisor import Supervisor

ROOT = Path(__file__).parent.parent
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
    return parse(text.splitlines(), [compiler])


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
    blocks = [("", {"instructions": n}) for n in (15, 12, 30)]
    assert [own[0][1]["instructions"] for own in divide(blocks, 3)] == [15, 12, 30]
    widths = [("SIMD8", {}), ("SIMD16", {}), ("SIMD32", {}), ("SIMD16", {})]
    assert [[variant for variant, _ in own] for own in divide(widths, 2)] == [
        ["SIMD8", "SIMD16", "SIMD32"],
        ["SIMD16"],
    ]


def test_where_the_count_does_not_tell_whose_a_block_is_no_kernel_gets_it() -> None:
    blocks = [("", {"instructions": n}) for n in (15, 12)]
    assert divide(blocks, 3) == [[("", {})]] * 3


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
    sieve = Sieve(["ir3"], ["Unhandled ALU op"])
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


def test_the_listing_of_a_build_that_never_ended_stays_in_the_log(tmp_path: Path) -> None:
    output = tmp_path / "output"
    sieve = Sieve(["ir3"], [])
    output.write_text("@@runner build\nir3: Assertion `x' failed.\n")
    sieve.clean(output)
    assert output.read_text() == "ir3: Assertion `x' failed.\n"
    output.write_text("@@runner build\nwarning: no\n@@runner refused\n" + _listing("s", 1))
    sieve.clean(output)
    assert output.read_text() == "warning: no\n"
    assert len(sieve.take()) == 1


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
    sieve = Sieve(["ir3"], [])
    text = f"{line}\n".encode("utf-8", "surrogateescape")
    output.write_bytes(text + _listing("s", 1).encode() + text)
    sieve.clean(output)
    assert output.read_bytes() == text + text
    assert len(sieve.take()) == 1


def test_a_line_torn_by_sigkill_is_dropped_and_a_damaged_one_is_named(tmp_path: Path) -> None:
    line = '{"event":"kernel","id":"s/a/b","name":"f","source":"d","metrics":{"loops":1},"compile_s":1,"variant":""}\n'
    (tmp_path / NAME).write_text(line + line[:40])
    assert list(read(tmp_path)) == [("d", "f", "")]
    (tmp_path / NAME).write_text(line + "{}\n")
    with pytest.raises(UsageError, match=f"{NAME}:2: damaged"):
        read(tmp_path)


def _corpus(*kernels: tuple[str, str, dict[str, float]]) -> dict[tuple[str, str, str], Kernel]:
    made = [Kernel(name, source, metrics, 1.0, id=f"s/a/{name}") for name, source, metrics in kernels]
    return {kernel.key: kernel for kernel in made}


def test_fewer_instructions_help_and_fewer_waves_hurt() -> None:
    old = _corpus(
        ("a", "1", {"instructions": 100, "max_waves": 16}),
        ("b", "2", {"instructions": 7, "max_waves": 8}),
        ("c", "3", {"instructions": 1, "max_waves": 1}),
        ("d", "4", {"instructions": 5}),
    )
    new = _corpus(
        ("a", "1", {"instructions": 50, "max_waves": 8}),
        ("b", "2", {"instructions": 8, "max_waves": 8}),
        ("c", "33", {"instructions": 9, "max_waves": 1}),
        ("e", "5", {"instructions": 5}),
    )
    made = compare(old, new)
    instructions, waves = made.differences
    assert (instructions.old, instructions.new, instructions.affected) == (107, 58, (107, 58))
    assert (instructions.helped, instructions.hurt, waves.helped, waves.hurt) == (1, 1, 0, 1)
    assert [c.kernel.name for c in instructions.changes] == ["a", "b"]  # halved, and an eighth more
    assert (made.shared, made.rewritten) == (2, 1)
    assert ([k.name for k in made.lost], [k.name for k in made.gained]) == (["d"], ["e"])
    assert [(t.metric, t.worst, t.where.name) for t in sum_up(new.values())][1] == ("max_waves", 1, "c")


@dataclass
class Slice:
    """A suite of two kernels, compiled by radeonsi with LLVM and, one of them edited, with ACO."""

    suites: Path
    old: Path
    new: Path

    def cli(self, *words: str) -> str:
        done = subprocess.run([sys.executable, "-m", "runner.cli", *words], capture_output=True, text=True, cwd=ROOT)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def compared(self, *words: str) -> dict[str, Any]:
        made: dict[str, Any] = json.loads(self.cli("stats", *words, "--format", "json"))
        return made


_CASES = """\
from runner.model import Case
def cases():
    for name in ("same", "edited"):
        yield Case(f"own/slice/{name}", timeout_s=60)
"""
_RUN = """\
import numpy as np
SOURCES = {
    "same": "__kernel void z(__global float *a) { a[get_global_id(0)] = sin(a[0]); }"
            "__kernel void a(__global int *a) { a[0] = 1; }",
    "edited": "__kernel void f(__global int *a) { a[get_global_id(0)] = EDIT; }",
}
def run(device, case):
    program = device.build(SOURCES[case.id.rpartition("/")[2]])
    print("printed by the case")
    assert device.read(device.buffer(4), np.int32, 1) is None
"""


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Slice:
    folder = tmp_path_factory.mktemp("slice")
    own = Slice(folder / "suites", folder / "old", folder / "new")
    suite = own.suites / "own"
    suite.mkdir(parents=True)
    (suite / "suite.yaml").write_text("suite: own\ndescription: two programs\ntimeout_s: 60\n")
    (suite / "cases.py").write_text(_CASES)
    for results, edit, options in ((own.old, "1", ""), (own.new, "2 * a[1]", "useaco")):
        (suite / "run.py").write_text(_RUN.replace("EDIT", edit))
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "runner.cli",
                "--driver",
                "radeonsi",
                "--gpu",
                "navi21",
                "--mode",
                "compile",
                "--stats",
                "-j",
                "1",
                "--suites",
                str(own.suites),
                "--results",
                str(results),
            ],
            env={**os.environ, "AMD_DEBUG": options},
            capture_output=True,
            text=True,
            cwd=ROOT,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    return own


def test_a_real_compiler_says_what_it_made_of_every_kernel(compiled: Slice) -> None:
    kernels = {(k.id, k.name): k for k in read(compiled.old).values()}
    assert set(kernels) == {("own/slice/same", "a"), ("own/slice/same", "z"), ("own/slice/edited", "f")}
    for kernel in kernels.values():
        assert min(kernel.metrics[m] for m in ("instructions", "vgprs", "sgprs", "code_bytes", "max_waves")) > 0
        assert kernel.metrics["work_group_items"] > 0 < kernel.compile_s < 60
    sine, one = (kernels["own/slice/same", name].metrics["instructions"] for name in "za")
    assert sine > 5 * one  # the blocks are not exchanged
    assert "VGPRS" not in (compiled.old / "journal.jsonl").read_text()
    assert "printed by the case" in (compiled.old / "journal.jsonl").read_text()


def test_what_another_compiler_does_to_the_same_source_is_found_and_an_edited_source_is_not_compared(
    compiled: Slice,
) -> None:
    made = compiled.compared(str(compiled.old), str(compiled.new))
    assert (made["shared"], made["rewritten"], made["lost"], made["gained"]) == (2, 1, [], [])
    changes = made["metrics"]["sgprs"]["changes"]
    assert {c["id"] for metric in made["metrics"].values() for c in metric["changes"]} == {"own/slice/same"}
    assert changes and all(c["old"] != c["new"] for c in changes)
    unchanged = compiled.compared(str(compiled.old), str(compiled.old))
    assert unchanged["shared"] == 3 and not any(metric["changes"] for metric in unchanged["metrics"].values())


def test_the_comparison_reads_in_a_terminal_and_in_a_merge_request(compiled: Slice) -> None:
    text = compiled.cli("stats", str(compiled.old), str(compiled.new))
    assert "2 shared kernels, 1 of another source, not compared" in text
    assert any(line.startswith("sgprs ") and line.split()[-2:] == ["0", "2"] for line in text.splitlines())
    markdown = compiled.cli("stats", str(compiled.old), str(compiled.new), "--format", "markdown")
    assert "| metric | old | new | change |" in markdown and "`own/slice/same z`" in markdown


def test_a_merged_results_directory_still_has_the_statistics(compiled: Slice, tmp_path: Path) -> None:
    merged = tmp_path / "merged"
    (compiled.suites / "own/run.py").write_text(_RUN.replace("EDIT", "1"))
    compiled.cli("merge", str(compiled.old), "--suites", str(compiled.suites), "--results", str(merged))
    assert compiled.compared(str(merged)) == compiled.compared(str(compiled.old))


def test_the_drivers_whose_compilers_print_statistics_are_in_the_registry() -> None:
    own = {d.name for d in load_drivers().values() if d.statistics.compilers}
    assert {"freedreno", "panfrost", "iris", "radeonsi", "v3d", "asahi"} <= own


def test_a_registry_that_names_an_unknown_compiler_is_refused(tmp_path: Path) -> None:
    registry = tmp_path / "drivers.yaml"
    registry.write_text("mine: {device: x, statistics: {compilers: [ir3, ir4]}}\n")
    with pytest.raises(UsageError, match=r"no compiler ir4; known: .*ir3"):
        load_drivers(registry)
