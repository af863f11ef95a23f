"""The project's Markdown pages: their code blocks, the commands in them, and their links."""

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
_FENCE = re.compile(r"```(\S*) ?(.*)")
_ENDS = frozenset({"&&", "||", "|", ";", "(", ")"})


@dataclass(frozen=True, slots=True)
class Block:
    """A code block: `where` is page:line of its first line, `file` the words after the language of its fence."""

    where: str
    language: str
    file: str
    text: str


@dataclass(frozen=True, slots=True)
class Command:
    """One simple command of a shell block, variables of the block expanded. `line` is the whole line it stands on."""

    where: str
    words: tuple[str, ...]
    line: str


def read_blocks(text: str, page: str) -> Iterator[Block]:
    """Fenced blocks, and those that an indent of four spaces makes below an empty line (language "sh")."""
    lines = text.splitlines()
    number = 0
    while number < len(lines):
        begun, number = number, number + 1
        if fence := _FENCE.fullmatch(lines[begun]):
            while number < len(lines) and lines[number] != "```":
                number += 1
            yield Block(f"{page}:{begun + 2}", fence[1], fence[2], "\n".join(lines[begun + 1 : number]))
            number += 1
        elif lines[begun].startswith("    ") and (begun == 0 or not lines[begun - 1].strip()):
            while number < len(lines) and lines[number].startswith("    "):
                number += 1
            yield Block(f"{page}:{begun + 1}", "sh", "", "\n".join(line[4:] for line in lines[begun:number]))


def read_commands(block: Block) -> Iterator[Command]:
    """Each simple command of a shell block, those inside `sh -c '...'` and `ssh HOST '...'` too."""
    page, _, first = block.where.rpartition(":")
    variables: dict[str, str] = {}
    begun, whole = 0, ""
    for number, line in enumerate(block.text.splitlines()):
        begun = begun if whole else number
        whole += line.removesuffix("\\")
        if line.endswith(("\\", "&&")):
            continue
        for words in _split(whole, variables):
            yield Command(f"{page}:{int(first) + begun}", words, whole)
        whole = ""


def _split(line: str, variables: dict[str, str]) -> Iterator[tuple[str, ...]]:
    expanded = re.sub(r"\$(\w+)", lambda name: variables.get(name[1], name[0]), line)
    lexer = shlex.shlex(expanded, posix=True, punctuation_chars=";|&()")
    lexer.wordchars += "[]{}$,:@%+!^"
    words: list[str] = []
    for word in [*lexer, ";"]:
        if word not in _ENDS:
            words.append(word)
            continue
        while words and (assigned := re.fullmatch(r"([A-Z_0-9]+)=(.*)", words[0])):
            variables[assigned[1]] = assigned[2]
            del words[0]
        if words:
            yield tuple(words)
            for script in (w for w in words[1:] if " " in w and words[0] in ("sh", "git", "ssh")):
                yield from _split(script, variables)
        words = []


def read_spans(text: str) -> Iterator[str]:
    """The texts `between backquotes` outside of code blocks."""
    prose = re.sub(r"(?ms)^```.*?^```$", "", text)
    yield from (" ".join(span.split()) for span in re.findall(r"`([^`]+)`", prose))


def read_links(text: str) -> Iterator[str]:
    """The targets of links and pictures that are not addresses."""
    prose = re.sub(r"(?ms)^```.*?^```$", "", text)
    yield from (t for t in re.findall(r"\]\(([^)\s]+)\)", prose) if "://" not in t)


def blocks(language: str) -> list[Block]:
    """The blocks of one language, of all pages."""
    return [
        block
        for page in PAGES
        for block in read_blocks(page.read_text(encoding="utf-8"), str(page.relative_to(ROOT)))
        if block.language == language
    ]


def tool_of(words: Sequence[str]) -> tuple[str, list[str]]:
    """The command of tools/ that these words start, and its arguments; "" for another one."""
    for place, word in enumerate(words[:4]):
        if word == "-m" and words[place - 1] == "python3" and words[place + 1].startswith("tools."):
            return words[place + 1], [*words[place + 2 :]]
    return "", []


def commands() -> list[Command]:
    """The commands of all pages."""
    return [command for block in blocks("sh") for command in read_commands(block)]
