"""The numbered assumptions of docs/emulation.md: a program for each, which a board's owner runs, and what its answer means.

The rows are assumptions.yaml. A program needs only pyopencl and numpy; it prints one line, which `judge` reads.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from runner.model import UsageError
from runner.shapes import as_tuple, make, read_text
from runner.yaml_loader import load_yaml

_TABLE = Path(__file__).with_name("assumptions.yaml")
_ANSWER = re.compile(
    r"assumption (\w{1,20}) (\d{1,4})( emulated)?, of ([^:]{1,200}): ((?:0x[0-9a-f]{8} ?){1,64}|refused: .*)"
)
_MAX_REFUSAL_CHARS = 60  # characters of a refusal
_PROGRAM = '''\
"""Assumption {number} of the emulated {family}: {says}

A board's answer settles it, if its compiler chooses {instructions}, as Mesa {mesa}'s does.
It needs pyopencl and numpy. `runner emulate --assumptions FILE` reads what it prints.
"""

import os

import numpy as np
import pyopencl as cl

KERNEL = """
{kernel}"""
INPUT, START, SCALARS = {input}, {start}, {scalars}  # words of 32 bits
IMAGE = {image}

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
device = context.devices[0]
flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
out = np.array(START, "u4")
arguments = [cl.Buffer(context, flags, hostbuf=out), cl.Buffer(context, flags, hostbuf=np.array(INPUT or [0], "u4"))]
try:
    if IMAGE:
        own = cl.ImageFormat(getattr(cl.channel_order, IMAGE["order"]), getattr(cl.channel_type, IMAGE["type"]))
        content = np.array(IMAGE["content"], IMAGE["dtype"])
        kind = getattr(cl.mem_object_type, IMAGE["kind"])
        shape = dict(zip(("width", "height", "depth", "array_size"), IMAGE["shape"]))
        description = cl.ImageDescriptor()
        description.image_type = kind
        description.shape = tuple(IMAGE["shape"][:3])
        description.array_size = shape["array_size"]
        image = cl.Image(context, flags, own, desc=description, hostbuf=content)
        arguments.append(image)
    kernel = cl.Program(context, KERNEL).build(options="-cl-std=CL3.0").f
    kernel(queue, ({items},), None, *arguments, *map(np.uint32, SCALARS))
    if IMAGE and IMAGE["read"]:
        cl.enqueue_copy(queue, content, image, origin=(0, 0, 0), region=tuple(max(n, 1) for n in IMAGE["shape"][:3]))
        out = content.view("u4").ravel()[: len(out)]
    else:
        cl.enqueue_copy(queue, out, arguments[0])
    answer = " ".join(f"{{word:#010x}}" for word in out)
except cl.Error as error:
    answer = "refused: " + str(error).splitlines()[0]
emulated = " emulated" if "EMULATOR_GPU" in os.environ else ""
device = f"{{device.name}} {{device.driver_version}}".replace(":", " ")
print(f"assumption {family} {number}{{emulated}}, of {{device}}: {{answer}}")
'''


@dataclass(frozen=True, slots=True)
class Assumption:
    """One row. All values are words of 32 bits; `assumed` is what the kernel leaves in its buffer, or in its image."""

    number: int
    says: str
    unsettled: str = ""  # why no OpenCL program can tell
    instructions: tuple[str, ...] = ()  # instructions that Mesa's compiler must emit for the kernel
    kernel: str = ""  # f(global uint *out, global const uint *in, image?, uint...)
    items: int = 1
    input: tuple[int, ...] = ()
    start: tuple[int, ...] = ()  # the content of out before; by default zeros
    scalars: tuple[int, ...] = ()
    image: Mapping[str, Any] = field(default_factory=dict)
    assumed: tuple[int, ...] = ()
    otherwise: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # other answers that are thinkable


@dataclass(frozen=True, slots=True)
class Table:
    """The assumptions of a family."""

    mesa: str  # the release whose compiler chose the instructions
    rows: tuple[Assumption, ...]


def load_assumptions() -> dict[str, Table]:
    """The table of each family."""
    data: Any = load_yaml(read_text(_TABLE))
    return {family: Table(own["mesa"], tuple(map(_row, own["rows"]))) for family, own in data.items()}


def _row(entry: Mapping[str, Any]) -> Assumption:
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in entry.items()}
    values["otherwise"] = {name: as_tuple(words) for name, words in entry.get("otherwise", {}).items()}
    return make(Assumption, values)


def write_programs(folder: Path) -> Iterator[str]:
    """A file for each assumption that a program can settle; yields a line for each, and for the others the reason.

    Raises UsageError if it cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for family, table in load_assumptions().items():
            for row in table.rows:
                if row.unsettled:
                    yield f"{family} {row.number}: no program can tell: {row.unsettled}"
                    continue
                path = folder / f"{family}_{row.number:02}.py"
                path.write_text(program_of(family, table.mesa, row), encoding="utf-8")
                yield f"{family} {row.number}: {path}: {row.says}"
    except OSError as error:
        raise UsageError(f"--assumptions {folder}: {error.strerror}; give a folder for the programs") from error


def program_of(family: str, mesa: str, row: Assumption) -> str:
    """The text of a row's program."""
    start = row.start or (0,) * len(row.assumed)
    own = {name: getattr(row, name) for name in ("number", "says", "kernel", "items", "image")}
    words = {name: list(value) for name, value in (("input", row.input), ("start", start), ("scalars", row.scalars))}
    return _PROGRAM.format(family=family, mesa=mesa, instructions=", ".join(row.instructions), **own, **words)


def judge(text: str) -> Iterator[tuple[bool, str]]:
    """For each answer, whether it agrees with the emulator, and a line that says so. Raises UsageError if there is none."""
    tables = load_assumptions()
    answers = list(_ANSWER.finditer(text))
    if not answers:
        raise UsageError("--assumptions: no answer is in it; give what the programs have printed")
    for found in answers:
        family, number, emulated, device, answer = found.groups()
        row = next((r for r in tables[family].rows if r.number == int(number)), None) if family in tables else None
        if row is None or row.unsettled:
            raise UsageError(f"--assumptions: {family} {number}: no such program; they are of another version")
        agrees, says = _compare(row, answer)
        mesa = tables[family].mesa
        remark = (
            "" if f" {mesa}." in device else f"; not of Mesa {mesa}: whether it has {', '.join(row.instructions)} is open"
        )
        remark += "; emulated: it says nothing about a board" if emulated else ""
        yield agrees, f"{family} {number}, {device}: {says}: {row.says}{remark}"


def _compare(row: Assumption, answer: str) -> tuple[bool, str]:
    if answer.startswith("refused"):
        return False, f"open ({answer[:_MAX_REFUSAL_CHARS]})"
    words = tuple(int(word, 16) for word in answer.split())
    if words == row.assumed:
        return True, "confirmed"
    for name, other in row.otherwise.items():
        if words == other:
            return False, f"REFUTED ({name})"
    differs = [n for n, pair in enumerate(zip(words, row.assumed, strict=False)) if pair[0] != pair[1]]
    if len(words) != len(row.assumed) or not differs:
        return False, f"REFUTED ({len(words)} words and not {len(row.assumed)})"
    at = differs[0]
    return (
        False,
        f"REFUTED (word {at} is {words[at]:#x}, assumed {row.assumed[at]:#x}; {len(differs)} of {len(words)} differ)",
    )
