"""Editing expectation files: nothing else moves, and what is written can be read back."""

import random

import pytest

from runner.expectations.files import format_entry, format_file, parse_file
from runner.maintenance.document import TODO, Block, edit
from runner.model import Expectation, FileKind, Status

_TEXT = """\
# Expected failures. Measured: here.
# A line is id,Status.

# one reason
k/a,Fail,value: x
k/b,Crash
# another, in the same block
k/c,Fail

# a third
k/d,Timeout

"""


def _fails(*patterns: str, signature: str = "") -> tuple[Expectation, ...]:
    return tuple(Expectation(p, FileKind.FAILS, frozenset({Status.FAIL}), signature) for p in patterns)


def test_no_edit_changes_no_byte() -> None:
    for text in (_TEXT, "", "k/a,Fail", "k/a, Fail \r\nk/b,Fail\r\n", "# only a head\n"):
        assert edit(text, FileKind.FAILS, "f") == text


@pytest.mark.parametrize(
    ("removed", "lines_gone"),
    [
        ({"k/a"}, {5}),  # its comment covers k/b too
        ({"k/a", "k/b"}, {4, 5, 6}),
        ({"k/c"}, {7, 8}),
        ({"k/a", "k/b", "k/c"}, {4, 5, 6, 7, 8, 9}),
        ({"k/d"}, {10, 11, 12}),
    ],
)
def test_a_comment_goes_with_the_last_of_its_lines(removed: set[str], lines_gone: set[int]) -> None:
    left = [line for n, line in enumerate(_TEXT.splitlines(keepends=True), 1) if n not in lines_gone]
    assert edit(_TEXT, FileKind.FAILS, "f", removed) == "".join(left)


def test_the_head_stays_where_its_lines_go() -> None:
    assert edit("# Measured: here.\nk/a,Fail\n", FileKind.FAILS, "f", {"k/a"}) == "# Measured: here.\n"


def test_the_head_becomes_nobodys_reason() -> None:
    assert edit("# head\nk/a,Fail\n# why\nk/b,Fail\n", FileKind.FAILS, "f", {"k/a"}) == "# head\n\n# why\nk/b,Fail\n"


def test_a_changed_line_stays_in_its_place() -> None:
    (new,) = _fails("k/b", signature="other")
    assert edit(_TEXT, FileKind.FAILS, "f", replace={"k/b": new}) == _TEXT.replace("k/b,Crash", "k/b,Fail,other")


def test_new_lines_come_last_sorted_below_their_comment() -> None:
    after = edit("k/z,Fail", FileKind.FAILS, "f", add=[Block((TODO,), _fails("k/b", "k/a"))])
    assert after == f"k/z,Fail\n\n# {TODO}\nk/a,Fail\nk/b,Fail\n"


def _random_file(source: random.Random) -> tuple[FileKind, str]:
    kind = source.choice([FileKind.FAILS, FileKind.FLAKES, FileKind.SKIPS])
    names = [f"s/{source.choice('abc')}/{n}{source.choice(['', '.x', '_y'])}" for n in range(source.randrange(12))]
    lines: list[str] = []
    for name in names:
        if source.random() < 0.4:
            lines.append(source.choice(["", "# why, and where", "#", "# reason: TODO"]))
        statuses = source.sample([Status.FAIL, Status.CRASH, Status.TIMEOUT], source.randint(1, 3))
        match kind:
            case FileKind.FAILS:
                signature = source.choice(["", "value: a, b: got 1", "build: x,y", '"quoted" 0x1p-3'])
                entry = Expectation(name, kind, frozenset(statuses[:1]), signature)
            case FileKind.FLAKES:
                rate = source.choice([None, (1, 7), (3, 200)])
                entry = Expectation(name + source.choice(["", "*"]), kind, frozenset(statuses), "", rate)
            case FileKind.SKIPS:
                entry = Expectation(name + source.choice(["", "?"]), kind)
        lines.append(format_entry(entry))
    return kind, "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize("seed", range(300))
def test_any_edit_removes_and_adds_what_it_says_and_nothing_else(seed: int) -> None:
    source = random.Random(seed)
    kind, text = _random_file(source)
    file = parse_file(text, kind, "f")
    assert format_file(file) == text
    before = {e.pattern: format_entry(e) for e in file.entries}
    gone = {p for p in before if source.random() < 0.3}
    statuses = frozenset() if kind is FileKind.SKIPS else frozenset({Status.FAIL})
    new = [Expectation(f"s/new/{n}", kind, statuses) for n in range(source.randrange(3))]
    after = edit(text, kind, "f", gone, add=[Block(("why",), tuple(new))] if new else [])
    parsed = parse_file(after, kind, "f")
    kept = {p: line for p, line in before.items() if p not in gone}
    assert {e.pattern: format_entry(e) for e in parsed.entries} == kept | {e.pattern: format_entry(e) for e in new}
    order = [e.pattern for e in parsed.entries]
    assert order[: len(kept)] == [p for p in before if p in kept]
    reasons = {e.pattern: e.reason for e in file.entries}
    assert all(e.reason == reasons[e.pattern] for e in parsed.entries if e.pattern in kept)
    assert edit(after, kind, "f", gone) == after
