"""The words of the commands that look at many runs or executions: history, flakes, stress, merge. Light, as the start is."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

from runner.model import RunConfig

NAMES = (
    "history",
    "flakes",
    "stress",
    "merge",
    "diff",
    "stats",
    "bisect-step",
    "junit",
    "summary",
    "html",
    "doctor",
)
_DEFAULT = "history.sqlite"


def add_parsers(commands: Any, root: Path, device: Any, places: Any) -> None:
    """Add the commands. `root` is where expectations/ is by default; `device` and `places` are a run's own options."""
    make = type(places)
    file = make(add_help=False)
    file.add_argument("--history", default=_DEFAULT, metavar="FILE", help=f"the history (default {_DEFAULT})")
    target = make(add_help=False)
    target.add_argument("--driver", default="", help="this driver alone")
    target.add_argument("--gpu", default="", help="and this GPU")
    target.add_argument("-t", dest="include", action="append", default=[], metavar="GLOB", help="only these; repeatable")
    target.add_argument("--registry", default="", metavar="FILE", help="another drivers.yaml")
    folder = make(add_help=False)
    folder.add_argument("--expectations", default=str(root / "expectations"), metavar="DIR", help="where they are")

    history = commands.add_parser("history", help="fill the history of all runs, or print it")
    actions = history.add_subparsers(dest="action", required=True, prog="runner history")
    take = actions.add_parser("import", parents=[file], help="take in runs; one that is known counts once")
    take.add_argument("results", nargs="+", metavar="RESULTS", help="results directories, folders of them, or artifacts.zip")
    actions.add_parser("show", parents=[file, target], help="rates, signatures and seconds of each test")

    flakes = commands.add_parser(
        "flakes",
        parents=[file, target, folder],
        help="which flakes lines to add, change, keep, drop, and why",
        description="Exit code 1 where a known flake fails more, or otherwise, than its line says; 5 where lines are to "
        "be added, changed or dropped; else 0.",
    )
    flakes.add_argument(
        "--runs",
        type=_natural,
        default=100,
        metavar="N",
        help="the newest N runs of each target and Mesa release (default 100)",
    )
    flakes.add_argument("--format", dest="form", choices=["text", "json"], default="text")

    stress = commands.add_parser(
        "stress",
        parents=[device, places],
        help="run one case many times, and find what its failures depend on",
    )
    stress.add_argument("id")
    stress.add_argument("-n", type=_natural, default=200, metavar="N", help="executions (default 200)")
    stress.add_argument(
        "--load",
        type=_natural,
        default=os.cpu_count() or 1,
        metavar="N",
        help="busy processes beside every second execution (default: cores)",
    )

    merge = commands.add_parser("merge", parents=[places, folder], help="join shards and retries into one results directory")
    merge.add_argument("folders", nargs="+", metavar="DIR", help="results directories, or folders of them")
    merge.add_argument("--results", default="results", metavar="DIR", help="a new folder (default results)")

    diff = commands.add_parser(
        "diff",
        parents=[places, folder],
        help="what differs between two runs: fixed, broken, slower, ...",
        description="Compares what happened, whatever the expectations say. Exit code 1 where something broke, else 0. "
        "RESULTS is a results directory, a folder of the shards of one run, or artifacts.zip.",
    )
    diff.add_argument("old", metavar="RESULTS_A", help="the run before")
    diff.add_argument("new", metavar="RESULTS_B", help="the run after")
    diff.add_argument("--format", dest="form", choices=["text", "markdown", "json"], default="text")

    stats = commands.add_parser(
        "stats",
        help="what the driver's compiler made of the kernels of runs with --stats",
        description="Totals of one run, or what changed from one to the other in the kernels of the same source. "
        "RESULTS is a results directory, a folder of the shards of one run, or artifacts.zip.",
    )
    stats.add_argument("old", metavar="RESULTS", help="a run with --stats")
    stats.add_argument("new", nargs="?", metavar="NEW", help="and a later one, to compare with it")
    stats.add_argument("--format", dest="form", choices=["text", "markdown", "json"], default="text")
    stats.add_argument(
        "--limit", type=_natural, default=10, metavar="N", help="the N most changed kernels of each metric (default 10)"
    )

    step = commands.add_parser(
        "bisect-step",
        parents=[device, places],
        help="tell `git bisect run` whether a Mesa is good",
        description="Exit code 0 where every test passed, 1 where one failed, crashed or hung, 125 where this Mesa cannot "
        "be tested (no build or device, a skip, another failure), 128 for what is wrong in every commit.",
    )
    step.add_argument(
        "-t",
        dest="include",
        action="append",
        required=True,
        metavar="ID",
        help="a test or a glob; repeatable",
    )
    step.add_argument(
        "--signature",
        default="",
        metavar="TEXT",
        help="part of the message of the failure that is looked for",
    )
    step.add_argument("-n", type=_natural, default=1, metavar="N", help="repeats, for what fails now and then (default 1)")

    for name, told in (
        ("junit", "JUnit of runs that were, judged by today's expectations"),
        ("summary", "the last screen of runs that were, judged by today's expectations"),
    ):
        again = commands.add_parser(
            name,
            parents=[places, folder],
            help=told,
            description="Shards and retries of one run are joined. Exit code 0, whatever the verdict.",
        )
        again.add_argument(
            "results",
            nargs="+",
            metavar="RESULTS",
            help="results directories, folders of them, or artifacts.zip",
        )
        if name == "junit":
            again.add_argument("--output", metavar="FILE", help="write it there (default: print it)")
        else:
            again.add_argument(
                "--markdown",
                dest="form",
                action="store_const",
                const="markdown",
                default="text",
                help="as a comment on a merge request",
            )
            again.add_argument(
                "--flake-lines",
                dest="form",
                action="store_const",
                const="flakes",
                help="only a line for each new flake, to be posted to a channel",
            )

    page = commands.add_parser(
        "html",
        parents=[places, folder],
        help="one page to look at a run with, for a browser",
        description="The page holds everything, loads nothing, and can be sent or kept as one file. Shards of one run are "
        "joined. It is judged by today's expectations. Exit code 0, whatever the verdict.",
    )
    page.add_argument("results", metavar="RESULTS", help="a results directory, a folder of them, or artifacts.zip")
    page.add_argument("--against", metavar="RESULTS", help="a run before it: what is fixed, broken, ...")
    page.add_argument("--history", metavar="FILE", help="a history: plots, and what to do about flakes")
    page.add_argument("--output", metavar="FILE", help="default: report.html in RESULTS")

    check = commands.add_parser(
        "doctor",
        help="explain what this machine has for OpenCL and tinygrad, and the next step",
        description="Exit code 0 where a device of Rusticl opens, else 3: in this environment or, where OCL_ICD_VENDORS "
        "and RUSTICL_ENABLE are not set, as the runner would set them.",
    )
    check.add_argument("--format", dest="form", choices=["text", "json"], default="text")


def command(arguments: argparse.Namespace, config: RunConfig | None) -> int:
    """Do what was asked; returns the exit code. `config` is that of the commands that run tests."""
    match arguments.command:
        case "history" if arguments.action == "import":
            from runner.commands.history import import_results

            return import_results(Path(arguments.history), [Path(r) for r in arguments.results])
        case "history":
            from runner.commands.history import show

            return show(Path(arguments.history), _driver(arguments), arguments.gpu, arguments.include)
        case "flakes":
            from runner.commands.flakes import flakes

            return flakes(
                Path(arguments.history),
                Path(arguments.expectations),
                _driver(arguments),
                arguments.gpu,
                arguments.include,
                arguments.runs,
                arguments.form,
            )
        case "stress":
            from runner.commands.stress import stress

            assert config
            return stress(config, arguments.id, arguments.n, arguments.load)
        case "bisect-step":
            from runner.commands.bisect_step import bisect_step

            assert config
            return bisect_step(config, arguments.include, arguments.signature, arguments.n)
        case "doctor":
            from runner.commands.doctor import doctor

            return doctor(arguments.form)
        case "diff":
            from runner.commands.diff import diff

            return diff(
                Path(arguments.old),
                Path(arguments.new),
                Path(arguments.suites).resolve(),
                Path(arguments.expectations).resolve(),
                arguments.form,
            )
        case "stats":
            from runner.commands.stats import stats

            new = Path(arguments.new) if arguments.new else None
            return stats(Path(arguments.old), new, arguments.form, arguments.limit)
        case "junit":
            from runner.commands.junit import junit

            return junit(
                [Path(r) for r in arguments.results],
                Path(arguments.output) if arguments.output else None,
                Path(arguments.suites).resolve(),
                Path(arguments.expectations).resolve(),
            )
        case "summary":
            from runner.commands.summary import summary

            return summary(
                [Path(r) for r in arguments.results],
                Path(arguments.suites).resolve(),
                Path(arguments.expectations).resolve(),
                arguments.form,
            )
        case "html":
            from runner.commands.html import write_page

            output, against, history = (
                Path(p) if p else None for p in (arguments.output, arguments.against, arguments.history)
            )
            return write_page(
                Path(arguments.results),
                output,
                against,
                history,
                Path(arguments.suites).resolve(),
                Path(arguments.expectations).resolve(),
            )
        case _:
            from runner.commands.merge import merge

            return merge(
                [Path(f) for f in arguments.folders],
                Path(arguments.results),
                Path(arguments.suites).resolve(),
                str(Path(arguments.expectations).resolve()),
            )


def _driver(arguments: argparse.Namespace) -> str:
    """The registry's name of the driver that was asked for, or ""."""
    from runner.drivers.registry import REGISTRY, load_drivers, resolve

    if not arguments.driver:
        return ""
    return resolve(arguments.driver, load_drivers(Path(arguments.registry or REGISTRY))).name


def _natural(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text}: at least 1")
    return value
