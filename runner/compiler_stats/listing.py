"""What the driver's compiler says of each kernel, taken out of a child's output and kept beside the journal.

With --stats a child marks its builds on its error output, as `runner.compiler_stats.build_marks` says. What lies
between the marks is the compiler's listing: the statistics are read from it and it is dropped, so that it neither fills
the limited log of a case nor pushes out what else was printed. A build that did not end keeps its listing.

    stats.jsonl: {"event": "kernel", "id": case, "name": kernel, "variant": "SIMD16", "source": digest,
                  "metrics": {"instructions": 41, "spills": 0, ...}, "compile_s": s, "code": digest}

A line is one write, as in the journal.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from runner.compiler_stats.formats import ListedKernel, parse
from runner.ids import check_id
from runner.model import BUILD_MARK, UsageError
from runner.shapes import MALFORMED, fits, make, read_text

NAME = "stats.jsonl"
_MARK = BUILD_MARK.encode()
_MARKS: Mapping[str, Mapping[str, type]] = {  # what a child says of its builds: build_marks.py
    "build": {},
    "built": {"source": str, "compile_s": float},
    "kernel": {"source": str, "name": str, "private_bytes": int, "work_group_items": int},
    "made": {},
    "refused": {},
}


@dataclass(frozen=True, slots=True)
class Kernel:
    """One kernel as the driver's compiler made it.

    `variant` tells apart what one kernel is compiled to (Intel's SIMD widths); `source` is a digest of the program's
    text and build options; `compile_s` is the whole program's, from source to binary, seconds; `code` is a digest of the
    disassembly, "" if the compiler prints none.
    """

    name: str
    source: str
    metrics: Mapping[str, float] = field(default_factory=dict)
    compile_s: float = 0.0
    variant: str = ""
    code: str = ""
    id: str = ""  # the case

    @property
    def key(self) -> tuple[str, str, str]:
        """What identifies a kernel across two runs."""
        return self.source, self.name, self.variant


class ListingExtractor:
    """Takes the listings of builds out of a child's output file.

    `compilers` are the names of the compilers that may print; lines with one of the words `kept` stay in the file.
    """

    def __init__(self, compilers: Sequence[str], kept: Sequence[str]) -> None:
        self._compilers, self._kept = compilers, [word.encode() for word in kept]
        self._builds: dict[str, tuple[list[ListedKernel], float]] = {}  # by source: what was printed, seconds
        self._kernels: dict[tuple[str, str], dict[str, Any]] = {}  # by source and name: as the child described it

    def clean(self, output: Path) -> None:
        """Read the listings, and leave the rest in the file, whose writer appends, and is idle or dead."""
        with output.open("rb") as source, output.open("r+b") as target:  # never overtakes it
            listing: list[bytes] | None = None  # of the build that goes on
            for line in source:
                before, _, text = line.partition(_MARK)
                mark = _parse_mark(text)
                kept = before if mark else line
                if listing is None:
                    target.write(kept)
                else:
                    listing.append(kept)
                if mark:
                    listing = self._follow(*mark, listing or [], target)
            target.writelines(listing or ())
            target.truncate()

    def take(self) -> list[Kernel]:
        """The kernels of the listings since the last call, each once."""
        kernels = []
        for source, (blocks, compile_s) in self._builds.items():
            described = [k for (of, _), k in self._kernels.items() if of == source]
            for kernel, own in zip(described, divide(blocks, len(described)), strict=True):
                queried = {name: kernel[name] for name in ("private_bytes", "work_group_items")}
                kernels += [
                    Kernel(kernel["name"], source, {**block.metrics, **queried}, compile_s, block.variant, block.code)
                    for block in own
                ]
        self._builds, self._kernels = {}, {}
        return kernels

    def _follow(self, event: str, data: dict[str, Any], listing: list[bytes], target: BinaryIO) -> list[bytes] | None:
        """Take in a mark; returns the listing that follows it, None if what follows is the case's own."""
        match event:
            case "build":
                target.writelines(listing)  # of one that never ended
                return []
            case "built":
                blocks = parse((line.decode("utf-8", "replace") for line in listing), self._compilers)
                self._builds.setdefault(data["source"], (blocks, data["compile_s"]))
                target.writelines(self._complaints(listing))
                return []  # the creation of its kernels is to come
            case "kernel":
                self._kernels.setdefault((data["source"], data["name"]), data)
                return listing
            case "made":
                target.writelines(self._complaints(listing))
            case _:
                target.writelines(listing)
        return None

    def _complaints(self, listing: list[bytes]) -> list[bytes]:
        return [line for line in listing if any(word in line for word in self._kept)]


def _parse_mark(text: bytes) -> tuple[str, dict[str, Any]] | None:
    """The event and the fields of a mark; None for what only looks like one: a case may print what it likes."""
    event, _, fields = text.strip().partition(b" ")
    name = event.decode("ascii", "replace")
    try:
        data = json.loads(fields) if fields else {}
    except (ValueError, RecursionError):
        return None
    types = _MARKS.get(name)
    if types is None or not isinstance(data, dict) or data.keys() != types.keys():
        return None
    right = all(fits(data[key], kind) for key, kind in types.items())  # no NaN, and no number of 400 digits
    return (name, data) if right else None


def divide(blocks: Sequence[ListedKernel], kernels: int) -> list[Sequence[ListedKernel]]:
    """The blocks of each of `kernels` kernels. Rusticl builds the kernels of a program in the order of their names.

    A kernel's variants come in rising order. If the count does not tell which kernel a block belongs to, no kernel gets
    any.
    """
    ranks = [(len(block.variant), block.variant) for block in blocks]  # SIMD8 before SIMD16
    first = [i for i, rank in enumerate(ranks) if i == 0 or rank <= ranks[i - 1]]
    if len(first) != kernels:
        return [[ListedKernel("", {})]] * kernels
    return [blocks[i:j] for i, j in zip(first, [*first[1:], len(blocks)], strict=False)]  # of no kernel: none


def read(folder: Path) -> dict[tuple[str, str, str], Kernel]:
    """The kernels of a results directory, each once, under its first case. Raises UsageError."""
    path = folder / NAME
    try:
        lines = read_text(path).split("\n")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "not in UTF-8"
        raise UsageError(f"{path}: {why}; give the results directory of a run with --stats") from error
    kernels: dict[tuple[str, str, str], Kernel] = {}
    for number, line in enumerate(lines[:-1], 1):  # after the last newline stands nothing, or a torn line
        try:
            data = json.loads(line)
            del data["event"]
            kernel = make(Kernel, data | {"id": check_id(data["id"])})
        except MALFORMED as error:
            raise UsageError(f"{path}:{number}: damaged ({error!r}); delete that line") from error
        kernels.setdefault(kernel.key, kernel)
    return kernels
