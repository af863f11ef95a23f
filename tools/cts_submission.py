"""`python3 -m tools.cts_submission`: runs of the full CTS as a submission to Khronos, as far as its form is public.

FOLDER gets conformance.log, with the output and the verdict of each sub-test in the rows of
opencl_conformance_tests_full.csv, and submission_details.txt, the form of the CTS with the runs' facts about the device.
Exit code 1 if a sub-test failed, did not run, or ran in quick mode, which Khronos does not accept.
"""

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from runner.commands.options import add_places
from runner.importing import import_suite_module
from runner.lines import read_given, tell
from runner.model import ExitCode, UsageError
from runner.records import journal
from tools.command import run

_MAX_PRINTED = 20  # printed lines of one kind


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Options: the runs, the build, its form, the folder to write."""
    add_places(parser)
    parser.add_argument(
        "results", nargs="+", type=Path, metavar="RESULTS", help="results directories of --cts-full, one device"
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the submission goes")
    parser.add_argument("--form", type=Path, metavar="FILE", help="another form than that of the build's source")


def main(arguments: argparse.Namespace) -> ExitCode:
    """Write the folder. Raises UsageError without a build, without its form, or for runs on several devices."""
    if not arguments.cts:
        raise UsageError("name the build that was run with --cts DIR")
    build = Path(arguments.cts)
    submission = import_suite_module(Path(arguments.suites) / "cts", "submission")
    runs = {folder: journal.read(folder) for folder in arguments.results}
    devices = [run.device for run in runs.values() if run.device]
    if not devices or any(device.identity != devices[0].identity for device in devices):
        raise UsageError("the runs are of several devices, or none of them has opened one")
    results = {test_id: result for run in runs.values() for test_id, result in run.all_results.items()}
    form = arguments.form or _source_of(build) / "test_conformance" / submission.FORM
    log = submission.make_log(build, results, lambda test_id: _print_of(test_id, arguments.results))
    details, left = submission.fill_form(read_given(form), devices[0])
    arguments.folder.mkdir(parents=True, exist_ok=True)
    (arguments.folder / "conformance.log").write_text("\n".join(log.lines) + "\n", encoding="utf-8")
    (arguments.folder / "submission_details.txt").write_text(details, encoding="utf-8")
    quick = [str(folder) for folder, run in runs.items() if not run.config.cts_full]
    for what, names in (("failed", log.red), ("not run", log.absent), ("run in quick mode", quick), ("left to you", left)):
        if names:
            tell(f"{what}: {len(names)}: {', '.join(names[:_MAX_PRINTED])}{', ...' if len(names) > _MAX_PRINTED else ''}")
    return ExitCode.REGRESSION if log.red or log.absent or quick else ExitCode.GREEN


def _source_of(build: Path) -> Path:
    """The checkout from which CMake built it. Raises UsageError if the folder does not name it."""
    cache = build / "CMakeCache.txt"
    found = re.search(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$", read_given(cache) if cache.exists() else "", re.MULTILINE)
    if not found:
        raise UsageError(f"{cache}: does not name the source, which has the form; give it with --form")
    return Path(found[1])


def _print_of(test_id: str, folders: Sequence[Path]) -> str:
    """The output of a sub-test, from the first of the results directories that has it, or ""."""
    for folder in folders:
        path = folder / f"{test_id}.log"
        if path.exists():
            return path.read_text(encoding="utf-8", errors="replace")
    return ""


if __name__ == "__main__":
    sys.exit(run("cts_submission", __doc__, add_parser, main, sys.argv[1:]))
