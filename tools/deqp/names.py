"""deqp-runner's test names as ids, and back: one to one, so that nothing is lost."""

import re

from runner.ids import spell, to_name
from runner.model import UsageError
from tools.deqp.files import Regex

_GLOB = re.compile(r"[A-Za-z0-9_.+=/*?-]+")


def to_glob(regex: Regex, suite: str) -> str | None:
    """The glob for the ids of the tests that a simple regex matches; None if no glob can express it."""
    if regex.tokens is None:
        return None
    tokens = list(regex.tokens)
    head = f"{suite}/" if suite else ""
    start = "" if tokens[:1] == ["^"] else "*"
    end = "" if tokens[-1:] == ["$"] else "*"
    middle = "".join(_glob_part(t, suite) for t in tokens if t not in ("^", "$"))
    glob = head + re.sub(r"\*+", "*", f"{start}{middle}{end}")
    return glob if _GLOB.fullmatch(glob) else None


def to_regex(pattern: str, suite: str) -> str:
    """The regex of one of our ids or globs."""
    from tools.deqp.files import escape

    parts = re.split(r"([*?])", pattern)
    if suite and not parts[0].startswith(f"{suite}/"):
        raise UsageError(f"{pattern!r} is not of the suite {suite!r}; leave out --suite, or give that pattern's")
    if suite:
        parts[0] = parts[0][len(suite) + 1 :]
        parts = [p if p in "*?" else to_name(f"{suite}/{p}", suite) for p in parts]
    text = "".join({"*": ".*", "?": "."}.get(p) or escape(p) for p in parts if p)
    text = text[2:] if text.startswith(".*") else f"^{text}"
    return text[:-2] if text.endswith(".*") and not text.endswith("\\.*") else f"{text}$"


def _glob_part(token: str, suite: str) -> str:
    if token in ("*", "?"):
        return token
    char = token[1]
    if not suite:
        return char
    return "/" if char == "@" else spell(char)
