"""The messages and exit codes with which the scripts of ci/ refuse something."""

import contextlib
import fcntl
import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import MOCK
from nights import Nights

from runner.cli import main
from runner.drivers.registry import load_drivers
from runner.model import Status

CI = Path(__file__).parents[2] / "ci"


def script(name: str, *words: str, path: str | None = None, **environment: str) -> tuple[int, str]:
    """Run a script of ci/ as on the machine itself, outside of every root."""
    kept = {k: v for k, v in os.environ.items() if k not in ("RUNNER_ROOT_PACKAGES", "OCL_ICD_VENDORS")}
    done = subprocess.run(
        [str(CI / name), *words],
        capture_output=True,
        text=True,
        env={**kept, **({"PATH": path} if path else {}), **environment},
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def tools(tmp_path: Path) -> str:
    """A PATH with the programs of every system, and without apt."""
    for name in ("sh", "dirname", "cat", "printf", "sed", "id", "sha256sum", "mkdir", "env"):
        (tmp_path / name).symlink_to(f"/usr/bin/{name}")
    return str(tmp_path)


@pytest.mark.parametrize("words", [("--mesa", "woody"), ("--mesa=woody",), ("--driver", "llvmpipe", "--mesa", "woody")])
def test_an_unknown_mesa_is_a_usage_error(words: tuple[str, ...]) -> None:
    code, output = script("run", *words)
    assert code == 2
    assert "woody: not one of bookworm, trixie, trixie+pocl, trixie+intel, sid, sid+pocl, system" in output


@pytest.mark.parametrize("words", [("--checks", "--sanitize", "thread"), ("--sanitize", "thread", "--checks"), ("--check",)])
def test_a_build_of_mesa_has_one_kind_of_checks(words: tuple[str, ...]) -> None:
    code, output = script("mesa-build", *words)
    assert code == 2
    assert "[--sanitize address,undefined|thread | --checks]" in output


def test_help_says_where_things_go() -> None:
    code, output = script("run", "--help")
    assert code == 0
    assert "RUSTICL_RUNNER_CACHE" in output
    assert "--mesa system" in output


def test_without_apt_both_ways_out_are_named(tools: str) -> None:
    code, output = script("run", path=tools)
    assert code == 3
    assert "--mesa system" in output
    assert "ci/Containerfile" in output


# A python3 of that libc: it makes an empty environment, and records what pip is to install.
_PYTHON = """#!/bin/sh
for last; do :; done
case $* in
    *libc_ver*) echo "/usr/bin/python3 3 13 0 $LIBC" ;;
    *"-m venv"*) mkdir -p "$last/bin" "$last/packages" && cp "$0" "$last/bin/" ;;
    *"-m pip"*--version) ;;
    *"-m pip"*) cat "$last" >> "$ASKED" ;;
    *purelib*) echo "${0%/bin/*}/packages" ;;
esac
"""


@pytest.mark.parametrize(("libc", "replaced"), [("glibc", False), ("musl", True)])
def test_a_venv_on_musl_has_a_replacement_of_siphash24_which_has_no_wheel_there(
    tmp_path: Path, libc: str, replaced: bool
) -> None:
    (tmp_path / "rusticl.icd").write_text("libRusticlOpenCL.so.1\n")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/python3").write_text(_PYTHON)
    (tmp_path / "bin/python3").chmod(0o755)
    own = {"LIBC": libc, "ASKED": str(tmp_path / "asked"), "RUSTICL_RUNNER_CACHE": str(tmp_path / "cache")}
    path = f"{tmp_path}/bin:{os.environ['PATH']}"
    code, output = script("on-system", "sh", "-c", "true", path=path, OCL_ICD_VENDORS=str(tmp_path), **own)
    assert code == 0, output
    (venv,) = (tmp_path / "cache").glob("system-*")
    assert [p.read_bytes() for p in (venv / "packages").iterdir()] == replaced * [(CI / "board/siphash24.py").read_bytes()]
    asked = (tmp_path / "asked").read_text()
    lock = (CI / "requirements.lock").read_text()
    assert asked == (re.sub(r"(?m)^siphash24==.*(\n +--hash.*)+\n", "", lock) if replaced else lock)
    assert ("siphash24" in asked) is not replaced


@pytest.mark.skipif(not shutil.which("flock"), reason="the root has no flock; ci/test --fast runs this on the machine")
def test_a_set_up_waits_for_no_set_up_of_another_thing(tmp_path: Path) -> None:
    (tmp_path / "rusticl.icd").write_text("libRusticlOpenCL.so.1\n")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/python3").write_text(_PYTHON)
    (tmp_path / "bin/python3").chmod(0o755)
    (tmp_path / "cache").mkdir()
    own = {"LIBC": "glibc", "ASKED": str(tmp_path / "asked"), "RUSTICL_RUNNER_CACHE": str(tmp_path / "cache")}
    with contextlib.ExitStack() as stack:
        for name in ("lock", "lock-trixie-amd64-0123456789ab"):
            fcntl.flock(stack.enter_context((tmp_path / "cache" / name).open("w")), fcntl.LOCK_EX)
        path = f"{tmp_path}/bin:{os.environ['PATH']}"
        code, output = script("on-system", "sh", "-c", "true", path=path, OCL_ICD_VENDORS=str(tmp_path), **own)
    assert code == 0, output
    assert "waiting" not in output
    assert len([*(tmp_path / "cache").glob("lock-system-*")]) == 1


@pytest.mark.slow  # runs, up to the device that is not there
@pytest.mark.parametrize("words", [(), ("--tier", "full"), ("-t", "mock/basic"), ("run", "-j", "2"), ("probe",)])
def test_without_a_driver_it_is_llvmpipe_whatever_options_stand_there(tmp_path: Path, words: tuple[str, ...]) -> None:
    """Inside a root already, so that nothing is set up."""
    (tmp_path / "vendors").mkdir()
    (tmp_path / "packages.txt").write_text("")
    inside = {"RUNNER_ROOT_PACKAGES": str(tmp_path / "packages.txt"), "OCL_ICD_VENDORS": str(tmp_path / "vendors")}
    results = () if words == ("probe",) else (f"--results={tmp_path / 'results'}", f"--suites={MOCK / 'suites'}")
    code, output = script("run", *words, *results, path=f"{Path(sys.executable).parent}:{os.environ['PATH']}", **inside)
    assert code == 3, output
    assert "no *rusticl*.icd file" in output
    assert not results or "opening llvmpipe..." in output


def test_an_unknown_libclc_is_a_usage_error_at_once() -> None:
    code, output = script("run", "--libclc", "20")
    assert (code, output) == (2, "ci/run: --libclc 20: Debian has the built-in library of LLVM 19, 21 and 22\n")


def test_an_unknown_way_in_is_a_usage_error(tmp_path: Path) -> None:
    code, output = script("enter", str(tmp_path), "true", RUSTICL_RUNNER_ENTER="magic")
    assert code == 2
    assert "not one of chroot, userns, proot" in output


def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code, output = script("test", "--fast", RUSTICL_RUNNER_CACHE=str(tmp_path / "file/cache"))
    assert code == 3
    assert "cannot write the cache folder" in output
    assert "RUSTICL_RUNNER_CACHE" in output


@pytest.mark.parametrize(
    ("words", "stale"),
    [
        (("--mesa", "potato"), False),
        (("--driver", "llvmpipe"), False),
        (("run", "--driver", "llvmpipe", "--results=results/"), False),
        (("--driver", "llvmpipe", "--resume"), True),
        (("run", "--help"), True),
        (("doctor",), True),
    ],
)
def test_a_start_that_fails_in_its_set_up_leaves_no_results_of_an_earlier_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], stale: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("results", "results.1"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "journal.jsonl").write_text('{}\n{"event":"footer","reason":"","wall_s":1}\n')
    code, output = script("run", *words, RUSTICL_RUNNER_CACHE="/proc/none")
    assert code in (2, 3), output
    assert (tmp_path / "results").exists() == stale != (tmp_path / "results.2").exists()


@pytest.mark.slow  # a venv is made, whose packages are fetched
def test_what_only_reads_files_needs_no_root(tools: str, tmp_path: Path) -> None:
    for name in ("cut", "env", "flock", "grep", "mv", "python3", "rm"):
        with contextlib.suppress(FileExistsError):
            (Path(tools) / name).symlink_to(f"/usr/bin/{name}")
    code, output = script("run", "list", "-t", "kernels/vector/*", path=tools, RUSTICL_RUNNER_CACHE=str(tmp_path / "cache"))
    assert code == 0, output  # this machine has no apt: without that Python it would be 3
    assert "kernels/vector/" in output
    nights = Nights(tmp_path)
    run = nights.run({"a/b/c": (Status.FAIL, Status.FAIL)}, "25.0.7")
    assert main(["history", "import", "--history", str(tmp_path / "h"), str(run)]) == 0
    words = (str(tmp_path / "site"), str(run), "--history", str(tmp_path / "h"))
    code, output = script("run", "site", *words, path=tools, RUSTICL_RUNNER_CACHE=str(tmp_path / "cache"))
    assert code == 0, output
    assert "a/b/c" in (tmp_path / "site/cases/a~b~c.html").read_text()
    for arguments in (  # the jobs of ci/gitlab/rusticl.yml that look at results, in an image that has only Python
        ("merge", str(run), "--results", str(tmp_path / "merged")),
        ("html", str(run)),
        ("summary", "--markdown", str(run)),
        ("history", "import", "--history", str(tmp_path / "again"), str(run)),
        ("flakes", "--history", str(tmp_path / "again")),
        ("export", "codequality"),
        ("changes", "2026.11"),
        ("diff", str(run), str(run)),
    ):
        code, output = script("run", *arguments, path=tools, RUSTICL_RUNNER_CACHE=str(tmp_path / "cache"))
        # The run's suite is not here, which merge refuses. What needs a root is 3, without apt.
        assert code in (0, 1, 2, 5), f"{arguments}: {output}"
        assert "no apt" not in output
    assert sorted(p.name.split("-")[0] for p in (tmp_path / "cache").iterdir()) == ["catalogue", "lock", "reader"]


def test_without_a_suitable_python_what_only_reads_files_runs_in_the_root(tools: str, tmp_path: Path) -> None:
    code, output = script("run", "list", path=tools, RUSTICL_RUNNER_CACHE=str(tmp_path / "cache"))
    assert code == 3
    assert "no apt on this machine to unpack a Mesa with" in output


@pytest.mark.skipif(platform.machine() != "x86_64", reason="Debian has every driver for ARM in every release")
def test_a_mode_without_a_device_takes_the_release_whose_package_has_the_driver_and_says_so(tools: str) -> None:
    for name in ("uname", "dpkg"):
        (Path(tools) / name).symlink_to(f"/usr/bin/{name}")

    def says(*words: str) -> str:
        code, output = script("run", *words, path=tools, RUSTICL_RUNNER_CACHE=f"{tools}/cache")
        assert code == 3, output
        assert "no apt on this machine" in output, output  # neither can be set up here
        return output

    def chooses_sid(*words: str) -> bool:
        return "compile mode with Debian sid's Mesa" in says("--mode", "compile", *words)

    for driver in load_drivers().values():
        of_sid = {shim.library for shim in driver.shims} <= {"freedreno", "asahi"} and bool(driver.shims)
        names = (driver.name, *(driver.aliases if of_sid else ()))  # the script has the names of these only
        assert {chooses_sid(f"--driver={name}") for name in names} == {of_sid}, driver.name
    assert chooses_sid("--driver", "zink", "--gpu", "turnip_a630")
    assert not chooses_sid("--driver", "zink", "--gpu", "nvk_164")
    for own in (("--mesa", "trixie"), ("--arch", "arm64"), ("--mesa-prefix", tools)):
        assert not chooses_sid("--driver", "msm", *own)
    emulated = "emulate mode with Debian sid's Mesa"
    assert emulated in says("--mode", "emulate", "--driver", "msm", "--gpu", "a630")
    assert emulated in says("emulate", "--gpu", "a630", "--", "program", "--mesa", "trixie", "--mode", "compile")
    assert emulated in says("bench", "ops", "--driver", "llvmpipe", "--emulated", "a630")
    assert emulated not in says("bench", "ops", "--driver", "llvmpipe")
    assert emulated not in says("--mode", "emulate", "--driver", "llvmpipe")
