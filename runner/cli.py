"""The command line. Nothing heavy is imported before it is known what to do, so that --help is quick."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from runner import ROOT
from runner.commands.arguments import NAMES, add_parsers, command
from runner.commands.expect.arguments import add_parser as add_expect
from runner.model import InfrastructureError, RunConfig, Tier, UsageError
from runner.releases import SOURCE_VARIABLE, version_in

_COMMANDS = (
    "run",
    "list",
    "coverage",
    "probe",
    "run-case",
    "repro",
    "report",
    "bench",
    "expect",
    "deploy",
    *NAMES,
)
_EPILOG = """\
`runner COMMAND --help` says what a command takes; the options of a run are those of `runner run --help`.
exit codes: 0 green, 1 regressions, 2 usage or a bad file, 3 infrastructure (no device, the wrong one, a lost one),
4 nothing executed, 5 only improvements (the expectations are stale), 130 interrupted
"""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; see `{self.prog} --help`")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words and words[0] not in _COMMANDS and words[0] not in ("-h", "--help"):
        words.insert(0, "run")
    try:
        arguments = _parser().parse_args(words or ["--help"])
        if source := getattr(arguments, "tinygrad_src", None):
            os.environ[SOURCE_VARIABLE] = str(Path(source).resolve())
        return _dispatch(arguments)
    except UsageError as error:
        print(f"runner: {error}", file=sys.stderr)
        return 128 if words[:1] == ["bisect-step"] else 2  # git takes 1 to 127 for a bad commit
    except InfrastructureError as error:
        print(f"runner: {error}", file=sys.stderr)
        return 3
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the reader of a pipe has gone; say nothing more
        return 0


def _dispatch(arguments: argparse.Namespace) -> int:
    match arguments.command:
        case "run":
            from runner.commands.all_gpus import ALL, run_family
            from runner.run.job import run

            config = _config(arguments)
            return (run_family if config.gpu == ALL else run)(config, arguments.resume)
        case "list":
            from runner.commands.list import list_ids

            return list_ids(Path(arguments.suites), arguments.include, arguments.exclude)
        case "coverage":
            from runner.commands.coverage import print_coverage

            return print_coverage(Path(arguments.suites))
        case "probe":
            from runner.commands.probe import probe

            return probe(_config(arguments), arguments.form)
        case "run-case":
            from runner.catalogue import find_case
            from runner.run.one_case import run_case

            config = _config(arguments)
            return run_case(config, *find_case(config, arguments.id))
        case "repro":
            from runner.commands.repro import repro

            return repro(_config(arguments), arguments.id)
        case "bench":
            from runner.commands.bench import BenchConfig, bench

            given = {k: v for k, v in vars(arguments).items() if k in BenchConfig.__dataclass_fields__}
            names = tuple(name for words in arguments.drivers for name in words.split(","))
            return bench(BenchConfig(**{**given, "drivers": names}), _config(arguments))
        case "expect":
            from runner.commands.expect.arguments import expect

            return expect(arguments)
        case "deploy":
            from runner.commands.deploy import deploy

            return deploy(arguments.hosts, Path(arguments.suites).resolve(), arguments.ssh_config)
        case name if name in NAMES:
            return command(arguments, _config(arguments) if name in ("stress", "bisect-step") else None)
        case _:
            from runner.commands.report import rejudge

            return rejudge(Path(arguments.folder), arguments.suites, arguments.expectations)


def _config(arguments: argparse.Namespace) -> RunConfig:
    given = {k: v for k, v in vars(arguments).items() if k in RunConfig.__dataclass_fields__ and v is not None}
    for name in ("include", "exclude", "on"):
        given[name] = tuple(given.get(name, ()))
    given.setdefault("jobs", 1 if given["on"] else os.cpu_count() or 1)
    for name in (
        "suites",
        "expectations",
        "registry",
        "gpt2_weights",
        "mesa_prefix",
        "tinygrad_prefix",
        "tinygrad_src",
    ):
        if given.get(name):
            path = Path(given[name])
            if given["on"] and name in ("gpt2_weights", "mesa_prefix", "tinygrad_prefix"):
                if not path.is_absolute():
                    raise UsageError(f"--{name.replace('_', '-')} {path}: lies on the boards; give the whole path there")
                continue
            # A commit that does not build is one that `git bisect` skips.
            if not path.exists() and (name, arguments.command) != ("mesa_prefix", "bisect-step"):
                raise UsageError(f"--{name.replace('_', '-')} {path}: no such file or folder")
            given[name] = str(path.resolve())
    tinygrad = given.get("tinygrad_src") or given.get("tinygrad_prefix")
    if given["on"] and given.get("tinygrad_src"):
        raise UsageError("--tinygrad-src: not with --on; run on the board itself, or give --tinygrad-prefix")
    if tinygrad and not given["on"] and not version_in(Path(tinygrad)):
        raise UsageError(f"{tinygrad}: holds no tinygrad whose version is stated; give a checkout, or what pip installed")
    return RunConfig(**given)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="runner",
        description="Conformance and regression suite for Rusticl, Mesa's OpenCL.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="runner --driver NAME [options] | runner {list,coverage,probe,run-case,repro,report,bench,expect,"
        "deploy,history,flakes,stress,merge,diff,stats,bisect-step,junit,summary,html,doctor} ...",
    )
    commands = parser.add_subparsers(dest="command", required=True, prog="runner")
    places = _Parser(add_help=False)
    places.add_argument("--suites", default=str(ROOT / "suites"), metavar="DIR", help="where the suites are")
    places.add_argument(
        "--tinygrad-src", metavar="DIR", help="a checkout of tinygrad, to test with: its tests become the suite upstream"
    )
    globs = _Parser(add_help=False)
    globs.add_argument("-t", dest="include", action="append", default=[], metavar="GLOB", help="only these; repeatable")
    globs.add_argument("-x", dest="exclude", action="append", default=[], metavar="GLOB", help="not these; repeatable")
    device = _Parser(add_help=False)
    device.add_argument("--driver", required=True, help="the driver under test: llvmpipe, zink, msm, panfrost, iris, ...")
    device.add_argument(
        "--gpu",
        help="the GPU that must be found, as a630 (default: what the device's name says); with --mode compile also all",
    )
    device.add_argument(
        "--mode",
        choices=["execute", "compile"],
        help="compile: no device; the driver's own compiler under a shim, nothing runs (needs --gpu NAME)",
    )
    device.add_argument("--variant", help="another configuration of the driver, as no_variants")
    device.add_argument("--expectations", default=str(ROOT / "expectations"), metavar="DIR", help="where they are")
    device.add_argument(
        "--mesa-prefix",
        metavar="DIR",
        help="the Mesa under test: an installed build, a meson build directory or an unpacked artifact",
    )
    device.add_argument(
        "--tinygrad-prefix",
        metavar="DIR",
        help="another tinygrad than the installed one, as pip install --target DIR leaves it",
    )
    device.add_argument("--registry", metavar="FILE", help="another drivers.yaml")
    device.add_argument("--timeout-scale", type=_positive(float), metavar="X", help="multiplies every deadline")
    device.add_argument(
        "--memory-limit",
        dest="memory_limit_mib",
        type=_positive(int),
        metavar="MIB",
        help="kill a case that grows past this (default 6144)",
    )
    device.add_argument("--gpt2-weights", metavar="DIR", help="the real GPT-2: its config, weights, vocabulary")
    device.add_argument("--seed", type=int, metavar="N", help="seeds the inputs that cases draw (default 0)")

    run = commands.add_parser(
        "run",
        parents=[device, places, globs],
        help="run the suites (the default command)",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    run.add_argument(
        "-j",
        "--jobs",
        type=_positive(int),
        metavar="N",
        help="workers (default: cores), or workers on each board (default: 1)",
    )
    run.add_argument(
        "--on",
        action="append",
        default=[],
        metavar="HOST[:FOLDER]",
        help="run on this board, over ssh, after `runner deploy HOST`; repeatable",
    )
    _add_ssh_config(run)
    run.add_argument("--tier", type=Tier, choices=list(Tier), help="how much to run; cumulative (default premerge)")
    run.add_argument(
        "--shard",
        type=_shard,
        default=_shard_of_ci(),
        metavar="I/N",
        help="run the I-th of N parts (default: CI_NODE_INDEX/CI_NODE_TOTAL, else all)",
    )
    run.add_argument("--results", default="results", metavar="DIR", help="where the results go (default results)")
    run.add_argument("--retries", type=_natural, metavar="N", help="most repeats of what is unexpected (default 2)")
    run.add_argument("--max-fails", type=_natural, metavar="N", help="stop after so many regressions (default: never)")
    run.add_argument(
        "--history", metavar="FILE", help="add the run to this history, and divide it into --shard by the durations in it"
    )
    run.add_argument(
        "--stats", action="store_true", help="collect what the driver's compiler says of each kernel, for `runner stats`"
    )
    run.add_argument("--strict-flakes", action="store_true", help="an unknown flake is red")
    run.add_argument("--resume", action="store_true", help="go on with the run in --results that was killed or stopped")

    commands.add_parser("list", parents=[places, globs], help="print the ids, of every tier")
    commands.add_parser("coverage", parents=[places], help="print what the suites cover, as Markdown")
    probe = commands.add_parser("probe", parents=[device, places], help="print what is under test")
    probe.add_argument("--json", dest="form", action="store_const", const="json", default="text")
    probe.add_argument(
        "--floor",
        dest="form",
        action="store_const",
        const="floor",
        help="as the lines of expectations/<driver>/<driver>-device.txt",
    )
    one = commands.add_parser("run-case", parents=[device, places], help="run one case, and see what it prints")
    one.add_argument("id")
    alone = commands.add_parser(
        "repro", parents=[device, places], help="write one case as a program that needs this project no more"
    )
    alone.add_argument("id")
    alone.add_argument("repro", metavar="DIR", help="a new folder")
    _add_bench(commands.add_parser("bench", parents=[places], help="measure tokens or operations on each device"))
    add_expect(commands, ROOT)
    add_parsers(commands, ROOT, device, places)
    deploy = commands.add_parser(
        "deploy",
        parents=[places],
        help="put the runner, its packages and the suites on boards, over ssh",
        description="A board needs sshd, tar and python3 (3.11 or later); nothing is compiled or fetched there. "
        "What is up to date is not copied again. Exit code 3 where a board could not be served.",
    )
    deploy.add_argument(
        "hosts", nargs="+", metavar="HOST[:FOLDER]", help="FOLDER: default rusticl-runner, in the home there"
    )
    _add_ssh_config(deploy)
    again = commands.add_parser("report", help="judge a results directory again, without a device")
    again.add_argument("folder", metavar="RESULTS")
    again.add_argument("--expectations", metavar="DIR", help="judge by these, not by those of the run")
    again.add_argument("--suites", metavar="DIR", help="the suites, where they have moved since")
    return parser


def _add_ssh_config(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--ssh-config", default="", metavar="FILE", help="another one than ~/.ssh/config")


def _add_bench(bench: argparse.ArgumentParser) -> None:
    bench.set_defaults(driver="")
    bench.add_argument("what", choices=["gpt2", "ops"])
    bench.add_argument(
        "--driver",
        "--devices",
        dest="drivers",
        action="append",
        default=[],
        metavar="NAME[,NAME]",
        help="an OpenCL device, by its driver; repeatable",
    )
    bench.add_argument("--no-cpu", dest="cpu", action="store_false", help="not tinygrad's own CPU back ends")
    bench.add_argument(
        "--size",
        choices=["tiny", "124M"],
        default="tiny",
        help="gpt2: the shipped model, or the real one's shape with seeded weights",
    )
    bench.add_argument("--gpt2-weights", metavar="DIR", help="gpt2: the real GPT-2, instead of --size")
    bench.add_argument("--tokens", type=_tokens, default=20, metavar="N", help="gpt2: how many (default 20)")
    bench.add_argument("--small", action="store_true", help="ops: sizes that only show that it works")
    bench.add_argument("--format", dest="form", choices=["text", "markdown", "json"], default="text")
    bench.add_argument("--output", default="", metavar="FILE", help="write there, instead of printing")
    bench.add_argument(
        "--compare", default="", metavar="FILE", help="print what has changed beyond noise since this --format json"
    )
    bench.add_argument("--mesa-prefix", metavar="DIR", help="the Mesa under test, as in a run")
    bench.add_argument("--registry", metavar="FILE", help="another drivers.yaml")
    bench.add_argument("--timeout-scale", type=_positive(float), metavar="X", help="multiplies the deadline")
    bench.add_argument("--seed", type=int, metavar="N", help="seeds the weights of --size 124M (default 0)")


def _tokens(text: str) -> int:
    value = int(text)
    if value < 8:  # three are not steady, and quartiles want some
        raise argparse.ArgumentTypeError(f"{text}: at least 8")
    return value


def _positive(kind: type[int] | type[float]) -> Callable[[str], float]:
    def parse(text: str) -> float:
        value = kind(text)
        if value <= 0:
            raise argparse.ArgumentTypeError(f"{text} is not positive")
        return value

    parse.__name__ = kind.__name__
    return parse


def _natural(text: str) -> int:
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text} is negative")
    return value


def _shard(text: str) -> tuple[int, int]:
    try:
        index, total = map(int, text.split("/"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r}: write I/N, as 1/4") from None
    if not 1 <= index <= total:
        raise argparse.ArgumentTypeError(f"{text}: I must be 1 to N")
    return index, total


def _shard_of_ci() -> str:
    index, total = os.environ.get("CI_NODE_INDEX"), os.environ.get("CI_NODE_TOTAL")
    return f"{index}/{total}" if index and total else "1/1"


if __name__ == "__main__":
    sys.exit(main())
