"""Compiler statistics: a real corpus compiled by two compilers, compared and merged."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import forked
import pytest
from conftest import Mock

from runner.analysis.kernel_stats import compare, sum_up
from runner.compiler_stats.listing import NAME, Kernel, read
from runner.drivers.registry import load_drivers
from runner.model import UsageError

ROOT = Path(__file__).parents[2]


def test_a_line_torn_by_sigkill_is_dropped_and_a_damaged_one_is_named(tmp_path: Path) -> None:
    line = '{"event":"kernel","id":"s/a/b","name":"f","source":"d","metrics":{"loops":1},"compile_s":1,"variant":""}\n'
    (tmp_path / NAME).write_text(line + line[:40])
    assert list(read(tmp_path)) == [("d", "f", "")]
    (tmp_path / NAME).write_text(line + "{}\n")
    with pytest.raises(UsageError, match=f"{NAME}:2: damaged"):
        read(tmp_path)


def _corpus(*kernels: tuple[str, str, dict[str, float]]) -> dict[tuple[str, str, str], Kernel]:
    corpus = [Kernel(name, source, metrics, 1.0, id=f"s/a/{name}") for name, source, metrics in kernels]
    return {kernel.key: kernel for kernel in corpus}


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
    comparison = compare(old, new)
    instructions, waves = comparison.differences
    assert (instructions.old, instructions.new, instructions.affected) == (107, 58, (107, 58))
    assert (instructions.helped, instructions.hurt, waves.helped, waves.hurt) == (1, 1, 0, 1)
    assert [c.kernel.name for c in instructions.changes] == ["a", "b"]  # halved, and an eighth more
    assert (comparison.shared, comparison.rewritten) == (2, 1)
    assert ([k.name for k in comparison.lost], [k.name for k in comparison.gained]) == (["d"], ["e"])
    assert [(t.metric, t.worst, t.where.name) for t in sum_up(new.values())][1] == ("max_waves", 1, "c")


def test_a_kernel_of_which_only_the_code_changed_is_named() -> None:
    numbers = {"instructions": 10.0}
    old = [Kernel(name, name, numbers, code=code) for name, code in (("a", "1"), ("b", "1"), ("c", "1"), ("d", ""))]
    new = [
        Kernel("a", "a", numbers, code="1"),
        Kernel("b", "b", numbers, code="2"),
        Kernel("c", "c", {"instructions": 9.0}, code="2"),
        Kernel("d", "d", numbers, code="2"),  # the old one listed nothing
    ]
    comparison = compare({k.key: k for k in old}, {k.key: k for k in new})
    assert (comparison.shared, comparison.coded, comparison.recoded) == (4, 3, 2)
    assert [kernel.name for kernel in comparison.unnumbered] == ["b"]


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
        comparison: dict[str, Any] = json.loads(self.cli("stats", *words, "--format", "json"))
        return comparison


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
        words = ["--driver", "radeonsi", "--gpu", "navi21", "--mode", "compile", "--stats", "-j", "1"]
        places = [f"--suites={own.suites}", f"--results={results}"]
        code, output = forked.call([*words, *places], ROOT, {**os.environ, "AMD_DEBUG": options})
        assert code == 0, output
    return own


def test_a_real_compiler_says_what_it_made_of_every_kernel(compiled: Slice) -> None:
    kernels = {(k.id, k.name): k for k in read(compiled.old).values()}
    assert set(kernels) == {("own/slice/same", "a"), ("own/slice/same", "z"), ("own/slice/edited", "f")}
    for kernel in kernels.values():
        assert min(kernel.metrics[m] for m in ("instructions", "vgprs", "sgprs", "code_bytes", "max_waves")) > 0
        assert kernel.metrics["work_group_items"] > 0 < kernel.compile_s < 60
    sine, one = (kernels["own/slice/same", name].metrics["instructions"] for name in "za")
    assert sine > 5 * one  # the blocks are not exchanged
    assert len({kernel.code for kernel in kernels.values()} - {""}) == 3
    assert "VGPRS" not in (compiled.old / "journal.jsonl").read_text()
    assert "printed by the case" in (compiled.old / "journal.jsonl").read_text()


def test_what_another_compiler_does_to_the_same_source_is_found_and_an_edited_source_is_not_compared(
    compiled: Slice,
) -> None:
    comparison = compiled.compared(str(compiled.old), str(compiled.new))
    assert (comparison["shared"], comparison["rewritten"], comparison["lost"], comparison["gained"]) == (2, 1, [], [])
    changes = comparison["metrics"]["sgprs"]["changes"]
    assert {c["id"] for metric in comparison["metrics"].values() for c in metric["changes"]} == {"own/slice/same"}
    assert changes
    assert all(c["old"] != c["new"] for c in changes)
    unchanged = compiled.compared(str(compiled.old), str(compiled.old))
    assert unchanged["shared"] == 3
    assert not any(metric["changes"] for metric in unchanged["metrics"].values())
    assert unchanged["code"] == {"shared": 3, "changed": 0, "alone": []}


def test_the_comparison_reads_in_a_terminal_and_in_a_merge_request(compiled: Slice) -> None:
    text = compiled.cli("stats", str(compiled.old), str(compiled.new))
    assert "2 shared kernels, 1 of another source, not compared" in text
    assert any(line.startswith("sgprs ") and line.split()[-2:] == ["0", "2"] for line in text.splitlines())
    markdown = compiled.cli("stats", str(compiled.old), str(compiled.new), "--format", "markdown")
    assert "| metric | old | new | change |" in markdown
    assert "`own/slice/same z`" in markdown


def test_a_merged_results_directory_still_has_the_statistics(compiled: Slice, tmp_path: Path) -> None:
    merged = tmp_path / "merged"
    (compiled.suites / "own/run.py").write_text(_RUN.replace("EDIT", "1"))
    compiled.cli("merge", str(compiled.old), "--suites", str(compiled.suites), "--results", str(merged))
    assert compiled.compared(str(merged)) == compiled.compared(str(compiled.old))


def test_a_module_of_spir_v_has_statistics(mock: Mock) -> None:
    cases = ("kernels/spirv/float/FNegate.v2float", "kernels/spirv/float/FMod.v3float")
    words = ["--driver=radeonsi", "--gpu=navi21", "--mode=compile", "--stats", "-j1", f"--results={mock.results}"]
    code, output = mock.cli(*words, *(word for case in cases for word in ("-t", case)), "--tier", "full")
    assert code == 0, output
    assert mock.rows() == dict.fromkeys(cases, "Pass"), output
    kernels = list(read(mock.results).values())
    assert {k.id for k in kernels} == set(cases)
    assert len({k.source for k in kernels}) == 2
    assert min(k.metrics["instructions"] for k in kernels) > 0


def test_the_drivers_whose_compilers_print_statistics_are_in_the_registry() -> None:
    own = {d.name for d in load_drivers().values() if d.statistics.compilers}
    assert {"freedreno", "panfrost", "iris", "radeonsi", "v3d", "asahi"} <= own


def test_a_registry_that_names_an_unknown_compiler_is_refused(tmp_path: Path) -> None:
    registry = tmp_path / "drivers.yaml"
    registry.write_text("mine: {device: x, statistics: {compilers: [ir3, ir4]}}\n")
    with pytest.raises(UsageError, match=r"no compiler ir4; known: .*ir3"):
        load_drivers(registry)
