"""The installed copy: one package, which runs suites and finds them without the checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from conftest import ROOT, Mock

from runner import VERSION


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy: setuptools leaves its own files beside the sources."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in ("runner", "rusticl_runner", "suites", "expectations"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    build = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--quiet", "-w", str(out), "."]
    subprocess.run(build, cwd=source, check=True)
    (built,) = out.iterdir()
    return built


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What pip would put into site-packages."""
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def test_the_wheel_puts_one_package_into_everybodys_path(site: Path) -> None:
    (record,) = site.glob("*.dist-info")
    assert {p.name for p in site.iterdir()} == {"rusticl_runner", record.name}
    assert record.name == f"rusticl_runner-{VERSION}.dist-info"
    commands = (record / "entry_points.txt").read_text()
    assert "runner = rusticl_runner:main" in commands
    assert "rusticl-runner = rusticl_runner:main" in commands


def test_the_wheel_holds_every_file_of_the_runner_the_suites_and_the_expectations(site: Path) -> None:
    for name in ("runner", "suites", "expectations"):
        there = {p.relative_to(site / "rusticl_runner") for p in (site / "rusticl_runner" / name).rglob("*") if p.is_file()}
        here = {p.relative_to(ROOT) for p in (ROOT / name).rglob("*") if p.is_file() and "__pycache__" not in p.parts}
        assert there == here


def test_the_installed_copy_lists_the_ids_of_the_checkout(site: Path, tmp_path: Path) -> None:
    ids = [_run(folder, tmp_path, "-m", module, "list") for folder, module in ((site, "rusticl_runner"), (ROOT, "runner"))]
    assert ids[0] == ids[1]
    assert ids[0].count("\n") > 1000


def test_the_installed_copy_runs_cases_in_workers_and_children_of_its_own(site: Path, mock: Mock) -> None:
    words = mock.command("-t", "mock/basic/pass", "-j", "1")
    _run(site, mock.folder, "-m", "rusticl_runner", *words[words.index("--driver=mock") :])
    assert set(mock.rows().values()) == {"Pass"}


def test_the_installed_copy_leaves_the_names_runner_and_suites_to_others(site: Path, tmp_path: Path) -> None:
    code = "import importlib.util as u; print([n for n in ('runner', 'suites', 'expectations') if u.find_spec(n)])"
    assert _run(site, tmp_path, "-c", code) == "[]\n"


def _run(path: Path, folder: Path, *words: str) -> str:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("CI", "GITLAB", "PYTEST", "MOCK"))}
    environment = {**kept, "PYTHONPATH": str(path), "MOCK_STATE": str(folder / "state")}
    done = subprocess.run([sys.executable, *words], env=environment, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
