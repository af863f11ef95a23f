"""The user's own expectations, instead of the project's or before them."""

import json
from pathlib import Path

import pytest
from conftest import Mock

from runner import ROOT
from runner.drivers.registry import expectations_of
from runner.expectations.folder import read_files
from runner.expectations.resolution import Expectations
from runner.expectations.target import Target
from runner.model import DeviceReport
from runner.run_config import RunConfig, folders_in


def _write(folder: Path, name: str, text: str) -> None:
    path = folder / name.split("-")[0] / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_the_first_folder_decides_even_if_the_second_is_more_specific(tmp_path: Path) -> None:
    _write(tmp_path / "own", "llvmpipe-fails.txt", "s/a/both,Fail\ns/a/passes,Pass\n")
    _write(tmp_path / "others", "llvmpipe-mesa25.0-fails.txt", "s/a/both,Crash\ns/a/passes,Fail\ns/a/theirs,Fail\n")
    files = read_files(Path(f"{tmp_path}/own:{tmp_path}/others"), "llvmpipe")
    found = Expectations(Target("llvmpipe", mesa="25.0"), files)
    both, theirs = found.find("s/a/both"), found.find("s/a/theirs")
    assert both
    assert both.source == f"{tmp_path}/own/llvmpipe/llvmpipe-fails.txt:1"
    assert theirs
    assert found.find("s/a/passes") is None
    assert [e.source.split("/")[-3] for e in found.entries_of("s/a/both")] == ["own", "others"]


def test_a_run_takes_own_expectations_before_the_projects(mock: Mock) -> None:
    own = mock.expect("fails", "# why\nmock/basic/fail,Fail\n").parent.parent
    code, output = mock.run("-t", "mock/basic/fail", f"--expectations={own}:")
    assert code == 0, output
    header = json.loads((mock.results / "journal.jsonl").read_text().splitlines()[0])
    assert header["config"]["expectations"] == f"{own}:{ROOT / 'expectations'}"
    code, output = mock.cli("report", str(mock.results), f"--expectations={own}:", f"--suites={mock.command()[5][9:]}")
    assert "ExpectedFail" in output


@pytest.mark.parametrize("folder", ["absent:", "absent"])
def test_a_folder_that_is_not_there_is_named(mock: Mock, folder: str) -> None:
    code, output = mock.run(f"--expectations={folder}")
    assert code == 2
    assert f"{mock.folder / 'absent'}: no such" in output


def test_a_folder_whose_name_has_a_colon_is_one(tmp_path: Path) -> None:
    (tmp_path / "a:b").mkdir()
    assert folders_in(tmp_path / "a:b") == [tmp_path / "a:b"]


@pytest.mark.parametrize(
    ("release", "mesa", "bug"), [("", "26.3", 1), ("nearest", "26.3", 26), ("nearest", "25.0", 25), ("25.0", "26.3", 25)]
)
def test_the_files_of_another_release_are_read_on_request(tmp_path: Path, release: str, mesa: str, bug: int) -> None:
    (tmp_path / "llvmpipe").mkdir()
    for name, number in (
        ("llvmpipe", 1),
        ("llvmpipe-mesa25.0", 25),
        ("llvmpipe-mesa26.2", 26),
        ("llvmpipe-compile-mesa26.3", 9),
    ):
        (tmp_path / f"llvmpipe/{name}-fails.txt").write_text(f"# bug {number}\ns/a/b,Fail\n")
    config = RunConfig("llvmpipe", expectations=str(tmp_path), expectations_release=release)
    entry = expectations_of(config, DeviceReport(device="llvmpipe (LLVM 22)", mesa=f"{mesa}.0")).find("s/a/b")
    assert entry
    assert entry.bug == bug
