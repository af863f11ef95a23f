"""The table of changes: tests/mesa_mutants/*.yaml, one change in a line, and never a copy of Mesa's text."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import yaml

from runner import ROOT
from runner.model import UsageError
from tools.mesa_mutants.places import MovedError, Place, find_place

TABLE = ROOT / "tests/mesa_mutants"
_KIND = re.compile(r"[/.](?=[123]d(?:_array|_buffer)?(?:[/. ]|$))")
_NEEDED = {"id", "file", "in", "token", "n", "to", "shows"}
_KEYS = {**{key: key for key in _NEEDED}, "in": "within", "struck": "struck"}


@dataclass(frozen=True, slots=True)
class Target:
    """The driver that a change runs on, and the emulated GPU if this machine has no such device."""

    driver: str
    gpu: str = ""
    mode: str = "execute"
    variant: str = ""

    @property
    def name(self) -> str:
        """The target's name in the table of outcomes."""
        return "-".join(filter(None, (self.driver, self.gpu, "" if self.mode == "execute" else self.mode, self.variant)))

    def on(self, gpu: str, mode: str) -> Target:
        """The same, or the target that --gpu and --mode name instead."""
        own = _ADRENO if (gpu or mode) and not self.gpu else self
        return replace(own, gpu=gpu or own.gpu, mode=mode or own.mode)


_ADRENO = Target("freedreno", "a630", "emulate")
_NAVI, _TIGER_LAKE = Target("radeonsi", "navi31", "emulate"), Target("iris", "tgl", "emulate")
_BIFROST, _VALHALL = Target("panfrost", "g52", "emulate"), Target("panfrost", "g610", "emulate")
_TARGETS = {
    "zink": Target("zink"),
    "ir3": _ADRENO,
    "freedreno": _ADRENO,
    "aco": replace(_NAVI, variant="aco"),
    "ac_llvm": _NAVI,  # the default of Mesa 25.0
    "radeonsi": _NAVI,
    "bifrost": _BIFROST,
    "valhall": _VALHALL,
    "panfrost": _BIFROST,
    "brw": _TIGER_LAKE,
    "iris": _TIGER_LAKE,
}


@dataclass(frozen=True, slots=True)
class Change:
    """One mistake: the `n`-th `token` inside `within` of `file` becomes `to` ("": it is left out)."""

    id: str
    group: str  # the first word of its id
    file: str
    within: str
    token: str
    n: int
    to: str
    shows: tuple[str, ...]  # the id or the message of a red case should contain one of them
    struck: str = ""  # why no program can observe it

    @property
    def target(self) -> Target:
        """The target that can show it."""
        return _TARGETS.get(self.group, Target("llvmpipe"))

    @property
    def digest(self) -> str:
        """The hash of everything that distinguishes it from other mistakes."""
        parts = (self.file, self.within, self.token, str(self.n), self.to)
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]

    @property
    def operation(self) -> str:
        """The change, in words."""
        return f"{self.token!r} {'left out' if not self.to else f'becomes {self.to!r}'}"

    def place(self, text: str) -> Place:
        """Its place in the text of its file. Raises MovedError."""
        return find_place(text, self.file, self.within, self.token, self.n)

    def names(self, text: str) -> bool:
        """True if a red case's id and message point to it. An id calls an image2d_array `2d_array`."""
        text = _KIND.sub("/image", text.lower())
        return any(word.lower() in text for word in self.shows)


def load(folder: Path = TABLE) -> list[Change]:
    """All changes, in the order of the table. Raises UsageError for a wrong entry."""
    changes: list[Change] = []
    for path in sorted(folder.glob("*.yaml")):
        try:
            # Every scalar stays the text that it is: `to: no` is a word of C.
            rows = yaml.load(path.read_text(encoding="utf-8"), yaml.BaseLoader) or []
        except yaml.YAMLError as error:
            raise UsageError(f"{path}: {error}") from None
        changes += [_change(row, path, number) for number, row in enumerate(rows, 1)]
    seen: set[str] = set()
    for change in changes:
        if change.id in seen:
            raise UsageError(f"{folder}: two changes are called {change.id}")
        seen.add(change.id)
    return changes


def _change(row: Any, path: Path, number: int) -> Change:
    where = f"{path}: change {number}"
    if not isinstance(row, dict) or not _NEEDED <= row.keys() <= _KEYS.keys():
        raise UsageError(f"{where}: must have {', '.join(sorted(_NEEDED))}, and may have struck")
    values = {_KEYS[key]: value for key, value in row.items()}
    if not str(values["n"]).isdigit() or values["n"] == "0" or not isinstance(values["shows"], list):
        raise UsageError(f"{where}: n is a number from 1 on, shows a list")
    values |= {"n": int(values["n"]), "shows": tuple(values["shows"]), "group": str(values["id"]).rpartition("-")[0]}
    if any(not isinstance(values.get(f.name, ""), str | int | tuple) for f in fields(Change)):
        raise UsageError(f"{where}: a value is not text")
    if not values["token"] or values["token"] == values["to"]:
        raise UsageError(f"{where}: it changes nothing")
    return Change(**values)


def select(changes: Iterable[Change], only: Sequence[str] = (), draw: int = 0, seed: int = 0) -> list[Change]:
    """Those whose id begins so or whose file has one of these in its path; of them `draw`, by chance."""
    chosen = [c for c in changes if not only or any(c.id.startswith(o) or o in c.file or o == c.group for o in only)]
    if draw and draw < len(chosen):
        drawn = set(random.Random(seed).sample(range(len(chosen)), draw))
        chosen = [c for i, c in enumerate(chosen) if i in drawn]
    return chosen


def locate(change: Change, source: Path) -> str:
    """`file:line`, or `moved: why`."""
    try:
        text = (source / change.file).read_text(encoding="utf-8")
        return f"{change.file}:{change.place(text).line}"
    except OSError:
        return f"moved: no {change.file}"
    except MovedError as moved:
        return f"moved: {moved}"
