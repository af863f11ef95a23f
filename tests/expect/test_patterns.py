"""No text costs more than its length: every regular expression of runner/, and each reader of driver output."""

import ast
import importlib
import re
import time
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from runner.child.environment import mask, passed
from runner.ids import glob_pattern
from runner.lines import one_line, plain
from runner.pages.markup import _ESCAPES
from runner.verdict.last_words import last_words
from runner.verdict.place import add_place, read_frames
from runner.verdict.sanitizer import read_report

ROOT = Path(__file__).parents[2]
_ASKED = ("a", "9", "../", "(", " ")
_PIECES = (*_ASKED, "aA9", "<", ":", "\n", "- ", "0x", "a=", "\x1b[", ".9", "a.", "a:", "//a")
_SMALL, _LARGE, _WHOLE = 1 << 10, 8 << 10, 256 << 10
# From a text to one eight times as long: a linear cost grows by 8, a quadratic one by 64.
_MAX_GROWTH = 24
_NOISE_S = 0.004  # a shorter time is not worth a measurement
_AT_ITS_START = {"match", "fullmatch"}
_RE_FUNCTIONS = {"compile", "search", "match", "fullmatch", "sub", "findall", "finditer", "split"}


def _find_patterns() -> Iterator[tuple[str, re.Pattern[Any], bool]]:
    """Each pattern of runner/ with its place, and whether it is searched in a whole text, or only at its beginning."""
    paths = sorted((ROOT / "runner").rglob("*.py"))
    texts = {path: text for path in paths if "re." in (text := path.read_text(encoding="utf-8"))}
    trees = {path: [*ast.walk(ast.parse(text))] for path, text in texts.items()}
    uses: dict[str, set[str]] = {}  # by name, of a file's own with the file
    for path, nodes in trees.items():
        for node in nodes:
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                uses.setdefault(_qualified_name(path, node.value.id), set()).add(node.attr)
    for path, nodes in trees.items():
        assigned = [node for node in nodes if isinstance(node, ast.Assign | ast.AnnAssign)]
        names = {id(n.value): n.target if isinstance(n, ast.AnnAssign) else n.targets[0] for n in assigned}
        for node in filter(_is_of_re, nodes):
            assert isinstance(node, ast.Call)
            assert isinstance(node.func, ast.Attribute)
            target, methods = names.get(id(node)), {node.func.attr}
            if methods == {"compile"}:
                known = _qualified_name(path, target.id) if isinstance(target, ast.Name) else ""
                methods = uses.get(known, set()) & _RE_FUNCTIONS
            if pattern := _pattern(path, node, target):
                anywhere = not (methods and methods <= _AT_ITS_START)
                yield f"{path.relative_to(ROOT)}:{node.lineno}", pattern, anywhere
    for name, table in tomllib.loads((ROOT / "runner/compiler_stats/compilers.toml").read_text()).items():
        for text in [table.get("line"), table.get("word"), *table.get("counts", {}).values()]:
            if text:
                yield f"compilers.toml: {name}: {text}", re.compile(text), True


def _is_of_re(node: ast.AST) -> bool:
    """Whether it is a call as re.compile("...")."""
    called = node.func if isinstance(node, ast.Call) and node.args else None
    return isinstance(called, ast.Attribute) and ast.unparse(called.value) == "re" and called.attr in _RE_FUNCTIONS


def _qualified_name(path: Path, name: str) -> str:
    return f"{path}:{name}" if name.startswith("_") else name


def _pattern(path: Path, call: ast.Call, target: ast.expr | None) -> re.Pattern[Any] | None:
    """The pattern that a call compiles; if it is put together, with a letter for each part."""
    if isinstance(target, ast.Name):
        module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))
        found = getattr(module, target.id, None)
        if isinstance(found, re.Pattern):
            return found
    first = call.args[0]
    flags = [ast.unparse(word) for word in [*call.args[1:], *(k.value for k in call.keywords)]]
    flag = next((getattr(re, word.removeprefix("re.").split(" ")[0]) for word in flags if word.startswith("re.")), 0)
    if isinstance(first, ast.JoinedStr):
        return re.compile("".join(str(p.value) if isinstance(p, ast.Constant) else "a" for p in first.values), flag)
    return re.compile(first.value, flag) if isinstance(first, ast.Constant) else None


@cache
def _patterns() -> dict[str, tuple[re.Pattern[Any], bool]]:
    """The patterns by place; not searched at collection, which each worker does."""
    return {place: (pattern, anywhere) for place, pattern, anywhere in _find_patterns()}


def _cost_s(work: Callable[[Any], object], text: Any, times: int = 1) -> float:
    best = float("inf")
    for _ in range(times):
        begun = time.thread_time()
        work(text)
        best = min(best, time.thread_time() - begun)
    return best


def _growth(work: Callable[[Any], object], make: Callable[[int], Any]) -> float:
    """How much more a text of eight times the length costs; 0 if it costs nothing."""
    if _cost_s(work, large := make(_LARGE)) < _NOISE_S:
        return 0.0
    return _cost_s(work, large, 3) / max(_cost_s(work, make(_SMALL), 3), 1e-9)


def _fill(piece: str, size: int) -> str:
    return (piece * (size // len(piece) + 1))[:size]


def test_all_patterns_are_found() -> None:
    lines = sum(
        len(re.findall(r"\bre\.(?:compile|sub|search|match|fullmatch|findall|finditer|split)\(", path.read_text()))
        for path in (ROOT / "runner").rglob("*.py")
    )
    assert len(_patterns()) > lines * 0.9, (len(_patterns()), lines)


def _complaints(pattern: re.Pattern[Any], anywhere: bool) -> Iterator[str]:
    """Texts for which a pattern costs more than their length."""
    is_bytes = isinstance(pattern.pattern, bytes)

    def work(text: Any) -> None:
        if anywhere:
            for _ in pattern.finditer(text):
                pass
        else:
            pattern.match(text)
            pattern.fullmatch(text)

    for piece, end in [*((p, "") for p in _PIECES), *((p, "!") for p in _ASKED)]:

        def make(size: int, piece: str = piece, end: str = end) -> Any:
            text = _fill(piece, size) + end
            return text.encode() if is_bytes else text

        grown = _growth(work, make)
        if grown >= _MAX_GROWTH:
            yield f"{pattern.pattern!r} over {piece!r}: {grown:.0f} times as much for 8 times the length"
        elif piece in _ASKED and not end:
            work(make(_WHOLE))  # it ends


def test_a_pattern_costs_no_more_than_the_length_of_a_text() -> None:
    assert [f"{place}: {text}" for place, own in _patterns().items() for text in _complaints(*own)] == []


@pytest.mark.parametrize("glob", ["*a" * 9 + "b", "?*" * 9 + "b", "*" * 99 + "b", "a*?" * 9 + "/b", "*a?a" * 9 + "/*b"])
def test_a_glob_costs_no_more_than_the_length_of_an_id(glob: str) -> None:
    def ending(piece: str) -> Callable[[int], str]:
        return lambda size: _fill(piece, size) + "!"

    for piece in ("a", "a/", "b"):
        assert _growth(glob_pattern(glob).fullmatch, ending(piece)) < _MAX_GROWTH


@pytest.mark.parametrize(
    ("glob", "matches", "others"),
    [
        ("a*b", ["ab", "a/b", "aab", "abcb"], ["b", "abc", "ba"]),
        ("a?b*", ["a/b", "aabc"], ["ab", "aaab"]),
        ("*ab*ab", ["abab", "xabyab", "ababab"], ["ab", "aab"]),
        ("*a*?b", ["aab", "xa/b", "aaxb"], ["ab", "b"]),
        ("a.b**", ["a.b", "a.bc"], ["axb"]),
        ("*a?*?c", ["abbc", "aabcc"], ["abc", "ac"]),
    ],
)
def test_a_glob_matches_as_a_shells(glob: str, matches: list[str], others: list[str]) -> None:
    assert [*filter(glob_pattern(glob).fullmatch, [*matches, *others])] == matches


_READERS: dict[str, tuple[Callable[[str], object], tuple[str, ...]]] = {
    "mask": (mask, ("", "x=", "//", "--token ", "eyJ")),
    "the environment of a child": (lambda text: passed({"LP_DEBUG": text, text: "b"}, [text]), ("",)),
    "last words": (last_words, ("", "assertion ", "panicked at ../", "panicked at:\n")),
    "a place": (
        lambda text: (add_place("SIGSEGV", text, traced=True), read_frames(text)),
        ("", "crash place: ", "crash place: thread a, address 0x1\ncrash place: #0 /a+0x1 ", "crash place: #1 "),
    ),
    "a function of C++": (
        lambda text: add_place("", f"crash place: t, address 0x0\ncrash place: #0 /l.so+0x1 {text}\n", traced=True),
        ("_Z", "_ZN", "_ZN1a", "_ZNr", "_Z1aC"),
    ),
    "a report of a sanitizer": (
        lambda text: read_report(text, "/l/l.so"),
        ("", "==1==ERROR: AddressSanitizer: ", "    #0 ", "    #0 /l/l.so f ", "a: runtime error: "),
    ),
    "a line": (lambda text: (one_line(text), plain(text)), ("",)),
    "a terminal's sequences": (lambda text: _ESCAPES.sub("", text), ("", "\x1b[", "\x1b]")),
}


@pytest.mark.parametrize("name", _READERS)
def test_what_reads_a_drivers_words_ends_for_any_of_them(name: str) -> None:
    read, heads = _READERS[name]
    for head in heads:
        for piece in (*_PIECES, "_Z9", "9a", "C1", "1a"):

            def make(size: int, head: str = head, piece: str = piece) -> str:
                return head + _fill(piece, size)

            grown = _growth(read, make)
            assert grown < _MAX_GROWTH, f"{head!r} and {piece!r}: {grown:.0f} times as much for 8 times the length"
            if piece in _ASKED:
                read(make(_WHOLE))  # it ends
