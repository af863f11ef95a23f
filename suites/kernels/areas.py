"""The areas of the suite: each folder here that holds a `cases.py`. What their cases share is said here once."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from fnmatch import translate
from functools import cached_property
from pathlib import Path
from typing import Any

from runner.model import Case, Tier

# They run first, and in this order, so that what shows a fault first is named after it: the calls that all cases make, then
# what all kernels are made of. The others follow by name.
_FIRST = (
    *("query", "context", "api", "memory", "program", "queues", "event", "argument"),
    *("algebra", "integer", "conversion", "relational", "vector", "control"),
    *("layout", "address", "vload", "common", "half", "ndrange", "printf", "preprocessor"),
)
AREAS = sorted(
    (path.parent.name for path in Path(__file__).parent.glob("*/cases.py")),
    key=lambda area: (_FIRST.index(area) if area in _FIRST else len(_FIRST), area),
)


@dataclass(frozen=True)
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
            Tier.premerge_if((premerge or self._is_premerge(name)) and not self._is_slow(name)),
            in_group or self.group,
            timeout_s or self.timeout_s,
        )

    @cached_property
    def _is_premerge(self) -> Callable[[str], bool]:
        return _matcher(self.premerge)

    @cached_property
    def _is_slow(self) -> Callable[[str], bool]:
        return _matcher(self.slow)


def _matcher(globs: Collection[str]) -> Callable[[str], bool]:
    """Whether a name is one of these or matches one; made once an area, for its thousands of cases."""
    names = {glob for glob in globs if not re.search(r"[*?[]", glob)}
    pattern = re.compile("|".join(translate(glob) for glob in globs if glob not in names) or r"(?!)")
    return lambda name: name in names or bool(pattern.match(name))
