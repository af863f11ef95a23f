"""What a kernel of Gen12 must wait for, by pairs of instructions along each path: slow, and no state flows.

Two instructions conflict if one writes a dword that the other reads or writes. On each path on which every edge is taken at
most twice, an earlier one has to be over before a later one that conflicts with it: by a distance, by its token, or by
eleven instructions between.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from emulators.intel import compaction
from emulators.intel.instructions import INSTRUCTIONS, MATH, SEND, SYNC, THREE, TWO

_BY_OPCODE = {i.opcode: i for i in INSTRUCTIONS}
_SOURCES = {number: 2 if " b" in text or "b " in text or ", b" in text else 1 for number, (_, text) in MATH.items()}
_BYTES = 32
_ADDRESS, _ACCUMULATOR, _APART = 1, 2, (4, 7, 8, 12)  # kinds of architecture registers
JMPI, IF, ENDIF, WHILE, BREAK, MATH_OPCODE, SYNC_OPCODE = 32, 34, 37, 39, 40, 56, 1
_DEPTH = 10
Units = frozenset[tuple[str, int]]


@dataclass(slots=True)
class Step:
    """An instruction: what it reads and writes in dwords, how it waits."""

    opcode: int
    maskless: bool
    reads: Units = frozenset()  # that must not be written before it has read them
    needs: Units = frozenset()  # beside them, that must be complete
    writes: Units = frozenset()
    apart: bool = False
    follows: list[int] = field(default_factory=list)
    distance: int = 0
    written: int = 0
    read: int = 0
    token: int | None = None

    @property
    def unordered(self) -> bool:
        return self.opcode in (49, 50, MATH_OPCODE)

    @property
    def counts(self) -> bool:
        return not self.unordered and self.opcode != SYNC_OPCODE


def _get(word: int, name: str) -> int:
    low, high = _BY_OPCODE[word & 127].form.fields[name]
    return word >> low & (2 << high - low) - 1


def _span(file: str, first: int, size: int) -> set[tuple[str, int]]:
    return {(file, unit) for unit in range(first // 4, (first + size - 1) // 4 + 1)}


def _stride(code: int) -> int:
    return 1 << code - 1 if code else 0


def _elements(word: int, name: str, n: int) -> list[int]:
    """The elements of a region that the channels use."""
    if _BY_OPCODE[word & 127].form is THREE:
        code = _get(word, f"{name}.horizontal")
        if name == "dst":
            return [k * (1 << code) for k in range(n)]
        steps = {"src[0]": (43, 35), "src[1]": (91, 83), "src[2]": None}[name]
        vertical = (word >> steps[0] & 1) << 1 | word >> steps[1] & 1 if steps else 0
        step = (0, 1, 2, 4)[code] or (0, 1, 4, 8)[vertical]
        return [k * step for k in range(n)]
    across = _stride(_get(word, f"{name}.horizontal"))
    if name == "dst":
        return [k * across for k in range(n)]
    width, down = 1 << _get(word, f"{name}.width"), _stride(_get(word, f"{name}.vertical"))
    return [k // width * down + k % width * across for k in range(n)]


def _operand(word: int, name: str, n: int, step: Step) -> set[tuple[str, int]]:
    three = _BY_OPCODE[word & 127].form is THREE
    if name != "dst" and name != "src[1]" * three and _get(word, f"{name}.immediate"):
        return set()
    size = 1 << (_get(word, f"{name}.type") & 3)
    if not three and _get(word, f"{name}.indirect"):
        low = {"dst": 60, "src[0]": 76, "src[1]": 108}[name]
        rows = n >> _get(word, f"{name}.width") if name != "dst" and _get(word, f"{name}.vertical") == 15 else 1
        step.needs |= _span("a0", 2 * (word >> low & 15), 2 * max(rows, 1))
        return set()
    number, sub = _get(word, f"{name}.number"), _get(word, f"{name}.sub") * (8 if three and name == "dst" else 1)
    file, base = "r", number * _BYTES + sub
    if not _get(word, f"{name}.file"):
        kind, base = number >> 4, sub
        step.apart |= kind in _APART
        if kind == _ACCUMULATOR:
            return {("acc", 0)}
        if kind != _ADDRESS:
            return set()
        file = "a0"
    return set().union(*(_span(file, base + e * size, size) for e in _elements(word, name, n)))


def _message(word: int, step: Step) -> None:
    d = (word >> 122 & 3) << 30 | (word >> 67 & 31) << 25 | (word >> 51 & 31) << 20
    more = word >> 99 & 15
    assert not word >> 48 & 3, "lengths in a0 are not looked at"
    length, response = d >> 25 & 15, d >> 20 & 31
    for bits, name, count in ((0, "src[0]", length), (0, "src[1]", more), (1, "dst", response)):
        if count and _get(word, f"{name}.file"):
            span = frozenset(_span("r", _get(word, f"{name}.number") * _BYTES, count * _BYTES))
            step.writes, step.reads = (step.writes | span, step.reads) if bits else (step.writes, step.reads | span)


def _annotation(word: int, step: Step) -> None:
    mark = word >> 8 & 255
    token = mark & 15
    if mark & 0x80:
        step.distance = mark >> 4 & 7
        step.token, step.written = (token, 1 << token) if step.unordered else (None, 1 << token)
    elif mark >> 4 in (2, 4):
        step.written, step.token = 1 << token, token if mark >> 4 == 4 else None
    elif mark >> 4 == 3:
        step.read = 1 << token
    else:
        step.distance = mark & 7
    kind = word >> 92 & 15
    if step.opcode == SYNC_OPCODE and kind in (2, 3):
        mask = word >> 96 & 0xFFFF if word >> 46 & 1 else 0xFFFF
        step.read, step.written = (step.read | mask, step.written) if kind == 2 else (step.read, step.written | mask)


def _expanded(short: int) -> int:
    """A compacted instruction's word, without the value of an immediate."""
    three = _BY_OPCODE[short & 127].form is THREE
    word = 0
    for high, low, at in compaction.PLAIN3 if three else compaction.PLAIN:
        word |= (short >> at & (2 << high - low) - 1) << low
    words = compaction.GENERATIONS["GEN12"]
    for index in words.three if three else words.two:
        word |= _put(index, short)
    if not three and not word >> 46 & 3:
        word |= _put(words.source1, short) | (short >> 56 & 255) << 104
    return word


def _put(index: compaction.Index, short: int) -> int:
    low, high = index.bits
    entry = index.words[short >> low & (2 << high - low) - 1]
    return sum((entry >> at & (2 << a - b) - 1) << b for a, b, at in index.pieces)


def words_of(code: bytes) -> dict[int, int]:
    """The instructions by their places."""
    found: dict[int, int] = {}
    at = 0
    while at < len(code):
        short = int.from_bytes(code[at : at + 8], "little")
        compacted = short >> 29 & 1
        found[at] = _expanded(short) if compacted else int.from_bytes(code[at : at + 16], "little")
        at += 8 if compacted else 16
    return found


def steps_of(code: bytes) -> list[Step]:
    placed = words_of(code)
    number = {place: n for n, place in enumerate(placed)}
    words = list(placed.values())
    found: list[Step] = []
    for at, (place, word) in enumerate(placed.items()):
        own = _BY_OPCODE[word & 127]
        step = Step(own.opcode, bool(_get(word, "no_mask")), follows=[at + 1])
        n = 1 << _get(word, "size")
        _annotation(word, step)
        if own.form is SEND:
            _message(word, step)
            if word >> 34 & 1:
                step.follows = []
        elif own.form in (TWO, THREE):
            count = _SOURCES[word >> 92 & 15] if own.opcode == MATH_OPCODE else own.sources
            step.writes = frozenset(_operand(word, "dst", n, step))
            step.reads = frozenset().union(*(_operand(word, f"src[{k}]", n, step) for k in range(count)))
            if _get(word, "accumulates"):
                step.writes |= {("acc", 0)}
        elif own.form is not SYNC:
            always = own.opcode in (JMPI, WHILE) and not _get(word, "predicate")
            step.follows = [] if always else [at + 1]
            if own.opcode in (IF, WHILE, JMPI):
                step.follows.append(number[place + (16 if own.opcode == JMPI else 0) + _signed(word >> 96)])
            elif own.opcode != ENDIF:
                to = number[place + _signed(word >> 64 & 0xFFFFFFFF)]
                step.follows.append(to + (own.opcode == BREAK and words[to] & 127 == WHILE))
        found.append(step)
    return found


def _signed(value: int) -> int:
    return value - (1 << 32) if value >> 31 else value


def paths_of(steps: list[Step]) -> Iterator[list[int]]:
    """Every edge is taken at most twice."""
    waiting: list[tuple[list[int], dict[tuple[int, int], int]]] = [([0], {})]
    while waiting:
        path, taken = waiting.pop()
        while path[-1] < len(steps) and steps[path[-1]].follows:
            at = path[-1]
            ways = [to for to in dict.fromkeys(steps[at].follows) if taken.get((at, to), 0) < 2]
            if not ways:
                break
            for to in ways[1:]:
                waiting.append(([*path, to], {**taken, (at, to): taken.get((at, to), 0) + 1}))
            path.append(ways[0])
            if len(steps[at].follows) > 1:
                taken[at, ways[0]] = taken.get((at, ways[0]), 0) + 1
        yield [at for at in path if at < len(steps)]


def _ends(steps: list[Step], early: Step, at: int, count: int, how: str, alike: bool) -> bool:
    """True if an instruction waits for an earlier one, `count` of those that compute after it; `alike`: with any mask."""
    step = steps[at]
    if not (alike or step.maskless or not early.maskless):
        return False
    if early.unordered:
        tokens = step.written | (step.read if how == "read" else 0)
        return early.token is not None and bool(tokens >> early.token & 1)
    return 0 < step.distance <= count


def _clash(early: Step, late: Step) -> str:
    """What the later one has to wait for: until something is "written", or "read"."""
    hidden = {("acc", 0)}
    result = late.reads | late.needs
    if late.unordered or not early.counts:
        result |= late.writes - hidden
    if early.writes & result:
        return "written"
    return "read" if (late.unordered or not early.counts) and early.reads & (late.writes - hidden) else ""


Clash = tuple[tuple[int, ...], str]


def clashes_of(steps: list[Step]) -> set[Clash]:
    """The parts of paths from an instruction to one that must wait for it; until two others have waited for it."""
    found: set[Clash] = set()
    for path in paths_of(steps):
        for first, at in enumerate(path):
            early, count, over = steps[at], 0, 0
            for last in range(first + 1, len(path)):
                count += steps[path[last - 1]].counts
                if over > 1 or (early.counts and count > _DEPTH):
                    break
                if how := _clash(early, steps[path[last]]):
                    found.add((tuple(path[first : last + 1]), how))
                over += _ends(steps, early, path[last], count, "written", False)
    return found


def lacks(steps: list[Step], clashes: set[Clash], changed: int | None = None) -> set[int]:
    """The instructions that begin too early on some path; only those that may do so if this one is changed."""
    found = {at for at, step in enumerate(steps) if step.unordered and step.follows and step.token is None}
    begins = {to for at, step in enumerate(steps) if step.follows != [at + 1] for to in step.follows}  # of blocks
    for at, step in enumerate(steps):
        if step.apart:
            found |= {to for to in (at, *step.follows) if steps[to].distance != 1}
    for part, how in clashes:
        if changed is not None and changed not in part:
            continue
        early, count, late = steps[part[0]], 0, steps[part[-1]]
        for k in range(1, len(part)):
            alike = early.unordered and not late.maskless and begins.isdisjoint(part[k + 1 :])
            count += steps[part[k - 1]].counts
            if _ends(steps, early, part[k], count, how, alike or k == len(part) - 1):
                break
        else:
            found.add(part[-1])
    return found
