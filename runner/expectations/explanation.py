"""What expectation files say about one test: on a target, on narrower ones, and in the files that do not apply."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from runner.expectations.files import parse_file
from runner.expectations.resolution import Expectations
from runner.expectations.target import Target, is_read, parse_name
from runner.ids import glob_pattern
from runner.model import Expectation, FileKind, Status


def expected_elsewhere(
    test_id: str, target: Target, texts: dict[Path, str], layers: Sequence[Target]
) -> Iterator[tuple[str, str]]:
    """What is expected on narrower targets: on every release and GPU that an entry about the test names."""
    inner = {target.intersection(layer) for layer in layers if layer.overlaps(target) and layer.mode in ("", target.mode)}
    # One entry may name only a release, another only a GPU: then their common target, too.
    inner |= {a.intersection(b) for a in inner for b in inner if a.overlaps(b)}
    for narrower in sorted(inner - {target}, key=lambda t: t.name):
        found = Expectations(narrower, texts)
        yield narrower.name, meaning_of(found.skip(test_id) or next(found.entries_of(test_id), None))


def meaning_of(entry: Expectation | None) -> str:
    """What an entry, or its absence, requires of a test, as `must pass`."""
    if entry is None or entry.statuses == {Status.PASS}:
        return "must pass"
    words = "|".join(s for s in Status if s in entry.statuses)
    match entry.kind:
        case FileKind.SKIPS:
            return "is not run"
        case FileKind.FLAKES:
            rate = f", {entry.rate[0]} of {entry.rate[1]} times" if entry.rate else ""
            return f"is a known flake ({words}{rate})"
        case FileKind.FAILS:
            return f"is expected to end in {words}" + (f' with "{entry.signature}"' if entry.signature else "")


def entries_about(test_id: str, texts: Mapping[Path, str]) -> list[tuple[Expectation, Target]]:
    """The entries about a test in all these files, and for which target each file is."""
    found = []
    for path, text in texts.items():
        layer, kind = parse_name(path)
        if kind != "device":
            entries = parse_file(text, FileKind(kind), str(path)).entries
            found += [(e, layer) for e in entries if glob_pattern(e.pattern).fullmatch(test_id)]
    return found


def why_not_read(entry: Expectation, layer: Target, target: Target) -> str:
    """Why an entry of a file for `layer` decides nothing on a target, although it is about the test; "" if it is read."""
    if not layer.applies_to(target):
        return f"only for {layer.name}"
    return "" if is_read(entry, layer, target) else "a compile run reads only entries about build failures"
