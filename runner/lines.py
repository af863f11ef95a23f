"""A driver's output as one safe line: no message escapes its place on a terminal or in a file."""

from __future__ import annotations

import unicodedata


def one_line(text: str, most: int = 300) -> str:
    """Text on one line of at most so many characters, without control characters or reversed directions."""
    plain = " ".join(text.split())
    line = "".join("\N{REPLACEMENT CHARACTER}" if unicodedata.category(c)[0] == "C" else c for c in plain)
    return line if len(line) <= most else f"{line[: most - 3]}..."
