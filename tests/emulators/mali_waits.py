"""What a Mali's finished shader has to wait for, message by message along every path: no state flows.

The steps are read off the emulator's listing of a shader, clauses of a Bifrost or instructions of a Valhall, which knows
registers and waits, but none of the rules.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from emulators.mali.valhall import VALHALL

_VALHALL = {i.name: i for i in VALHALL}
NO_MESSAGE = -1
_END = 1 << 30  # the target of a jump that ends the shader
_RECONVERGE = (2, 4, 6)  # flows of a clause
_CONSTANT = "0x0"
_LOADS, _STORES = ("LOAD.", "LD_TEX", "LD_ATTR_TEX"), ("STORE", "ST_CVT", "ATOM", "AXCHG", "ACMPXCHG")
_CLAUSE = re.compile(r"  clause \d+: flow (\d), slot (\d), waits (0x..)(, staging barrier)?, message (\d+)")
Registers = frozenset[int]


@dataclass(frozen=True, slots=True)
class Step:
    """A clause or an instruction: its registers, its message's, and what it waits for after both."""

    follows: tuple[int, ...] = ()
    reconverges: bool = False
    waits: frozenset[int] = frozenset()
    staging_barrier: bool = False
    reads: Registers = frozenset()
    writes: Registers = frozenset()
    last: Registers = frozenset()  # which no message may still have to read: written, or last used on Valhall
    slot: int | None = None  # of a message; NO_MESSAGE of an end that waits as one does
    takes: Registers = frozenset()  # the registers that the message reads
    gives: Registers = frozenset()
    kind: str = ""  # load or store, of memory that is written, or barrier


def valhall_steps(listing: Sequence[str]) -> list[Step]:
    return [_instruction(n, line.split(maxsplit=1)[1]) for n, line in enumerate(listing)]


def bifrost_steps(listing: Sequence[str]) -> list[Step]:
    steps: list[Step] = []
    for line in listing:
        if match := _CLAUSE.match(line):
            flow, slot, waits = int(match[1]), int(match[2]), int(match[3], 16)
            following = () if flow == 0 else (len(steps) + 1,)
            held = frozenset(k for k in range(8) if waits >> k & 1)
            message = slot if int(match[5]) else None
            steps.append(Step(following, flow in _RECONVERGE, held, bool(match[4]), slot=message))
            continue
        steps[-1] = _part(steps[-1], line.strip())
    return steps


def _part(step: Step, line: str) -> Step:
    """A clause with one more line of it."""
    if target := re.match(r"branches to (-?\d+)", line):
        to = int(target[1])
        return replace(step, follows=(*step.follows, to if to >= 0 else _END))
    if written := re.match(r"r(\d+)(\.h.)? = ", line):
        return replace(step, writes=step.writes | {int(written[1])}, last=step.last | {int(written[1])})
    name = line[1:].partition(" ")[0]
    takes, gives = _staging(line)
    if name == "JUMP":  # its target stands before
        step = replace(step, follows=step.follows[1:])
    return replace(
        step, reads=step.reads | _named(line) | takes, writes=step.writes | gives, last=step.last | gives,
        takes=step.takes | takes, gives=step.gives | gives, kind=step.kind or _kind(name),
    )  # fmt: skip


def _kind(name: str) -> str:
    if name.startswith("BARRIER"):
        return "barrier"
    if name.startswith(_STORES) and not name.startswith(("ATOM_C.", "ATOM_C1", "ATOM_C_", "ATOM_POST")):
        return "store"
    return "load" if name.startswith(_LOADS) and ".ubo" not in name else ""


def _named(text: str, before: str = "") -> Registers:
    found = re.findall(rf"(?<![@\w]){re.escape(before)}r(\d+)(:2)?", text)
    return frozenset(int(number) + more for number, wide in found for more in range(2 if wide else 1))


def _staging(text: str) -> tuple[Registers, Registers]:
    """A message's registers, as @r4:2 has them: those that it reads, those that it writes."""
    both: list[Registers] = []
    for pattern in (r", @r(\d+):(\d+)", r" to @r(\d+):(\d+)"):
        match = re.search(pattern, text)
        both.append(frozenset(range(int(match[1]), int(match[1]) + int(match[2]))) if match else frozenset())
    return both[0], both[1]


def _instruction(n: int, text: str) -> Step:
    head, _, rest = text.partition(" ")
    table = _VALHALL[max((own for own in _VALHALL if head == own or head.startswith(f"{own}.")), key=len)]
    result: Registers = frozenset()
    if table.result:
        first, _, rest = rest.partition(", ")
        result = _named(first)
    takes, gives = _staging(f", {rest}")
    waits, slot = re.search(r"\.wait([0-9a-f]+)", head), re.search(r"\.slot(\d)", head)
    follows: tuple[int, ...] = () if ".end" in head else (n + 1,)
    if table.name == "BRANCHZ" and follows:
        operand, _, target = rest.rpartition(", ")
        always = operand == _CONSTANT and ".eq" in head
        follows = (int(target),) if always else (n + 1, int(target))
    return Step(
        follows, ".reconverge" in head, frozenset(k for k in range(8) if waits and int(waits[1], 16) >> k & 1), False,
        _named(rest) | takes, result | gives, _named(rest, "^"), int(slot[1]) if slot else None if follows else NO_MESSAGE,
        takes, gives, _kind(head),
    )  # fmt: skip


def without(step: Step, what: str) -> Step:
    """The same steps with one thing less, by its name in mali_drops.py."""
    if what == "staging barrier":
        return replace(step, staging_barrier=False)
    if what == "reconvergence":
        return replace(step, reconverges=False)
    return replace(step, waits=step.waits - set(map(int, what.removeprefix("wait "))))


def lacks(steps: Sequence[Step], bifrost: bool) -> set[int]:
    """The steps that begin too early on some path, and those after which lanes part or join without saying so.

    If a clause of Bifrost falls through to where others join, Mesa reports nothing if an empty block lies between.
    """
    return _apart(steps, bifrost).union(*(_too_early(steps, n) for n, step in enumerate(steps) if step.slot is not None))


def _must_wait(early: Step, late: Step) -> bool:
    """For all of the earlier step's message, not only for its reads of registers."""
    memory = {"load": ("store", "barrier"), "store": ("load", "store", "barrier")}.get(early.kind, ())
    behind_barrier = early.kind == "barrier" and late.slot is not None
    return bool(early.gives & (late.reads | late.writes)) or late.kind in memory or behind_barrier


def _unread(step: Step, registers: Registers) -> Registers:
    return frozenset() if step.staging_barrier else registers


def _too_early(steps: Sequence[Step], n: int) -> set[int]:
    """From a message along all paths, until its slot has been waited for, with the registers that it may still read."""
    early, found = steps[n], set[int]()
    waiting = [] if early.slot in early.waits else [(to, _unread(early, early.takes)) for to in early.follows]
    seen = set(waiting)
    while waiting:
        at, unread = waiting.pop()
        if at >= len(steps):
            continue
        late = steps[at]
        if _must_wait(early, late) or unread & late.last:
            found.add(at)
        if early.slot in late.waits:
            continue
        for to in late.follows:
            if (following := (to, _unread(late, unread - late.writes))) not in seen:
                seen.add(following)
                waiting.append(following)
    return found


def _apart(steps: Sequence[Step], bifrost: bool) -> set[int]:
    reached, waiting = {0}, [0]
    while waiting:
        for to in steps[waiting.pop()].follows:
            if to < len(steps) and to not in reached:
                reached.add(to)
                waiting.append(to)
    ways = Counter(to for n in reached for to in steps[n].follows)
    found = set[int]()
    for n in reached:
        step = steps[n]
        over = steps[n + 1 : max(step.follows, default=0)]
        leaves_loop = any(back <= n for passed in over for back in passed.follows)
        joins = len(step.follows) == 1 and ways[step.follows[0]] > 1 and not leaves_loop
        joins &= not (bifrost and step.follows == (n + 1,))
        if not step.reconverges and (len(step.follows) > 1 or joins):
            found.add(n)
    return found
