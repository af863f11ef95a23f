"""The areas of the suite: each folder here that holds a `cases.py`. What their cases share is stated once, here."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from runner.model import Case

from .kit.needs import needs

# They run first, and in this order, so that the first red area is the faulty one: the calls that all cases make, then
# the basic parts of all kernels. The others follow by name.
_FIRST = (
    *("query", "context", "api", "memory", "program", "queues", "event", "argument"),
    *("algebra", "integer", "conversion", "relational", "vector", "control"),
    *("layout", "address", "vload", "common", "half", "ndrange", "printf", "preprocessor"),
)
AREAS = sorted(
    (path.parent.name for path in Path(__file__).parent.glob("*/cases.py")),
    key=lambda area: (_FIRST.index(area) if area in _FIRST else len(_FIRST), area),
)
# The parameters that name types of OpenCL C, and so decide what a device must have.
_TYPES = ("type", "target", "source", "mask", "vector", "scalar", "narrow", "wide", "a", "b", "c")


def combine(**axes: Iterable[Any]) -> Iterator[dict[str, Any]]:
    """Rows of parameters: each value of an axis with each value of the others; the last axis varies fastest."""
    return (dict(zip(axes, values, strict=True)) for values in product(*axes.values()))


class _Choice(int):
    """A bool in a name: `{gated:.gated}` is ".gated" or nothing, `{blocking:blocking|later}` one of two words."""

    def __format__(self, words: str) -> str:
        yes, _, no = words.partition("|")
        return yes if self else no


class _Width(int):
    """The width of a vector in a name: nothing for a scalar; `{width:d}` is the number."""

    def __format__(self, form: str) -> str:
        return "" if self == 1 and not form else str(int(self))


class _Words(dict[str, Any]):
    """Parameters in the form of a name: a list is 8x4."""

    def __getitem__(self, key: str) -> Any:
        value = super().__getitem__(key)
        if isinstance(value, bool):
            return _Choice(value)
        if isinstance(value, list | tuple):
            return "x".join(map(str, value))
        return _Width(value) if key == "width" else value


@dataclass(frozen=True)
class Area:
    """One area: the name that begins the ids of its cases, its folder, and what all of its cases need and share."""

    name: str
    requires: tuple[str, ...] = ()
    group: str | None = None
    timeout_s: float | None = None
    folder: str = ""  # if it is not the name: that of a module of the standard library
    typed: bool = True  # whether a case needs what its types need; if not, `requires` states it all

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
        """The case `kernels/<area>/<name>` of the body `<folder>.<body>`. Its tier is in tiers.txt.

        `name` may have fields, as `{type}{width}`: the parameters fill them, `params` and `more`, which go to the body.
        `in_group` is the group of the cases that share its program, and may have fields too.
        """
        every = {**(params or {}), **more}
        words = _Words(every)
        types = [every[key].rstrip("0123456789") for key in _TYPES if self.typed and isinstance(every.get(key), str)]
        return Case(
            f"kernels/{self.name}/{name.format_map(words)}",
            f"{self.folder or self.name}.{body}",
            every,
            tuple(dict.fromkeys((*self.requires, *requires, *needs(*types)))),
            group=in_group.format_map(words) if in_group else self.group,
            timeout_s=timeout_s or self.timeout_s,
        )

    def each(
        self, name: str, body: str, /, rows: Iterable[Mapping[str, Any]], *requires: str, **more: Any
    ) -> Iterator[Case]:
        """A case for each row of parameters. The other arguments are those of `case`."""
        return (self.case(name, body, *requires, params=row, **more) for row in rows)
