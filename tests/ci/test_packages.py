"""What is fetched has the hash that the locks say; from apt, it is signed. Packages of distributions."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from conftest import ROOT

from runner import VERSION
from runner.cases.renames import coming_release

_LOCKS = ("requirements.lock", "requirements-dev.lock", "tinygrad.lock")


@pytest.mark.parametrize("name", _LOCKS)
def test_every_package_of_a_lock_has_its_hashes(name: str) -> None:
    lines = re.findall(r"^[A-Za-z](?:.*\\\n)*.*$", (ROOT / "ci" / name).read_text(), re.MULTILINE)
    assert lines
    assert all(re.match(r"[\w.-]+==[\w.]+ ", line) and "--hash=sha256:" in line for line in lines)


def test_every_package_of_npms_lock_has_its_hash() -> None:
    packages = json.loads((ROOT / "ci/npm/package-lock.json").read_text())["packages"]
    assert all(package["integrity"].startswith("sha512-") for path, package in packages.items() if path)
    assert "npm ci " in (ROOT / "ci/gitlab-ci-local").read_text()


@pytest.mark.parametrize(
    ("path", "times"),
    [("ci/in-root", 1), ("ci/cache.sh", 1), ("ci/tinygrad", 1), ("ci/Containerfile", 2), ("runner/boards/deployment.py", 1)],
)
def test_pip_installs_only_from_a_lock_with_hashes(path: str, times: int) -> None:
    text = (ROOT / path).read_text()
    assert text.count("--only-binary=:all:") == text.count("--require-hashes") == times


@pytest.mark.root  # a venv of ci/test --fast has no pip
def test_a_package_with_another_hash_is_refused(tmp_path: Path) -> None:
    lock = re.sub(r"sha256:[0-9a-f]{64}", f"sha256:{'0' * 64}", (ROOT / "ci/requirements.lock").read_text())
    one = re.search(r"^iniconfig(?:.*\\\n)*.*$", lock, re.MULTILINE)
    assert one
    (tmp_path / "lock").write_text(f"{one[0]}\n")
    words = ["download", "--no-deps", "--only-binary=:all:", "--require-hashes", "-d", str(tmp_path)]
    words += ["-r", str(tmp_path / "lock")]
    done = subprocess.run([sys.executable, "-m", "pip", *words], capture_output=True, text=True)
    assert done.returncode
    assert "DO NOT MATCH THE HASHES" in done.stderr, done.stderr


def test_apt_takes_nothing_unsigned_whatever_the_machine_allows(tmp_path: Path) -> None:
    text = (ROOT / "ci/in-root").read_text()
    own = re.search(r"^private_apt\(\) \{\n.*?^\}", text, re.MULTILINE | re.DOTALL)
    assert own
    (tmp_path / "apt-get").write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    (tmp_path / "apt-get").chmod(0o755)
    script = f"work={tmp_path} PATH={tmp_path}:$PATH\n{own[0]}\nprivate_apt update"
    words = subprocess.run(["sh", "-ec", script], capture_output=True, text=True, check=True).stdout.split()
    # On the command line, which apt reads last (apt.conf(5)); the machine's files come after APT_CONFIG.
    for name in (
        "APT::Get::AllowUnauthenticated",
        "Acquire::AllowInsecureRepositories",
        "Acquire::AllowWeakRepositories",
        "Acquire::AllowDowngradeToInsecureRepositories",
    ):
        assert words[words.index(f"{name}=false") - 1] == "-o"
    assert words[-1] == "update"


def test_debians_package_is_of_this_version_and_licence() -> None:
    """ci/debian-package builds it, with lintian and autopkgtest; that takes a Debian sid and minutes."""
    debian = ROOT / "ci/debian"
    head = (debian / "changelog").read_text().splitlines()[0]
    assert head.startswith(f"rusticl-runner ({VERSION.replace('.dev', '~dev')}-")
    licence = (ROOT / "LICENSE").read_text().partition("\n\n")[2].partition("\n\n")[2]
    stated = (debian / "copyright").read_text().rpartition("License: Expat\n")[2]
    assert [line.strip().strip(".") for line in stated.splitlines()] == [s.strip(".") for s in licence.splitlines()]
    started = {path.name for path in debian.rglob("*") if path.is_file() and path.stat().st_mode & 0o111}
    assert started == {"rules", "premerge"}


def test_alpines_package_needs_what_the_wheel_needs_but_for_suites_that_are_skipped_there() -> None:
    build = (ROOT / "ci/alpine/APKBUILD").read_text()
    assert f"\npkgver={coming_release()}\n" in build
    depends = re.search(r'^depends="(.*?)"', build, re.MULTILINE | re.DOTALL)
    assert depends
    with (ROOT / "pyproject.toml").open("rb") as file:
        needed = {re.split(r"[><=]", word)[0].lower() for word in tomllib.load(file)["project"]["dependencies"]}
    there = {name.removeprefix("py3-") for name in depends[1].split() if name.startswith("py3-")}
    renamed = {"pyopencl": "opencl", "pyyaml": "yaml"}
    assert {renamed.get(name, name) for name in needed} - there == {"safetensors", "tinygrad"}
