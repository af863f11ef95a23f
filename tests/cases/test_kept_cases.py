"""The cases kept between commands are those that would be made anew, or none."""

import shutil
from pathlib import Path

import pytest

from runner.cases import catalogue, kept_cases
from runner.model import UsageError
from runner.sources import PIGLIT_VARIABLE, TINYGRAD_VARIABLE

_SUITE = "suite: small\ndescription: two cases\n"
_CASES = """
from runner.model import Case, Tier

def cases():
    yield Case("small/area/one", "area.one", {"n": 1, "list": [1, (2, 3)]}, ("fp64",), Tier.FULL, "group", 3.0)
    yield Case("small/area/two")
"""


@pytest.fixture
def suites(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout of its own, with one suite, and a cache folder."""
    for variable in (PIGLIT_VARIABLE, TINYGRAD_VARIABLE):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("RUSTICL_RUNNER_CACHE", str(tmp_path / "cache"))
    for module in (catalogue, kept_cases):
        monkeypatch.setattr(module, "ROOT", tmp_path)
    (tmp_path / "runner/cases").mkdir(parents=True)
    for name in ("model.py", "cases/features.py"):
        (tmp_path / "runner" / name).write_text("# as it was\n")
    folder = tmp_path / "suites"
    (folder / "small").mkdir(parents=True)
    (folder / "small/suite.yaml").write_text(_SUITE)
    (folder / "small/cases.py").write_text(_CASES)
    return folder


@pytest.fixture
def made(suites: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The suites whose cases were made, each time that they were."""
    folders: list[Path] = []
    original = catalogue.load_suite

    def load_suite(folder: Path) -> object:
        folders.append(folder)
        return original(folder)

    monkeypatch.setattr(catalogue, "load_suite", load_suite)
    catalogue.load(suites)
    folders.clear()
    return folders


def kept_file(suites: Path) -> Path:
    (path,) = (suites.parent / "cache/catalogue").iterdir()
    return path


def test_what_was_kept_is_what_was_made(suites: Path, made: list[Path]) -> None:
    kept = catalogue.load(suites)
    assert not made
    assert kept == catalogue._make([suites / "small/suite.yaml"])
    assert kept.cases["small/area/one"].params == {"n": 1, "list": [1, (2, 3)]}


@pytest.mark.parametrize(
    "name",
    [
        *(f"suites/small/{file}" for file in ("cases.py", "table.py", "suite.yaml")),
        "runner/model.py",
        "runner/cases/features.py",
    ],
)
def test_cases_are_made_again_if_a_file_that_they_are_made_of_changes(name: str, suites: Path, made: list[Path]) -> None:
    with (suites.parent / name).open("a") as file:
        file.write("# another\n")
    catalogue.load(suites)
    assert made


def test_a_case_that_is_new_is_there(suites: Path, made: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    folder = suites.parent / "small"  # another module for Python, which keeps those that it has imported
    shutil.copytree(suites / "small", folder)
    (folder / "cases.py").write_text(f'{_CASES}    yield Case("small/area/three")\n')
    (suites / "small/cases.py").write_text((folder / "cases.py").read_text())
    load_suite = catalogue.load_suite
    monkeypatch.setattr(catalogue, "load_suite", lambda _: load_suite(folder))
    assert "small/area/three" in catalogue.load(suites).cases
    assert made


@pytest.mark.parametrize("place", [0, 40, -1], ids=["the hash of the sources", "the hash of the rest", "the rest"])
def test_a_damaged_file_counts_for_nothing(place: int, suites: Path, made: list[Path]) -> None:
    path = kept_file(suites)
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)
    assert len(catalogue.load(suites).cases) == 2
    assert made


_OPTIONAL = f"""
import os
from runner.model import Case

def cases():
    if os.environ.get("{PIGLIT_VARIABLE}"):
        yield Case("piglit/area/own")
"""


def test_cases_that_are_made_of_sources_elsewhere_are_made_again_and_no_others(
    suites: Path, made: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    (suites / "piglit").mkdir()
    (suites / "piglit/suite.yaml").write_text("suite: piglit\ndescription: of programs elsewhere\n")
    (suites / "piglit/cases.py").write_text(_OPTIONAL)
    monkeypatch.setenv(PIGLIT_VARIABLE, "/nowhere")
    all_made = catalogue.load(suites)
    monkeypatch.delenv(PIGLIT_VARIABLE)
    assert [*catalogue.load(suites).cases] == ["small/area/one", "small/area/two"], "another's cases were kept"
    monkeypatch.setenv(PIGLIT_VARIABLE, "/nowhere")
    made.clear()
    kept = catalogue.load(suites)
    assert made == [suites / "piglit"]
    assert {**kept.cases} == all_made.cases
    assert (kept.tiers, kept.kinds, kept.suites) == (all_made.tiers, all_made.kinds, all_made.suites)


def test_suites_elsewhere_are_not_kept(suites: Path, made: list[Path], tmp_path: Path) -> None:
    shutil.copytree(suites, tmp_path / "others")
    catalogue.load(tmp_path / "others")
    assert made == [tmp_path / "others/small"]
    assert kept_file(suites)  # only the one of the checkout


@pytest.mark.usefixtures("made")
def test_a_fault_of_a_suite_is_found_each_time(suites: Path) -> None:
    (suites / "small/suite.yaml").write_text("suite: other\n")
    for _ in range(2):
        with pytest.raises(UsageError, match="must begin with `suite: small`"):
            catalogue.load(suites)


def test_a_cache_folder_that_cannot_be_written_is_not_an_error(suites: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUSTICL_RUNNER_CACHE", "/proc/none")
    assert len(catalogue.load(suites).cases) == 2
