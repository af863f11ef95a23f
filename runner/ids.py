"""The ids of tests, and the globs that choose among them."""

import re
import sys
from collections.abc import Collection
from functools import lru_cache
from pathlib import Path

from runner.model import UsageError

_ODD = re.compile(r"[^A-Za-z0-9_.+-]")
_PART = r"(?!\.{1,2}(?:/|\Z))[A-Za-z0-9_.+=-]+"  # an id is a path, too, below a results directory: no . and no ..
ID_PATTERN = re.compile(f"{_PART}(?:/{_PART})+")


def check_id(value: object) -> str:
    """The value if it is an id. Raises ValueError: an id that a file names becomes the path of another file."""
    if not isinstance(value, str) or not ID_PATTERN.fullmatch(value):
        raise ValueError(f"{str(value)[:100]!r} is not an id")
    return value


@lru_cache(maxsize=4096)
def glob_pattern(glob: str) -> re.Pattern[str]:
    """An anchored glob: `*` crosses `/`, `?` is one character."""
    first, *parts = (re.escape(part).replace(r"\?", ".") for part in glob.split("*"))
    if not parts:
        return re.compile(first)
    # After each star the first place that fits will do: nothing is tried twice, however many stars there are.
    inner = "".join(f"(?>.*?{part})" for part in parts[:-1] if part)
    return re.compile(f"{first}{inner}.*{parts[-1]}")


def choose(ids: Collection[str], glob: str) -> list[str]:
    """Those that a glob matches. Most are a beginning and one `*`, which needs no slow regular expression."""
    if not is_glob(glob):  # at once: a run may be asked for thousands of ids
        return [glob] if glob in ids else []
    stem = glob[:-1]
    if glob.endswith("*") and not is_glob(stem):
        return [test_id for test_id in ids if test_id.startswith(stem)]
    return [*filter(glob_pattern(glob).fullmatch, ids)]


def chosen_pattern(word: str) -> re.Pattern[str]:
    """The pattern of a word of -t: a glob, an id, or a folder, which stands for all that lies in it."""
    return glob_pattern(word) if is_glob(word) else re.compile(f"{re.escape(word.rstrip('/'))}(?:/.*)?")


def read_globs(word: str) -> list[str]:
    """What a word of -t stands for: itself, or for @FILE (@- is standard input) the first column of its lines.

    So results.csv, failures.csv and expectation files are such lists, too. Raises UsageError.
    """
    if not word.startswith("@"):
        return [word]
    try:
        text = sys.stdin.read() if word == "@-" else Path(word[1:]).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"-t {word}: cannot be read: {getattr(error, 'strerror', '') or error}") from error
    globs = [line.partition("#")[0].partition(",")[0].strip() for line in text.splitlines()]
    if not any(globs):
        raise UsageError(f"-t {word}: holds no id and no glob, one a line")
    return list(filter(None, globs))


def names_area(pattern: str) -> bool:
    """Whether all that a pattern matches lies in one area of one suite: `*` and `kernels/*` do not say that."""
    return re.split(r"[*?]", pattern, maxsplit=1)[0].count("/") >= 2


def is_glob(pattern: str) -> bool:
    """True for a pattern with `*` or `?`, False for an exact id."""
    return "*" in pattern or "?" in pattern


def to_id(name: str, suite: str) -> str:
    """`suite` "": the name is already an id. Else NAME/..., with piglit's @ as / and characters not for ids as =XX.

    Raises UsageError for a name that is not an id.
    """
    if not suite:
        if not ID_PATTERN.fullmatch(name):
            raise UsageError(f"{name!r} is not a test id; give --suite NAME, and it becomes NAME/...")
        return name
    if not name:
        raise UsageError("a line without a name of a test; delete it")
    # An empty part is not an id: there the @ is spelt.
    parts = name.split("@")
    whole = all(parts)
    return f"{suite}/" + ("/" if whole else "=40").join(spell(part) for part in parts)


def to_name(test_id: str, suite: str) -> str:
    """The inverse of `to_id`. Raises UsageError for an id of another suite."""
    if not suite:
        return test_id
    if not test_id.startswith(f"{suite}/"):
        raise UsageError(f"{test_id!r} is not of the suite {suite!r}; leave out --suite, or give that id's")
    text = test_id[len(suite) + 1 :].replace("/", "@")
    return re.sub(r"(?:=[0-9A-F]{2})+", lambda m: bytes.fromhex(m[0].replace("=", "")).decode(), text)


def spell(part: str) -> str:
    """A part of a name as one of an id: other characters as =XX, the bytes of their UTF-8."""
    odd = re.compile(r"\.") if part in (".", "..") else _ODD  # an id is a path, too
    return odd.sub(lambda m: "".join(f"={b:02X}" for b in m[0].encode()), part)
