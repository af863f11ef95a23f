"""The results of a run of the CTS beside Khronos' own: a golden file of its CI, and the folder of a submission."""

import json
from pathlib import Path

import pytest
from conftest import Mock
from cts_build import make_build
from mutation import SUITES

from runner.analysis.golden import load_golden
from runner.expectations.resolution import Expectations
from runner.expectations.target import Target
from runner.model import UsageError
from runner.records.journal import Record
from runner.run_config import RunConfig
from runner.verdict.report import make_report


@pytest.fixture
def build(tmp_path: Path) -> Path:
    return make_build(tmp_path)


_GOLDEN = {
    "test_basic": {"--wimpy": {"passes": "pass", "fails": "pass", "skips": "pass", "hollow": "skip", "contradicts": "fail"}},
    "test_copy": {"--num-worker-threads 2 --wimpy max_images": {"1D": "pass", "3D": "pass"}, "LINEAR": {"1D": "fail"}},
}


def test_a_run_is_compared_with_a_golden_file_of_the_cts_own_ci(build: Path, mock: Mock) -> None:
    own = ("--driver", "llvmpipe", f"--results={mock.results}", f"--cts={build}", "-j", "1", "--retries", "0")
    wanted = ("passes", "fails", "skips", "hollow", "contradicts")
    globs = [word for name in wanted for word in ("-t", f"cts/basic/{name}")]
    mock.cli(*own, *globs, "-t", "cts/copy*/1D")
    golden = mock.folder / "golden.json"
    golden.write_text(json.dumps(_GOLDEN))
    places = (f"--suites={SUITES}", f"--expectations={mock.folder}")
    code, output = mock.cli("diff", str(golden), str(mock.results), "--format=json", *places)
    assert code == 1
    found = json.loads(output)
    ids = {kind: [c["id"] for c in found[kind]] for kind in ("broken", "fixed", "changed", "newly_skipped")}
    assert ids == {
        "broken": ["cts/basic/fails"],
        "fixed": ["cts/copy+LINEAR/1D"],
        "changed": [],
        "newly_skipped": ["cts/basic/skips"],
    }
    assert found["only_old"] == ["cts/copy/3D"]
    assert (found["same"], found["only_new"], found["differences"]) == (4, [], [])
    code, output = mock.cli("diff", str(mock.results / "cts/basic/passes.json"), str(mock.results), *places)
    assert (code, "old: passes.json: 1 sub-test of the CTS" in output) == (0, True), output


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"cmd": "x"}', '{"test_a": {"": {"b": "good"}}}', '{"test_a": {"": {"": "pass"}}}']
)
def test_what_is_not_a_golden_file_is_refused_with_its_path(text: str, tmp_path: Path) -> None:
    (tmp_path / "golden.json").write_text(text)
    run = make_report(Record(RunConfig("llvmpipe"), ()), Expectations(Target("llvmpipe"), {}), {})
    with pytest.raises(UsageError, match=r"golden\.json: is not a results file"):
        load_golden(tmp_path / "golden.json", run)


_FORM = """# to be filled in
# Compute Device Name: an example
Company:
OpenCL Version: Major.Minor
Compute Device Name:
Loader used:
"""


def test_a_full_run_is_laid_out_as_a_submission_and_what_it_lacks_is_said(build: Path, mock: Mock) -> None:
    (build / "test_conformance/opencl_conformance_tests_full.csv").write_text(
        "Math,math/test_math\nCL_DEVICE_TYPE_CPU, Linear,images/copy/test_copy LINEAR 1D\n"
        "Basic,basic/test_basic passes fails skips\n"
    )
    own = ("--driver", "llvmpipe", f"--results={mock.results}", f"--cts={build}", "-j", "1", "--retries", "0", "--cts-full")
    mock.cli(*own, "-t", "cts/math/*", "-t", "cts/copy+LINEAR/1D", "-t", "cts/basic/passes", "-t", "cts/basic/fails")
    form, folder = mock.folder / "form.txt", mock.folder / "submission"
    form.write_text(_FORM)
    command = ("tools.cts_submission", str(mock.results), str(folder), f"--cts={build}", f"--suites={SUITES}")
    code, output = mock.cli(*command, f"--form={form}")
    assert code == 1, output
    assert "failed: 1: cts/basic/fails\n" in output
    assert "not run: 1: cts/basic/skips\n" in output
    assert "left to you: 1: Company\n" in output
    log = (folder / "conformance.log").read_text()
    rows = [line for line in log.splitlines() if line.startswith("====")]
    assert rows[:-1] == [
        "==== Math: math/test_math",
        "==== Linear: images/copy/test_copy LINEAR 1D",
        "==== Basic: basic/test_basic passes fails skips",
    ]
    assert rows[-1] == "==== 1 failed, 1 not run"
    assert (
        "---- fails\nInitializing random seed to 0.\nfails...\n3 sizes\nERROR: got 1 want 2! (CL_SUCCESS from t.cpp:3)\n"
        in log
    )
    details = (folder / "submission_details.txt").read_text()
    assert details.startswith("# to be filled in\n# Compute Device Name: an example\nCompany:\nOpenCL Version: 3.0\n")
    assert "\nCompute Device Name: llvmpipe" in details
    code, output = mock.cli(*command)
    assert (code, "CMakeCache.txt: does not name the source" in output) == (2, True), output


def test_a_submission_takes_no_run_in_quick_mode_and_nothing_that_is_not_built(build: Path, mock: Mock) -> None:
    (build / "test_conformance/opencl_conformance_tests_full.csv").write_text("Math,math/test_math\nGL,gl/test_gl\n")
    own = ("--driver", "llvmpipe", f"--results={mock.results}", f"--cts={build}", "-j", "1", "-t", "cts/math/*")
    assert mock.cli(*own)[0] == 0
    source = mock.folder / "source"
    (source / "test_conformance").mkdir(parents=True)
    (source / "test_conformance/submission_details_template.txt").write_text(_FORM)
    (build / "CMakeCache.txt").write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={source}\n")
    code, output = mock.cli("tools.cts_submission", str(mock.results), str(mock.folder / "s"), f"--cts={build}")
    assert code == 1, output
    assert "not run: 1: GL: gl/test_gl\n" in output
    assert f"run in quick mode: 1: {mock.results}\n" in output
