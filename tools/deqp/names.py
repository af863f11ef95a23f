"""deqp-runner's test names as ids, and back: one to one, so that nothing is lost on the way."""

from __future__ import annotations

import re

from runner.ids import ID_PATTERN
from runner.model import UsageError
from tools.deqp.files import Regex

_PLAIN = re.compile(r"[A-Za-z0-9_.+-]")
_GLOB = re.compile(r"[A-Za-z0-9_.+=/*?-]+")


def to_id(name: str, suite: str) -> str:
    """`suite` "": the name is an id as it stands. Else NAME/..., piglit's @ as / and what an id cannot hold as =XX.

    Raises UsageError for a name that is no id.
    """
    if not suite:
        if not ID_PATTERN.fullmatch(name):
            raise UsageError(f"{name!r} is not a test id; give --suite NAME, and it becomes NAME/...")
        return name
    if not name:
        raise UsageError("a line without a name of a test; delete it")
    # An empty part is no id: there the @ is spelt.
    parts = name.split("@")
    whole = all(parts)
    return f"{suite}/" + ("/" if whole else "=40").join(_spell(part) for part in parts)


def to_name(test_id: str, suite: str) -> str:
    """The inverse of `to_id`. Raises UsageError for an id of another suite."""
    if not suite:
        return test_id
    if not test_id.startswith(f"{suite}/"):
        raise UsageError(f"{test_id!r} is not of the suite {suite!r}; leave out --suite, or give that id's")
    text = test_id[len(suite) + 1 :].replace("/", "@")
    return re.sub(r"(?:=[0-9A-F]{2})+", lambda m: bytes.fromhex(m[0].replace("=", "")).decode(), text)


def to_glob(regex: Regex, suite: str) -> str | None:
    """The glob that matches the ids of what a simple regex matches; None where no glob can."""
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
    """The regex of an id or a glob of ours."""
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


def _spell(part: str) -> str:
    is_plain = part not in (".", "..")  # an id is a path, too
    return "".join(c if is_plain and _PLAIN.fullmatch(c) else "".join(f"={b:02X}" for b in c.encode()) for c in part)


def _glob_part(token: str, suite: str) -> str:
    if token in ("*", "?"):
        return token
    char = token[1]
    if not suite:
        return char
    return "/" if char == "@" else _spell(char)
