"""`tools.compare_suites`: which suite shows which bug, by the entries that decide on a target, and runs on it."""

import gzip
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Mock
from mutation import SUITES

from runner.cases import catalogue
from runner.ids import glob_pattern
from runner.importing import import_suite_module

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
    code, output = mock.cli("tools.compare_suites", f"--expectations={expectations}", "--target", "iris")
    assert code == 0, output
    assert "| kernels | 3 | 2 | 1 |  |  |" in output  # two bugs, and exp shown only by it
    assert "| piglit | 2 | 1 | 0 |  |  |" in output
    assert "| 1 | sin is wrong | 2 | 1 |  |" in output
    assert "| 3 | log is wrong |  |  | 1 |" in output  # only the CTS sees it
    assert "kernels only: 2." in output
    assert "| `builtin/sin` | 1 | `kernels/math/sin` |" in output
    assert "| `api/clflush` |  | The test's fault: a\\|b |" in output


def test_what_a_narrower_file_says_decides(expectations: Path, mock: Mock) -> None:
    _, output = mock.cli("tools.compare_suites", f"--expectations={expectations}", "--target", "iris-mesa26.2")
    assert "kernels only: 1, 2." in output


def test_the_seconds_are_those_of_the_quickest_case_in_the_runs(expectations: Path, mock: Mock) -> None:
    assert mock.run("-t", "mock/basic/fail", "--retries", "0")[0] == 1
    (expectations / "iris/iris-mesa26.3-fails.txt").write_text("# bug 2: x\n" + "".join(f"{i},Fail\n" for i in mock.rows()))
    _, output = mock.cli(
        "tools.compare_suites", f"--expectations={expectations}", "--target", "iris-mesa26.3", str(mock.results)
    )
    assert f"| mock | {len(mock.rows())} | 1 | 0 | {len(mock.rows())} | " in output
    (row,) = (line for line in output.splitlines() if line.startswith("| 2 | exp is wrong"))
    assert " ms) |" in row


def test_a_target_without_entries_is_refused(expectations: Path, mock: Mock) -> None:
    code, output = mock.cli("tools.compare_suites", f"--expectations={expectations}", "--target", "msm")
    assert code == 2
    assert "--target msm: no entry applies to it" in output


def kernels_ids() -> list[str]:
    return [i for i in catalogue.load(SUITES).cases if i.startswith("kernels/")]


@pytest.mark.parametrize("suite", ["piglit", "cts"])
def test_each_glob_of_a_map_selects_cases(suite: str) -> None:
    """Those with a group are tried by the test below, and by the tests that there are."""
    ids = "\n".join(kernels_ids())
    rules = import_suite_module(SUITES / suite, "counterparts").RULES
    globs = {glob for _, globs in rules for glob in globs if "\\" not in glob}
    assert [g for g in sorted(globs) if not re.search(f"(?m)^{glob_pattern(g).pattern}$", ids)] == []
    assert all(re.compile(pattern) for pattern, _ in rules)


_PROFILE = """<PiglitTestList>
<Test type="cl" name="api@clflush and clgetdeviceinfo"><option name="command" value="['cl-x']"/></Test>
<Test type="cl" name="api@clcreatebuffer"><option name="command" value="['cl-x']"/></Test>
<Test type="cl" name="interop@egl"><option name="command" value="['cl-x']"/></Test>
<Test type="cl" name="program@execute@builtin@builtin-uchar-abs_diff-1.0.generated">
<option name="command" value="['cl-x']"/></Test>
<Test type="cl" name="program@execute@builtin@builtin-float-sin-1.0.generated">
<option name="command" value="['cl-x']"/></Test>
<Test type="cl" name="program@execute@what is new"><option name="command" value="['cl-x']"/></Test>
</PiglitTestList>"""


def test_the_map_of_piglit_has_the_cases_of_each_test(mock: Mock, tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/cl.xml.gz").write_bytes(gzip.compress(_PROFILE.encode()))
    code, output = mock.cli("tools.compare_suites", "--map", "piglit", f"--piglit={tmp_path}")
    assert code == 0, output
    rows = {line.split("`")[1]: line for line in output.splitlines()[2:]}
    assert "`kernels/integer/abs_diff.uchar*` | 3 |" in rows["program/execute/builtin/builtin-uchar-abs_diff-1.0.generated"]
    sine = rows["program/execute/builtin/builtin-float-sin-1.0.generated"]
    assert "`kernels/math/float/sin`, `kernels/math/float/sin.*`, `kernels/math/edge/sin`" in sine
    assert "`kernels/api/*/clCreateBuffer*`" in rows["api/clcreatebuffer"]
    assert "`kernels/api/*/clFlush*`, `kernels/api/*/clGetDeviceInfo*` |" in rows["api/clflush=20and=20clgetdeviceinfo"]
    assert "| not of OpenCL, or not of Rusticl |  |" in rows["interop/egl"]
    assert "| none |  |" in rows["program/execute/what=20is=20new"]


def test_the_map_of_the_cts_goes_by_the_folder_and_the_name() -> None:
    ids = kernels_ids()
    rows = [(row.glob, row.khronos) for row in import_suite_module(SUITES / "kernels", "coverage").rows()]
    find: Callable[..., tuple[str, ...] | None] = import_suite_module(SUITES / "cts", "counterparts").counterparts

    def ours(folder: str, name: str) -> tuple[str, ...] | None:
        return find(folder, name, lambda glob: list(filter(glob_pattern(glob).fullmatch, ids)), ["clGetDeviceIDs"], rows)

    assert ours("conversions", "uchar_sat_rte_float") == (
        "kernels/conversion/convert/uchar_sat_rte.float",
        "kernels/link/convert/uchar_sat_rte.float",
    )
    assert ours("math_brute_force", "hypot") == ("kernels/math/*/hypot", "kernels/math/*/hypot.*")
    assert ours("api", "negative_get_device_ids") == ("kernels/api/*/clGetDeviceIDs*",)
    assert ours("images/clFillImage", "2D") == ("kernels/image/fill/*",)  # only by a row
    assert ours("vulkan", "test_platform_info") == ()
    assert ours("new", "x") is None


def test_a_map_of_nothing_is_refused(mock: Mock) -> None:
    code, output = mock.cli("tools.compare_suites", "--map", "cts")
    assert (code, "name it with --cts DIR" in output) == (2, True), output
