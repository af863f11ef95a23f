"""Mistakes in the entries of expectation files: one function for each kind.

One file: each mistake is a function of a few lines, and CHECKS is their list.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from runner.expectations.files import format_entry
from runner.ids import glob_pattern, is_glob, names_area
from runner.maintenance.finding import LintFinding
from runner.maintenance.sources import Folder, Source
from runner.model import Expectation, FileKind, Status
from runner.sources import optional_area
from runner.verdict.judge import MAX_FLAKE_ATTEMPTS, needed_attempts
from runner.verdict.place import has_place, without_place

_WORD = re.compile(r"\w")
_EMPTY = re.compile(r"|(build|enqueue|value|api|body):?")  # or only a stage
# Names only the question, not the answer.
_QUESTION = re.compile(r"(value|api): (?!got )[^:]*+:?|.*+((?<=[:(\[])|(?<=\bgot))")
_SIGNAL = re.compile(r"SIG[A-Z0-9]*|exit(?: code)?(?: -?\d*)?")
_MIN_LETTERS = 3  # letters and digits of a signature: with fewer it is in nearly every message


def _unknown(source: Source, folder: Folder) -> Iterator[LintFinding]:
    for entry in source.file.entries:
        if folder.matches(entry.pattern):
            continue
        if (area := optional_area(entry.pattern)) and not folder.matches(f"{area}/*"):
            continue  # its suite's source is not here
        if is_glob(entry.pattern):
            yield LintFinding.at(entry.source, "idle", f"{entry.pattern!r} matches no test", "delete it")
        else:
            near = folder.near(entry.pattern)
            yield LintFinding.at(entry.source, "unknown", f"no test {entry.pattern!r}{near}", 'run "runner list"')


def _too_broad(source: Source, folder: Folder) -> Iterator[LintFinding]:
    for entry in source.globs:
        areas = {"/".join(i.split("/")[:2]) for i in folder.matches(entry.pattern)}
        if len(areas) > 1 or (entry.kind is FileKind.FLAKES and not names_area(entry.pattern)):
            yield LintFinding.at(
                entry.source,
                "broad",
                f"{entry.pattern!r} matches {len(folder.matches(entry.pattern))} tests of {len(areas)} areas",
                "write one entry an area, as far as each was seen",
            )


def _dead(source: Source, folder: Folder) -> Iterator[LintFinding]:
    """Entries under a skips entry that applies wherever they do, and that no entry with the test's id lifts."""
    skips = list(folder.applying(source, FileKind.SKIPS))
    others = list(folder.applying(source, FileKind.FAILS, FileKind.FLAKES)) if skips else []
    for entry in source.file.entries if skips else ():
        ids = folder.matches(entry.pattern) or [entry.pattern]
        covers = [_skipped(skips, others, i, entry) for i in ids]
        if all(covers):
            by = covers[0]
            assert by
            what = f"dead, because {by.source} skips {'it' if len(ids) == 1 else 'all that it matches'}"
            check = "repeated" if source.kind is FileKind.SKIPS else "dead"
            yield LintFinding.at(entry.source, check, what, "delete one")


def _skipped(skips: Sequence[Source], others: Sequence[Source], test_id: str, but: Expectation) -> Expectation | None:
    """The skips entry, other than `but`, of a file that is not broader than the narrowest of the others that has the id."""
    least = next((s.layer.rank for s in others if test_id in s.exact), ())
    for source in (s for s in skips if s.layer.rank >= least):
        exact = source.exact.get(test_id)
        for entry in ([exact] if exact else []) + [g for g in source.globs if glob_pattern(g.pattern).fullmatch(test_id)]:
            if entry is not but and not (source.path == _path(but) and entry.pattern == but.pattern):
                return entry
    return None


def _path(entry: Expectation) -> Path:
    return Path(entry.source.rsplit(":", 1)[0])


def _without_reason(source: Source, _: Folder) -> Iterator[LintFinding]:
    for entry in source.file.entries:
        if "TODO" in entry.reason and re.search(r"\bTODO\b", entry.reason):
            yield LintFinding.at(
                entry.source, "reason", f"{entry.pattern} has no reason yet", "write it in place of the TODO"
            )
        elif not _WORD.search(entry.reason):
            yield LintFinding.at(
                entry.source, "reason", f"{entry.pattern} has no reason", "write a comment above it, with an issue or MR"
            )


def _without_signature(source: Source, _: Folder) -> Iterator[LintFinding]:
    """Entries that also match another failure of their status, unless the comment, or the head for signals, says why."""
    signals_explained = "signal alone" in source.file.head
    for entry in source.file.entries if source.kind is FileKind.FAILS else ():
        if not (weakness := _weakness(entry)):
            continue
        unsigned = not has_place(entry.signature) and not entry.is_family
        explained = unsigned and (
            "signature" in entry.reason.lower() or (signals_explained and _SIGNAL.fullmatch(entry.signature))
        )
        if not explained:
            yield LintFinding.at(
                entry.source,
                "signature",
                f"{entry.pattern} {weakness}",
                "`runner expect update --sharpen` with two runs, or say in its comment why no signature can hold",
            )


def _weakness(entry: Expectation) -> str:
    """The other failures that a signature matches, or ""."""
    if has_place(entry.signature) and not without_place(entry.signature).strip():
        return f"is signed only by a place: begin with what happened there, as SIGSEGV{entry.signature}"
    if Status.CRASH in entry.statuses and _SIGNAL.fullmatch(entry.signature):
        return f"is signed only by {entry.signature}: a crash anywhere passes as the known one"
    letters = sum(map(str.isalnum, entry.signature))
    if entry.signature and letters < _MIN_LETTERS and entry.statuses & {Status.CRASH, Status.FAIL}:
        return f"is signed by {entry.signature!r}, which nearly every message holds"
    if Status.FAIL in entry.statuses and entry.signature and not _EMPTY.fullmatch(entry.signature):
        asked = _QUESTION.fullmatch(entry.signature)
        return "pins what was asked, nothing of the answer: any wrong one passes as the known one" if asked else ""
    if _EMPTY.fullmatch(entry.signature) and entry.statuses & {Status.CRASH, Status.FAIL}:
        return f"has no signature: any {next(iter(entry.statuses))} passes as the known one"
    return ""


def _misplaced_status(source: Source, _: Folder) -> Iterator[LintFinding]:
    for entry in source.file.entries:
        if entry.statuses == {Status.TIMEOUT} and entry.signature:
            yield LintFinding.at(entry.source, "status", "the signature of a Timeout is never compared", "delete it")
        if source.layer.mode == "compile" and entry.signature.startswith("value:"):
            yield LintFinding.at(
                entry.source,
                "status",
                "a compile run compares no values",
                "delete it, or move it to the file without -compile",
            )
        if source.kind is not FileKind.FLAKES:
            continue
        if entry.rate is None:
            yield LintFinding.at(entry.source, "rate", f"{entry.pattern} has no rate", "write k/n, failures in executions")
        elif entry.rate[0] == entry.rate[1] and len(entry.statuses) == 1:
            (status,) = entry.statuses
            yield LintFinding.at(
                entry.source,
                "status",
                f"{entry.pattern} failed {entry.rate[0]} of {entry.rate[1]} times",
                f"that is not a flake; write {entry.pattern},{status} in the fails file",
            )
        elif entry.rate[0] < entry.rate[1] and len(entry.statuses) == 1 and needed_attempts(entry.rate) > MAX_FLAKE_ATTEMPTS:
            yield LintFinding.at(
                entry.source,
                "rate",
                f"{entry.pattern} passes so seldom that {MAX_FLAKE_ATTEMPTS} failures would not show that it never does",
                "write it in the fails file: if it passes once, it is a new flake, which is green",
            )


def _repeated(source: Source, folder: Folder) -> Iterator[LintFinding]:
    """Entries that a broader layer has already, and `id,Pass` that overrules nothing."""
    if source.kind is FileKind.SKIPS:
        return
    broader = [s for s in folder.applying(source, FileKind.FAILS, FileKind.FLAKES) if s.layer != source.layer]
    skips = [s for s in folder.applying(source, FileKind.SKIPS) if s.layer != source.layer]
    between = {
        s.name
        for s in folder.sources
        if s.kind is not FileKind.SKIPS
        and folder.overlap(s.layer, source.layer)
        and not s.layer.applies_to(source.layer)
        and s.layer.rank < source.layer.rank
    }
    for entry in source.exact.values():
        files_naming = folder.files_naming(entry.pattern)
        if not between.isdisjoint(files_naming) or (len(files_naming) == 1 and entry.statuses != {Status.PASS}):
            continue
        if _skipped(skips, broader, entry.pattern, entry):
            continue  # it lifts that
        decided = [(s.layer, found) for s in broader if s.name in files_naming and (found := s.find(entry.pattern))]
        other = decided[0][1] if decided else None
        if any(not b.applies_to(a) and not _agree(x, y) for n, (a, x) in enumerate(decided) for b, y in decided[n:]):
            continue  # it settles a contradiction of two layers
        passes = other is None or other.statuses == {Status.PASS}
        if entry.statuses == {Status.PASS} and passes:
            yield LintFinding.at(entry.source, "repeated", f"{entry.pattern},Pass overrules nothing", "delete it")
        elif other and format_entry(other) == format_entry(entry) and other.kind is entry.kind:
            yield LintFinding.at(entry.source, "repeated", f"{other.source} has the same entry", "delete it")


def _of_a_family(source: Source, _: Folder) -> Iterator[LintFinding]:
    """Entries that are covered by one about a family in the same file."""
    families = [e for e in source.file.entries if e.is_family]
    for entry in source.exact.values() if families else ():
        for family in families:
            same = entry.statuses == family.statuses and family.signature in entry.signature
            if same and glob_pattern(family.pattern).fullmatch(entry.pattern):
                yield LintFinding.at(entry.source, "repeated", f"{family.source} says so of {family.pattern}", "delete it")
                break


def _unsorted(source: Source, _: Folder) -> Iterator[LintFinding]:
    before: Expectation | None = None
    for line in source.file.lines:
        if line.entry and before and line.entry.pattern < before.pattern:
            yield LintFinding.at(
                line.entry.source, "order", f"{line.entry.pattern} is after {before.pattern}", "sort the entries of a block"
            )
        before = line.entry


def _shadowed(source: Source, folder: Folder) -> Iterator[LintFinding]:
    """Entries that decide nothing: the exact ones of their layer, or every narrower layer, come before them."""
    if source.kind is FileKind.SKIPS:
        return
    judging = [s for s in folder.sources if s.kind is not FileKind.SKIPS]
    mates = [s for s in judging if s.layer == source.layer]
    # Not those of a GPU or a variant: other GPUs, and runs without the variant, have no file, and read this one.
    own = (source.layer.gpu, source.layer.variant)
    judged = {s.layer for s in judging if (s.layer.gpu, s.layer.variant) == own}
    narrower = {layer for layer in judged if source.layer.applies_to(layer) and layer != source.layer}
    leaves = [n for n in narrower if not any(n != o and n.applies_to(o) for o in narrower)]
    overruling = [[s for s in judging if s.layer.applies_to(leaf) and s.layer.rank > source.layer.rank] for leaf in leaves]
    for entry in source.file.entries:
        ids = folder.matches(entry.pattern)
        by: Expectation | None = None
        if is_glob(entry.pattern) and ids:
            covers = [next((s.exact[i] for s in mates if i in s.exact), None) for i in ids]
            if all(covers):
                by, where = covers[0], "entries of its own layer"
        elif ids and len(leaves) > 1:  # a single one says nothing about targets that have no file
            if len(files_naming := folder.files_naming(entry.pattern)) == 1:
                continue
            spoken = ([s for s in files if s.name in files_naming] for files in overruling)
            found = [next((said for s in files if (said := s.find(entry.pattern))), None) for files in spoken]
            if all(found):
                by, where = found[0], f"all {len(leaves)} narrower layers"
        if by:
            yield LintFinding.at(entry.source, "shadowed", f"decides nothing: {where} come first ({by.source})", "delete it")


def disagreements(folder: Folder) -> Iterator[LintFinding]:
    """Contradictions: in one layer, and between layers that may both apply while neither contains the other."""
    judging = [s for s in folder.sources if s.kind is not FileKind.SKIPS]
    for n, a in enumerate(judging):
        for b in judging[n:]:
            if a.layer == b.layer:
                yield from _of_one_layer(a, b, folder)
            elif folder.overlap(a.layer, b.layer) and not a.layer.applies_to(b.layer) and not b.layer.applies_to(a.layer):
                loser, winner = sorted((a, b), key=lambda s: s.layer.rank)
                yield from _of_two_layers(loser, winner, judging)


def _of_one_layer(a: Source, b: Source, folder: Folder) -> Iterator[LintFinding]:
    if a is not b:
        for test_id in a.exact.keys() & b.exact.keys():
            one, two = a.exact[test_id], b.exact[test_id]
            yield LintFinding.at(two.source, "contradiction", f"{test_id} is in {one.source} too", "delete one")
    for i, one in enumerate(a.globs):
        for two in b.globs[i + 1 :] if a is b else b.globs:
            both = set(folder.matches(one.pattern)) & set(folder.matches(two.pattern))
            if both and one.statuses != two.statuses:
                yield LintFinding.at(
                    two.source,
                    "contradiction",
                    f"{two.pattern!r} disagrees with {one.source} on {min(both)}",
                    "narrow one of the globs",
                )


def _of_two_layers(loser: Source, winner: Source, judging: Sequence[Source]) -> Iterator[LintFinding]:
    both = loser.layer.intersection(winner.layer)
    if both.mode == "compile":
        loser, winner = loser.in_compile_mode(), winner.in_compile_mode()
    for test_id in loser.exact.keys() & winner.exact.keys():
        lost, won = loser.exact[test_id], winner.exact[test_id]
        if not _agree(lost, won) and not any(s.layer == both and s.find(test_id) for s in judging):
            yield LintFinding.at(
                lost.source,
                "contradiction",
                f"{_meaning(lost)}, and {won.source}, which wins if both apply, {_meaning(won)}",
                f"write the right one into {both.path(lost.kind)}",
            )


def _agree(a: Expectation, b: Expectation) -> bool:
    return (a.kind, a.statuses, a.signature) == (b.kind, b.statuses, b.signature)


def _meaning(entry: Expectation) -> str:
    return f"says {format_entry(entry).split(',', 1)[1]!r}"


CHECKS: tuple[Callable[[Source, Folder], Iterator[LintFinding]], ...] = (
    _unknown,
    _too_broad,
    _dead,
    _without_reason,
    _without_signature,
    _misplaced_status,
    _repeated,
    _of_a_family,
    _unsorted,
    _shadowed,
)
