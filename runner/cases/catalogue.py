"""The catalogue: loads the suites, and selects cases by glob, tier and shard."""

import gc
import hashlib
import heapq
import os
from collections import ChainMap
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from runner import ROOT
from runner.cases import features
from runner.cases.kept_cases import fetch_cases, keep_cases
from runner.cases.tiers import NAME as TIERS
from runner.cases.tiers import Tiers
from runner.ids import ID_PATTERN, choose, chosen_pattern, is_glob
from runner.importing import import_suite_module
from runner.model import Case, Tier, UsageError
from runner.run_config import RunConfig
from runner.shapes import read_text
from runner.sources import OPTIONAL, is_any_announced
from runner.spelling import closest
from runner.yaml_loader import load_yaml

_OVERHEAD_S = 0.0015  # what the runner itself spends on a case
_HEADER_KEYS = {
    "suite": str,
    "description": str,
    "timeout_s": (int, float),
    "requires": list,
    "hints": dict,
    "on_request": bool,
}


@dataclass(frozen=True, slots=True)
class Suite:
    """The header of a suite, from its suite.yaml."""

    name: str
    folder: Path
    description: str = ""
    timeout_s: float = 30.0
    requires: tuple[str, ...] = ()
    hints: dict[str, str] = field(default_factory=dict)  # feature -> how to get it
    on_request: bool = False  # its cases are selected only if a glob of -t begins with its name


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All cases by id, in the order of the suites."""

    cases: Mapping[str, Case]
    suites: dict[str, Suite]
    tiers: dict[str, Tier]  # by id, too: most commands need only this of most cases
    kinds: dict[str, str]

    def suite_of(self, test_id: str) -> Suite:
        """The suite that a case of this id belongs to."""
        return self.suites[test_id.split("/", 1)[0]]


def load_suite(folder: Path) -> tuple[Suite, list[Case]]:
    """One suite with its cases, whose timeouts are filled in from the header.

    Raises UsageError, naming the file, for anything that is wrong with it.
    """
    suite = load_header(folder / "suite.yaml")
    path = folder / "cases.py"
    try:
        cases: list[Case] = list(import_suite_module(folder, "cases").cases())
    except UsageError:  # of a file that the suite reads, with its path and line
        raise
    except Exception as error:
        raise UsageError(f"{path}: cannot be loaded: {type(error).__name__}: {error}") from error
    tiers = Tiers(folder / TIERS) if (folder / TIERS).exists() else None
    checked: set[tuple[str, ...]] = set()  # the requirements of cases, each checked once
    for case in cases:
        if not isinstance(case, Case) or not isinstance(case.id, str):
            raise UsageError(f"{path}: cases() yields {str(case)[:60]!r}; yield Case(id, ...)")
        if not ID_PATTERN.fullmatch(case.id) or not case.id.startswith(f"{suite.name}/"):
            raise UsageError(f"{path}: bad id {case.id!r}; write {suite.name}/<area>/<name> in A-Za-z0-9_.+=-")
        if case.requires not in checked:
            _require_known(case.requires, f"{path}: {case.id}: requires")
            checked.add(case.requires)
        if case.timeout_s is None:  # frozen, so bypassed: making each case again costs a tenth of the catalogue's time
            object.__setattr__(case, "timeout_s", suite.timeout_s)
        if tiers:
            object.__setattr__(case, "tier", tiers.tier_of(case.id))
    return suite, cases


def load(folder: Path) -> Catalogue:
    """Every suite below `folder`. Raises UsageError for a bad suite and for an id that two cases have."""
    headers = sorted(folder.glob("*/suite.yaml"))
    if not headers:
        raise UsageError(f"{folder}: no suite here (no */suite.yaml); give --suites DIR")
    gc.disable()  # tens of thousands of objects stay: looking through them again and again is a fifth of the time
    try:
        if folder.resolve() != (ROOT / "suites").resolve():
            return _make(headers)
        # Cases from sources elsewhere are not kept: their files are not looked at here.
        elsewhere = [header for header in headers if header.parent.name in OPTIONAL] if is_any_announced() else []
        sources = digest(folder)
        if kept := fetch_cases(sources):
            suites, own = {suite.name: suite for suite in map(load_header, headers)}, _make(elsewhere)
            cases = ChainMap(own.cases, kept) if own.cases else kept  # type: ignore[arg-type]  # nothing is written to it
            return Catalogue(cases, suites, kept.tiers() | own.tiers, kept.kinds() | own.kinds)
        made = _make(headers)
        if not elsewhere and digest(folder) == sources:  # as it was when they were made
            keep_cases(sources, made.cases.values())
        return made
    finally:
        gc.freeze()
        gc.enable()


def _make(headers: Iterable[Path]) -> Catalogue:
    cases: dict[str, Case] = {}
    suites: dict[str, Suite] = {}
    for header in headers:
        suite, own = load_suite(header.parent)
        suites[suite.name] = suite
        for case in own:
            if case.id in cases:
                raise UsageError(f"{header.parent / 'cases.py'}: two cases have the id {case.id!r}; rename one")
            cases[case.id] = case
    tiers = {test_id: case.tier for test_id, case in cases.items()}
    return Catalogue(cases, suites, tiers, {test_id: case.kind for test_id, case in cases.items()})


def select(
    catalogue: Catalogue,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    tier: Tier = Tier.PREMERGE,
    shard: tuple[int, int] = (1, 1),
    durations: Mapping[str, float] | None = None,
) -> list[str]:
    """The selected ids, in order. Raises UsageError for a glob that matches nothing, or nothing of this tier.

    A named id is selected whatever its tier is. `durations` are seconds by id, for the tests if they are known; see
    `split`.
    """
    asked = {glob.split("/", 1)[0] for glob in include}
    apart = {name for name, suite in catalogue.suites.items() if suite.on_request} - asked
    ids: Iterable[str] = [i for i in catalogue.cases if i.split("/", 1)[0] not in apart] if apart else catalogue.cases
    if include:
        wanted = {i for glob in include for i in _of_tier(catalogue, glob, tier)}
        candidates = [i for i in ids if i in wanted]
    else:
        candidates = [i for i in ids if tier.includes(catalogue.tiers[i])]
    unwanted = {i for glob in exclude for i in match(catalogue.cases, glob)}
    chosen = [i for i in candidates if i not in unwanted]
    if not chosen:
        what = f"-x leaves nothing of {len(candidates)} cases" if candidates else "there is no case"
        raise UsageError(f"nothing is selected in tier {tier}: {what}; see `runner list`")
    index, total = shard
    if total == 1:
        return chosen
    # An excluded case still has its shard, so that excluding it moves no other case.
    place = split([catalogue.cases[i] for i in candidates], total, durations or {})
    return [i for i in chosen if place[i] == index]


def split(cases: Iterable[Case], total: int, durations: Mapping[str, float]) -> dict[str, int]:
    """The shard, from 1, of each case: by the hash of its id, or so that all shards last about as long.

    A case with a duration in `durations` goes, the longest first, to the shard that has the least to do so far
    (Graham's rule: the longest shard takes at most 4/3 - 1/(3 total) of the optimum). A case without a
    duration goes where its hash says, and counts as 0 s, so that it moves no other one. Groups stay whole.
    """
    groups: dict[str, list[Case]] = {}
    for case in cases:
        groups.setdefault(case.group or case.id, []).append(case)
    costs = {
        key: sum(durations.get(c.id, 0.0) + _OVERHEAD_S for c in members)
        for key, members in groups.items()
        if total > 1 and any(c.id in durations for c in members)
    }
    places = {key: _hashed(key, total) for key in groups.keys() - costs.keys()}
    loads = [(0.0, index) for index in range(1, total + 1)]
    for key in sorted(costs, key=lambda key: (-costs[key], key)):
        load, index = loads[0]
        places[key] = index
        heapq.heapreplace(loads, (load + costs[key], index))
    return {case.id: places[key] for key, members in groups.items() for case in members}


def match(ids: Collection[str], glob: str) -> list[str]:
    """The ids that an anchored glob matches, or that lie in a folder; none is a UsageError that may suggest another."""
    found = choose(ids, glob)
    if not found and not is_glob(glob):
        found = [*filter(chosen_pattern(glob).fullmatch, ids)]
    if not found:
        inside = choose(ids, f"*{glob}*") if "/" not in glob else []
        inside.sort(key=lambda i: not f"/{i.rpartition('/')[2]}.".startswith(f"/{glob}."))
        near = f"; {f'*{glob}*'!r} matches {len(inside)}, as {inside[0]!r}" if inside else closest(glob, ids)
        raise UsageError(f"{glob!r} matches no test{near}; see `runner list`")
    return found


def _of_tier(catalogue: Catalogue, glob: str, tier: Tier) -> list[str]:
    found = match(catalogue.cases, glob)
    if found == [glob]:  # a case that is named is wanted whatever its tier is
        return found
    left = [i for i in found if tier.includes(catalogue.tiers[i])]
    if not left:
        least = next(t for t in Tier if any(t.includes(catalogue.tiers[i]) for i in found))
        raise UsageError(f"{glob!r}: nothing of its {len(found)} cases is of tier {tier}; give --tier {least}")
    return left


def digest(folder: Path) -> str:
    """A short hash over the sources and data of all suites."""
    hasher = hashlib.sha256()
    found: list[tuple[str, ...]] = []
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__"]
        parts = Path(place).relative_to(folder).parts
        found += [(*parts, name) for name in names]
    for parts in sorted(found):
        if (path := folder.joinpath(*parts)).is_file():
            hasher.update(f"{'/'.join(parts)}\0".encode())
            hasher.update(path.read_bytes())
    return hasher.hexdigest()[:16]


def _hashed(key: str, total: int) -> int:
    # A hash, so that a new or skipped case moves no other one; of the group, so that it stays whole.
    digest = hashlib.sha256(key.encode()).digest()
    return int.from_bytes(digest[:8], "big") % total + 1


def _require_known(words: Iterable[str], where: str) -> None:
    for word in words:
        if not features.is_known(str(word)):
            near = closest(str(word), features.FEATURES)
            raise UsageError(f"{where}: no device has a feature {word!r}{near}; runner/cases/features.py lists them")


def load_header(path: Path) -> Suite:
    """The content of a suite.yaml. Raises UsageError, naming the file and line, for anything that is wrong with it."""
    try:
        data: Any = load_yaml(read_text(path))
    except yaml.YAMLError as error:
        place = getattr(error, "problem_mark", None)
        line = f":{place.line + 1}" if place else ""
        raise UsageError(f"{path}{line}: not YAML: {getattr(error, 'problem', error)}; fix that line") from error
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from error
    if not isinstance(data, dict) or data.get("suite") != path.parent.name:
        raise UsageError(f"{path}: must begin with `suite: {path.parent.name}`, the name of its folder")
    for key, value in data.items():
        if key not in _HEADER_KEYS:
            raise UsageError(f"{path}: unknown key {key!r}{closest(str(key), _HEADER_KEYS)}")
        if not isinstance(value, _HEADER_KEYS[key]):  # type: ignore[arg-type]  # mypy loses the tuple of types
            raise UsageError(f"{path}: {key}: {value!r} is of the wrong type")
    texts = [data.get("description", ""), *data.get("requires", ()), *data.get("hints", {}), *data.get("hints", {}).values()]
    if wrong := [text for text in texts if not isinstance(text, str)]:
        raise UsageError(f"{path}: {wrong[0]!r} is not text; put it in quotes")
    if not 0 < data.get("timeout_s", 30) < 1e6:
        raise UsageError(f"{path}: timeout_s: {data['timeout_s']!r} is not a deadline; give seconds above 0")
    _require_known(data.get("requires", ()), f"{path}: requires")
    _require_known(data.get("hints", {}), f"{path}: hints")
    return Suite(
        data["suite"],
        path.parent,
        data.get("description", ""),
        float(data.get("timeout_s", 30)),
        tuple(data.get("requires", ())),
        data.get("hints", {}),
        data.get("on_request", False),
    )


def find_case(config: RunConfig, test_id: str) -> tuple[Suite, Case]:
    """The case of this id in a run's suites, and its suite."""
    return case_of(load(Path(config.suites)), test_id)


def case_of(loaded: Catalogue, test_id: str) -> tuple[Suite, Case]:
    """The case of this id and its suite. Raises UsageError for an unknown id and for a glob."""
    (found,) = match(loaded.cases, test_id)[:1]
    if found != test_id:
        raise UsageError(f"{test_id!r} is a glob; give one id, as {found!r}")
    return loaded.suite_of(test_id), loaded.cases[test_id]
