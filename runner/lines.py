"""Foreign text, in and out: a file that somebody gave, a driver's output as one safe line, all output to a terminal."""

import sys
import unicodedata
from pathlib import Path
from typing import Any, TextIO

from runner.model import UsageError
from runner.shapes import read_text


def plain(value: Any) -> Any:
    """JSON's data with the control characters of its texts escaped, except ends of lines: fit for a terminal."""
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


def tell(
    *values: object, sep: str = " ", end: str = "\n", file: TextIO | None = None, flush: bool = False, exact: bool = False
) -> None:
    """As `print`, fit for a terminal: no control character of a file, a driver or a board comes out.

    `exact` is for a patch or a report that another program reads: only a terminal gets it escaped.
    """
    stream = file or sys.stdout
    text = sep.join(map(str, values))
    print(text if exact and not stream.isatty() else plain(text), end=end, file=stream, flush=flush)


def one_line(text: str, most: int = 300) -> str:
    """Text on one line of at most `most` characters, without control characters or reversed directions."""
    plain = " ".join(text.split())
    line = "".join("\N{REPLACEMENT CHARACTER}" if unicodedata.category(c)[0] == "C" else c for c in plain)
    return line if len(line) <= most else f"{line[: most - 3]}..."


def read_given(path: Path, errors: str = "strict") -> str:
    """The text of a file that somebody gave. Raises UsageError with its place and, if it is not in UTF-8, the line."""
    try:
        return path.read_text(encoding="utf-8", errors=errors) if errors != "strict" else read_text(path)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise UsageError(f"{path}:{line}: is not in UTF-8; convert it") from error


def shorten(text: str, limit: int) -> str:
    """The beginning and three times as much of the end of a text that is too long, in characters."""
    if len(text) <= limit:
        return text
    head, tail = limit // 4, limit - limit // 4
    return f"{text[:head]}\n[... {len(text) - limit} characters are left out here ...]\n{text[-tail:]}"
