"""Every script of ci/ in unusual places: it says why it ends, and never with the code of a regression."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

CI = Path(__file__).parents[2] / "ci"
# What each is asked, so that it needs its cache folder, or writes elsewhere. None gets as far as the network.
_WORDS = {
    "apps": (),
    "bare-metal": ("ROOT", "true"),
    "cts-build": ("CTS",),
    "debian-package": ("out",),
    "enter": ("ROOT", "true"),
    "gitlab-ci-local": ("--list",),
    "in-root": ("true",),
    "intel": (),
    "lava-job": ("true",),
    "mesa-build": (),
    "mesa-mutants": ("--list",),
    "on-board": ("true",),
    "on-system": ("true",),
    "piglit": (),
    "run": ("--driver", "llvmpipe"),
    "test": ("--fast", "--co"),
    "tinygrad": ("0.13",),
}
_REFUSES = '#!/bin/sh\necho "$(basename "$0"): there is no network in this test" >&2\nexit 1\n'
_NETWORK = ("apt-get", "npm", "mmdebstrap", "pip", "curl")
# The machine's own python3, without pip.
_PYTHON = '#!/bin/sh\ncase "$*" in *"pip "*install*) echo "pip: no network in this test" >&2; exit 1 ;; esac\nexec {} "$@"\n'


def _run(tmp_path: Path, name: str, *before: str, ci: Path = CI, **own: str | None) -> tuple[int, str]:
    tools = tmp_path / "tools"
    tools.mkdir(exist_ok=True)
    for tool in _NETWORK:
        (tools / tool).write_text(_REFUSES)
    (tools / "python3").write_text(_PYTHON.format("/usr/bin/python3"))
    for path in tools.iterdir():
        path.chmod(0o755)
    (tmp_path / "CTS/test_conformance").mkdir(parents=True, exist_ok=True)
    (tmp_path / "CTS/test_conformance/CMakeLists.txt").touch()
    (tmp_path / "ROOT").mkdir(exist_ok=True)
    (tmp_path / "rusticl.icd").write_text("libRusticlOpenCL.so.1\n")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("RUNNER_", "CI", "PYTHON", "PYTEST", "XDG", "OCL"))}
    given: dict[str, str | None] = {
        "PATH": f"{tools}:/usr/bin:/bin",
        "HOME": str(tmp_path / "home"),
        "OCL_ICD_VENDORS": str(tmp_path),
        "RUSTICL_RUNNER_ENTER": "chroot",
        **own,
    }
    environment = {k: v for k, v in {**kept, **given}.items() if v is not None}
    outside = {path for path in Path("/").iterdir() if path.name != "proc"}
    done = subprocess.run(
        [*before, str(ci / name), *_WORDS[name]],
        capture_output=True,
        text=True,
        env=environment,
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        timeout=120,
    )
    assert {path for path in Path("/").iterdir() if path.name != "proc"} == outside
    return done.returncode, done.stdout + done.stderr


def _explains(code: int, output: str) -> None:
    assert code != 1, output
    assert code == 0 or output.strip(), f"exit code {code} without a message"
    assert "Traceback" not in output


def test_every_script_of_ci_is_asked() -> None:
    scripts = {p.name for p in CI.iterdir() if p.is_file() and p.read_bytes().startswith(b"#!/bin/sh")}
    assert scripts == _WORDS.keys()


@pytest.mark.parametrize("name", _WORDS)
@pytest.mark.parametrize("cache", ["/proc/none/cache", "FILE", "FILE/cache"])
def test_a_cache_that_cannot_be_written(tmp_path: Path, name: str, cache: str) -> None:
    (tmp_path / "FILE").touch()
    _explains(*_run(tmp_path, name, RUSTICL_RUNNER_CACHE=cache.replace("FILE", f"{tmp_path}/FILE")))


@pytest.mark.slow
@pytest.mark.parametrize("name", _WORDS)
def test_no_home_and_no_folder_for_what_is_temporary(tmp_path: Path, name: str) -> None:
    _explains(*_run(tmp_path, name, HOME=None))
    _explains(*_run(tmp_path, name, TMPDIR=str(tmp_path / "none"), RUSTICL_RUNNER_CACHE=str(tmp_path / "cache")))


_FULL = "mount -t tmpfs -o size=4k none {disk} && dd if=/dev/zero of={disk}/all bs=4k count=1 2> /dev/null"
_READ_ONLY = "mount -t tmpfs none {disk} && mkdir {disk}/cache && mount -o remount,ro {disk}"
# The root has mount, but no unshare. Whoever entered it is root there: no user namespace is needed.
_NAMESPACE = "import os, sys; os.unshare(os.CLONE_NEWNS); os.execvp(sys.argv[1], sys.argv[1:])"


@pytest.mark.root
@pytest.mark.parametrize("name", _WORDS)
@pytest.mark.parametrize("mount", [_FULL, _READ_ONLY], ids=["full", "read-only"])
def test_a_disk_that_takes_nothing(tmp_path: Path, name: str, mount: str) -> None:
    """A file system of its own, which not even root can write."""
    disk = tmp_path / "disk"
    disk.mkdir()
    namespace = (sys.executable, "-c", _NAMESPACE)
    if subprocess.run([*namespace, "mount", "-t", "tmpfs", "none", str(disk)], capture_output=True).returncode:
        pytest.skip("entered by proot: nothing can be mounted")
    before = (*namespace, "sh", "-c", f'{mount.format(disk=disk)} && exec "$@"', "sh")
    _explains(*_run(tmp_path, name, *before, RUSTICL_RUNNER_CACHE=f"{disk}/cache", TMPDIR=str(disk)))


@pytest.mark.slow
@pytest.mark.parametrize("name", _WORDS)
@pytest.mark.parametrize("place", ["a space, ' and \"", "a:colon", "a\nnewline"], ids=["quotes", "colon", "newline"])
def test_a_clone_and_a_cache_in_a_folder_with_an_odd_name(tmp_path: Path, name: str, place: str) -> None:
    odd = tmp_path / place
    odd.mkdir()
    clone = odd / "clone"
    clone.mkdir()
    for part in CI.parent.iterdir():
        if part.name not in (".git", "results", "ci"):
            (clone / part.name).symlink_to(part)
    subprocess.run(["cp", "-r", str(CI), str(clone / "ci")], check=True)
    code, output = _run(tmp_path, name, ci=clone / "ci", RUSTICL_RUNNER_CACHE=f"{odd}/cache")
    _explains(code, output)
    if place == "a:colon" and name not in ("bare-metal", "debian-package", "lava-job", "on-board"):
        assert "colon" in output
        assert code == 3


def test_a_user_whose_cd_looks_elsewhere_first(tmp_path: Path) -> None:
    (tmp_path / "ci").mkdir()
    environment = os.environ | {"CDPATH": f"{tmp_path}:."}
    done = subprocess.run(["ci/run", "--help"], capture_output=True, text=True, env=environment, cwd=CI.parent)
    assert "\n  doctor: " in done.stdout, "the table of commands stands beside ci/"
    scripts = [
        path for path in CI.rglob("*") if path.is_file() and path.read_bytes().startswith((b"#!/bin/sh", b"#!/bin/bash"))
    ]
    places = {path: (text.find("unset CDPATH"), text.find("$(cd ")) for path in scripts for text in [path.read_text()]}
    lack = {path.name for path, (unset, used) in places.items() if used != -1 and not 0 <= unset < used}
    assert not lack
