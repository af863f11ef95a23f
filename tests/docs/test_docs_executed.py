"""The documentation's cheap commands and its example of a suite are executed, in a folder with small runs on llvmpipe."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from conftest import READERS, call
from documentation import ROOT, blocks, commands, tool_of

from runner.commands import COMMANDS

# Documented commands of these kinds are executed: they need no device, and change nothing outside of the folder.
_CHEAP = {
    *("bugs", "bugs show", "diff", "doctor", "expect explain", "expect lint", "history flakes", "history import"),
    *("history show", "list", "list coverage", "merge", "report", "stats", "tools.deqp import", "tools.deqp lint"),
}
# The exit codes that such a command may end with here, if not only 0: its findings on these small runs.
_CODES = {"doctor": {0, 3}, "history flakes": {0, 5}, "expect lint": {0, 1}}


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as the pages assume it: runs on llvmpipe under the names they use, `ci`, and `runner` on PATH."""
    folder = tmp_path_factory.mktemp("docs")
    (folder / "ci").symlink_to(ROOT / "ci")
    (folder / "bin").mkdir()
    (folder / "bin/runner").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m runner.cli "$@"\n')
    (folder / "bin/runner").chmod(0o755)
    run = "runner --driver llvmpipe -j 1 -t kernels/integer/abs.* -t kernels/integer/mad_sat.* --stats"
    lines = [f"{run} --shard {i}/2 --results shard{i}" for i in (1, 2)]
    for line in (*lines, "runner merge shard1 shard2", "runner history import --history runs.db shard1 shard2"):
        code, output = shell(folder, line)
        assert code == 0, output
    for name in ("before", "after", "old", "new", "nightly"):
        shutil.copytree(folder / "shard1", folder / name)
    (folder / "a630-fails.txt").write_text("spec@opencl@a,Fail\n")
    (folder / "freedreno-a630-fails.txt").write_text("# why\nspec/opencl/a,Fail\n")
    (folder / "results.csv").write_text("spec@opencl@a,Fail,0.1\n")
    (folder / "mesa/src/freedreno/ci").mkdir(parents=True)
    (folder / "mesa/src/freedreno/ci/a630-fails.txt").write_text("# why: mesa/mesa#1\nspec@opencl@a,Fail\n")
    return folder


def shell(folder: Path, line: str) -> tuple[int, str]:
    """Run a line in a folder; returns the exit code and all output."""
    done = subprocess.run(
        ["bash", "-f", "-c", line],
        cwd=folder,
        env=environment(folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.returncode, done.stdout


def environment(folder: Path) -> dict[str, str]:
    """The environment of the pages' reader: `runner` is found, and no variables of CI are there."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("CI_", "GITLAB", "PYTEST"))}
    return {**kept, "PATH": f"{folder}/bin:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}


def kind_of(words: Sequence[str]) -> str:
    """The subcommand, with its own subcommand if it has one; "" for another program."""
    if (tool := tool_of(words))[0] == "tools.deqp":
        return f"tools.deqp {tool[1][0]}"
    if words[0] not in ("runner", "ci/run") or len(words) < 2:
        return ""
    return " ".join(words[1:3]) if " ".join(words[1:3]) in COMMANDS else words[1]


def test_the_cheap_commands_of_the_pages_do_what_the_pages_say(workplace: Path) -> None:
    executed: dict[tuple[str, ...], str] = {}
    failed = []
    for command in commands():
        kind, words = kind_of(command.words), command.words[1:]
        if (kind not in _CHEAP and "--patch" not in command.words) or words in executed:
            continue
        executed[words] = kind
        for output in ("merged", "imported", "exported"):
            shutil.rmtree(workplace / output, ignore_errors=True)
        if words[0] in READERS and command.words[0] == "runner":
            code, text = call(words, workplace, environment(workplace))
        else:
            code, text = shell(workplace, command.line)
        if code not in _CODES.get(kind, {0}):
            failed.append(f"{command.where}: {command.line}: exit code {code}\n{text}")
    assert failed == []
    assert set(executed.values()) >= _CHEAP


def test_the_example_of_a_cl_file_is_a_case(workplace: Path) -> None:
    (block,) = (block for block in blocks("c") if block.file)
    shutil.copytree(ROOT / "suites", workplace / "all", ignore=shutil.ignore_patterns("__pycache__"))
    (workplace / block.file.replace("suites", "all")).write_text(block.text + "\n", encoding="utf-8")
    run = "runner run-case --driver llvmpipe --suites all kernels/programs/mine/small_numbers"
    code, output = shell(workplace, run)
    assert code == 0, output
    path = workplace / block.file.replace("suites", "all")
    path.write_text(path.read_text().replace("+ b;", "- b;"))  # the device errs
    code, output = shell(workplace, run)
    assert code == 1, output


def test_the_example_of_a_suite_is_a_suite(workplace: Path) -> None:
    files = [block for language in ("yaml", "python") for block in blocks(language) if block.file]
    assert len(files) == 3
    for block in files:
        path = workplace / block.file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text + "\n", encoding="utf-8")
    code, output = shell(workplace, "runner --driver llvmpipe -j 1 --suites suites -t example/* --results example")
    assert code == 0, output
    assert "Pass 2" in output
    body = workplace / "suites/example/run.py"
    body.write_text(body.read_text().replace("+= 1", "+= 2"))  # the device errs
    code, output = shell(workplace, "runner run-case --driver llvmpipe --suites suites example/increment/int")
    assert code == 1, output
    assert "Fail: example/increment/int" in output
