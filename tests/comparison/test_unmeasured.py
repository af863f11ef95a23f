"""Runs on different classes of CPU: a run on one that was not measured says which were, and none is mixed with another."""

from pathlib import Path

import pytest
from nights import Nights

from runner import ROOT, VERSION
from runner.analysis.merged_runs import difference
from runner.cases.frozen_ids import load_release
from runner.cli import main
from runner.expectations.resolution import Expectations
from runner.expectations.target import Target
from runner.model import DeviceReport, ExitCode, Status
from runner.records.history import History
from runner.records.journal import read
from runner.verdict.report import _unmeasured

_ONLY = "avx512, the only class of CPU measured with Mesa 25.0; this one is avx2"
_TWO = "sse4.1, avx512, the classes of CPU measured with Mesa 25.0; this one is avx2"


@pytest.mark.parametrize(
    ("classes", "text"), [(["avx512"], _ONLY), (["avx512", "sse4.1"], _TWO), (["avx512", "avx2"], ""), ([], "")]
)
def test_a_class_without_a_file_is_named_beside_those_that_have_one(classes: list[str], text: str) -> None:
    files = {Path(f"e/llvmpipe/llvmpipe-{name}-mesa25.0-fails.txt"): "" for name in classes}
    expectations = Expectations(Target("llvmpipe", "avx2", mesa="25.0"), files)
    assert _unmeasured(expectations, DeviceReport(cpu_class="avx2")) == text
    assert not _unmeasured(expectations, None)


def test_runs_of_two_classes_are_not_merged(tmp_path: Path) -> None:
    nights = Nights(tmp_path)
    one, same, other = (read(nights.run({"s/a/t": (Status.PASS,)}, cpu_class=name)) for name in ("avx2", "avx2", "sse4.1"))
    assert difference(one, same) == ""
    assert difference(one, other) == "ran on another device (llvmpipe (LLVM 19.1.7, 256 bits), Mesa 25.0.7, sse4.1)"


def test_flakes_of_two_classes_are_told_apart_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nights = Nights(tmp_path)
    with History(tmp_path / "history", create=True) as history:
        for statuses in ((Status.FAIL,), (Status.PASS,), (Status.FAIL,)):
            name = "avx2" if statuses == (Status.PASS,) else "avx512"
            history.add(nights.run({"s/a/t": statuses}, cpu_class=name))
    # One test that fails on one class and passes on the other: of one class it would be a flake.
    assert main(["flakes", "--history", str(tmp_path / "history"), f"--expectations={tmp_path}"]) == ExitCode.GREEN
    output = capsys.readouterr().out
    assert "llvmpipe-avx2-mesa25.0: 1 runs" in output
    assert "llvmpipe-avx512-mesa25.0: 2 runs" in output
    assert output.count("no flakes") == 2


def test_what_came_after_a_targets_measure_is_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "iris"
    folder.mkdir()
    head = "# Measured: tgl.\n# Suite: {}\n"

    def listed(target: str = "iris-tgl-compile-mesa25.0") -> list[str]:
        words = ["list", "-t", "kernels/control/*", "--unmeasured", target, "--expectations", str(tmp_path)]
        assert main(words) == 0
        return capsys.readouterr().out.split()

    everything = listed()
    (folder / "iris-compile-mesa25.0-fails.txt").write_text(head.format("2026.12"))
    newer = listed()
    old = load_release(ROOT / "suites", "2026.12").cases.keys()
    assert newer == [i for i in everything if i not in old]
    assert 0 < len(newer) < len(everything)
    assert listed("iris-tgl-compile-mesa26.2") == everything, "the file is of another Mesa"
    (folder / "iris-tgl-compile-mesa25.0-fails.txt").write_text(head.format(VERSION))
    assert listed() == []
    assert listed("iris-adl-compile-mesa25.0") == newer
