"""`runner expect explain ID`: which file and entry decides, and which it overrules."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from runner.cases import catalogue
from runner.commands.options import add_expectations
from runner.drivers.registry import REGISTRY, load_drivers, resolve
from runner.expectations.files import format_entry, parse_file
from runner.expectations.folder import read_files
from runner.expectations.resolution import Expectations
from runner.expectations.target import Target, parse_name
from runner.ids import glob_pattern
from runner.model import ExitCode, Expectation, Kind, Status, UsageError
from runner.run_config import add_options
from runner.spelling import closest


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Which test, on what."""
    add_expectations(parser)
    add_options(parser, "suites", "mode")
    parser.add_argument("id")
    parser.add_argument("--driver", required=True)
    parser.add_argument("--gpu", default="")
    parser.add_argument("--mesa-version", default="", metavar="X.Y", help="with the files of this release, such as 25.0")
    parser.add_argument("--libclc", default="", metavar="N")
    parser.add_argument("--tinygrad", default="", metavar="X.Y")


def main(arguments: argparse.Namespace) -> ExitCode:
    """Print the entry that decides for a target, those that it overrules, and those of other targets."""
    test_id = arguments.id
    registry = Path(arguments.registry) if arguments.registry else REGISTRY
    driver = resolve(arguments.driver, load_drivers(registry))
    releases = arguments.mesa_version, arguments.libclc, arguments.tinygrad
    target = Target(driver.name, arguments.gpu, arguments.mode == "compile", *releases)
    known = catalogue.load(Path(arguments.suites)).cases
    if test_id not in known:
        raise UsageError(f'no test {test_id!r}{closest(test_id, known)}; run "runner list"')
    texts = read_files(Path(arguments.expectations), driver.name)
    found = Expectations(target, texts)
    skip, entries = found.skip(test_id), list(found.entries_of(test_id))
    decisive = skip or (entries[0] if entries else None)
    mentions = _mentions(test_id, texts)
    elsewhere = dict(_elsewhere(test_id, target, texts, [layer for _, layer in mentions]))
    others = {name: text for name, text in elsewhere.items() if text != _meaning(decisive)}
    print(f"{test_id} on {target.name}: {_meaning(decisive)}{', but not everywhere:' if others else ''}")
    for name, text in elsewhere.items() if others else ():
        print(f"  on {name}: {text}")
    if decisive:
        _show("decided by", decisive)
    for entry in entries if skip else entries[1:]:
        _show("overruled", entry)
    printed = {e.source for e in (skip, *entries) if e}
    for entry, layer in mentions:
        if entry.source not in printed:
            _show(f"not read ({_why(layer, target)})", entry)
    return ExitCode.GREEN


def _elsewhere(test_id: str, target: Target, texts: dict[Path, str], layers: Sequence[Target]) -> Iterator[tuple[str, str]]:
    """What holds where more is known than a target says: of every release and GPU that an entry about the test names."""
    inner = {target.joined(layer) for layer in layers if layer.meets(target) and layer.compile <= target.compile}
    # Of a release alone, and of a GPU alone, also where the entries name both.
    inner |= {a.joined(b) for a in inner for b in inner if a.meets(b)}
    for narrower in sorted(inner - {target}, key=lambda t: t.name):
        found = Expectations(narrower, texts)
        yield narrower.name, _meaning(found.skip(test_id) or next(found.entries_of(test_id), None))


def _meaning(entry: Expectation | None) -> str:
    if entry is None or entry.statuses == {Status.PASS}:
        return "must pass"
    words = "|".join(s for s in Status if s in entry.statuses)
    match entry.kind:
        case Kind.SKIPS:
            return "is not run"
        case Kind.FLAKES:
            rate = f", {entry.rate[0]} of {entry.rate[1]} times" if entry.rate else ""
            return f"is a known flake ({words}{rate})"
        case Kind.FAILS:
            return f"is expected to end in {words}" + (f' with "{entry.signature}"' if entry.signature else "")


def _show(word: str, entry: Expectation) -> None:
    print(f"  {word} {entry.source}: {format_entry(entry)}")
    if entry.reason:
        print(f"    {entry.reason}")


def _mentions(test_id: str, texts: dict[Path, str]) -> list[tuple[Expectation, Target]]:
    found = []
    for path, text in texts.items():
        layer, kind = parse_name(path)
        if kind != "device":
            entries = parse_file(text, Kind(kind), str(path)).entries
            found += [(e, layer) for e in entries if glob_pattern(e.pattern).fullmatch(test_id)]
    return found


def _why(layer: Target, target: Target) -> str:
    if not layer.applies_to(target):
        return f"only for {layer.name}"
    return "a compile run reads only entries about build failures"
