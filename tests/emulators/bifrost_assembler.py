"""Hand-written Bifrost shaders: lines of text -> clauses, by the table of emulators/mali/bifrost.py.

    *FADD.f32 r2 = r0 r1 neg1=neg round=rtz     ; an instruction of the unit FMA (*) or ADD (+), in a clause of its own
    *IMUL.i32 = r0 r1 ; +IADD.s32 r2.h0 = t #5  ; both units of one tuple; t: what FMA has computed, #: a constant
    +LOAD.i32 @r4 = r0 u1 seg=none              ; a message, its staging registers, a uniform; its slot is waited for at once
    +STORE.i32 @r4 = r0 u1 slot=2 waits=0       ; or as these say; also `barrier` (a staging barrier), `message=`, `flush=`
    {                                           ; tuples of one clause, a line each
    *IMUL.i32 r4 = r0 r1
    +IADD.s32 r5 = t0 #7                        ; t0, t1: what the tuple before has computed
    }
    loop:
    +BRANCHZ.i16 = r0 loop cmpf=ne widen0=h0
    end                                         ; ends the lanes; so does the last line

How tuples and clauses are packed is described in Mesa's src/panfrost/compiler/bifrost.h.

One file: the bits of a line, of a tuple and of a clause belong together; read it from its end.
"""

import itertools
import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field

from emulators.mali.bifrost import ADD, FMA
from emulators.mali.table import Field, Instruction, fields

TABLES = {"*": FMA, "+": ADD}
MESSAGES = {
    "LD_VAR_IMM": 1, "LD_VAR_FLAT_IMM": 1, "LD_ATTR_IMM": 2, "LD_ATTR_TEX": 2, "LEA_ATTR_IMM": 2, "LEA_ATTR_TEX": 2,
    "TEXC": 3, "TEXS_2D": 3, "VAR_TEX": 4, "LOAD": 5, "STORE": 6, "ST_CVT": 6, "ATOM_CX": 7, "AXCHG": 7, "ACMPXCHG": 7,
    "BARRIER": 8, "BLEND": 9, "ATEST": 13, "LD_GCLK": 15,
}  # fmt: skip
_ATTRIBUTE = 2  # the unit that loads of uniform buffers go to
_END, _TOGETHER, _ALONE = 0, 2, 3  # how the lanes go on after a clause
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
    """Tuples, which have at most one instruction of each unit."""

    tuples: list[list[Line]] = field(default_factory=list)
    header: dict[str, int] = field(default_factory=dict)


def parse_line(text: str) -> tuple[Line, dict[str, int]]:
    left, _, right = text.partition(" = ")
    head = left.split()
    words = right.split() if right else [w for w in head[1:] if "=" in w or w in _HEADER_WORDS]
    line = Line(head[0][0], head[0][1:])
    for word in head[1:]:
        if word.startswith("@"):
            line.staging = int(word[2:])
        elif right:
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


def default(options: Sequence[str]) -> str:
    """The default of a modifier."""
    for identity in ("none", "h01", "b0123", "nan_suppress"):
        if identity in options:
            return identity
    return options[0]


def choices(f: Field, wanted: dict[str, str], swapped: bool) -> int | None:
    """The field's value for the wanted options, None if there is none."""
    options = f.swapped if swapped and f.swapped else f.options
    for n, option in enumerate(options):
        if option is None:
            continue
        if all(
            value == wanted.get(name, default([o[k] for o in options if o]))
            for k, (name, value) in enumerate(zip(f.names, option, strict=True))
        ):
            return n
    return None


def encode(instruction: Instruction, ports: Sequence[int], modifiers: dict[str, str]) -> tuple[int, dict[str, str]]:
    """The instruction's word and all of its modifiers, by the first of its encodings that can express it."""
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


@dataclass(frozen=True)
class Write:
    """A register, which halves of it (1 low, 2 high), and whose result."""

    number: int
    halves: int
    unit: str


def writes_of(lines: Sequence[Line]) -> list[Write]:
    found = []
    for line in lines:
        if line.target:
            number, _, half = line.target[1:].partition(".")
            found.append(Write(int(number), {"": 3, "h0": 1, "h1": 2}[half], line.unit))
    return found


class Ports:
    """The registers at the ports of a tuple, and its constant or uniform."""

    def __init__(self, constants: list[list[int]]) -> None:
        self.reads: list[int] = []
        self.constants = constants  # of the clause: pairs of words
        self.own: dict[int, int] = {}  # port -> value
        self.uniform: int | None = None

    def port(self, source: str, unit: str, here: int, labels: dict[str, int]) -> int:
        """A port's number; for a register -1 less its number, because its port is known only when all registers are."""
        fixed = {"t": 3, "t0": 6, "t1": 7} | ({"0": 3} if unit == "*" else {})
        if source in fixed:
            assert source != "t" or unit == "+"
            return fixed[source]
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
        value = (
            (16 * (labels[source] - here)) & 0x0FFFFFFF
            if source in labels
            else int(source.removeprefix("#"), 0) & 0xFFFFFFFF
        )
        for port in (_HIGH, _LOW) if source in labels else (_LOW, _HIGH):
            if self.own.setdefault(port, value) == value:
                return port
        raise AssertionError("more than two constants in a tuple")

    def constant(self) -> int:
        """The number of the values at the ports 4 and 5."""
        assert not (self.own and self.uniform is not None)
        if self.uniform is not None:
            return 0x80 | self.uniform
        if not self.own:
            return 0
        low, high = self.own.get(_LOW, 0), self.own.get(_HIGH, 0)
        pair = [low & ~15, high]
        if pair not in self.constants:
            self.constants.append(pair)
        return (4, 5, 6, 7, 2, 3)[self.constants.index(pair)] << 4 | low & 15

    def registers(self, written: Sequence[Write], first: bool) -> tuple[int, dict[int, int]]:
        """The register block, less the constant's number, and the ports of the registers. `written`: by the tuple before."""
        low, third = sorted(self.reads[:2]), self.reads[2:]
        ports = {number: n for n, number in enumerate(low)} | dict.fromkeys(third, 2)
        by = {w.unit: w for w in written}
        size = {3: 2, 1: 0, 2: 1}  # of a mode: low, high, whole
        second = fourth = 0
        if len(by) == 2:
            assert not third
            mode = 7 + 3 * size[by["*"].halves] + size[by["+"].halves]
            second, fourth = by["*"].number, by["+"].number
            if second == fourth:
                mode = {(1, 2): 24, (2, 1): 26}[by["*"].halves, by["+"].halves]
        elif by:
            (unit, write), fourth = next(iter(by.items())), next(iter(by.values())).number
            kind = size[write.halves]
            mode = (1 if unit == "*" else 4) + kind if third else (17 if unit == "*" else 21) + (1, 2, 0)[kind]
            second = third[0] if third else fourth
        else:
            mode = 20 if third else 16 if first else 27
            second = fourth = third[0] if third else 0
        if first:
            assert not mode & 8
            control = mode & 7 | (mode & 16) >> 1
        else:
            control = mode & 15
            assert (second == fourth) == (mode >= 16), "a port cannot be read and written at once here"
        word = fourth << 8 | second << 14
        if len(low) == 2:
            a, b = low if low[0] <= 31 else (63 - low[0], 63 - low[1])
            return word | a << 20 | b << 25 | control << 31, ports
        high = control << 2 | (low[0] >> 5 if low else 2)
        return word | (low[0] & 31 if low else 0) << 20 | high << 25, ports


# The quadwords of a clause, by its number of tuples: the three parts of the tag (z: the bit that ends it; uN: the uppermost
# bits of tuple N), then 75 bits, 30 and 15: nT the lowest of tuple n, nM, nL its others, H the header, C the first constant.
_LAYOUTS: dict[int, list[str]] = {
    1: ["z 1 u0 0T H"],
    2: ["0 5 u0 0T H", "z 0 3 1T - u1"],
    3: ["0 5 u0 0T H", "0 4 u1 1T 2L", "z 0 4 C 2M u2"],
    4: ["0 5 u0 0T H", "0 4 u1 1T 2L", "z 0 5 3T 2M u23"],
    5: ["0 5 u0 0T H", "0 4 u1 1T 2L", "2 u3 u2 3T 2M c0", "z 2 u4 4T c"],
    6: ["0 5 u0 0T H", "0 4 u1 1T 2L", "0 0 1 3T 2M u23", "1 4 u4 4T 5L", "z 0 6 C 5M u5"],
    7: ["0 5 u0 0T H", "0 4 u1 1T 2L", "0 0 1 3T 2M u23", "1 4 u4 4T 5L", "z 0 7 6T 5M u56"],
    8: ["0 5 u0 0T H", "0 4 u1 1T 2L", "0 0 1 3T 2M u23", "1 4 u4 4T 5L", "3 u6 u5 6T 5M c0", "z 3 u7 7T c"],
}
_CONSTANT_PLACES = {1: (0,), 2: (1,), 3: (3,), 4: (2, 5), 5: (4, 8), 6: (7, 11, 14), 7: (6, 10, 13), 8: (9, 12)}
_FIRST_IS_PACKED = (3, 5, 6, 8)


def _quadword(parts: list[str], tuples: Sequence[int], header: int, constant: int, more: bool) -> int:
    def upper(part: str) -> int:
        return tuples[int(part[1])] >> 75 if part.startswith("u") else int(part)

    tag = (0 if more else 1) << 6 if parts[0] == "z" else int(parts[0]) << 6
    word = tag | upper(parts[1]) << 3 | upper(parts[2])
    main, *rest = parts[3:]
    word |= constant << 8 if main == "C" else (tuples[int(main[0])] & (1 << 75) - 1) << 8
    at = 83
    for part in rest:
        match part[0], part[1:]:
            case "H", _:
                word |= header << 83
            case "c", "":
                word |= (constant >> 15) << 83
            case "c", _:
                word |= (constant & 0x7FFF) << 113
            case "u", digits:
                for n, digit in enumerate(digits):
                    word |= (tuples[int(digit)] >> 75) << 125 - 3 * n
            case digit, "L":
                word |= (tuples[int(digit)] & (1 << 45) - 1) << at
            case digit, "M":
                word |= (tuples[int(digit)] >> 45 & (1 << 30) - 1) << at
    return word


def assemble_clause(clause: Clause, here: int, labels: dict[str, int], flow: int) -> bytes:
    """The quadwords: those of the tuples, then the constants."""
    constants: list[list[int]] = []
    own = [Ports(constants) for _ in clause.tuples]
    found = [
        [(line, [p.port(s, line.unit, here, labels) for s in line.sources]) for line in t]
        for t, p in zip(clause.tuples, own, strict=True)
    ]
    tuples: list[int] = []
    lines = [line for t in clause.tuples for line in t]
    message = 0
    for n, (t, ports) in enumerate(zip(found, own, strict=True)):
        block, at = ports.registers(writes_of(clause.tuples[n - 1]), n == 0)
        word = dict(_NOP)
        for line, sources in t:
            word[line.unit], _ = encode(
                find(line.unit, line.name), [at[-1 - s] if s < 0 else s for s in sources], line.modifiers
            )
            message = MESSAGES.get(line.name.split(".")[0], message) if line.unit == "+" else message
            message = _ATTRIBUTE if message == MESSAGES["LOAD"] and line.modifiers.get("seg") == "ubo" else message
        tuples.append(block | ports.constant() | word["*"] << 35 | word["+"] << 58)
    header = {"slot": 7 if message == 8 else 0, "message": message, "flow": flow} | clause.header
    waits = header.get("waits", 1 << header["slot"] if message else 0)
    staging = next((line.staging for line in lines if line.staging is not None), 0)
    bits = header["flow"] << 11 | header.get("barrier", 0) << 17 | staging << 18 | waits << 24 | header["slot"] << 32
    bits |= header["message"] << 35 | header.get("flush", 0) << 5
    values = [low >> 4 | high << 28 for low, high in constants]
    packed = len(tuples) in _FIRST_IS_PACKED
    first = values.pop(0) if packed and values else 0
    layout = _LAYOUTS[len(tuples)]
    quads = [_quadword(parts.split(), tuples, bits, first, bool(values)) for parts in layout]
    for n in range(0, len(values), 2):
        pair = [*values[n : n + 2], 0]
        tag = 0x30 if n + 2 < len(values) else 0x70
        quads.append(_CONSTANT_PLACES[len(tuples)][n // 2] | tag | pair[0] << 8 | pair[1] << 68)
    return b"".join(q.to_bytes(16, "little") for q in quads)


def size_of(clause: Clause, labels: dict[str, int]) -> int:
    """Its quadwords; distances to labels are not yet known."""
    return len(assemble_clause(clause, 0, dict.fromkeys(labels, 1), _ALONE)) // 16


def parse(text: str) -> tuple[list[Clause], dict[str, int]]:
    """The clauses, and the clause before which each label stands."""
    clauses: list[Clause] = []
    labels: dict[str, int] = {}
    inside = False
    for raw in text.splitlines():
        line = raw.partition("//")[0].strip()
        if not line:
            continue
        if line == "{":
            clauses.append(Clause())
        elif line.endswith(":"):
            labels[line[:-1]] = len(clauses)
        elif line == "end":
            clauses.append(Clause([[]], {"flow": 0}))
        elif line != "}":
            if not inside:
                clauses.append(Clause())
            parsed = [parse_line(part.strip()) for part in line.split(" ; ")]
            clauses[-1].tuples.append([own for own, _ in parsed])
            for _, header in parsed:
                clauses[-1].header |= header
        inside = line == "{" or (inside and line != "}")
    return clauses, labels


def _flow(clauses: Sequence[Clause], n: int, labels: dict[str, int]) -> int:
    """Lanes may part after a branch, and join at a label."""
    branches = any(line.name.startswith(("BRANCHZ", "JUMP")) for t in clauses[n].tuples for line in t)
    return _END if n == len(clauses) - 1 else _TOGETHER if branches or n + 1 in labels.values() else _ALONE


def assemble(text: str) -> bytes:
    """The shader's code; its last line ends it."""
    clauses, labels = parse(text)
    starts = [0]
    for clause in clauses:
        starts.append(starts[-1] + size_of(clause, labels))
    places = {name: starts[n] for name, n in labels.items()}
    code = [assemble_clause(c, starts[n], places, _flow(clauses, n, labels)) for n, c in enumerate(clauses)]
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
