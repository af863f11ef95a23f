"""The command that repeats one case of a run."""

from __future__ import annotations

import os

from runner.address import Board
from runner.run_config import RunConfig
from runner.verdict.report import Report


def repeat_command(report: Report, test_id: str) -> str:
    """The command that repeats one case."""
    config = report.record.config
    own = os.environ.get("RUNNER_COMMAND", "runner")  # as ci/run was called, inside its root
    if config.on:
        result = report.record.results.get(test_id)
        own = _runner_on(config, result.attempts[-1].board if result else "")
    words = [own, "run-case", "--driver", config.driver]
    words += ["--variant", config.variant] if config.variant else []
    words += ["--gpu", config.gpu] if config.gpu else []
    words += ["--mode", config.mode] if config.mode != "execute" else []
    words += ["--mesa-prefix", config.mesa_prefix] if config.mesa_prefix else []
    words += ["--tinygrad-prefix", config.tinygrad_prefix] if config.tinygrad_prefix else []
    words += ["--tinygrad-src", config.tinygrad_src] if config.tinygrad_src else []
    words += ["--seed", str(config.seed)] if config.seed else []
    return " ".join([*words, test_id])


def _runner_on(config: RunConfig, host: str) -> str:
    """How the desk calls the runner on one of the boards of a run."""
    board = next((b for b in map(Board.parse, config.on) if b.host == host), Board.parse(config.on[0]))
    given = f" -F {config.ssh_config}" if config.ssh_config else ""
    return f"ssh{given} {board.host} {board.folder}/runner"
