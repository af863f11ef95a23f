"""`runner expect explain ID`: which file and entry decides, and which it overrules."""

import argparse
from pathlib import Path

from runner.cases import catalogue
from runner.commands.options import add_expectations
from runner.drivers.registry import load_drivers, resolve
from runner.expectations.explanation import entries_about, expected_elsewhere, meaning_of, why_not_read
from runner.expectations.files import format_entry
from runner.expectations.folder import read_files
from runner.expectations.resolution import Expectations
from runner.expectations.target import JUDGED_VARIANTS, Target
from runner.lines import tell
from runner.model import ExitCode, Expectation, UsageError
from runner.run_config import add_options
from runner.spelling import closest


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Options: the test, the target."""
    add_expectations(parser)
    add_options(parser, "suites", "mode", "driver", "variant")
    parser.add_argument("id")
    parser.add_argument("--gpu", default="", help="the GPU, such as a630")
    parser.add_argument("--mesa-version", default="", metavar="X.Y", help="with the files of this release, such as 25.0")
    parser.add_argument("--libclc", default="", metavar="N")
    parser.add_argument("--tinygrad", default="", metavar="X.Y")


def main(arguments: argparse.Namespace) -> ExitCode:
    """Print the entry that decides for a target, those that it overrules, and those of other targets."""
    test_id = arguments.id
    if not arguments.driver:
        raise UsageError("give --driver NAME: what is expected hangs on it")
    driver = resolve(arguments.driver, load_drivers(arguments.registry))
    releases = arguments.mesa_version, arguments.libclc, arguments.tinygrad
    variant = arguments.variant if arguments.variant in JUDGED_VARIANTS else ""
    target = Target(driver.name, arguments.gpu, Target.mode_of(arguments.mode), *releases, variant)
    all_cases = catalogue.load(Path(arguments.suites)).cases
    if test_id not in all_cases:
        raise UsageError(f'no test {test_id!r}{closest(test_id, all_cases)}; run "runner list"')
    texts = read_files(Path(arguments.expectations), driver.name)
    found = Expectations(target, texts)
    skip, entries = found.skip(test_id), list(found.entries_of(test_id))
    families = list(found.families_of(test_id))
    decisive = skip or (entries[0] if entries else None)
    mentions = entries_about(test_id, texts)
    elsewhere = dict(expected_elsewhere(test_id, target, texts, [layer for _, layer in mentions]))
    others = {name: text for name, text in elsewhere.items() if text != meaning_of(decisive)}
    tell(f"{test_id} on {target.name}: {meaning_of(decisive)}{', but not everywhere:' if others else ''}")
    for name, text in elsewhere.items() if others else ():
        tell(f"  on {name}: {text}")
    if decisive:
        _show("decided by", decisive)
    for entry in entries if skip else entries[1:]:
        _show("overruled", entry)
    for entry in families:
        _show("if it fails like this, decided by" if found.find(test_id) and not skip else "overruled", entry)
    printed = {e.source for e in (skip, *entries, *families) if e}
    for entry, layer in mentions:
        if entry.source not in printed:
            why_not = why_not_read(entry, layer, target)
            _show(f"not read ({why_not})" if why_not else "overruled", entry)  # a skips entry that another one overrules
    return ExitCode.GREEN


def _show(word: str, entry: Expectation) -> None:
    tell(f"  {word} {entry.source}: {format_entry(entry)}")
    if entry.reason:
        tell(f"    {entry.reason}")
