"""Change Mesa's source on purpose, one line at a time, and see whether the kernels suite shows it.

Each change of tests/mesa_mutants/ is applied to a copy of the source, Rusticl is built with it, and premerge of kernels
runs on the result; if that is green, the full tier. Steps that are in the table of --results already are skipped.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from runner.commands.options import Parser
from runner.lines import tell
from runner.model import InfrastructureError, UsageError
from runner.run_config import at_least, positive
from tools.mesa_mutants.outcomes import TIERS, Outcomes, line_of, report
from tools.mesa_mutants.pack import Pack
from tools.mesa_mutants.runs import say
from tools.mesa_mutants.schedule import FIRST, Schedule
from tools.mesa_mutants.shown import lost, read_shown, record, recorded
from tools.mesa_mutants.source_tree import diff_of, folder_of, open_source, open_tree
from tools.mesa_mutants.table import Change, load, locate, select


def main(words: Sequence[str]) -> int:
    """Run the command; returns the exit code."""
    parser = Parser(prog="ci/mesa-mutants", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="print the changes, each with its place in the source")
    parser.add_argument("--diff", action="store_true", help="print the changes as a patch of the source")
    parser.add_argument("--report", action="store_true", help="print the figures by group, and what nothing shows")
    parser.add_argument(
        "--only", action="append", default=[], metavar="WORD", help="part of a path, a group, an id's beginning"
    )
    parser.add_argument("--draw", type=positive(int), default=0, metavar="N", help="this many of them, by chance")
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="which ones --draw takes, and the order of the runs (default 0)"
    )
    parser.add_argument(
        "--source", default="", metavar="DIR", help="your Mesa, instead of Debian trixie's; it stays as it is"
    )
    parser.add_argument("--tier", choices=TIERS, default="full", help="premerge: nothing more for what it does not show")
    parser.add_argument(
        "-t", dest="globs", action="append", default=[], metavar="GLOB", help="which cases (default kernels/*); repeatable"
    )
    parser.add_argument(
        "--mode",
        choices=("emulate", "compile"),
        default="",
        help="run all on an emulated GPU, or compile for it and execute nothing; what comes of it is kept apart",
    )
    parser.add_argument("--gpu", default="", metavar="NAME", help="which GPU is emulated, or compiled for (default a630)")
    parser.add_argument(
        "--max-fails", type=positive(int), default=FIRST, metavar="N", help=f"end a run after N red cases (default {FIRST})"
    )
    parser.add_argument(
        "-j", "--jobs", type=positive(int), default=os.cpu_count() or 1, metavar="N", help="workers in all; builds at a time"
    )
    parser.add_argument("--record", action="store_true", help="write down what was shown, in tests/mesa_mutants/shown.txt")
    parser.add_argument("--results", default="mesa-mutants", metavar="DIR", help="the table's folder (default mesa-mutants)")
    parser.add_argument("--build-only", default="", metavar="PACK", help="leave each build in this folder, and run nothing")
    parser.add_argument("--run-only", default="", metavar="PACK", help="run what --build-only left; no source is needed")
    parser.add_argument("--minutes", type=at_least(0), default=0, metavar="N", help="begin no run after this many minutes")
    try:
        arguments = parser.parse_args(words)
        chosen = select(load(), arguments.only, arguments.draw, arguments.seed)
        if not chosen:
            raise UsageError("no change in tests/mesa_mutants/ matches --only")
        return _act(arguments, chosen)
    except (UsageError, InfrastructureError) as error:
        tell(f"ci/mesa-mutants: {error}", file=sys.stderr)
        return 2 if isinstance(error, UsageError) else 3


def _act(arguments: argparse.Namespace, chosen: Sequence[Change]) -> int:
    if arguments.list or arguments.diff:
        source = folder_of(arguments.source) / "source"
        if not source.exists():
            with open_source(arguments.source):
                pass
        for change in chosen:
            say(diff_of(change, source) if arguments.diff else line_of(change, locate(change, source)))
        return 0
    results = Path(arguments.results)
    pack = Pack(Path(arguments.build_only or arguments.run_only or results / "builds"))
    if not (arguments.report or arguments.run_only):
        with open_tree(arguments.source) as tree:
            pack.fill(tree, chosen, arguments.jobs)
    asked = "".join(f"-{word}" for word in (arguments.gpu, arguments.mode) if word)
    outcomes = Outcomes(results / f"outcomes{asked}.jsonl")
    if not (arguments.report or arguments.build_only):
        schedule = Schedule(
            pack,
            outcomes,
            arguments.globs or ["kernels/*"],
            arguments.jobs,
            arguments.minutes,
            arguments.seed,
            target=lambda change: change.target.on(arguments.gpu, arguments.mode),
            most=arguments.max_fails,
        )
        schedule.run_all(chosen, arguments.tier)
    for line in report(chosen, pack.builds, outcomes):
        say(line)
    if arguments.report:
        for line in recorded(chosen, read_shown()):
            say(line)
    if arguments.draw:
        say(f"{len(chosen)} changes, drawn with --seed {arguments.seed}")
    # shown.txt has each group on its own target.
    missed = [] if asked else list(lost(chosen, outcomes, read_shown()))
    if arguments.record and not asked:
        record(chosen, outcomes)
    for line in missed:
        say(line)
    return 1 if missed and not arguments.record else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
