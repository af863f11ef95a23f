"""The words of `runner expect`, and which module each calls; light, because every start reads it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any


def add_parser(commands: Any, root: Path) -> None:
    """Add `expect` with its subcommands. `root` is where expectations/ and suites/ are by default."""
    expect = commands.add_parser("expect", help="update, check and explain the expectation files")
    actions = expect.add_subparsers(dest="action", required=True, prog="runner expect")
    make = type(expect)
    folder = make(add_help=False)
    folder.add_argument("--expectations", default=str(root / "expectations"), metavar="DIR", help="where they are")
    folder.add_argument("--registry", default="", metavar="FILE", help="another drivers.yaml")
    suites = make(add_help=False)
    suites.add_argument("--suites", default=str(root / "suites"), metavar="DIR", help="where the suites are")
    output = make(add_help=False)
    how = output.add_mutually_exclusive_group()
    how.add_argument("--patch", dest="output", action="store_const", const="patch", help="print a git patch; write nothing")
    how.add_argument("--commit", dest="output", action="store_const", const="commit", help="commit, with the evidence")
    for name, text in (
        ("update", "edit the files after what runs have shown"),
        ("init", "make the files of a board that has none, from its runs"),
    ):
        own = actions.add_parser(name, parents=[folder, suites, output], help=text, description=_UPDATE)
        own.add_argument(
            "results",
            nargs="+",
            metavar="RESULTS",
            help="results directories: shards, retries, nights, boards",
        )
        own.add_argument("--driver", default="", help="take runs of this driver alone")
        own.add_argument("--gpu", default="", help="and of this GPU")
        own.add_argument("--layer", default="", metavar="NAME", help="write to NAME-fails.txt, as freedreno-a630")
    lint = actions.add_parser("lint", parents=[folder, suites], help="what is wrong with the files; needs no device")
    lint.add_argument("results", nargs="*", metavar="RESULTS", help="runs, to find lines that none of them saw failing")
    lint.add_argument(
        "--history",
        default="",
        metavar="FILE",
        help="the history, to find lines that its newest runs did not see failing",
    )
    lint.add_argument(
        "--quiet-runs",
        type=_positive,
        metavar="N",
        help="name a line after N runs without a failure (default 10; where the line has a rate, as many passes as make "
        "chance incredible)",
    )
    lint.add_argument("--driver", action="append", default=[], help="this driver's files and all/ alone; repeatable")
    lint.add_argument("--mesa", "--mesa-tree", dest="mesa", metavar="DIR", help="a Mesa source tree's own files instead")
    lint.add_argument("--format", dest="form", choices=["text", "json"], default="text")
    explain = actions.add_parser("explain", parents=[folder, suites], help="which line decides about a test")
    explain.add_argument("id")
    explain.add_argument("--driver", required=True)
    explain.add_argument("--gpu", default="")
    explain.add_argument("--mode", choices=["execute", "compile"], default="execute")
    explain.add_argument("--mesa-version", default="", metavar="X.Y", help="with the files of this release, as 25.0")
    explain.add_argument("--libclc", default="", metavar="N")
    explain.add_argument("--tinygrad", default="", metavar="X.Y")
    factor = actions.add_parser("factor", parents=[folder, output], help="what all GPUs of a driver share")
    factor.add_argument("--driver", action="append", default=[], help="this driver alone; repeatable")
    add_import(actions)


_UPDATE = """A test that failed in every execution of two runs gets a fails line, one whose results differ a flakes line, one
that passes none; what was not run stays. Without --patch or --commit the files are changed, and nothing is committed."""


def add_import(actions: Any) -> None:
    """Add `expect import`."""
    own = actions.add_parser("import", help="deqp-runner's files and results.csv into ours, or back")
    for kind in ("fails", "flakes", "skips"):
        own.add_argument(f"--{kind}", action="append", default=[], metavar="FILE", help=f"a file of {kind}; repeatable")
    own.add_argument("--results", metavar="CSV", help="results.csv: becomes a results directory; its names expand regexes")
    own.add_argument("--layer", required=True, metavar="NAME", help="how the files are called, as freedreno-a630")
    own.add_argument("--suite", default="", metavar="NAME", help="write names as ids NAME/...; without, they are ids")
    own.add_argument("--back", action="store_true", help="from our files to deqp-runner's")
    own.add_argument("folder", metavar="DIR", help="where the files go")


def expect(arguments: argparse.Namespace) -> int:
    """Do what was asked; returns the exit code."""
    match arguments.action:
        case "update" | "init":
            from runner.commands.expect.update import Options, update

            return update(
                Options(
                    tuple(map(Path, arguments.results)),
                    Path(arguments.expectations),
                    Path(arguments.suites),
                    arguments.driver,
                    arguments.gpu,
                    arguments.layer,
                    arguments.registry,
                    arguments.output or "write",
                    arguments.action == "init",
                )
            )
        case "lint" if arguments.mesa:
            from runner.commands.expect.mesa_lint import lint_mesa

            return lint_mesa(Path(arguments.mesa), arguments.form)
        case "lint":
            from runner.commands.expect.lint import lint

            results = [Path(r) for r in arguments.results]
            return lint(
                Path(arguments.expectations),
                Path(arguments.suites),
                arguments.driver,
                results,
                arguments.form,
                arguments.registry,
                Path(arguments.history) if arguments.history else None,
                arguments.quiet_runs,
            )
        case "explain":
            from runner.commands.expect.explain import explain
            from runner.expectations.target import Target

            target = Target(
                arguments.driver,
                arguments.gpu,
                arguments.mode == "compile",
                arguments.mesa_version,
                arguments.libclc,
                arguments.tinygrad,
            )
            return explain(arguments.id, target, Path(arguments.expectations), Path(arguments.suites), arguments.registry)
        case "factor":
            from runner.commands.expect.factor import factor

            return factor(Path(arguments.expectations), arguments.driver, arguments.output or "")
        case _:
            from runner.commands.expect.deqp import convert

            return convert(arguments)


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text}: at least 1")
    return value
