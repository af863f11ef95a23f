"""The installed copy: one package, which runs suites and finds them without the checkout."""

import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from conftest import ROOT, Mock
from lab import Lab

from runner import VERSION
from runner.commands import COMMANDS

_PARTS = ("runner", "emulators", "suites", "bugs", "expectations", "docs")
_CI = ("ci/requirements.lock", "ci/render_node.c", "ci/noop_fence.c", "ci/crash_place.c", "ci/udmabuf.c")


def _build(folder: Path, *words: str) -> Path:
    """Build in that folder from a copy of the sources with files of today; returns the folder of the results."""
    source = folder / "source"
    for name in (*_PARTS, "rusticl_runner", "ci/board"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, source / name, ignore=ignored, copy_function=shutil.copyfile)
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", ".gitignore", *_CI):
        shutil.copyfile(ROOT / name, source / name)
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-d", "../out", *words], cwd=source, check=True)
    return folder / "out"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built beside the sdist."""
    (built,) = _build(tmp_path_factory.mktemp("build")).glob("*.whl")
    return built


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What pip would put into site-packages."""
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


@pytest.fixture(scope="module")
def venv(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment with the wheel; its requirements are those of the interpreter."""
    folder = tmp_path_factory.mktemp("venv")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "--system-site-packages", folder], check=True)
    install = ["install", "--quiet", "--no-index", "--no-deps", "--disable-pip-version-check", str(wheel)]
    subprocess.run([sys.executable, "-m", "pip", "--python", folder / "bin/python", *install], check=True)
    return folder


@pytest.mark.nightly("what is in the wheel, the tests below say")
def test_two_builds_are_the_same_bytes(wheel: Path, tmp_path: Path) -> None:
    again = {path.name: path.read_bytes() for path in _build(tmp_path).iterdir()}
    assert again == {path.name: path.read_bytes() for path in wheel.parent.iterdir()}
    assert sorted(again) == [f"rusticl_runner-{VERSION}-py3-none-any.whl", f"rusticl_runner-{VERSION}.tar.gz"]


def test_the_wheel_puts_one_package_into_everybodys_path(site: Path) -> None:
    (record,) = site.glob("*.dist-info")
    (data,) = site.glob("*.data")
    assert {p.name for p in site.iterdir()} == {"rusticl_runner", record.name, data.name}
    assert record.name == f"rusticl_runner-{VERSION}.dist-info"
    commands = (record / "entry_points.txt").read_text()
    assert "runner = rusticl_runner:main" in commands
    assert "rusticl-runner = rusticl_runner:main" in commands


def test_the_wheel_holds_every_file_of_the_runner_the_suites_the_expectations_and_the_documentation(site: Path) -> None:
    for name in (*_PARTS, "ci/board"):
        there = {p.relative_to(site / "rusticl_runner") for p in (site / "rusticl_runner" / name).rglob("*") if p.is_file()}
        here = {p.relative_to(ROOT) for p in (ROOT / name).rglob("*") if p.is_file() and "__pycache__" not in p.parts}
        assert there == here
    assert [name for name in _CI if not (site / "rusticl_runner" / name).is_file()] == []


@pytest.fixture(scope="module")
def empty(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment, for which pip has fetched what the wheel needs, and nothing else."""
    folder = tmp_path_factory.mktemp("empty")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    locked = re.findall(r"^([A-Za-z][^ ;]*) ", (ROOT / "ci/requirements.lock").read_text(), re.MULTILINE)
    (folder / "locked").write_text("\n".join(locked))
    install = ["install", "--quiet", "--no-compile", "--only-binary=:all:", "-c", str(folder / "locked"), str(wheel)]
    subprocess.run([sys.executable, "-m", "pip", "--python", folder / "bin/python", *install], check=True)
    return folder


_CASE, _DRIVER = "kernels/integer/mad_sat.long", "--driver=llvmpipe"
# For each command except `deploy`: its arguments, and a text that it prints.
_CALLS = (
    (["run", _DRIVER, "-t", _CASE, "-j", "1", "--stats", "--history=runs.db"], "ExpectedFail 1"),
    (["list"], f"\n{_CASE}\n"),
    (["list", "changes", "2026.11"], "\nadded "),
    (["list", "coverage"], "| integer |"),
    (["probe", _DRIVER, "--json"], '"device": "llvmpipe'),
    (["run-case", _DRIVER, "kernels/integer/abs.int"], "Pass: kernels/integer/abs.int"),
    (["repro", _DRIVER, _CASE, "program"], "program: see its README.md"),
    (["report", "results"], "ExpectedFail 1"),
    (["bench", "ops", _DRIVER, "--no-cpu", "--small"], "matmul 64x64x64 float32"),
    (["bench", "gpt2", _DRIVER, "--no-cpu", "--tokens=8"], "ms per token"),
    (["expect", "lint"], "0 findings"),
    (["expect", "explain", _CASE, _DRIVER], "bug 116: "),
    (["bugs"], "\n 116  mad_sat of long saturates"),
    (["bugs", "show", "116", "--markdown"], "# mad_sat of long saturates"),
    (["export", "kcidb", "results"], '"id": "rusticl:bug-116"'),
    (["export", "codequality"], "[]"),
    (["history", "show", "--history=runs.db"], f"{_CASE}: 1 runs"),
    (["history", "flakes", _DRIVER, "--history=runs.db"], "no flakes"),
    (["stress", _DRIVER, "kernels/integer/abs.int", "-n", "2"], "kernels/integer/abs.int: failed 0/2"),
    (
        ["fuzz", _DRIVER, "-n", "2", "--family=loop", "--without=add_sat", "--without=sub_sat", "--without=char"],
        "2 programs in ",
    ),
    (["merge", "results", "--results=merged"], "ExpectedFail 1"),
    (["diff", "results", "merged"], "nothing broke: the same 1"),
    (["stats", "results"], "1 kernel of 1 program"),
    (["bisect-step", _DRIVER, "-t", "kernels/integer/abs.int"], "good: Pass"),
    (["report", "--as", "junit", "results"], '<testsuites name="rusticl">'),
    (["report", "--as", "text", "results"], "ExpectedFail 1"),
    (["report", "--as", "html", "results"], "results/report.html"),
    (["site", "site", "--history=runs.db"], "site/index.html: "),
    (["doctor"], "Rusticl: usable: llvmpipe"),
)


@pytest.mark.root
@pytest.mark.nightly("it fetches what the wheel needs, and each command is tested in the checkout; the next test runs three")
def test_every_command_works_if_only_the_wheel_and_its_dependencies_are_installed(
    empty: Path, tmp_path: Path, lab: Lab
) -> None:
    command = empty / "bin/runner"
    for words, text in _CALLS:
        printed = _run_command([command, *words], tmp_path)
        assert text in printed, words
    hosts = ["phone:installed", f"--ssh-config={lab.config}"]
    assert "phone: ready: runner" in _run_command([command, "deploy", *hosts], tmp_path)
    assert {words[0] for words, _ in _CALLS} | {"deploy"} == {name.split()[0] for name in COMMANDS}


@pytest.mark.root
def test_the_installed_copy_runs_on_llvmpipe_by_the_expectations_inside(venv: Path, tmp_path: Path) -> None:
    words = ["--driver=llvmpipe", "-t", "kernels/integer/mad_sat.*", "-j", "1"]
    assert "ExpectedFail" in _run_command([venv / "bin/runner", *words], tmp_path)
    assert "ExpectedFail" in _run_command([venv / "bin/python", "-m", "rusticl_runner", "report", "results"], tmp_path)
    _run_command([venv / "bin/rusticl-runner", "html", "results"], tmp_path)
    assert (tmp_path / "results/report.html").is_file()


def test_an_editable_install_has_man_page_and_completion_too(tmp_path: Path) -> None:
    (built,) = _build(tmp_path, "-t", "wheel:editable").glob("*.whl")
    with zipfile.ZipFile(built) as archive:
        names = {name.partition(".data/data/")[2]: name for name in archive.namelist()}
        assert "share/man/man1/runner.1" in names
        bash = archive.read(names["share/bash-completion/completions/rusticl-runner"]).decode()
    assert re.search(r"_run___driver_choices=\(.*llvmpipe .*\)", bash)
    assert re.search(r"_run__t_choices=\(.*kernels/integer .*\)", bash)
    assert "$(rusticl-runner list)" in bash, "the ids of run-case"


@pytest.mark.root
def test_the_man_page_reads_well_and_has_every_command(venv: Path) -> None:
    page = venv / "share/man/man1/runner.1"
    done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning,stop", page], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    text = subprocess.run(["mandoc", "-T", "ascii", page], capture_output=True, text=True, check=True).stdout
    text = re.sub(".\b", "", text)
    for name in COMMANDS:
        assert f"\nrunner {name}\n" in text
    assert "the GPU that must be found" in text


_TYPED = {
    "runner expe\tli\t\n": "expect lint",
    "runner run --tie\tful\t\n": "run --tier full",
    "runner --dri\tx\n": "--driver x",
    "runner --driver llvmp\t\n": "--driver llvmpipe",
    "runner run -t kernels/inte\t\n": "run -t kernels/integer",
}


@pytest.mark.root
@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_a_shell_completes_commands_options_and_choices(venv: Path, tmp_path: Path, shell: str) -> None:
    begin = {
        "bash": f"source {venv}/share/bash-completion/completions/runner",
        "zsh": f"fpath=({venv}/share/zsh/site-functions $fpath); autoload compinit; compinit -u -D",
    }
    words = {"bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"]}[shell]
    child, terminal = pty.fork()
    if not child:
        os.chdir(tmp_path)
        os.execvpe(words[0], words, {**os.environ, "TERM": "dumb", "PS1": "> "})
    try:
        for line in (begin[shell], 'runner() { echo "[""$*]"; }'):
            os.write(terminal, f"{line}\n".encode())
        for typed, want in _TYPED.items():
            os.write(terminal, typed.encode())
            assert _read_until(terminal, f"[{want}]")
    finally:
        os.close(terminal)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


@pytest.mark.root
def test_fish_completes_commands_options_and_choices(venv: Path, tmp_path: Path) -> None:
    for typed, want in {"runner expe": "expect", "runner expect li": "lint", "runner run --tier fu": "full"}.items():
        line = f"source {venv}/share/fish/vendor_completions.d/runner.fish; complete -C '{typed}'"
        found = subprocess.run(
            ["fish", "--no-config", "-c", line], capture_output=True, text=True, env={**os.environ, "HOME": str(tmp_path)}
        )
        assert want in found.stdout.split(), found.stderr


def _read_until(terminal: int, want: str) -> bool:
    """Read what a terminal shows until it has shown that, for 30 s at most."""
    shown, deadline = "", time.monotonic() + 30
    while want not in shown and time.monotonic() < deadline:
        if select.select([terminal], [], [], 1)[0]:
            shown += os.read(terminal, 4096).decode(errors="replace")
    assert want in shown, shown
    return True


def test_the_installed_copy_lists_the_ids_of_the_checkout(site: Path, tmp_path: Path) -> None:
    ids = [_run(folder, tmp_path, "-m", module, "list") for folder, module in ((site, "rusticl_runner"), (ROOT, "runner"))]
    assert ids[0] == ids[1]
    assert ids[0].count("\n") > 1000


def test_the_installed_copy_runs_cases_in_workers_and_children_of_its_own(site: Path, mock: Mock) -> None:
    words = mock.command("-t", "mock/basic/pass", "-j", "1")
    _run(site, mock.folder, "-m", "rusticl_runner", *words[words.index("--driver=mock") :])
    assert set(mock.rows().values()) == {"Pass"}


def test_the_next_steps_name_the_command_by_the_name_that_it_was_called(site: Path, mock: Mock) -> None:
    program = mock.folder / "rusticl-runner"
    program.write_text("import sys\nfrom rusticl_runner import main\nsys.exit(main())\n")
    words = mock.command("-t", "mock/basic/fail", "-j", "1")
    own = {**os.environ, "PYTHONPATH": str(site)}
    own.pop("RUNNER_COMMAND", None)
    done = subprocess.run(
        [sys.executable, program, *words[words.index("--driver=mock") :]], env=own, capture_output=True, text=True
    )
    assert done.returncode == 1, done.stderr
    assert re.search(rf"^  rusticl-runner report --as html .*{mock.results}  #", done.stdout, re.MULTILINE)


def test_the_installed_copy_leaves_the_names_runner_and_suites_to_others(site: Path, tmp_path: Path) -> None:
    code = "import importlib.util as u; print([n for n in ('runner', 'suites', 'expectations') if u.find_spec(n)])"
    assert _run(site, tmp_path, "-c", code) == "[]\n"


def _run_command(words: Sequence[object], folder: Path) -> str:
    """The output of a command of the installed copy, which succeeds."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("CI", "GITLAB", "PYTEST", "PYTHON", "MOCK"))}
    environment = {**kept, "MOCK_STATE": str(folder / "state")}
    done = subprocess.run([str(word) for word in words], env=environment, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    return done.stdout


def _run(path: Path, folder: Path, *words: str) -> str:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("CI", "GITLAB", "PYTEST", "MOCK"))}
    environment = {**kept, "PYTHONPATH": str(path), "MOCK_STATE": str(folder / "state")}
    done = subprocess.run([sys.executable, *words], env=environment, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
