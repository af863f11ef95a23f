"""The documentation: every command in it is one that the tool takes, every option and path exists, links resolve."""

import argparse
import contextlib
import io
import os
import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from documentation import PAGES, ROOT, Command, blocks, commands, read_blocks, read_commands, read_links, read_spans, tool_of

from runner.cases import catalogue
from runner.cli import main
from runner.commands import ALIASES, actions_of
from runner.model import UsageError

# Programs of others that the pages call.
_FOREIGN = {
    *("echo", "git", "ninja", "pytest", "python3", "sh", "ssh", "apk", "meson", "exit", "apt-get", "dpkg-deb", "sed"),
    *("cp", "export", "ln", "mkdir"),
    ".venv/bin/pip",
}
# Options of deqp-runner, pytest and Mesa that the pages speak of.
_FOREIGN_OPTIONS = {
    *("--baseline", "--flakes", "--skips", "--fraction", "--fraction-start", "--jobs", "--timeout", "--renderer-check"),
    *("--all-mutants", "--list"),
}
_IN_REPOSITORY = re.compile(r"(runner|suites|ci|tests|expectations|docs)/[a-z0-9_./-]*")


class _ParsedError(BaseException):
    """The command line was parsed; nothing else should happen."""


@pytest.fixture
def parse(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Parse the arguments of `runner`, by its own parser, without doing what they ask; returns the complaint, or ""."""
    parsed = argparse.ArgumentParser.parse_args

    def stop(self: argparse.ArgumentParser, *args: Any, **kwargs: Any) -> None:
        parsed(self, *args, **kwargs)
        raise _ParsedError

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", stop)

    def parse_one(words: Sequence[str], tool: str = "") -> str:
        try:
            if tool:
                monkeypatch.setattr(sys, "argv", [tool, *words])
                monkeypatch.delitem(sys.modules, f"{tool}.__main__", raising=False)
                runpy.run_module(tool, run_name="__main__")
            main(words)
        except _ParsedError:
            return ""
        except SystemExit:
            pass
        return capsys.readouterr().err or "nothing was parsed"

    return parse_one


@pytest.fixture(scope="module")
def set_up_script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """ci/run beside scripts that print the command they are given: what reaches the runner, and no set-up."""
    folder = tmp_path_factory.mktemp("ci")
    for name in ("run", "cache.sh"):
        shutil.copy(ROOT / "ci" / name, folder)
    with (folder / "cache.sh").open("a", encoding="utf-8") as file:
        file.write("open_venv() { return 1; }\n")  # so commands that need no root go by ci/in-root, too
    for name in ("in-root", "on-system", "enter", "apps", "piglit"):
        (folder / name).write_text('#!/bin/sh\nfor word in "$@"; do printf "%s\\0" "$word"; done\n')
        (folder / name).chmod(0o755)
    return folder / "run"


def runner_arguments(words: Sequence[str], set_up_script: Path) -> list[str] | None:
    """What a command gives to `runner`; None if it calls neither that nor ci/run. Raises UsageError as ci/run does."""
    for place, word in enumerate(words):
        if Path(word).name == "runner" and not word.startswith("."):
            return list(words[place + 1 :])
        if word == "ci/run":
            done = subprocess.run([set_up_script, *words[place + 1 :]], capture_output=True, text=True)
            if done.returncode:
                raise UsageError(done.stderr)
            reached = done.stdout.split("\0")
            return reached[reached.index("runner.cli") + 1 : -1]
    return None


def complaints_about(command: Command, parse: Callable[..., str], set_up_script: Path) -> list[str]:
    """What is wrong with a documented command."""
    first = command.words[0]
    try:
        arguments = runner_arguments(command.words, set_up_script)
    except UsageError as error:
        return [f"{command.where}: {command.line}: {error}"]
    found = []
    if arguments is not None and arguments != ["--help"]:
        found = [parse(arguments or ["--help"])] if arguments else []
        found += [f"no case is {w!r}" for w in arguments if re.match(r"(kernels|tinygrad|models)/", w) and not _matches(w)]
    elif (tool := tool_of(command.words))[0]:
        found = [parse(tool[1], tool[0])]
    elif first.startswith("ci/"):
        if not os.access(ROOT / first, os.X_OK):
            found = [f"{first} is not there"]
        else:
            text = (ROOT / first).read_text(encoding="utf-8") + (ROOT / "tests/conftest.py").read_text(encoding="utf-8")
            found = [
                f"no option {w}" for w in command.words if w.startswith("--") and w not in text and w not in _FOREIGN_OPTIONS
            ]
        found += [f"{w} is not there" for w in command.words if w.startswith("tests/") and not (ROOT / w).exists()]
    elif first not in _FOREIGN:
        found = [f"{first} is not a command"]
    return [f"{command.where}: {command.line}: {text}" for text in found if text]


def _matches(glob: str) -> bool:
    try:
        return bool(catalogue.match(_catalogue().cases, glob))
    except UsageError:
        return False


@cache
def _catalogue() -> catalogue.Catalogue:
    return catalogue.load(ROOT / "suites")


def test_every_command_of_the_pages_is_one_that_the_tool_takes(parse: Callable[..., str], set_up_script: Path) -> None:
    found = commands()
    assert len(found) > 80
    assert [text for command in found for text in complaints_about(command, parse, set_up_script)] == []


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("ci/run --driver llvmpipe --verbos", "--verbos"),
        ("ci/run --mesa woody", "--mesa woody"),
        ("git bisect run sh -c 'ninja || exit 125; runner bisect-step --driver x'", "-t"),
        ("ssh $PHONE rusticl-runner/runner doctor --fast", "--fast"),
        ("runner --driver iris -t 'kernels/maths/*'", "no case"),
        ("runner diff before/", "RESULTS_B"),
        ("python3 -m tools.deqp lint", "DIR"),
        ("ci/tets", "ci/tets is not there"),
        ("ci/test --fsat", "no option --fsat"),
        ("ci/test tests/test_jugde.py", "tests/test_jugde.py is not there"),
        ("runer list", "runer is not a command"),
        ("echo && runner lst", "runner: "),
    ],
)
def test_a_wrong_command_is_found(line: str, complaint: str, parse: Callable[..., str], set_up_script: Path) -> None:
    (block,) = read_blocks(f"text\n\n```sh\n{line}\n```\n", "page.md")
    found = [text for command in read_commands(block) for text in complaints_about(command, parse, set_up_script)]
    assert [complaint in text.removeprefix(f"page.md:4: {line}: ") for text in found] == [True], found


@cache
def _help_of(*command: str) -> str:
    """What `runner COMMAND --help` prints, "" for an unknown command."""
    with contextlib.redirect_stdout(io.StringIO()) as printed, contextlib.redirect_stderr(io.StringIO()):
        try:
            code = main([*command, "--help"])
        except SystemExit as end:  # argparse's
            code = int(end.code or 0)
    text = printed.getvalue()
    return text if code == 0 and f"usage: {' '.join(('runner', *command))}" in text else ""


def complaints_about_spans(spans: Sequence[str], set_up_text: str) -> list[str]:
    """What is wrong with texts between backquotes: commands, options, paths of the repository."""
    found = []
    helps = [set_up_text, _help_of("run")]
    for span in spans:
        words = span.split()
        if words[0] in ("runner", "ci/run") and len(words) > 1:
            first, *more = ALIASES.get(words[1], words[1] if re.match("[a-z]", words[1]) else "run").split()
            actions = [w for word in (*more, *words[2:3]) if (w := word.split("|")[0]) in actions_of(first)]
            text = _help_of(first, *actions[:1])
            helps.append(text)
            options = [w for w in words if w.startswith("--") and w not in text + set_up_text]
            found += [f"{span}: no such command"] if not text else [f"{span}: no option {w}" for w in options]
        elif _IN_REPOSITORY.fullmatch(span) and not (ROOT / span).exists():
            found.append(f"{span} is not there")
    helps += [_help_of(word) for word in {c.words[1] for c in commands() if c.words[0] == "runner" and len(c.words) > 1}]
    known = set(re.findall(r"--[a-z0-9-]+", "".join(helps))) | _FOREIGN_OPTIONS
    options = [w for span in spans if span.startswith("--") for w in re.findall(r"^--[a-z0-9-]+", span)]
    return found + [f"{option}: no option of the tool" for option in options if option not in known]


def test_commands_options_and_paths_in_the_text_exist() -> None:
    pages = [page for page in PAGES if page.name != "CHANGELOG.md"]  # which also names what was removed
    spans = [span for page in pages for span in read_spans(page.read_text(encoding="utf-8"))]
    words = [word.rstrip(",:") for block in blocks("text") for word in block.text.split()]
    spans += [word for word in words if _IN_REPOSITORY.fullmatch(word)]  # of diagrams
    assert len(spans) > 300
    assert complaints_about_spans(spans, (ROOT / "ci/run").read_text(encoding="utf-8")) == []


def test_a_wrong_command_option_or_path_in_the_text_is_found() -> None:
    spans = ["runner lst", "runner report --agianst x", "runner/lost.py", "--lenient", "runner list", "ci/run"]
    assert complaints_about_spans(spans, "") == [
        "runner lst: no such command",
        "runner report --agianst x: no option --agianst",
        "runner/lost.py is not there",
        "--lenient: no option of the tool",
    ]


def _anchors(page: Path) -> set[str]:
    """The anchors that GitLab and GitHub make of a page's headings."""
    headings = re.findall(r"(?m)^#+ (.+)$", page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken_links(page: Path) -> list[str]:
    """The links of a page that lead nowhere."""
    found = []
    for link in read_links(page.read_text(encoding="utf-8")):
        path, _, anchor = link.partition("#")
        target = (page.parent / path) if path else page
        if not target.exists() or (anchor and anchor not in _anchors(target)):
            found.append(f"{page.name}: {link}")
    return found


def test_links_resolve_and_every_page_is_reached_from_the_readme(tmp_path: Path) -> None:
    assert [link for page in PAGES for link in broken_links(page)] == []
    reached = {
        (page.parent / link.partition("#")[0]).resolve()
        for page in PAGES
        if page.parent.name != "log"  # a page of the log is linked from a page that a reader sees first
        for link in read_links(page.read_text(encoding="utf-8"))
        if page == PAGES[0] or link.startswith("log/")
    }
    assert {page.resolve() for page in PAGES[1:]} <= reached
    wrong = tmp_path / "wrong.md"
    wrong.write_text("# A head\n[a](#a-head) [b](b.md) [c](#c) ![d](d.png) [e](https://example.org)\n")
    assert broken_links(wrong) == ["wrong.md: b.md", "wrong.md: #c", "wrong.md: d.png"]


def test_the_readme_is_short_and_begins_with_the_commands_that_set_everything_up() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 120
    found = [c.words for block in blocks("sh")[:1] for c in read_commands(block)]
    assert found[:2] == [("ci/run",), ("ci/test",)]


def test_the_readme_counts_the_cases_as_the_census_does() -> None:
    rows = re.findall(r"(?m)^\| (\w+) \| ([\d,]+) \(([\d,]+)\) \|", (ROOT / "README.md").read_text(encoding="utf-8"))
    stated = {suite: [int(n.replace(",", "")) for n in numbers] for suite, *numbers in rows}
    counted = {suite: [0, 0] for suite in stated}
    for line in (ROOT / "suites/census.txt").read_text(encoding="utf-8").splitlines()[1:]:
        area, tier, cases, _ = line.split()
        if numbers := counted.get(area.split("/")[0]):
            numbers[0] += int(cases)
            numbers[1] += int(cases) * (tier == "premerge")
    assert stated == {suite: pytest.approx(numbers, rel=0.02) for suite, numbers in counted.items()}


def test_yaml_of_the_pages_extends_jobs_that_the_templates_have() -> None:
    templates: dict[str, object] = {}
    for path in (ROOT / "ci/gitlab").glob("*.yml"):
        templates |= yaml.safe_load(path.read_text(encoding="utf-8"))
    scripts = [path for path in (ROOT / "ci").rglob("*") if path.suffix in ("", ".yml") and path.is_file()]
    text = "".join(path.read_text(encoding="utf-8") for path in scripts)
    jobs = [job for block in blocks("yaml") if not block.file for job in yaml.safe_load(block.text).values()]
    extended = [name for job in jobs if "extends" in job for name in job["extends"]]
    assert len(extended) > 4
    assert set(extended) <= set(templates)
    variables = [name for job in jobs for name in job.get("variables", ())]
    assert variables
    assert [name for name in variables if name not in text] == []
