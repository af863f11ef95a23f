"""Hand-written Bifrost shaders: lines of text -> clauses, by the table of emulators/mali/bifrost.py.

    *FADD.f32 r2 = r0 r1 neg1=neg round=rtz     ; an instruction of the unit FMA (*) or ADD (+), in a clause of its own
    *IMUL.i32 = r0 r1 ; +IADD.s32 r2.h0 = t #5  ; both units of one tuple; t: what FMA has computed, #: a constant, u3: a uniform
    +LOAD.i32 @r4 = r0 u1 seg=none              ; a message and its staging registers; its slot is waited for at once
    +STORE.i32 @r4 = r0 u1 slot=2 waits=0       ; or as these say; also `barrier` (a staging barrier), `message=`, `flush=`
    loop:
    +BRANCHZ.i16 = r0 loop cmpf=ne widen0=h0
    end                                         ; ends the lanes; so does the last line

What is between instructions, how tuples are packed, is Mesa's src/panfrost/compiler/bifrost.h.
"""

from __future__ import annotations

import itertools
import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field

from emulators.mali.bifrost import ADD, FMA
from emulators.mali.table import Field, Instruction, fields

TABLES = {"*": FMA, "+": ADD}
MESSAGES = {"LOAD": 5, "STORE": 6, "ATOM_CX": 7, "AXCHG": 7, "ACMPXCHG": 7, "BARRIER": 8, "LD_GCLK": 15}
_HEADER_WORDS = ("slot", "waits", "barrier", "message", "flush", "flow")
_LOW, _HIGH = 4, 5


@dataclass
class Line:
    """An instruction as it is written."""

    unit: str
    name: str
    target: str = ""
    staging: int | None = None
    sources: list[str] = field(default_factory=list)
    modifiers: dict[str, str] = field(default_factory=dict)


@dataclass
class Clause:
    """A clause of one tuple."""

    fma: Line | None = None
    add: Line | None = None
    header: dict[str, int] = field(default_factory=dict)


def parse_line(text: str) -> tuple[Line, dict[str, int]]:
    left, _, right = text.partition(" = ")
    head = left.split()
    words = right.split() if right else [w for w in head[1:] if "=" in w or w in _HEADER_WORDS]
    line = Line(head[0][0], head[0][1:])
    for word in head[1:] if right else []:
        if word.startswith("@"):
            line.staging = int(word[2:])
        else:
            line.target = word
    header: dict[str, int] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if name in _HEADER_WORDS:
            header[name] = int(value, 0) if equals else 1
        elif equals:
            line.modifiers[name] = value
        else:
            line.sources.append(word)
    return line, header


def find(unit: str, name: str) -> Instruction:
    return next(i for i in TABLES[unit] if i.name == name)


def default(name: str, options: Sequence[str]) -> str:
    """What a modifier is where nothing says."""
    for identity in ("none", "h01", "b0123", "nan_suppress"):
        if identity in options:
            return identity
    return options[0]


def choices(f: Field, wanted: dict[str, str], swapped: bool) -> int | None:
    """The value of a field for what is wanted, None if it has none."""
    options = f.swapped if swapped and f.swapped else f.options
    for n, option in enumerate(options):
        if option is None:
            continue
        if all(
            value == wanted.get(name, default(name, [o[k] for o in options if o])) for k, (name, value) in enumerate(zip(f.names, option, strict=True))
        ):
            return n
    return None


def encode(instruction: Instruction, ports: Sequence[int], modifiers: dict[str, str]) -> tuple[int, dict[str, str]]:
    """The instruction's word, and all of its modifiers; the first of its encodings that can say it."""
    swapped = len(ports) > 1 and ports[0] > ports[1]
    for mask, value, text in instruction.encodings:
        own = list(fields(text))
        named = {name for f in own for name in f.names}
        if any(name not in named and option not in ("none", "h01", "b0123") for name, option in modifiers.items()):
            continue
        word, chosen = value, dict[str, str]()
        for f in own:
            index = choices(f, modifiers, swapped)
            if index is None:
                break
            option = (f.swapped if swapped and f.swapped else f.options)[index]
            assert option
            chosen |= dict(zip(f.names, option, strict=True))
            for bit, size in f.bits:
                word |= (index & (1 << size) - 1) << bit
                index >>= size
        else:
            for shift, port in zip(instruction.sources, ports, strict=True):
                word |= port << shift
            assert word & mask == value, f"{instruction.name}: a field or a source lies in fixed bits"
            return word, chosen
    raise AssertionError(f"{instruction.name} cannot be {modifiers}")


_NOP = {"*": 0x701963, "+": next(i for i in ADD if i.name == "NOP").encodings[0][1]}


class Tuple:
    """Which registers a tuple has at its ports, which constant, and where its result goes."""

    def __init__(self) -> None:
        self.reads: list[int] = []
        self.constant: dict[int, int] = {}  # port -> value
        self.uniform: int | None = None

    def port(self, source: str, unit: str, here: int, labels: dict[str, int]) -> int:
        if source == "t":
            assert unit == "+"
            return 3
        if source == "0" and unit == "*":
            return 3
        if match := re.fullmatch(r"r(\d+)", source):
            number = int(match[1])
            if number not in self.reads:
                self.reads.append(number)
                assert len(self.reads) <= 3
            return -1 - number
        if match := re.fullmatch(r"u(\d+)", source):
            assert self.uniform in (None, int(match[1]) // 2)
            self.uniform = int(match[1]) // 2
            return _LOW + int(match[1]) % 2
        value = (16 * (labels[source] - here)) & 0x0FFFFFFF if source in labels else int(source.removeprefix("#"), 0) & 0xFFFFFFFF
        for port in (_HIGH, _LOW) if source in labels else (_LOW, _HIGH):
            if self.constant.setdefault(port, value) == value:
                return port
        raise AssertionError("more than two constants in a tuple")

    def registers(self, write: tuple[int, int, bool] | None) -> tuple[int, dict[int, int]]:
        """The register block of the first tuple, and the ports of the registers."""
        low, third = sorted(self.reads[:2]), self.reads[2:]
        ports = {number: n for n, number in enumerate(low)} | {number: 2 for number in third}
        kind, is_fma = {3: 2, 1: 0, 2: 1}[write[1]] if write else 0, bool(write and write[2])
        if write:
            mode = (1 if is_fma else 4) + kind if third else (17, 18, 19)[(1, 2, 0)[kind]] if is_fma else (21, 22, 23)[(1, 2, 0)[kind]]
        else:
            mode = 20 if third else 16
        control = mode & 7 | (mode & 16) >> 1
        fourth = write[0] if write else 0
        second = third[0] if third else fourth
        if third and not write:
            fourth = second
        word = fourth << 8 | second << 14
        if len(low) == 2:
            a, b = low if low[0] <= 31 else (63 - low[0], 63 - low[1])
            word |= a << 20 | b << 25 | control << 31
        else:
            high = control << 2 | (low[0] >> 5 if low else 2)
            word |= (low[0] & 31 if low else 0) << 20 | high << 25
        return word, ports


def assemble_clause(clause: Clause, here: int, labels: dict[str, int], last: bool) -> bytes:
    """Two quadwords: the tuple with the header, and constants."""
    own = Tuple()
    lines = [line for line in (clause.fma, clause.add) if line]
    ports = {line.unit: [own.port(s, line.unit, here, labels) for s in line.sources] for line in lines}
    write, words = None, dict(_NOP)
    for line in lines:
        if line.target:
            assert write is None, "the last tuple writes one register"
            number, _, half = line.target[1:].partition(".")
            write = (int(number), {"": 3, "h0": 1, "h1": 2}[half], line.unit == "*")
    block, at = own.registers(write)
    for line in lines:
        found = [at[-1 - port] if port < 0 else port for port in ports[line.unit]]
        words[line.unit], _ = encode(find(line.unit, line.name), found, line.modifiers)
    low, high = own.constant.get(_LOW, 0), own.constant.get(_HIGH, 0)
    assert not (own.constant and own.uniform is not None)
    block |= 0x80 | own.uniform if own.uniform is not None else 0x40 | low & 15 if own.constant else 0
    message = next((MESSAGES[k] for line in lines for k in MESSAGES if line.unit == "+" and line.name.split(".")[0] == k), 0)
    header = {"slot": 7 if message == 8 else 0, "message": message, "flow": 0 if last else 3} | clause.header
    waits = header.get("waits", 1 << header["slot"] if message else 0)
    staging = next((line.staging for line in lines if line.staging is not None), 0)
    bits = header["flow"] << 11 | header.get("barrier", 0) << 17 | staging << 18 | waits << 24 | header["slot"] << 32
    bits |= header["message"] << 35 | header.get("flush", 0) << 5
    whole = block | words["*"] << 35 | words["+"] << 58
    first = (0x08 | whole >> 75) | (whole & (1 << 60) - 1) << 8 | (whole >> 60 & 0x7FFF) << 68 | bits << 83
    constant = 0x70 | (low >> 4 | high << 28) << 8
    return first.to_bytes(16, "little") + constant.to_bytes(16, "little")


def parse(text: str) -> tuple[list[Clause], dict[str, int]]:
    clauses: list[Clause] = []
    labels: dict[str, int] = {}
    for raw in text.splitlines():
        line = raw.strip()
        if not line:
            continue
        if line.endswith(":"):
            labels[line[:-1]] = 2 * len(clauses)
            continue
        if line == "end":
            clauses.append(Clause(header={"flow": 0}))
            continue
        clause = Clause()
        for part in line.split(" ; "):
            own, header = parse_line(part.strip())
            clause.header |= header
            if own.unit == "*":
                clause.fma = own
            else:
                clause.add = own
        clauses.append(clause)
    return clauses, labels


def assemble(text: str) -> bytes:
    """The shader's code; its last line ends it."""
    clauses, labels = parse(text)
    code = [assemble_clause(c, 2 * n, labels, n == len(clauses) - 1) for n, c in enumerate(clauses)]
    return b"".join([*code, bytes(128)])


def words(values: Sequence[int]) -> bytes:
    return struct.pack(f"<{len(values)}I", *[v & 0xFFFFFFFF for v in values])


def alternatives(instruction: Instruction) -> list[dict[str, str]]:
    """Modifiers of an instruction, each option of each of its fields at least once."""
    found: dict[tuple[tuple[str, str], ...], dict[str, str]] = {(): {}}
    for _, _, text in instruction.encodings:
        own = list(fields(text))
        least = {f.names[0]: f.options[0][0] for f in own if not f.bits and f.options[0]}
        for f in own:
            for option in itertools.chain(f.options, f.swapped):
                if option is not None:
                    chosen = least | dict(zip(f.names, option, strict=True))
                    found.setdefault(tuple(sorted(chosen.items())), chosen)
    return list(found.values())
