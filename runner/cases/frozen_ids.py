"""The ids of each release of the suites, frozen in suites/releases/RELEASE.txt, and what has changed since.

A line holds the cases that share a folder, the first word of their name and a tier; each is the rest of its name and a
digest of its meaning (kind, params, requires): `kernels/integer/abs premerge char:1f2e char16:07aa`. A line
`code kernels/integer 5f0c12ab` is the digest of the code that runs them, without comments.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from runner.cases.renames import GONE, Rename, coming_release, names_since, order
from runner.model import Case, Tier, UsageError
from runner.shapes import read_text
from runner.sources import OPTIONAL

HEAD = "HEAD"  # the suites as they are
COMMAND = "runner list --freeze > suites/releases/RELEASE.txt"
_HEAD = re.compile(r"# Release (\S+): (\d+) cases, sha256 ([0-9a-f]{16})\. Made by .*\n")
_LINE = re.compile(r"([\w.+=/-]+) (premerge|full|nightly)((?: [\w.+=-]*:[0-9a-f]{4})+)|code (\S+) ([0-9a-f]{8})")


@dataclass(frozen=True, slots=True)
class Frozen:
    """The cases of one state of the suites by id, tier and digest of the meaning; the code's digests by folder."""

    cases: Mapping[str, tuple[Tier, str]]
    code: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Changes:
    """The fate of one state's cases in a later one."""

    added: tuple[str, ...]
    gone: tuple[str, ...]  # a line of the list of renames says so
    lost: tuple[str, ...]  # and no line says so
    renamed: Mapping[str, str]
    moved: Mapping[str, tuple[Tier, Tier]]  # to another tier, by the new name
    altered: tuple[str, ...]  # kind, params or requires differ
    code: tuple[str, ...]  # folders whose code differs


def freeze(cases: Iterable[Case], suites: Path) -> Frozen:
    """The present state of all suites that are everywhere the same."""
    own = {c.id: (c.tier, _meaning(c)) for c in cases if c.id.split("/")[0] not in OPTIONAL}
    folders = {path.parent for path in suites.glob("*/**/run.py")} - {suites / name for name in OPTIONAL}
    return Frozen(own, {folder.relative_to(suites).as_posix(): _code(folder) for folder in sorted(folders)})


def format_frozen(frozen: Frozen, release: str) -> str:
    """The text that `parse_frozen` reads back."""
    lines: dict[tuple[str, str], list[str]] = {}
    for test_id, (tier, meaning) in sorted(frozen.cases.items()):
        folder, _, name = test_id.rpartition("/")
        stem, dot, rest = name.partition(".")
        lines.setdefault((f"{folder}/{stem}{dot}", tier), []).append(f"{rest}:{meaning}")
    body = "".join(f"{stem} {tier} {' '.join(cases)}\n" for (stem, tier), cases in sorted(lines.items()))
    body += "".join(f"code {folder} {digest}\n" for folder, digest in frozen.code.items())
    return f"# Release {release}: {len(frozen.cases)} cases, sha256 {_digest(body)}. Made by `{COMMAND}`.\n{body}"


def parse_frozen(text: str, path: Path) -> Frozen:
    """Read a list. Raises UsageError with path and line, also for one that was edited: a release stays what it was."""
    head = _HEAD.match(text)
    if not head or _digest(text[head.end() :]) != head[3]:
        raise UsageError(f"{path}:1: is not the list that its first line speaks of; a release's list is never edited")
    cases: dict[str, tuple[Tier, str]] = {}
    code: dict[str, str] = {}
    for number, line in enumerate(text.splitlines()[1:], 2):
        found = _LINE.fullmatch(line)
        if not found:
            raise UsageError(f"{path}:{number}: is not a line of a release's list; make it again: {COMMAND}")
        if found[4]:
            code[found[4]] = found[5]
            continue
        for word in found[3].split():
            rest, _, meaning = word.rpartition(":")
            cases[found[1] + rest] = Tier(found[2]), meaning
    return Frozen(cases, code)


def releases_of(suites: Path) -> list[str]:
    """The frozen releases of a suites folder, the newest last. Raises UsageError for a file of another name."""
    try:
        return sorted((path.stem for path in (suites / "releases").glob("*.txt")), key=order)
    except ValueError as error:
        raise UsageError(f"{suites / 'releases'}: {error}; a list is named RELEASE.txt") from error


def load_release(suites: Path, release: str) -> Frozen:
    """The list of a release. Raises UsageError, with the releases that there are, if there is no such list."""
    path = suites / "releases" / f"{release}.txt"
    try:
        return parse_frozen(read_text(path), path)
    except (OSError, UnicodeDecodeError) as error:
        there = ", ".join([*releases_of(suites), HEAD])
        raise UsageError(f"no list of the release {release!r}; there are {there}") from error


def compare(old: Frozen, new: Frozen, renames: Iterable[Rename], since: str) -> Changes:
    """The fate of the cases of `old`, the state of the release `since`."""
    names = {a: b for a, b in names_since(since, renames).items() if a in old.cases and (b in new.cases or b == GONE)}
    today = {i: names.get(i, i) for i in old.cases}
    kept = {*today.values()}
    pairs = [(i, name) for i, name in today.items() if name in new.cases]
    return Changes(
        tuple(i for i in new.cases if i not in kept),
        tuple(i for i, name in today.items() if name == GONE),
        tuple(i for i, name in today.items() if name != GONE and name not in new.cases),
        {i: name for i, name in today.items() if name not in (i, GONE)},
        {b: (old.cases[a][0], new.cases[b][0]) for a, b in pairs if old.cases[a][0] != new.cases[b][0]},
        tuple(b for a, b in pairs if old.cases[a][1] != new.cases[b][1]),
        tuple(f for f in old.code if f in new.code and old.code[f] != new.code[f]),
    )


def find_faults(old: Frozen, new: Frozen, renames: Iterable[Rename], since: str) -> Iterator[str]:
    """Ids that are gone without a rename, each with the line to write; and renames since then that are wrong."""
    changes = compare(old, new, renames, since)
    added: dict[tuple[str, str], list[str]] = {}
    for test_id in changes.added:
        added.setdefault((_area(test_id), new.cases[test_id][1]), []).append(test_id)
    for lost in changes.lost:
        alike = added.get((_area(lost), old.cases[lost][1]), [])
        name = alike[0] if len(alike) == 1 else "NEW"
        line = f"{coming_release()} {lost} {name}"
        yield f"{lost}: is in {since} and gone; write `{line}` into suites/renames.txt, - for {name}: removed"
    own = [r for r in renames if order(r.release) > order(since)]
    used = {r.old for r in own}
    for rename in own:
        if rename.old in new.cases:
            yield f"{rename.source}: {rename.old} is there; delete the line, or give the new case another name"
        elif rename.new != GONE and rename.new not in new.cases and rename.new not in used:
            yield f"{rename.source}: there is no case {rename.new}; see `runner list`"


def _area(test_id: str) -> str:
    return "/".join(test_id.split("/")[:2])


def _meaning(case: Case) -> str:
    return _digest(json.dumps([case.kind, dict(case.params), sorted(case.requires)], sort_keys=True, default=str))[:4]


def _code(folder: Path) -> str:
    """Of the code that runs the cases of a folder; what cases.py yields is in the meaning of each."""
    lines: list[str] = []
    for path in sorted(folder.glob("*.py")):
        if path.name != "cases.py":
            lines += [path.name, *(line.rstrip() for line in path.read_text(encoding="utf-8").splitlines())]
    return _digest("\n".join(line for line in lines if line.strip() and not line.lstrip().startswith("#")))[:8]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
