"""`python3 -m tools.deqp import|lint`: convert deqp-runner's files into the runner's or back; check a Mesa tree's own."""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from runner.commands.options import add_form
from tools.command import run
from tools.deqp.convert import convert
from tools.deqp.lint import lint_mesa


def _add_parser(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True)
    own = actions.add_parser("import", help="deqp-runner's files and results.csv into ours, or back")
    for kind in ("fails", "flakes", "skips"):
        own.add_argument(f"--{kind}", action="append", default=[], metavar="FILE", help=f"a file of {kind}; repeatable")
    own.add_argument("--results", metavar="CSV", help="results.csv: becomes a results directory; its names expand regexes")
    own.add_argument("--layer", required=True, metavar="NAME", help="the name of the files, such as freedreno-a630")
    own.add_argument("--suite", default="", metavar="NAME", help="write names as ids NAME/...; without, they are ids")
    own.add_argument("--back", action="store_true", help="from our files to deqp-runner's")
    own.add_argument("folder", metavar="DIR", help="where the files go")
    lint = actions.add_parser("lint", help="check a Mesa source tree's own files")
    lint.add_argument("mesa", metavar="DIR")
    add_form(lint, "text", "json")


def _main(arguments: Namespace) -> int:
    return lint_mesa(Path(arguments.mesa), arguments.form) if arguments.action == "lint" else convert(arguments)


def main(words: list[str]) -> int:
    """Run the command; returns the exit code."""
    return run("deqp", __doc__, _add_parser, _main, words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
