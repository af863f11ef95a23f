"""Edits one expectation file as text: untouched lines keep their bytes, their order and their comments."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from runner.expectations.files import File, format_entry, parse_file
from runner.model import Expectation, FileKind

TODO = "reason: TODO"  # the place of a reason that a person has to write; lint insists


@dataclass(frozen=True, slots=True)
class Block:
    """New entries below one comment."""

    comment: tuple[str, ...]  # without the leading "# "
    entries: tuple[Expectation, ...]


def edit(
    text: str,
    kind: FileKind,
    path: str,
    remove: Collection[str] = (),
    replace: Mapping[str, Expectation] | None = None,
    add: Sequence[Block] = (),
) -> str:
    """The text without some entries, with changed and with new ones. Raises UsageError if it does not parse.

    A comment goes with the last of its entries, except the one that begins the file (its head); new blocks
    come last, and entries are sorted inside them.
    """
    replace = replace or {}
    file = parse_file(text, kind, path)
    raw = text.splitlines(keepends=True)
    gone = _gone(file, raw, remove)
    lines: list[str] = []
    for number, (line, old) in enumerate(zip(file.lines, raw, strict=True)):
        if line.entry and line.entry.pattern in replace:
            lines.append(f"{format_entry(replace[line.entry.pattern])}\n")
        elif number not in gone:
            if number - 1 in gone and old.startswith("#") and lines and lines[-1].startswith("#"):
                lines.append("\n")  # the head, whose entries are gone, must not become the reason of others
            lines.append(old)
    if add and lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    for block in add:
        if lines and lines[-1].strip():
            lines.append("\n")
        lines += [f"# {line}\n" for line in block.comment]
        lines += [f"{format_entry(e)}\n" for e in sorted(block.entries, key=lambda e: e.pattern)]
    return "".join(lines)


def _gone(file: File, raw: Sequence[str], remove: Collection[str]) -> set[int]:
    """The numbers of the lines that go: entries, comments that cover nothing else, and the blank line after."""
    gone = {i for i, line in enumerate(file.lines) if line.entry and line.entry.pattern in remove}
    if not gone:
        return gone
    blocks: list[list[int]] = [[]]
    for number, text in enumerate(raw):
        if text.strip():
            blocks[-1].append(number)
        elif blocks[-1]:
            blocks.append([])
    for block in filter(None, blocks):
        for comments, entries in _runs(file, block):
            if entries and gone.issuperset(entries) and 0 not in comments:
                gone.update(comments)
        if gone.issuperset(block):
            after = block[-1] + 1
            if after < len(raw):
                gone.add(after)
            elif block[0] and not raw[block[0] - 1].strip():
                gone.add(block[0] - 1)
    return gone


def _runs(file: File, block: Sequence[int]) -> Iterator[tuple[list[int], list[int]]]:
    """The comments of a block, each with the numbers of the lines that it covers."""
    comments: list[int] = []
    entries: list[int] = []
    for number in block:
        if file.lines[number].entry:
            entries.append(number)
            continue
        if entries:
            yield comments, entries
            comments, entries = [], []
        comments.append(number)
    yield comments, entries
