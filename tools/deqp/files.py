"""deqp-runner's own files, as Mesa keeps them: baselines of exact names, and regexes of flakes and skips.

A baseline line is `name,Status`; anything after a second comma is ignored. A line of flakes or skips is a Rust regex,
matched unanchored. Lines that begin with # and empty lines are ignored in both.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from runner.model import UsageError

EFFECTIVE = ("Fail", "Crash", "Timeout")  # the other words neither excuse nor require anything of a compute test
STATUSES = (
    *EFFECTIVE,
    "Pass",
    "Skip",
    "Flake",
    "KnownFlake",
    "Warn",
    "Missing",
    "ExpectedFail",
    *(f"UnexpectedImprovement({s})" for s in ("Pass", "Fail", "Skip", "Warn", "Crash", "Timeout")),
)
_TOKEN = re.compile(r"\\([-.^$*+?{}\[\]|()/\\@#&~])|(\.\*)|(\.\+)|(\.)(?![?{])|([^\\.^$*+?{}\[\]|()])(?![*+?{])")
_UNKNOWN_TO_RUST = re.compile(r"\(\?(?:<?[=!]|P=|#)|\\[1-9]")


@dataclass(frozen=True, slots=True)
class Line:
    """One line that is not empty or a comment, with the comment block above it."""

    number: int
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Baseline:
    """One line of a fails file."""

    line: Line
    name: str
    status: str  # "" if there is none
    extra: str  # after the second comma; deqp-runner does not read it


@dataclass(frozen=True, slots=True)
class Regex:
    """One line of a flakes or skips file. `pattern` is None if it is not a regex; `error` says why."""

    line: Line
    pattern: re.Pattern[str] | None
    error: str = ""
    tokens: tuple[str, ...] | None = None  # if it is simple: literals, "?" one character, "*" any, "^", "$"
    literal: str | None = None  # the only name that it appears to mean, if it has no operator but a dot
    chunk: str = ""  # a part of every name that it matches: a quick test

    def matches(self, name: str) -> bool:
        """True if the regex is found anywhere in a test's name, as deqp-runner searches."""
        return self.chunk in name and self.pattern is not None and self.pattern.search(name) is not None


def read_lines(path: Path) -> list[Line]:
    """The lines that are not empty or comments. Raises UsageError if the file cannot be read."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from error
    return list(_lines(text))


def _lines(text: str) -> Iterator[Line]:
    reason: list[str] = []
    entries = False
    for number, raw in enumerate(text.split("\n"), 1):
        if not raw.strip():
            reason = []
        elif raw.startswith("#"):
            reason = [*([] if entries else reason), raw.lstrip("# ").rstrip()]
        else:
            yield Line(number, raw.rstrip("\r"), " ".join(filter(None, reason)))
        entries = bool(raw.strip()) and not raw.startswith("#")


def parse_baseline(line: Line) -> Baseline:
    """Never fails: the fields say what is wrong with a line."""
    name, _, rest = line.text.partition(",")
    status, _, extra = rest.partition(",")
    return Baseline(line, name, status, extra)


def parse_regex(line: Line) -> Regex:
    """Never fails: a line that is not a regex has an `error`."""
    if found := _UNKNOWN_TO_RUST.search(line.text):
        return Regex(line, None, f"Rust's regexes have no {found[0]}...")
    try:
        pattern = re.compile(line.text)
    except re.error as error:
        return Regex(line, None, f"is not a regex: {error}")
    tokens = _tokens(line.text)
    return Regex(line, pattern, "", tokens, _literal(tokens), _chunk(tokens))


def escape(name: str) -> str:
    """The regex of a name; unlike Python's, Rust's forbids a backslash before most other characters."""
    return re.sub(r"([\\.^$*+?{}\[\]|()])", r"\\\1", name)


def _tokens(text: str) -> tuple[str, ...] | None:
    """The parts of a simple regex, with a literal as a backslash and its character; None if it is not simple."""
    found: list[str] = []
    at = 0
    if text.startswith("^"):
        found.append("^")
        at = 1
    end = len(text) - 1 if text.endswith("$") and not text.endswith("\\$") else len(text)
    while at < end:
        match = _TOKEN.match(text, at, len(text))
        if not match or match.end() > end:
            return None
        escaped, many, some, one, plain = match.groups()
        found += ["*"] if many else ["?", "*"] if some else ["?"] if one else [f"\\{escaped or plain}"]
        at = match.end()
    return (*found, "$") if end < len(text) else tuple(found)


def _literal(tokens: Sequence[str] | None) -> str | None:
    if tokens is None or any(t in ("*", "^", "$") for t in tokens):
        return None
    return "".join("." if t == "?" else t[1] for t in tokens)


def _chunk(tokens: Sequence[str] | None) -> str:
    parts = "".join(t[1] if len(t) == 2 else "\0" for t in tokens or ()).split("\0")
    return max(parts, key=len)
