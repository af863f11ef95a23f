"""On how many of the implementations that were measured a failing test is red, and on which it passes."""

from pathlib import Path

from conftest import MOCK, Mock
from expect_files import Files

from runner.expectations.sightings import load_listings
from runner.expectations.target import Target
from runner.verdict.likeness import Elsewhere


def test_a_new_failure_says_on_which_other_drivers_the_test_fails_and_on_which_it_passes(mock: Mock) -> None:
    for name, text in (
        ("all/all-mesa25.0-fails", "mock/basic/segfault,Crash,SIGSEGV\n"),
        ("zink/zink-mesa25.0-fails", "mock/basic/fail,Fail,got 7\n"),
        ("pocl/pocl-fails", "mock/basic/*,Fail,got 7\n"),  # another way to fail
        ("other/other-fails", "mock/basic/*,Fail,got 1 want 2\n"),
        ("careful/careful-fails", "mock/basic/pass,Fail,x\n"),
        ("careful/careful-skips", "mock/basic/fail\n"),
        ("iris/iris-compile-mesa25.0-fails", "mock/basic/segfault,Crash,SIGSEGV\n"),
    ):
        (path := mock.folder / f"expectations/{name}.txt").parent.mkdir(exist_ok=True)
        path.write_text(f"# why\n{text}")
    _, output = mock.run("-t", "mock/basic/fail", "-t", "mock/basic/segfault", "-t", "mock/basic/abort")
    assert "got 1 want 2 (red on 3 of 4, on other, zink too; expected to pass on pocl)" in output
    assert "(red on 2 of 5, on zink too; expected to pass on careful, other, pocl)" in output, "pocl has no Mesa"
    assert "(expected to pass on careful, other, pocl, zink: only red here so far)" in output
    suites = f"--suites={MOCK / 'suites'}"
    assert mock.cli("html", suites, f"--expectations={mock.folder / 'expectations'}", "results")[0] == 0
    assert "red on 3 of 4, on other, zink too; expected to pass on pocl" in (mock.folder / "results/report.html").read_text()


def test_who_lacks_what_a_test_needs_does_not_pass_it(tmp_path: Path) -> None:
    Files(tmp_path).write(
        iris__fails="# why\nk/math/exp,Fail,x\n", zink__fails="# why\nk/math/exp,Fail,x\n", zink__device="fp16\n"
    )
    folder = tmp_path / "expectations"
    elsewhere = Elsewhere(str(folder), load_listings(folder))
    assert elsewhere.find("k/math/sin", "", ()) == ([], ["iris", "zink"])
    assert elsewhere.find("k/math/sin", "", ("fp16", "fp64")) == ([], ["iris"])
    assert elsewhere.in_words("k/math/exp", "x", (), Target("llvmpipe")) == "red on 3 of 3, on iris, zink too"
