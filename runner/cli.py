"""The command line. Nothing heavy is imported before it is known what to do, so that --help is quick."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from runner import VERSION
from runner.commands import COMMANDS
from runner.commands.options import EXIT_CODES, Parser
from runner.interpreter import isolate
from runner.lines import plain
from runner.model import ExitCode, InfrastructureError, UsageError
from runner.spelling import closest

_HELP = f"""\
usage: runner --driver NAME [options]
       runner COMMAND [options]

Conformance and regression suite for Rusticl, Mesa's OpenCL.

commands:
{"".join(f"  {name:12} {text}{chr(10)}" for name, text in COMMANDS.items())}
options:
  -h, --help   this text; `runner COMMAND --help` says what a command takes, `runner run --help` what a run takes
  --version    the runner's version

{EXIT_CODES}"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    isolate()
    words = list(sys.argv[1:] if argv is None else argv)
    if not words or words[0] in ("-h", "--help"):
        print(_HELP, end="")
        return ExitCode.GREEN
    if words == ["--version"]:
        print(f"runner {VERSION}")
        return ExitCode.GREEN
    if words[0].startswith("-"):
        words.insert(0, "run")
    try:
        return _run(words)
    except UsageError as error:
        print(f"runner: {plain(str(error))}", file=sys.stderr)
        return 128 if words[0] == "bisect-step" else ExitCode.USAGE  # git takes 1 to 127 for a bad commit
    except InfrastructureError as error:
        print(f"runner: {plain(str(error))}", file=sys.stderr)
        return ExitCode.INFRASTRUCTURE
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the reader of a pipe has gone; say nothing more
        return ExitCode.GREEN


def _run(words: Sequence[str]) -> int:
    name = words[0]
    if name not in COMMANDS:
        raise UsageError(f"no command {name!r}{closest(name, (*COMMANDS, '--help', '--version'))}; see `runner --help`")
    module = importlib.import_module(f"runner.commands.{name.replace('-', '_')}")
    parser = Parser(prog="runner")
    module.add_parser(parser.add_subparsers(dest="command", prog="runner"))
    arguments = parser.parse_args(words)
    if source := getattr(arguments, "tinygrad_src", None):
        from runner.releases import SOURCE_VARIABLE

        os.environ[SOURCE_VARIABLE] = str(Path(source).resolve())
    return int(module.main(arguments))


if __name__ == "__main__":
    sys.exit(main())
