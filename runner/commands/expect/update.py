"""`runner expect update`: change the files to match the results of runs.

A test that failed in every execution of two runs gets a fails entry, one whose results differ a flakes entry, one that
passes none; tests that were not run keep theirs. Without --patch or --commit the files are changed, not committed.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from runner.cases import catalogue
from runner.commands.options import add_expectations, add_target_filter
from runner.drivers.registry import load_drivers
from runner.expectations.folder import read_files
from runner.expectations.sightings import load_listings
from runner.expectations.target import Target
from runner.lines import tell
from runner.maintenance.evidence import EvidenceRun, load_runs, require_runs, same_kind
from runner.maintenance.layer import named_layer, other_libclc, own_layer
from runner.maintenance.patch import FileChange, add_output, commit, format_patch, write
from runner.maintenance.plan import Plan, make_plan
from runner.maintenance.update import changes_of, check_texts, first_files
from runner.maintenance.update_report import message, offers_of, summary
from runner.model import ExitCode
from runner.run_config import add_options, folders_in


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Options: the runs, the files to change."""
    add_expectations(parser)
    add_options(parser, "suites")
    add_output(parser)
    parser.add_argument(
        "results", nargs="+", type=Path, metavar="RESULTS", help="results directories: shards, retries, nights, boards"
    )
    add_target_filter(parser)
    parser.add_argument("--layer", default="", metavar="NAME", help="write to NAME-fails.txt, such as freedreno-a630")
    sharpen = "even if a signature holds, write all that the runs' messages share: where a crash was, the whole value"
    parser.add_argument("--sharpen", action="store_true", help=sharpen)


def main(arguments: argparse.Namespace) -> ExitCode:
    """Bring the files up to date."""
    return update(arguments, first=False)


def update(arguments: argparse.Namespace, *, first: bool) -> ExitCode:
    """Change the files, or make the first ones of a board. Raises UsageError; then nothing is written."""
    drivers = load_drivers(arguments.registry)
    folder = folders_in(arguments.expectations)[0]  # of several, the one to write into
    runs, refused = load_runs(arguments.results, drivers, arguments.driver, arguments.gpu)
    require_runs(runs, refused)
    all_cases = catalogue.load(Path(arguments.suites)).cases
    texts: dict[Path, str] = {}
    for name in sorted({run.target.driver for run in runs}):
        texts |= read_files(Path(arguments.expectations), name)
    groups: dict[Target, list[EvidenceRun]] = {}
    for run in runs:
        layer = named_layer(arguments.layer, run.target) if arguments.layer else own_layer(run.target, texts)
        groups.setdefault(layer, []).append(run)
    plans, listings = [], load_listings(arguments.expectations)
    for layer, members in groups.items():
        kept, others = same_kind(members, layer)
        refused += others
        if otherwise := other_libclc(layer, kept[-1], folder, texts):
            refused += [f"{run.folder}: {otherwise}" for run in kept]
            continue
        plans.append(make_plan(layer, kept, folder, texts, all_cases, listings, sharpen=arguments.sharpen))
    require_runs([run for plan in plans for run in plan.runs], refused)
    changes = changes_of(plans, folder, texts)
    if first:
        changes |= first_files(plans, folder, texts, changes)
    after = {**texts, **{path: change.after for path, change in changes.items()}}
    check_texts(plans, after)
    _deliver(plans, refused, changes, offers_of(plans, after), arguments.output)
    return ExitCode.GREEN


def _deliver(
    plans: Sequence[Plan],
    refused: Sequence[str],
    changes: Mapping[Path, FileChange],
    offers: Sequence[str],
    output: str | None,
) -> None:
    report = "\n".join([summary(plans, refused, changes), *offers])
    if output == "patch":
        tell(report, file=sys.stderr)
        tell(format_patch(changes), end="", exact=True)
    elif output == "commit" and changes:
        tell(report)
        tell(commit(changes, message(plans)))
    else:
        write(changes)
        tell(report)
