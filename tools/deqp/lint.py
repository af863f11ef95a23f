"""`runner expect lint --mesa DIR`: checks a Mesa tree's own *-fails.txt, *-flakes.txt and *-skips.txt by the same rules."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from runner.maintenance.finding import LintFinding, print_findings
from runner.model import UsageError
from tools.deqp.files import EFFECTIVE, STATUSES, Baseline, Regex, escape, parse_baseline, parse_regex, read_lines

_NAME = re.compile(r"(?P<device>.+?)-(?P<kind>fails|flakes|slow-skips|skips)\.txt")


@dataclass(slots=True)
class GpuFiles:
    """The files of one GPU_VERSION; Mesa's scripts pass only these fails and flakes to deqp-runner."""

    name: str
    fails: list[tuple[Path, Baseline]] = field(default_factory=list)
    flakes: list[tuple[Path, Regex]] = field(default_factory=list)
    skips: list[tuple[Path, Regex]] = field(default_factory=list)


def lint_mesa(tree: Path, form: str) -> int:
    """Print the findings and their totals; returns 0, 1 with findings, 2 if a line cannot be parsed."""
    devices = load_tree(tree)
    findings: list[LintFinding] = []
    counts = dict.fromkeys(
        (
            *("files", "fails_lines", "never_checked_because_of_flakes", "dead_under_skips", "flakes_regexes"),
            *("flakes_dead_under_skips", "skips_regexes", "lines_without_a_comment"),
        ),
        0,
    )
    for device in devices:
        own = list(_device_findings(device))
        findings += own
        sides = (device.fails, device.flakes, device.skips)
        counts["files"] += len({path for side in sides for path, _ in side})
        counts["fails_lines"] += len(device.fails)
        counts["flakes_regexes"] += len(device.flakes)
        counts["skips_regexes"] += len(device.skips)
        counts["lines_without_a_comment"] += sum(not _has_reason(e.line.reason) for side in sides for _, e in side)
        fails = {str(path) for path, _ in device.fails}
        counts["never_checked_because_of_flakes"] += sum(f.check == "shadowed" for f in own)
        counts["dead_under_skips"] += sum(f.check == "dead" and f.path in fails for f in own)
        counts["flakes_dead_under_skips"] += sum(f.check == "dead" and f.path not in fails for f in own)
    print_findings(sorted(set(findings)), form, counts)
    return 2 if any(f.check == "parse" for f in findings) else 1 if findings else 0


def load_tree(tree: Path) -> list[GpuFiles]:
    """The devices of a tree. Raises UsageError if it has none."""
    devices: dict[tuple[Path, str], GpuFiles] = {}
    for path in sorted(tree.glob("**/*.txt")):
        if not (found := _NAME.fullmatch(path.name)):
            continue
        device = devices.setdefault((path.parent, found["device"]), GpuFiles(found["device"]))
        lines = read_lines(path)
        match found["kind"]:
            case "fails":
                device.fails += [(path, parse_baseline(line)) for line in lines]
            case "flakes":
                device.flakes += [(path, parse_regex(line)) for line in lines]
            case "skips":  # slow-skips apply only to merge requests: the nightly run tests what they cover
                device.skips += [(path, parse_regex(line)) for line in lines]
    if not devices:
        raise UsageError(f"{tree}: no *-fails.txt, *-flakes.txt or *-skips.txt below it; give a Mesa source tree")
    return list(devices.values())


def _device_findings(device: GpuFiles) -> Iterator[LintFinding]:
    # The tree has no list of all tests: the names in this device's fails stand for it. Skips often name a whole group by
    # its beginning, so only flakes are checked for matching more than the test that they name.
    all_names = sorted({b.name for _, b in device.fails})
    yield from _baseline_findings(device)
    yield from _regex_findings(device.flakes, all_names)
    yield from _regex_findings(device.skips, ())
    for path, regex in device.flakes:
        if regex.literal and (by := _matching(device.skips, regex.literal)):
            yield _at(path, regex.line.number, "dead", f"never runs, because {by} skips it", "delete one")
    for lines in (device.fails, device.flakes, device.skips):
        yield from _reasons(lines)


def _baseline_findings(device: GpuFiles) -> Iterator[LintFinding]:
    seen: dict[str, str] = {}
    for path, entry in device.fails:
        number = entry.line.number
        if not entry.status:
            yield _at(path, number, "parse", f"{entry.line.text!r} has no status", "write name,Fail")
            continue
        if entry.status not in STATUSES:
            yield _at(path, number, "parse", f"unknown status {entry.status!r}", f"use one of {', '.join(EFFECTIVE)}")
        elif entry.status not in EFFECTIVE:
            yield _at(path, number, "status", f"{entry.status} in a fails file excuses nothing", "delete it")
        if entry.extra:
            yield _at(path, number, "extra", f"deqp-runner does not read {entry.extra!r}", "delete it")
        if entry.name in seen:
            yield _at(path, number, "duplicate", f"{entry.name!r} is in {seen[entry.name]} too", "delete one")
        seen.setdefault(entry.name, f"{path}:{number}")
        if by := _matching(device.flakes, entry.name):
            yield _at(path, number, "shadowed", f"can never be checked, because {by} lists it as a flake", "delete one")
        if by := _matching(device.skips, entry.name):
            yield _at(path, number, "dead", f"never runs, because {by} skips it", "delete one")


def _regex_findings(side: Sequence[tuple[Path, Regex]], all_names: Sequence[str]) -> Iterator[LintFinding]:
    seen: dict[str, str] = {}
    for path, regex in side:
        number, text = regex.line.number, regex.line.text
        if regex.pattern is None:
            yield _at(path, number, "parse", f"{text!r} {regex.error}", "fix it")
            continue
        if text in seen:
            yield _at(path, number, "duplicate", f"{text!r} is in {seen[text]} too", "delete one")
            continue
        seen[text] = f"{path}:{number}"
        if text != text.strip():
            yield _at(path, number, "space", f"{text!r}: the space is a part of the regex", "delete it")
        if regex.pattern.search(""):
            yield _at(path, number, "broad", f"{text!r} matches every test", "write which")
        elif regex.literal:
            covering = (o for _, o in side if o is not regex and o.line.text != text and o.matches(regex.literal))
            if by := next(covering, None):
                what = f"line {by.line.number}, {by.line.text!r}, covers {text!r}"
                yield _at(path, number, "repeated", what, "delete one")
            elif more := [n for n in all_names if n != regex.literal and regex.matches(n)]:
                what = f"{text!r} matches {len(more)} other tests too, as {more[0]!r}"
                yield _at(path, number, "broad", what, f"write ^{escape(regex.literal)}$")


def _reasons(side: Sequence[tuple[Path, Baseline | Regex]]) -> Iterator[LintFinding]:
    """One finding for each file: nearly none of Mesa's lines has a comment."""
    by_file: dict[Path, list[Baseline | Regex]] = {}
    for path, entry in side:
        by_file.setdefault(path, []).append(entry)
    for path, entries in by_file.items():
        bare = [e.line.number for e in entries if not _has_reason(e.line.reason)]
        if bare:
            yield _at(path, bare[0], "reason", f"{len(bare)} of {len(entries)} lines have no comment", "say why")


def _has_reason(reason: str) -> bool:
    return bool(re.search(r"\w", reason))


def _matching(side: Sequence[tuple[Path, Regex]], name: str) -> str:
    """path:line of the first regex that matches, or ""."""
    return next((f"{path.name}:{regex.line.number}" for path, regex in side if regex.matches(name)), "")


def _at(path: Path, line: int, check: str, what: str, next_step: str) -> LintFinding:
    return LintFinding(str(path), line, check, what, next_step)
