"""A driver's output as one safe line: no message escapes its place on a terminal or in a file."""

from __future__ import annotations

import unicodedata
from typing import Any


def plain(value: Any) -> Any:
    """JSON's data with the control characters of its texts escaped, but for the ends of lines: fit for a terminal."""
    match value:
        case str():
            if value.isprintable():
                return value
            return "".join(c if c in "\n\t" or c.isprintable() else c.encode("unicode_escape").decode() for c in value)
        case list():
            return [plain(item) for item in value]
        case dict():
            return {plain(name): plain(item) for name, item in value.items()}
        case _:
            return value


def one_line(text: str, most: int = 300) -> str:
    """Text on one line of at most so many characters, without control characters or reversed directions."""
    plain = " ".join(text.split())
    line = "".join("\N{REPLACEMENT CHARACTER}" if unicodedata.category(c)[0] == "C" else c for c in plain)
    return line if len(line) <= most else f"{line[: most - 3]}..."


def shorten(text: str, limit: int) -> str:
    """The beginning and three times as much of the end of a text that is too long, in characters."""
    if len(text) <= limit:
        return text
    head, tail = limit // 4, limit - limit // 4
    return f"{text[:head]}\n[... {len(text) - limit} characters are left out here ...]\n{text[-tail:]}"
