"""The words of the commands that look at many runs or executions: history, flakes, stress, merge. Light, as the start is."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

from runner.model import RunConfig

NAMES = ("history", "flakes", "stress", "merge")
_DEFAULT = "history.sqlite"


def add_parsers(commands: Any, root: Path, device: Any, places: Any) -> None:
    """Add the commands. `root` is where expectations/ is by default; `device` and `places` are a run's own options."""
    make = type(places)
    file = make(add_help=False)
    file.add_argument("--history", default=_DEFAULT, metavar="FILE", help=f"the history (default {_DEFAULT})")
    target = make(add_help=False)
    target.add_argument("--driver", default="", help="this driver alone")
    target.add_argument("--gpu", default="", help="and this GPU")
    target.add_argument(
        "-t", dest="include", action="append", default=[], metavar="GLOB", help="only these; repeatable"
    )
    target.add_argument("--registry", default="", metavar="FILE", help="another drivers.yaml")
    folder = make(add_help=False)
    folder.add_argument(
        "--expectations", default=str(root / "expectations"), metavar="DIR", help="where they are"
    )

    history = commands.add_parser("history", help="fill the history of all runs, or print it")
    actions = history.add_subparsers(dest="action", required=True, prog="runner history")
    take = actions.add_parser("import", parents=[file], help="take in runs; one that is known counts once")
    take.add_argument(
        "results", nargs="+", metavar="RESULTS", help="results directories, folders of them, or artifacts.zip"
    )
    actions.add_parser("show", parents=[file, target], help="rates, signatures and seconds of each test")

    flakes = commands.add_parser(
        "flakes", parents=[file, target, folder], help="which flakes lines to add, change, keep, drop, and why",
        description="Exit code 1 where a known flake fails more, or otherwise, than its line says; 5 where lines are to "
        "be added, changed or dropped; else 0.",
    )  # fmt: skip
    flakes.add_argument(
        "--runs", type=_natural, default=100, metavar="N",
        help="the newest N runs of each target and Mesa release (default 100)",
    )  # fmt: skip
    flakes.add_argument("--format", dest="form", choices=["text", "json"], default="text")

    stress = commands.add_parser(
        "stress",
        parents=[device, places],
        help="run one case many times, and find what its failures depend on",
    )
    stress.add_argument("id")
    stress.add_argument("-n", type=_natural, default=200, metavar="N", help="executions (default 200)")
    stress.add_argument(
        "--load", type=_natural, default=os.cpu_count() or 1, metavar="N",
        help="busy processes beside every second execution (default: cores)",
    )  # fmt: skip

    merge = commands.add_parser(
        "merge", parents=[places, folder], help="join shards and retries into one results directory"
    )
    merge.add_argument("folders", nargs="+", metavar="DIR", help="results directories, or folders of them")
    merge.add_argument("--results", default="results", metavar="DIR", help="a new folder (default results)")


def command(arguments: argparse.Namespace, config: RunConfig | None) -> int:
    """Do what was asked; returns the exit code. `config` is that of `stress`."""
    match arguments.command:
        case "history" if arguments.action == "import":
            from runner.commands.history import import_results

            return import_results(Path(arguments.history), [Path(r) for r in arguments.results])
        case "history":
            from runner.commands.history import show

            return show(Path(arguments.history), _driver(arguments), arguments.gpu, arguments.include)
        case "flakes":
            from runner.commands.flakes import flakes

            return flakes(Path(arguments.history), Path(arguments.expectations), _driver(arguments), arguments.gpu,
                          arguments.include, arguments.runs, arguments.form)  # fmt: skip
        case "stress":
            from runner.commands.stress import stress

            assert config
            return stress(config, arguments.id, arguments.n, arguments.load)
        case _:
            from runner.commands.merge import merge

            return merge([Path(f) for f in arguments.folders], Path(arguments.results),
                         Path(arguments.suites).resolve(), str(Path(arguments.expectations).resolve()))  # fmt: skip


def _driver(arguments: argparse.Namespace) -> str:
    """The registry's name of the driver that was asked for, or ""."""
    from runner.drivers import REGISTRY, load_drivers, resolve

    if not arguments.driver:
        return ""
    return resolve(arguments.driver, load_drivers(Path(arguments.registry or REGISTRY))).name


def _natural(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text}: at least 1")
    return value
