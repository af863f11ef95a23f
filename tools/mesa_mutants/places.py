"""The place of a change in a source file: the n-th of a token between the beginning and the end of a definition."""

import re
from dataclasses import dataclass

_STRING = r'"(?:\\.|[^"\\])*"|\'(?:\\[^\n\']*|[^\'\\\n])\''  # a lone ' belongs to a lifetime of Rust
_COMMENTS = {
    False: re.compile(rf"(?P<comment>//[^\n]*|/\*.*?\*/)|{_STRING}", re.DOTALL),
    True: re.compile(r'(?P<comment>#[^\n]*)|""".*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL),
}
_OPENING = "([{"
_OPERATOR = re.compile(r"[-+*/%&|^<>=!~:?.]+")


class MovedError(Exception):
    """The source does not have the place (any more). The text says what was not found."""


@dataclass(frozen=True, slots=True)
class Place:
    """The token's offsets, and the number of its line, from 1."""

    begin: int
    end: int
    line: int


def find_place(text: str, path: str, within: str, token: str, n: int) -> Place:
    """The `n`-th `token`, from 1, inside the definition of `within`; comments do not count.

    Raises MovedError.
    """
    python = path.endswith(".py")
    code, bare = _blank(text, python, strings=False), _blank(text, python, strings=True)
    begin, end = _find_definition(code, bare, within, python)
    found = list(_token_pattern(token).finditer(code, begin, end))
    if len(found) < n:
        raise MovedError(f"{path}: {within} has {len(found)} of {token!r}, not {n}")
    place = found[n - 1]
    return Place(place.start(), place.end(), text.count("\n", 0, place.start()) + 1)


def replace(text: str, place: Place, to: str) -> str:
    """The text with `to` at a place."""
    return text[: place.begin] + to + text[place.end :]


def _blank(text: str, python: bool, *, strings: bool) -> str:
    """The text with spaces for its comments, and optionally its strings: all offsets stay."""

    def blank(found: re.Match[str]) -> str:
        return re.sub(r"[^\n]", " ", found[0]) if strings or found["comment"] else found[0]

    return _COMMENTS[python].sub(blank, text)


def _token_pattern(token: str) -> re.Pattern[str]:
    """A token that is not part of a longer word, number or operator."""
    before, after = r"(?<!\w)", r"(?!\w)"
    if token[0].isdigit():
        before = r"(?<!\w)(?<!\d\.)"
    elif not (token[0].isalnum() or token[0] == "_"):
        before = r"(?<![-+*/%&|^<>=!~])" if _OPERATOR.fullmatch(token) else ""
    if token[-1].isdigit():
        after = r"(?!\w)(?!\.\d)"
    elif not (token[-1].isalnum() or token[-1] == "_"):
        after = r"(?![-+*/%&|^<>=!~])" if _OPERATOR.fullmatch(token) else ""
    return re.compile(before + r"\s+".join(map(re.escape, token.split())) + after)


def _find_definition(code: str, bare: str, name: str, python: bool) -> tuple[int, int]:
    """The start (of its line) and the end of a function, macro or table; `Type::name` is the one of that type."""
    owner, _, last = name.rpartition("::")
    if python:
        return _python_definition(code, name)
    for begin, end in _blocks_of(bare, owner) if owner else [(0, len(bare))]:
        if found := _macro(code, last, begin, end) or _braced(bare, last, begin, end):
            return _line_start(code, found[0]), found[1]
    if owner and (found := _braced(bare, name, 0, len(bare))):  # C++
        return _line_start(code, found[0]), found[1]
    if first := re.search(rf"(?<!\w){re.escape(name)}(?!\w)", code):
        return first.start(), len(code)
    raise MovedError(f"no {name} in it")


def _blocks_of(bare: str, owner: str) -> list[tuple[int, int]]:
    kinds = r"\b(?:impl|trait|struct|class|enum|mod|namespace)\b"
    heads = re.finditer(rf"{kinds}[^;{{}}]*\b{re.escape(owner)}\b[^;{{}}]*\{{", bare)
    return [(m.start(), _closing(bare, m.end() - 1)) for m in heads]


def _macro(code: str, name: str, begin: int, end: int) -> tuple[int, int] | None:
    head = rf"^[ \t]*#[ \t]*define[ \t]+{re.escape(name)}\b"
    found = re.compile(rf"{head}(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE).search(code, begin, end)
    return found.span() if found else None


def _braced(bare: str, name: str, begin: int, end: int) -> tuple[int, int] | None:
    """A definition with a body or a list in braces: `fn NAME`, `NAME(...) {`, `NAME... = {`, `macro_rules! NAME {`."""
    for found in re.compile(rf"(?<![\w.>]){re.escape(name)}(?!\w)").finditer(bare, begin, end):
        head = bare[bare.rfind("\n", 0, found.start()) + 1 : found.start()]
        if re.search(r"\b(?:fn|macro_rules!)\s+$", head):
            at = _skip_to(bare, found.end(), "{;")
        elif called := re.compile(r"\s*\(").match(bare, found.end()):
            after = re.compile(r"\s*(?:const|override|noexcept|\w+\([^()]*\)|:[^;{}]*)?\s*").match(
                bare, _closing(bare, called.end() - 1)
            )
            at = after.end() if after else end
        elif listed := re.compile(r"\s*(?:\[[^;={}]*|:[^;={}]*)?=\s*").match(bare, found.end()):
            at = listed.end()
        elif re.search(r"\b(?:struct|enum|union|trait)\s+$", head):
            at = _skip_to(bare, found.end(), "{;")
        else:
            continue
        if at < end and bare[at] in "{[" and bare[at : at + 1] != ";":
            return found.start(), _closing(bare, at)
    return None


def _python_definition(code: str, name: str) -> tuple[int, int]:
    found = re.search(rf"^([ \t]*)(?:def|class)[ \t]+{re.escape(name)}\b", code, re.MULTILINE)
    if not found:
        first = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", code)
        if not first:
            raise MovedError(f"no {name} in it")
        return first.start(), len(code)
    outside = re.compile(rf"^(?!{found[1]}[ \t])(?=[ \t]*[^\s#)\]}}])", re.MULTILINE)
    behind = outside.search(code, code.index("\n", found.end()) + 1)
    return found.start(), behind.start() if behind else len(code)


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def _skip_to(bare: str, at: int, wanted: str) -> int:
    """The offset of the first of these characters outside brackets; `{` opens the definition."""
    while at < len(bare) and bare[at] not in wanted:
        at = _closing(bare, at) if bare[at] in "([" else at + 1
    return at


def _closing(bare: str, at: int) -> int:
    """The offset after the bracket that closes the one at `at`."""
    depth = 0
    for found in re.compile(r"[()\[\]{}]").finditer(bare, at):
        depth += 1 if found[0] in _OPENING else -1
        if depth == 0:
            return found.end()
    return len(bare)
