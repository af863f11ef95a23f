"""The areas of the suite: each folder here that holds a `cases.py`. What their cases share is said here once."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from runner.model import Case, Tier

AREAS = sorted(path.parent.name for path in Path(__file__).parent.glob("*/cases.py"))


@dataclass(frozen=True, slots=True)
class Area:
    """One area by its name, which begins the ids of its cases, and its folder; and what they all need and share."""

    name: str
    requires: tuple[str, ...] = ()
    group: str | None = None
    timeout_s: float | None = None
    folder: str = ""  # where it is not the name: that of a module of the standard library
    premerge: Collection[str] = ()  # globs of the cases that are in the premerge tier, beside those that say so
    slow: Collection[str] = ()  # globs of the cases that are not, whatever `premerge` says

    def case(
        self,
        name: str,
        body: str,
        /,
        *requires: str,
        premerge: bool = False,
        in_group: str | None = None,
        timeout_s: float | None = None,
        params: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> Case:
        """The case `kernels/<area>/<name>` of the body `<folder>.<body>`: in the premerge tier, or else in the full one.

        `in_group` is the group of the cases that share its program; `params` and `more` go to the body.
        """
        return Case(
            f"kernels/{self.name}/{name}",
            f"{self.folder or self.name}.{body}",
            {**(params or {}), **more},
            tuple(dict.fromkeys((*self.requires, *requires))),
            Tier.PREMERGE if (premerge or _any(self.premerge, name)) and not _any(self.slow, name) else Tier.FULL,
            in_group or self.group,
            timeout_s or self.timeout_s,
        )


def _any(globs: Collection[str], name: str) -> bool:
    return any(fnmatchcase(name, glob) for glob in globs)
