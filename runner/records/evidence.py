"""The evidence of a case: what an attempt did on the device, in order, and what was wrong with the answer.

A repeat records it, so that a run as expected pays nothing. It lies in evidence/ID.jsonl of the results directory, one JSON
object a line, MOST_BYTES at most. `event` names the class below whose fields the others are:

    {"event":"build","step":1,"program":"program1","language":"OpenCL C","source":"kernel ...","options":"-cl-std=CL3.0"}
    {"event":"return","step":1,"error":"CL_BUILD_PROGRAM_FAILURE","log":"1:8: error: ..."}
    {"event":"data","buffer":"buffer1","bytes":4096,"dtype":"int32","shape":[1024],"head":"00000000...","origin":"create"}
    {"event":"launch","step":2,"kernel":"f","program":"program1","global_size":[64],"local_size":null,"arguments":[...]}
    {"event":"call","step":3,"function":"clSetKernelArg","arguments":["kernel1","0","8","NULL"]}
    {"event":"wrong","check":"r","dtype":"int32","shape":[64],"wrong":16,"total":64,"patterns":[...],"elements":[...]}
    {"event":"stack","thread":"main thread","frames":["libgallium-25.0.7.so+0x7f12", "libLLVM.so.19.1+0x88 clBuildProgram"]}
    {"event":"messages","lines":["[ 5.125] i915: GPU HANG"]}
    {"event":"left_out","events":731}
    {"event":"end","status":"Fail","message":"value: ...","how":"alone"}

A step is on the disk before it is made: one without a `return` is where the process ended, or hung. The recorder writes
each line at once (runner/trace/evidence.py), the worker adds `stack`, `messages` and `end`, the controller keeps the file.
"""

import contextlib
import json
import struct
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from runner.ids import ID_PATTERN
from runner.lines import plain
from runner.shapes import MALFORMED, as_tuple, make

FOLDER = "evidence"
MOST_BYTES = 320 << 10  # of one case: 256 KiB of the recorder's, and what the worker adds
MOST_RUN_BYTES = 64 << 20  # of a run; later cases have a log without evidence


@dataclass(frozen=True, slots=True)
class Build:
    """A program on its way to the compiler, as the driver gets it."""

    step: int  # counted from 1 over builds, launches and calls
    program: str  # its name in later events
    source: str  # the bytes in hexadecimal for SPIR-V and binaries; for a linked program, the names of its parts
    language: str = "OpenCL C"  # or SPIR-V, binary, objects
    options: str = ""
    earlier: bool = False  # an earlier case of the process had built it


@dataclass(frozen=True, slots=True)
class Return:
    """A step came back."""

    step: int
    error: str = ""  # the specification's name of the error; "" or CL_SUCCESS for none
    log: str = ""  # of a build


@dataclass(frozen=True, slots=True)
class HostData:
    """An input: what the host put into a buffer."""

    buffer: str
    bytes: int
    head: str = ""  # the first bytes in hexadecimal, in the order of memory; of a fill, its pattern
    dtype: str = ""  # numpy's name of the element's type, if it is known
    shape: tuple[int, ...] = ()
    origin: str = "create"  # or copy, fill


@dataclass(frozen=True, slots=True)
class KernelArgument:
    """One argument of a launch. Anything but a number has a name, as `HostData.buffer`."""

    kind: str  # buffer, image, sampler, local, value, null, or the class that pyopencl has for it
    name: str = ""
    bytes: int = 0
    dtype: str = ""
    value: str = ""  # of a number: in decimal, a float in hexadecimal too; of a structure: its bytes in hexadecimal


@dataclass(frozen=True, slots=True)
class KernelLaunch:
    """A kernel before it is enqueued; sizes in work-items. `local_size` is None if the driver chooses."""

    step: int
    kernel: str
    program: str
    global_size: tuple[int, ...]
    local_size: tuple[int, ...] | None = None
    offset: tuple[int, ...] | None = None
    arguments: tuple[KernelArgument, ...] = ()


@dataclass(frozen=True, slots=True)
class ApiCall:
    """Any other call of the API, with its arguments as they are shown."""

    step: int
    function: str
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WrongElement:
    """One element of an answer; values exactly in hexadecimal, and in decimal."""

    index: tuple[int, ...]
    got: str
    want: str
    inputs: tuple[str, ...] = ()  # the operands that it was computed from, if the case names them
    got_bits: str = ""
    want_bits: str = ""
    difference: str = ""  # "3 ulp", "bits 0x80000000", "+1"


@dataclass(frozen=True, slots=True)
class WrongElements:
    """A comparison that failed: how many elements of the answer are wrong, what they have in common, the first of them."""

    check: str
    dtype: str
    shape: tuple[int, ...]
    wrong: int
    total: int
    patterns: tuple[str, ...] = ()  # as "every 4th element from 3", "row 2 alone", "got is 0 in all of them"
    elements: tuple[WrongElement, ...] = ()  # the first 32


@dataclass(frozen=True, slots=True)
class NativeStack:
    """Where the process died, the innermost frame first: a file, the offset in it, its exported function."""

    thread: str
    frames: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KernelMessages:
    """What the operating system's kernel printed meanwhile."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """This many events were here, and found no room."""

    events: int


@dataclass(frozen=True, slots=True)
class Ending:
    """The attempt that was recorded."""

    status: str
    message: str
    how: str


Event = Build | Return | HostData | KernelLaunch | ApiCall | WrongElements | NativeStack | KernelMessages | LeftOut | Ending
_NAMES: dict[type, str] = {
    Build: "build",
    Return: "return",
    HostData: "data",
    KernelLaunch: "launch",
    ApiCall: "call",
    WrongElements: "wrong",
    NativeStack: "stack",
    KernelMessages: "messages",
    LeftOut: "left_out",
    Ending: "end",
}
_CLASSES = {name: kind for kind, name in _NAMES.items()}
# numpy's names, and `struct`'s for the type, on a little-endian device.
_FORMATS = {"int8": "b", "uint8": "B", "int16": "h", "uint16": "H", "int32": "i", "uint32": "I", "int64": "q", "uint64": "Q"}
_FORMATS |= {"float16": "e", "float32": "f", "float64": "d"}
_INNER = {"launch": ("arguments", KernelArgument), "wrong": ("elements", WrongElement)}


def format_event(event: Event) -> str:
    """One line, with its end."""
    return json.dumps({"event": _NAMES[type(event)], **asdict(event)}, separators=(",", ":")) + "\n"


def parse_events(text: str) -> tuple[Event, ...]:
    """The events of a file, which may be a stranger's: other lines are left out, and no text holds a control character."""
    found = []
    for line in text[:MOST_BYTES].split("\n"):
        try:
            found.append(_parse(plain(json.loads(line))))
        except MALFORMED:  # the last line may be torn
            continue
    return tuple(found)


def _parse(data: Mapping[str, Any]) -> Event:
    values = _with_tuples(data)
    name = values.pop("event")
    if name in _INNER:
        field, kind = _INNER[name]
        values[field] = tuple(make(kind, _with_tuples(inner)) for inner in values[field])
    event: Event = make(_CLASSES[name], values)
    return event


def _with_tuples(data: Mapping[str, Any]) -> dict[str, Any]:
    return {key: as_tuple(value) if isinstance(value, list) else value for key, value in data.items()}


def head_values(data: HostData, dtype: str) -> list[str]:
    """The first elements of an input as numbers, `dtype` numpy's name of their type; none if it is not known."""
    try:
        head, letter = bytes.fromhex(data.head), _FORMATS[dtype]
    except (ValueError, KeyError):
        return []
    size = struct.calcsize(letter)
    values = struct.unpack(f"<{len(head) // size}{letter}", head[: len(head) // size * size])
    return [f"{value:.9g}" if isinstance(value, float) else str(value) for value in values]


def evidence_path(test_id: str) -> Path:
    """Where the evidence of a case lies in the results directory."""
    return Path(FOLDER) / f"{test_id}.jsonl"


def load_evidence(folder: Path) -> dict[str, str]:
    """The files of a results directory, which may be a stranger's, by the case that each is about."""
    found: dict[str, str] = {}
    for path in sorted((folder / FOLDER).rglob("*.jsonl")):
        test_id = str(path.relative_to(folder / FOLDER).with_suffix(""))
        if not ID_PATTERN.fullmatch(test_id) or path.is_symlink() or not path.is_file():
            continue
        with contextlib.suppress(OSError), path.open(encoding="utf-8", errors="replace") as file:
            found[test_id] = file.read(MOST_BYTES)
    return found


def join_lines(parts: Iterable[str]) -> str:
    """Lines of several writers; the torn last line of a dead process is dropped."""
    return "".join(part[: part.rfind("\n") + 1] for part in parts)
