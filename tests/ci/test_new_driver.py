"""A driver that the project does not know yet: its first run, its files, and an OpenCL that does not load."""

import shutil
from pathlib import Path

from conftest import Mock

from runner.child.libraries import why_unloadable
from runner.model import DeviceReport
from runner.output.terminal import describe


def test_a_driver_without_expectation_files_has_failures_and_no_regressions_until_init_has_made_them(mock: Mock) -> None:
    mock.environment["RUNNER_COMMAND"] = "runner"
    shutil.rmtree(mock.folder / "expectations/mock")
    words = ("-t", "mock/basic/pass", "-t", "mock/basic/fail", "-t", "mock/basic/abort", "--retries=0")
    code, output = mock.run(*words)
    assert code == 1, output
    assert "\n2 failures, none expected yet: mock has no expectation files\n" in output
    assert "regression" not in output
    first, second = output.split("next:\n")[1].splitlines()[:2]
    assert first.startswith("  runner --driver mock -t mock/basic/pass -t mock/basic/fail -t mock/basic/abort --retries 0")
    assert "  # once more: " in first
    assert " expect init --suites " in second
    assert f"{mock.results} {mock.results}.1  # " in second
    assert mock.run(*words)[0] == 1
    init = second.partition("  # ")[0].split()[1:]
    code, output = mock.cli(*init)
    assert code == 0, output
    code, output = mock.run(*words)
    assert code == 0, output


def test_a_head_that_says_nothing_yet_goes_when_something_was_measured(mock: Mock) -> None:
    path = mock.expect("fails", "# Expected failures of mock. Measured: nothing yet, on no device.\n")
    for _ in range(2):
        assert mock.run("-t", "mock/basic/fail")[0] == 1
    own = [word for word in mock.command() if word.startswith(("--registry", "--suites", "--expectations"))]
    code, output = mock.cli("expect", "update", *own, str(mock.results), f"{mock.results}.1")
    assert code == 0, output
    assert "nothing yet" not in path.read_text()
    assert "mock/basic/fail,Fail" in path.read_text()


def test_what_is_not_of_mesa_is_described_without_its_versions() -> None:
    device = DeviceReport(device="Oclgrind", driver_version="19.10", kernel="6.1", tinygrad="0.14.0", libclc="d58a")
    assert describe(device) == "Oclgrind, 19.10, tinygrad 0.14.0, Linux 6.1"


def test_a_library_that_does_not_load_says_what_it_lacks(tmp_path: Path) -> None:
    path = tmp_path / "libvendor.so"
    assert why_unloadable(str(path)) == f"{path}: cannot open shared object file: No such file or directory"
    path.write_bytes(b"text")
    assert "file too short" in why_unloadable(str(path))
    assert why_unloadable("libc.so.6") == ""
