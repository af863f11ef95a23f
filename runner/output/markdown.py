"""GitLab-flavoured Markdown and plain text, which no output of a driver can break out of."""

import re
from collections.abc import Sequence

from runner.lines import one_line

_TICKS = re.compile("`+")


def code(text: str) -> str:
    """Text in a line, as it is: no markup, reference or HTML in it counts."""
    line = one_line(text)
    ticks = _fence(line, 1)
    space = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{ticks}{space}{line}{space}{ticks}" if line else ""


def cell(text: str) -> str:
    """`code` in a table: there a bar ends the cell even in code, unless it is escaped."""
    return code(text.replace("|", "\\|"))


def block(lines: Sequence[str]) -> str:
    """Lines as they are, in a fence longer than any that they contain."""
    fence = _fence("\n".join(lines), 3)
    return "\n".join([f"{fence}text", *lines, fence])


def details(title: str, content: str) -> str:
    """Content that opens at a click. The title is the runner's own."""
    return f"<details><summary>{title}</summary>\n\n{content}\n\n</details>"


def table(rows: Sequence[Sequence[str]], align: str = "---") -> str:
    """The first row is the head; the cells are Markdown. `align` is for all columns but the first, `---:` to the right."""
    head, *body = rows
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [head, ["---", *[align] * (len(head) - 1)], *body])


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as lines of plain text: the first column aligned to the left, all others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip() for row in rows]


def shorten_list(lines: Sequence[str], most: int) -> list[str]:
    """The first lines, and how many more there are."""
    return [*lines[:most], *([f"and {len(lines) - most} more"] if len(lines) > most else [])]


def count(number: int, noun: str) -> str:
    """`1 regression`, `2 regressions`."""
    return f"{number} {noun}{'s' * (number != 1)}"


def _fence(text: str, least: int) -> str:
    longest = max((len(run) for run in _TICKS.findall(text)), default=0)
    return "`" * max(least, longest + 1)
