"""`runner expect factor`: entries that all GPUs of a driver share are moved to the driver's common file."""

import argparse
import sys
from pathlib import Path

from runner.commands.options import add_drivers, add_expectations
from runner.expectations.files import format_entry
from runner.expectations.folder import read_files
from runner.expectations.target import ALL
from runner.lines import tell
from runner.maintenance.common_entries import find_shared, moved
from runner.maintenance.patch import FileChange, add_output, commit, format_patch
from runner.model import ExitCode
from runner.run_config import folders_in


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Options: the drivers."""
    add_expectations(parser)
    add_output(parser)
    add_drivers(parser, "this driver")


def main(arguments: argparse.Namespace) -> ExitCode:
    """Print what can be moved, print it as a patch, or commit it. Raises UsageError for a bad file."""
    expectations = folders_in(arguments.expectations)[0]
    names = arguments.driver or sorted(p.name for p in expectations.iterdir() if p.is_dir() and p.name != ALL)
    changes: dict[Path, FileChange] = {}
    found: list[str] = []
    for name in names:
        texts = read_files(expectations, name)
        offers = find_shared(texts, name)
        for common, shared in offers.items():
            found.append(f"{common.name}: {len(shared)} entries of {', '.join(t.gpu for t in shared[0].gpus)}")
            found += [f"  {format_entry(s.entry)}" for s in shared]
        changes |= moved(expectations, texts, offers)
    if arguments.output == "patch":
        tell("\n".join(found), file=sys.stderr)
        tell(format_patch(changes), end="", exact=True)
    elif arguments.output == "commit" and changes:
        tell(commit(changes, "expectations: move what all GPUs share\n\n" + "\n".join(found) + "\n"))
    else:
        tell("\n".join(found) if found else "no entry is common to all GPUs of a driver")
        if found:
            tell("`runner expect factor --patch` prints the change, --commit makes it; it then holds for other GPUs too")
    return ExitCode.GREEN
