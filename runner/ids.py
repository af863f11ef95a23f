"""The ids of tests, and the globs that choose among them."""

from __future__ import annotations

import re
from functools import lru_cache

_PART = r"(?!\.{1,2}(?:/|\Z))[A-Za-z0-9_.+=-]+"  # an id is a path, too, below a results directory: no . and no ..
ID_PATTERN = re.compile(f"{_PART}(?:/{_PART})+")


def check_id(value: object) -> str:
    """The value where it is an id. Raises ValueError: what a file says is an id becomes the path of another one."""
    if not isinstance(value, str) or not ID_PATTERN.fullmatch(value):
        raise ValueError(f"{str(value)[:100]!r} is no id")
    return value


@lru_cache(maxsize=4096)
def glob_pattern(glob: str) -> re.Pattern[str]:
    """An anchored glob: `*` crosses `/`, `?` is one character."""
    return re.compile(re.escape(glob).replace(r"\*", ".*").replace(r"\?", "."))


def names_area(pattern: str) -> bool:
    """Whether all that a pattern matches lies in one area of one suite: `*` and `kernels/*` do not say so much."""
    return re.split(r"[*?]", pattern, maxsplit=1)[0].count("/") >= 2


def is_glob(pattern: str) -> bool:
    """True for a pattern with `*` or `?`, False for an exact id."""
    return "*" in pattern or "?" in pattern
