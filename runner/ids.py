"""The ids of tests, and the globs that choose among them."""

from __future__ import annotations

import re
from functools import lru_cache

ID_PATTERN = re.compile(r"[A-Za-z0-9_.+=-]+(?:/[A-Za-z0-9_.+=-]+)+")


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
