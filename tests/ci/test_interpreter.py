"""What lies in the current folder, or in Python's and pytest's own variables, has no part in a run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT, Mock

_QUIT = "import os, pathlib; pathlib.Path(os.environ['CAUGHT']).touch(); os._exit(0)\n"
_NAMES = (
    *("json", "yaml", "pytest", "xdist", "numpy", "argparse", "sitecustomize", "usercustomize", "runner/__init__"),
    "evil",
)


@pytest.fixture
def trapped(mock: Mock, tmp_path: Path) -> Path:
    """A current folder whose modules end every process that imports one; the file that says so."""
    for name in _NAMES:
        path = mock.folder / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(_QUIT)
    caught = tmp_path / "caught"
    mock.environment["CAUGHT"] = str(caught)
    return caught


def _run(mock: Mock, *python: str, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *python, *mock.command("-j", "1", "-t", "mock/basic/fail", "-t", "mock/basic/segfault")[1:]]
    environment = {**mock._environment(), **variables}
    return subprocess.run(command, env=environment, cwd=mock.folder, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize(
    "variables",
    [
        {"PYTHONPATH": f"{ROOT}::."},
        {
            "PYTEST_ADDOPTS": "--collect-only -p evil",
            "PYTEST_PLUGINS": "evil",
            "PYTHONOPTIMIZE": "2",
            "PYTHONSTARTUP": "evil.py",
            "PYTHONWARNINGS": "error",
        },
    ],
    ids=" ".join,
)
def test_modules_of_the_current_folder_and_the_users_variables_have_no_part_in_a_run(
    mock: Mock, trapped: Path, variables: dict[str, str]
) -> None:
    # PYTHONPATH itself is for the first process, which the user starts: -P and no relative entry.
    first = ("-P",) if "PYTHONPATH" not in variables else ("-I", "-c", _START)
    done = _run(mock, *first, **variables)
    assert not trapped.exists(), done.stdout + done.stderr
    assert done.returncode == 1, done.stdout + done.stderr
    assert mock.rows() == {"mock/basic/fail": "Fail", "mock/basic/segfault": "Crash"}


# As the installed command starts: by its script, whose folder, not the current one, is on the path.
_START = (
    f"import sys; sys.path.insert(0, {str(ROOT)!r}); sys.argv = sys.argv[2:]; from runner.cli import main; sys.exit(main())"
)


@pytest.mark.parametrize("name", ["json.py", "yaml.py", "runner/__init__.py"])
def test_ci_run_imports_nothing_from_the_current_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("raise SystemExit(0)\n")
    done = subprocess.run(
        [ROOT / "ci/run", "no-such-command"],
        cwd=tmp_path,
        env={k: v for k, v in os.environ.items() if k != "PYTHONSAFEPATH"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2, done
    assert "no command 'no-such-command'" in done.stderr


def test_what_enters_a_root_has_no_variable_of_python_or_pytest(tmp_path: Path) -> None:
    """ci/enter as it is, with a root whose env prints what it was given."""
    (tmp_path / "usr/bin").mkdir(parents=True)
    mine = {
        "PYTHONHOME": "/x",
        "PYTHONOPTIMIZE": "2",
        "PYTHONINSPECT": "1",
        "PYTEST_ADDOPTS": "-x",
        "PYTEST_PLUGINS": "evil",
    }
    text = (ROOT / "ci/enter").read_text()
    head, tail = text.index("[ $# -gt 1 ]"), text.index("# A machine may forbid")
    script = f'repo=/repo here=/\n{text[head:tail]}\n"$@"'
    done = subprocess.run(
        ["sh", "-ec", script, "enter", str(tmp_path), "env"], env={**os.environ, **mine}, capture_output=True, text=True
    )
    seen = {line.split("=")[0] for line in done.stdout.splitlines() if line.startswith(("PYTHON", "PYTEST"))}
    assert not seen & set(mine), done
    assert "PYTHONSAFEPATH=1" in done.stdout
