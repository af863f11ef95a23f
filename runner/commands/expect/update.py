"""`runner expect update` and `runner expect init`: change the files after what the runs have shown.

A test that failed in every execution of two runs gets a fails entry, one whose results differ a flakes entry, one that
passes none; what was not run stays. Without --patch or --commit the files are changed, and nothing is committed.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from runner.cases import catalogue
from runner.commands.options import add_expectations
from runner.drivers.registry import load_drivers
from runner.expectations.files import floor_text
from runner.expectations.folder import SUITE_LINE, read_files
from runner.expectations.resolution import Expectations
from runner.expectations.sightings import load_listings
from runner.expectations.target import ALL, Target, parse_name
from runner.maintenance.common_entries import find_shared
from runner.maintenance.document import TODO, Block, edit
from runner.maintenance.evidence import EvidenceRun, known_tests, load_runs, require_runs, same_kind
from runner.maintenance.patch import FileChange, add_output, change_of, commit, format_patch, write
from runner.maintenance.plan import Plan, make_plan
from runner.model import ExitCode, Expectation, Kind, UsageError
from runner.run_config import add_options, folders_in

_NUMBERS = re.compile(r"0x[0-9a-fA-F.]+(p[+-]?\d+)?|\d+")


def add_parser(parser: argparse.ArgumentParser) -> None:
    """Which runs, and into which files."""
    add_expectations(parser)
    add_options(parser, "suites")
    add_output(parser)
    parser.add_argument(
        "results", nargs="+", type=Path, metavar="RESULTS", help="results directories: shards, retries, nights, boards"
    )
    parser.add_argument("--driver", default="", help="take runs of this driver alone")
    parser.add_argument("--gpu", default="", help="and of this GPU")
    parser.add_argument("--layer", default="", metavar="NAME", help="write to NAME-fails.txt, such as freedreno-a630")
    sharpen = "also where a signature holds, write all that the runs' messages share: where a crash was, the whole value"
    parser.add_argument("--sharpen", action="store_true", help=sharpen)


def main(arguments: argparse.Namespace) -> ExitCode:
    """Bring the files up to date, or make the first ones. Raises UsageError; then nothing is written."""
    drivers = load_drivers(Path(arguments.registry)) if arguments.registry else load_drivers()
    folder = folders_in(arguments.expectations)[0]  # of several, the one to write into
    runs, refused = load_runs(arguments.results, drivers, arguments.driver, arguments.gpu)
    require_runs(runs, refused)
    known = catalogue.load(Path(arguments.suites)).cases
    texts: dict[Path, str] = {}
    for name in sorted({run.target.driver for run in runs}):
        texts |= read_files(Path(arguments.expectations), name)
    groups: dict[Target, list[EvidenceRun]] = {}
    for run in runs:
        layer = _named_layer(arguments.layer, run.target) if arguments.layer else own_layer(run.target, texts)
        groups.setdefault(layer, []).append(run)
    plans, listings = [], load_listings(arguments.expectations)
    for layer, members in groups.items():
        kept, others = same_kind(members, layer)
        refused += others
        if otherwise := _other_libclc(layer, kept[-1], folder, texts):
            refused += [f"{run.folder}: {otherwise}" for run in kept]
            continue
        plans.append(make_plan(layer, kept, folder, texts, known, listings, sharpen=arguments.sharpen))
    require_runs([run for plan in plans for run in plan.runs], refused)
    changes = _changes(plans, folder, texts)
    if arguments.action == "init":
        changes |= _first_files(plans, folder, texts, changes)
    after = {**texts, **{path: change.after for path, change in changes.items()}}
    _check(plans, after)
    _deliver(plans, refused, changes, _offers(plans, after), arguments.output)
    return ExitCode.GREEN


def own_layer(target: Target, paths: Iterable[Path]) -> Target:
    """Where the entries of a target go: as narrow as the narrowest file that applies, and always of its own GPU.

    A release of libclc or tinygrad is part of the name where the driver's own files name one: what `all/` holds for it is
    about a few tests, most of them not of this run.
    """
    applying = [layer for layer, kind in map(parse_name, paths) if kind != "device" and layer.applies_to(target)]
    own = [layer for layer in applying if layer.driver != ALL]
    return replace(
        target,
        mesa=max((layer.mesa for layer in applying), default=""),
        libclc=max((layer.libclc for layer in own), default=""),
        tinygrad=max((layer.tinygrad for layer in own), default=""),
    )


def _other_libclc(layer: Target, run: EvidenceRun, folder: Path, texts: Mapping[Path, str]) -> str:
    """Why a run does not fit the head of the file that it would edit, or "". The name of a file rarely says libclc."""
    device = run.record.device
    assert device
    path = folder / layer.path(Kind.FAILS)
    top = texts.get(path, "").split("\n\n")[0]
    measured = re.findall(r"libclc (\d+)", top)
    if layer.libclc or not measured or device.libclc_version in ("", *measured):
        return ""
    return (
        f"ran with libclc {device.libclc_version}, and {path} was measured with {' and '.join(measured)}; "
        f"give --layer {replace(layer, libclc=device.libclc_version).name}"
    )


def _named_layer(name: str, target: Target) -> Target:
    layer, _ = parse_name(Path(name.split("-", 1)[0]) / f"{name}-fails.txt")
    if not layer.applies_to(target):
        raise UsageError(
            f"--layer {name}: does not apply to a run of {target.name}; name a layer that does, or leave it out"
        )
    if layer.driver == ALL:
        raise UsageError(f"--layer {name}: these runs show one driver; what all share is `runner expect factor`'s")
    return layer


def _changes(plans: Sequence[Plan], folder: Path, texts: Mapping[Path, str]) -> dict[Path, FileChange]:
    changes = {}
    for plan in plans:
        for kind in (Kind.FAILS, Kind.FLAKES):
            path = folder / plan.layer.path(kind)
            before = texts.get(path)
            text = before
            if before is None and plan.add[kind]:
                text = head(kind, plan)
            if text is None:
                continue
            after = edit(text, kind, str(path), plan.remove[kind], plan.replace[kind], _blocks(plan.add[kind]))
            if after != before:
                changes[path] = change_of(path, after)
    return changes


def _first_files(
    plans: Sequence[Plan], folder: Path, texts: Mapping[Path, str], changes: Mapping[Path, FileChange]
) -> dict[Path, FileChange]:
    """The floor of a new board, and its fails file where nothing failed. Raises UsageError where it has files."""
    first = {}
    for plan in plans:
        fails, floor = (folder / plan.layer.path(kind) for kind in (Kind.FAILS, "device"))
        if there := next((path for path in texts if parse_name(path)[0] == plan.layer), None):
            raise UsageError(f"{there}: is there already; use `runner expect update`")
        device = plan.runs[-1].record.device
        assert device
        first[floor] = FileChange(None, f"{floor_text(device)}\n")
        if fails not in changes:
            first[fails] = FileChange(None, head(Kind.FAILS, plan))
    return first


def _blocks(new: Sequence[tuple[Expectation, str]]) -> list[Block]:
    """One block for entries that fail alike: a person writes one reason for them."""
    alike: dict[tuple[object, ...], list[Expectation]] = {}
    for entry, reason in new:
        folder, name = entry.pattern.rsplit("/", 1)
        own_words = "|".join(map(re.escape, sorted(name.split("."), key=len, reverse=True)))
        message = _NUMBERS.sub("#", re.sub(own_words, "", entry.signature))
        shape = (folder, *sorted(entry.statuses), message)
        alike.setdefault((reason,) if reason else ("", *shape), []).append(entry)
    return [Block((str(key[0]) or TODO,), tuple(entries)) for key, entries in alike.items()]


def head(kind: Kind, plan: Plan) -> str:
    """The head of a new file: its content, and on what it was measured."""
    device = plan.runs[-1].record.device
    assert device
    what = {"fails": "Expected failures", "flakes": "Known flakes", "skips": "Not run"}[kind]
    form = {"fails": "id,Status[,signature]", "flakes": "id-or-glob,Status[|Status],k/n", "skips": "an id or a glob"}[kind]
    versions = ", ".join(
        filter(
            None,
            (
                f"Mesa {device.driver_version or device.mesa}" if device.mesa else device.driver_version,
                f"LLVM {device.llvm}" if device.llvm else "",
                f"libclc {device.libclc_version}" if device.libclc_version else "",
            ),
        )
    )
    measured = ", ".join(filter(None, (device.device or plan.layer.driver, versions, device.machine)))
    return (
        f"# {what}. Measured: {measured}.\n{SUITE_LINE}\n"
        f"# An entry is {form}; the comment above it is the reason. See docs/expectations.md.\n"
    )


def _check(plans: Sequence[Plan], texts: Mapping[Path, str]) -> None:
    """Raise UsageError where the new files would not load: before any is written."""
    for plan in plans:
        new = Expectations(plan.runs[-1].target, texts)
        for test_id in known_tests(plan.runs):
            new.find(test_id)


def _offers(plans: Sequence[Plan], texts: Mapping[Path, str]) -> list[str]:
    """What of the new entries every measured GPU of a driver has now."""
    new = {entry.pattern for plan in plans for own in plan.add.values() for entry, _ in own}
    new |= {pattern for plan in plans for own in plan.replace.values() for pattern in own}
    report = []
    for driver in sorted({plan.layer.driver for plan in plans}):
        for common, shared in find_shared(texts, driver).items():
            if common_now := [s for s in shared if s.entry.pattern in new]:
                gpus = ", ".join(t.gpu for t in common_now[0].gpus)
                report.append(
                    f"{len(common_now)} of these entries are common to {gpus}: `runner expect factor --driver {driver}` "
                    f"offers them to {common.name}"
                )
    return report


def _deliver(
    plans: Sequence[Plan],
    refused: Sequence[str],
    changes: Mapping[Path, FileChange],
    offers: Sequence[str],
    output: str | None,
) -> None:
    report = "\n".join([summary(plans, refused, changes), *offers])
    if output == "patch":
        print(report, file=sys.stderr)
        print(format_patch(changes), end="")
    elif output == "commit" and changes:
        print(report)
        print(commit(changes, message(plans)))
    else:
        write(changes)
        print(report)


def summary(plans: Sequence[Plan], refused: Sequence[str], changes: Mapping[Path, FileChange]) -> str:
    """What was changed and what was left, for the terminal."""
    lines = [f"refused: {why}" for why in refused]
    for plan in plans:
        tests = len(known_tests(plan.runs))
        lines.append(f"{plan.layer.name}: {len(plan.runs)} runs, {tests} tests, {len(plan.edits)} entries change")
        lines += [f"  {text}" for text in plan.edits]
        lines += [f"  left: {text}" for text in plan.notes]
    lines += [f"{path}: {'new' if change.before is None else 'changed'}" for path, change in sorted(changes.items())]
    if any(plan.add[kind] for plan in plans for kind in plan.add):
        lines.append(f'write the reason at each "{TODO}", then `runner expect lint`')
    return "\n".join(lines)


def message(plans: Sequence[Plan]) -> str:
    """The commit message: what changes, and the runs that show it."""
    changed = [plan for plan in plans if plan.edits]
    counts = {s: sum(t.startswith(s) for plan in changed for t in plan.edits) for s in "+~-"}
    words = [f"{counts[s]} {w}" for s, w in (("+", "new"), ("~", "changed"), ("-", "gone")) if counts[s]]
    lines = [f"expectations: {', '.join(plan.layer.name for plan in changed)}: {', '.join(words)}"]
    for plan in changed:
        device = plan.runs[-1].record.device
        assert device
        lines += ["", f"{plan.layer.name} on {device.device or plan.layer.driver}:", *(f"  {t}" for t in plan.edits)]
        lines += ["", "Runs:"]
        for run in plan.runs:
            config, own = run.record.config, run.record.device
            assert own
            lines.append(
                f"  {run.record.begun} {run.key}: {own.driver_version or own.mesa or 'no version'}, {config.tier} "
                f"shard {config.shard[0]}/{config.shard[1]}, {len(run.results)} results"
            )
    return "\n".join(lines) + "\n"
