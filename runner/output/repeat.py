"""The commands that repeat a run, and those to go on with after one case: repeat it, gdb, a program of its own."""

import os
import shlex
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from runner.boards.address import Board
from runner.run_config import JUDGED_BY, WHOLE, RunConfig, words_of
from runner.verdict.report import Report


def repeat_command(report: Report, test_id: str, *words: str, command: str = "run-case") -> str:
    """The command that repeats one case: in this shell, or on the board that ran it. `words` stand before the id's place."""
    config = report.record.config
    case = f"{_joined(config, command, words)} {shlex.quote(test_id)}"
    if not config.on:
        return f"{_runner()} {case}"
    result = report.record.results.get(test_id)
    host = result.attempts[-1].board if result else ""
    board = next((b for b in map(Board.parse, config.on) if b.host == host), Board.parse(config.on[0]))
    ssh = ["ssh", *(["-F", config.ssh_config] if config.ssh_config else []), board.host]
    return f"{shlex.join(ssh)} {shlex.quote(f'{board.folder}/runner {case}')}"


def next_commands(report: Report, test_id: str) -> list[tuple[str, str]]:
    """What to do next about a case, each with its label."""
    return [
        ("repeat", repeat_command(report, test_id)),
        ("in gdb", repeat_command(report, test_id, "--gdb")),
        ("as a program", f"{repeat_command(report, test_id, command='repro')} repro/"),
    ]


def run_command(config: RunConfig) -> str:
    """The command that repeats a whole run, except for its folders of results and its number of workers."""
    return f"{_runner()} {shlex.join(words_of(config, WHOLE))}"


def again_words(config: RunConfig) -> str:
    """The options of a run, except for what it selects and on which device, with a space before them, or ""."""
    own = ("driver", "gpu", "variant", "mode", "include", "exclude", "shard")
    return _spaced(words_of(config, [name for name in WHOLE if name not in own]))


def failed_command(config: RunConfig, folder: Path) -> str:
    """The command that runs again what failed in a run."""
    return f"{run_command(replace(config, include=(), exclude=(), shard=(1, 1)))} --failed {shlex.quote(str(folder))}"


def judging_words(config: RunConfig) -> str:
    """The options by which a command judges as this run was judged, with a space before them, or ""."""
    return _spaced(words_of(config, JUDGED_BY))


def _spaced(words: Sequence[str]) -> str:
    return "".join(f" {shlex.quote(word)}" for word in words)


@lru_cache(maxsize=64)  # the same for each case of a run
def _joined(config: RunConfig, command: str, words: tuple[str, ...]) -> str:
    return shlex.join([command, *words_of(config), *words])


def _runner() -> str:
    return os.environ.get("RUNNER_COMMAND", "runner")  # as ci/run was called, inside its root
