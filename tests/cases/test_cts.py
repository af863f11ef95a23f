"""The OpenCL-CTS: its lists and names, and how its programs are judged, by programs that really end in each way."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Mock
from cts_build import ENDS, make_build, write_program
from mutation import SUITES

from runner.check import Mismatch, NothingTested, Unsupported
from runner.importing import import_suite_module
from runner.model import UsageError
from runner.program import Ended


@pytest.fixture
def build(tmp_path: Path) -> Path:
    return make_build(tmp_path)


def cts(name: str) -> Any:
    return import_suite_module(SUITES / "cts", name)


def test_the_sub_tests_are_those_of_the_rows_as_the_programs_list_them(build: Path, mock: Mock) -> None:
    code, output = mock.cli("list", f"--cts={build}", "-t", "cts/*")
    assert code == 0, output
    quick = [*(f"basic/{name}" for name in ENDS), *(f"copy+max_images/{n}" for n in ("1D", "1Darray", "2D"))]
    quick += ["copy+LINEAR/1D", "copy+LINEAR/1Darray", "sizes/quick_1d", "math/sin"]
    full = ["sizes/full_1d", "sizes+single+5/quick_1d", "sizes+single+5/full_1d", "new/buffer"]
    assert output.split() == [f"cts/{name}" for name in (*quick, *full)]
    assert sum(subtest.quick for subtest in cts("installation").read_subtests(build)) == len(quick)


def test_the_cts_runs_only_if_a_glob_asks_for_it(build: Path, mock: Mock) -> None:
    _, everything = mock.cli("list", f"--cts={build}")
    assert "kernels/" in everything
    assert "cts/" not in everything
    assert mock.cli("list", "-t", "cts/*")[0] == 2


@pytest.mark.parametrize("program", ["", "exit 3", "echo nothing"])
def test_what_is_not_a_build_is_refused_with_its_path(program: str, tmp_path: Path) -> None:
    if program:
        path = tmp_path / "test_conformance/a/test_a"
        path.parent.mkdir(parents=True)
        path.write_text(f"#!/bin/sh\n{program}\n")
        path.chmod(0o755)
    with pytest.raises(UsageError, match="test_a --list: exit code" if program else "test_conformance: no program"):
        cts("installation").read_subtests(tmp_path)


@pytest.mark.parametrize(
    ("result", "code", "printed", "raised"),
    [
        ("pass", 0, "n...\n1 of 3 right\nn passed\n", None),
        ("pass", 0, "n...\nn passed\nPASSED test.\n", None),  # it prints nothing of its own
        ("pass", 0, "not supported\nn...\nAll sizes\nn passed\n", None),  # that was said before it began
        ("pass", 0, "n...\nSkipping half\nn passed\n", Unsupported("hollow: Skipping half")),
        (
            "pass",
            0,
            "n...\nRunning mipmapped 1D array read-only tests...\n---\nThis device does not support cl_khr_mipmap_image.\n"
            "Skipping mipmapped image test. \n---\n\nn passed\n",
            Unsupported("hollow: This device does not support cl_khr_mipmap_image."),
        ),
        (
            "pass",
            0,
            "n...\nMaximal number of sub-devices on device 0x5567 is 0.\n"
            'Device partition type "E" is not supported on device 0x5567. Skipping test...\n'
            "Testing on all device 0x5567 finished\nn passed\n",
            Unsupported('hollow: Device partition type "E" is not supported'),
        ),
        (
            "pass",
            0,
            "n...\nMaximal number of sub-devices on device 0x5567 is 4.\n"
            'Device partition type "E" is not supported on device 0x5567. Skipping test...\n'
            "Testing on all device 0x5567 finished\nn passed\n",
            None,  # another type can have been tested
        ),
        (
            "pass",
            0,
            "n...\nRunning test for baseline results to determine if out-of-order execution can be detected...\n"
            "Failed to obtain two devices. Test can not run.\nRunning test for actual results...\n"
            "\tTesting with waitlist-based depenednecies between kernels.\n"
            "Failed to obtain two devices. Test can not run.\nn passed\n",
            Unsupported("hollow: Failed to obtain two devices"),
        ),
        (
            "pass",
            0,
            "n...\nRequired extension not found - device id 0 - cl_khr_int64_base_atomics\n"
            "Requested SVM level not supported by any device on this platform, test not executed.\nn passed\n",
            Unsupported("hollow: Required extension not found"),
        ),
        (
            "pass",
            0,
            "n...\nPlatform Supports Timers\nSkipping CL_INVALID_OPERATION tests\nn passed\n",
            None,
        ),  # the others ran
        (
            "fail",
            1,
            "n...\nFile /b/spirv_bin/spv1.4/ptrops.spv64 not found\n"
            "File spv1.4/ptrops not found\nt.cpp(227): Error -1\nn FAILED\n",
            NothingTested("the build lacks /b/spirv_bin/spv1.4/ptrops.spv64"),
        ),
        ("pass", 3, "n...\nclFinish failed: -5\nn passed\n", Mismatch("exit code is 3: clFinish failed: -5")),
        ("fail", 1, "n...\nno images\nERROR: bad!\nn FAILED\n", Mismatch("api: ERROR: bad!")),
        ("fail", 1, "n...\nERROR: x (from /s/test_conformance/a/b.cpp:3)", Mismatch("x (from test_conformance/a/b.cpp:3)")),
        ("fail", 1, "n...\nn passed\nclFinish failed: -1\nFAILED test.\n", Mismatch("api: clFinish failed: -1")),
        ("fail", 1, "n...\nn FAILED\nfailed to open fd 3\n got: 0,0\n", Mismatch("api: got: 0,0")),  # on stderr
        ("fail", 1, "n...\n", Mismatch("api: no reason is printed")),
        ("skip", 0, "n...\nn test not supported\n", Unsupported("cts: n test not supported")),
        ("", 0, "n...\n", NothingTested("without a verdict of n")),
        (
            "",
            255,
            "n...\nCould not compile: failed\n",
            Mismatch("exit code 255 before a verdict: Could not compile: failed"),
        ),
    ],
)
def test_the_results_file_decides_and_the_print_gives_the_reason(
    result: str, code: int, printed: str, raised: Exception | None
) -> None:
    judge = cts("verdict").judge
    if raised is None:
        judge("n", Ended(code, printed, ""), {"n": result})
        return
    with pytest.raises(type(raised)) as caught:
        judge("n", Ended(code, printed, "on stderr: wrong"), {"n": result} if result else {})
    assert str(raised) in str(caught.value)


@pytest.mark.parametrize(
    ("text", "result"),
    [('{"results": {"a": "pass"}}', "pass"), ('{"results": {"b": "pass"}}', ""), ("{", ""), ("[]", ""), (None, "")],
)
def test_a_results_file_that_says_nothing_of_the_sub_test_is_not_a_pass(
    text: str | None, result: str, tmp_path: Path
) -> None:
    if text is not None:
        (tmp_path / "r.json").write_text(text)
    assert cts("run").read_results(tmp_path / "r.json").get("a", "") == result


def test_the_exit_code_of_another_sub_test_is_not_that_of_the_one_asked_for() -> None:
    """test_non_uniform_work_group runs all of its own, whatever it is asked for."""
    judge, ended = cts("verdict").judge, Ended(1, "a...\na passed\nb...\nERROR: bad\nb FAILED\n", "")
    judge("a", ended, {"a": "pass", "b": "fail"})
    with pytest.raises(Mismatch, match="ERROR: bad"):
        judge("b", ended, {"a": "pass", "b": "fail"})


def test_each_sub_test_has_the_verdict_of_its_end(build: Path, mock: Mock) -> None:
    own = ("--driver", "llvmpipe", f"--results={mock.results}", f"--cts={build}", "-j", "1", "--retries", "0")
    # Short for a case that hangs; a child, which the deadline holds too, starts within 0.4 s of processor time.
    code, output = mock.cli(*own, "-t", "cts/*", "--timeout-scale", "0.02")
    assert code == 1, output
    found = {name.removeprefix("cts/"): verdict for name, verdict in mock.rows().items()}
    assert {name: found[f"basic/{name}"] for name in ENDS} == {
        "passes": "Pass",
        "fails": "Fail",
        "skips": "Skip",
        "hollow": "Skip",
        "partly": "Pass",
        "contradicts": "Fail",
        "stops": "Fail",
        "says-nothing": "Error",
        "crashes": "Crash",
        "hangs": "Timeout",
        "wimpy": "Pass",
    }
    journal = [json.loads(line) for line in (mock.results / "journal.jsonl").read_text().splitlines()]
    messages = {e["id"]: e["attempts"][-1].get("message", "") for e in journal if e["event"] == "result"}
    assert messages["cts/basic/fails"] == "api: ERROR: got 1 want 2! (CL_SUCCESS from t.cpp:3)"
    assert messages["cts/basic/hollow"] == "unsupported: hollow: cl_khr_fp64 not supported, skipping."
    assert messages["cts/basic/crashes"].startswith("SIGSEGV")
    kept = json.loads((mock.results / "cts/basic/passes.json").read_text())
    assert kept["results"] == {"passes": "pass"}  # the CTS' own file is an artifact
    assert not (mock.results / "cts/basic/crashes.json").exists()
    arguments = (build / "test_conformance/images/copy/arguments").read_text()
    assert arguments == "LINEAR --wimpy small_images 1Darray\n"


def test_quick_mode_has_small_images_but_in_rows_that_choose_their_sizes(build: Path) -> None:
    words = {(s.program, s.options): s.quick_words for s in cts("installation").read_subtests(build)}
    assert words["images/copy/test_copy", ("LINEAR",)] == ("--wimpy", "small_images")
    assert words["images/copy/test_copy", ("max_images",)] == ("--wimpy",)
    assert words["basic/test_basic", ()] == ("--wimpy",)


@pytest.mark.parametrize("program", ["samplerlessReads/test_samplerless_reads", "kernel_read_write/test_image_streams"])
def test_a_program_whose_small_sizes_cost_more_draws_its_sizes(program: str) -> None:
    subtest = cts("installation").Subtest(f"images/{program}", (), "3D", True, False)
    assert subtest.quick_words == ("--wimpy",)


def test_a_row_of_mipmapped_images_is_skipped_if_the_device_has_none(build: Path, mock: Mock) -> None:
    """Whatever the program says: of the CTS' own some print nothing there, and pass."""
    with (build / "test_conformance/opencl_conformance_tests_quick.csv").open("a") as rows:
        rows.write("Mipmaps,images/copy/test_copy test_mipmaps\n")
    own = ("--driver", "llvmpipe", f"--results={mock.results}", f"--cts={build}", "-j", "1", "--retries", "0")
    code, output = mock.cli(*own, "-t", "cts/copy+test_mipmaps/*", "-t", "cts/copy+LINEAR/1D")
    assert code == 0, output
    copies = dict.fromkeys((f"cts/copy+test_mipmaps/{name}" for name in ("1D", "1Darray", "2D")), "Skip")
    assert mock.rows() == {**copies, "cts/copy+LINEAR/1D": "Pass"}
    assert "LINEAR" in (build / "test_conformance/images/copy/arguments").read_text()


def test_the_program_of_conversions_is_asked_for_each_by_its_name(build: Path, mock: Mock) -> None:
    """It lists only itself, skips that name, and uses it in its results, whatever it was asked for."""
    write_program(build / "test_conformance/conversions/test_conversions", ["conversions"])
    code, output = mock.cli("list", f"--cts={build}", "-t", "cts/conversions/*")
    assert code == 0, output
    assert len(names := output.split()) == (8 * 2 + 3) * 5 * 11
    assert {"cts/conversions/uchar_sat_rtz_half", "cts/conversions/double_long"} <= set(names)
    own = ("--driver", "llvmpipe", f"--results={mock.results}", f"--cts={build}", "-j", "1", "--retries", "0")
    code, output = mock.cli(*own, "-t", "cts/conversions/char_sat_rte_float", "--tier", "full")
    assert code == 0, output
    assert mock.rows() == {"cts/conversions/char_sat_rte_float": "Pass"}
    assert (build / "test_conformance/conversions/arguments").read_text() == "--wimpy char_sat_rte_float\n"


def test_in_full_there_are_neither_wimpy_mode_nor_small_images(build: Path, mock: Mock) -> None:
    own = ("--driver", "llvmpipe", f"--results={mock.results}", f"--cts={build}", "-j", "1", "--retries", "0", "--cts-full")
    code, output = mock.cli(*own, "-t", "cts/basic/wimpy", "-t", "cts/copy+LINEAR/1D")
    assert code == 1, output
    assert mock.rows() == {"cts/basic/wimpy": "Fail", "cts/copy+LINEAR/1D": "Pass"}
    assert (build / "test_conformance/images/copy/arguments").read_text() == "LINEAR 1D\n"


def test_results_are_read_even_if_the_build_cannot_be(build: Path, mock: Mock) -> None:
    """As in a job that only reports, which has neither the build nor an OpenCL loader."""
    for n in (1, 2):
        own = ("--driver", "llvmpipe", f"--results={mock.folder}/shards/{n}", f"--cts={build}", "-j", "1", "--retries", "0")
        code, output = mock.cli(*own, "-t", "cts/basic/*s", "-x", "cts/basic/hangs", "-x", "cts/basic/cr*", f"--shard={n}/2")
        assert code == 1, output
    (build / "test_conformance/basic/test_basic").write_text("#!/bin/sh\nexit 127\n")
    places = (f"--suites={SUITES}", f"--expectations={mock.folder}")
    whole = mock.folder / "whole"
    assert mock.cli("merge", f"{mock.folder}/shards", f"--results={whole}", *places)[0] == 1
    for command in ("report", "summary"):
        code, output = mock.cli(command, str(whole), f"--suites={SUITES}")
        assert code in (0, 1), output
    code, output = mock.cli("diff", f"{mock.folder}/shards", str(whole), *places)
    assert code == 0, output
    assert "the same 5" in output


_BUILD = pytest.mark.skipif("RUNNER_CTS_BUILD" not in os.environ, reason="RUNNER_CTS_BUILD: what ci/cts-build printed")


def run_build(mock: Mock, *words: str) -> tuple[int, str]:
    own = ("--driver", "llvmpipe", f"--results={mock.results}", f"--cts={os.environ['RUNNER_CTS_BUILD']}", "-j", "2")
    return mock.cli(*own, f"--expectations={ROOT / 'expectations'}", *words)


@_BUILD
def test_a_slice_of_a_build_is_as_expected(mock: Mock) -> None:
    code, output = run_build(mock, "-t", "cts/commonfns/*")
    assert code == 0, output
    assert set(mock.rows().values()) <= {"Pass", "Skip", "ExpectedFail"}


@_BUILD
@pytest.mark.nightly("ten minutes of CPU time; a change sees commonfns")
def test_what_was_measured_of_a_build_is_as_expected(mock: Mock) -> None:
    programs = ("api", "atomics", "buffers", "compiler", "computeinfo", "events", "geometrics", "printf", "spirv_new")
    code, output = run_build(mock, *(word for name in programs for word in ("-t", f"cts/{name}/*")))
    assert code == 0, output
    assert len(mock.rows()) > 600
