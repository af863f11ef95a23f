"""`runner compare-suites`: which suite shows which bug, by the entries that decide on a target, and runs on it."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Mock

_BUG = """\
title: {title}
clause: OpenCL C 3.0, 7.4
says: It is right.
case: kernels/math/{name}
upstream: unreported
"""
_BROAD = """\
# bug 1: sin
kernels/math/sin,Fail,value: x
kernels/math/sinpi,Fail,value: x
piglit/builtin/sin,Fail,value: x

# bug 2: exp
kernels/math/exp,Crash,SIGSEGV

# bug 3: log
cts/math/log,Fail,api: x

# The test's fault: a|b
piglit/api/clflush,Fail,x
"""
_NARROW = """\
# bug 1: Fixed there.
piglit/builtin/sin,Pass
"""


@pytest.fixture
def expectations(tmp_path: Path) -> Path:
    (tmp_path / "bugs").mkdir()
    for number, name in enumerate(("sin", "exp", "log"), 1):
        text = _BUG.format(title=f"{name} is wrong", name=name)
        (tmp_path / f"bugs/{number:04}-{name}.yaml").write_text(text)
    (tmp_path / "expectations/iris").mkdir(parents=True)
    (tmp_path / "expectations/iris/iris-fails.txt").write_text(_BROAD)
    (tmp_path / "expectations/iris/iris-mesa26.2-fails.txt").write_text(_NARROW)
    return tmp_path / "expectations"


def test_a_bug_counts_for_each_suite_whose_entries_name_it(expectations: Path, mock: Mock) -> None:
    code, output = mock.cli("compare-suites", f"--expectations={expectations}", "--target", "iris")
    assert code == 0, output
    assert "| kernels | 3 | 2 | 1 |  |  |" in output  # two bugs, and exp by it alone
    assert "| piglit | 2 | 1 | 0 |  |  |" in output
    assert "| 1 | sin is wrong | 2 | 1 |  |" in output
    assert "| 3 | log is wrong |  |  | 1 |" in output  # nobody else sees it, and it is not ours
    assert "kernels alone: 2." in output
    assert "| `builtin/sin` | 1 | `kernels/math/sin` |" in output
    assert "| `api/clflush` |  | The test's fault: a\\|b |" in output


def test_what_a_narrower_file_says_decides(expectations: Path, mock: Mock) -> None:
    _, output = mock.cli("compare-suites", f"--expectations={expectations}", "--target", "iris-mesa26.2")
    assert "kernels alone: 1, 2." in output


def test_the_seconds_are_those_of_the_quickest_case_in_the_runs(expectations: Path, mock: Mock) -> None:
    assert mock.run("-t", "mock/basic/fail", "--retries", "0")[0] == 1
    (expectations / "iris/iris-mesa26.3-fails.txt").write_text("# bug 2: x\n" + "".join(f"{i},Fail\n" for i in mock.rows()))
    _, output = mock.cli("compare-suites", f"--expectations={expectations}", "--target", "iris-mesa26.3", str(mock.results))
    assert f"| mock | {len(mock.rows())} | 1 | 0 | {len(mock.rows())} | " in output
    (row,) = (line for line in output.splitlines() if line.startswith("| 2 | exp is wrong"))
    assert " ms) |" in row


def test_a_target_without_entries_is_refused(expectations: Path, mock: Mock) -> None:
    code, output = mock.cli("compare-suites", f"--expectations={expectations}", "--target", "msm")
    assert code == 2
    assert "--target msm: no entry applies to it" in output
