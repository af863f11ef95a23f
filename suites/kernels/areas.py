"""The areas of the suite: each folder here that holds a `cases.py`. What their cases share is said here once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runner.model import Case

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

    def case(
        self,
        name: str,
        body: str,
        /,
        *requires: str,
        in_group: str | None = None,
        timeout_s: float | None = None,
        params: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> Case:
        """The case `kernels/<area>/<name>` of the body `<folder>.<body>`. Its tier stands in tiers.txt.

        `in_group` is the group of the cases that share its program; `params` and `more` go to the body.
        """
        return Case(
            f"kernels/{self.name}/{name}",
            f"{self.folder or self.name}.{body}",
            {**(params or {}), **more},
            tuple(dict.fromkeys((*self.requires, *requires))),
            group=in_group or self.group,
            timeout_s=timeout_s or self.timeout_s,
        )
