"""`runner expect` on real runs of llvmpipe: from red to green, and only what was red is written down."""

import os

import pytest
from conftest import Mock

from runner.cpu import class_of, read_cpu
from runner.expectations.files import parse_file
from runner.model import FileKind

_CASES = (
    "kernels/api/image/clCreateImage.row_pitch_small",
    "kernels/integer/add.uint",
    "kernels/api/svm/clEnqueueSVMMemFill.pattern_of_0",
)


@pytest.mark.nightly("test_expect_commands.py goes this way with the mock suite")
def test_two_runs_make_the_files_by_which_a_third_is_green(mock: Mock) -> None:
    own = ["--expectations", str(mock.folder / "expectations")]
    words = ["--driver", "llvmpipe", "--tier", "full", "-j", "1", f"--results={mock.results}", *own]
    for case in _CASES:
        words += ["-t", case]
    red: set[str] = set()
    for name in ("one", "two"):
        mock.cli(*words)
        red = {i for i, verdict in mock.rows().items() if verdict in ("Fail", "Crash")}
        mock.results.rename(mock.folder / name)
    code, output = mock.cli("expect", "init", *own, "one", "two")
    assert code == 0, output
    layer = f"expectations/llvmpipe/llvmpipe-{class_of(read_cpu(), os.environ)}"
    path = mock.folder / f"{layer}-fails.txt"
    assert {e.pattern for e in parse_file(path.read_text(), FileKind.FAILS, "f").entries} == red
    assert "Measured: llvmpipe (LLVM " in path.read_text()
    assert "images" in (mock.folder / f"{layer}-device.txt").read_text().splitlines()
    code, output = mock.cli(*words)
    assert code == 0, output
    code, output = mock.cli("expect", "lint", *own, "--driver", "llvmpipe")
    assert code == (1 if red else 0)
    assert output.count("has no reason yet") == len(red)
