"""The waits of an instruction for those before it: flags, and cycles in between. The hardware does not wait by itself.

The documentation is Mesa's compiler, src/freedreno/ir3: ir3_delay.c, ir3_legalize.c, and the predicates of ir3.h.
Each row names the function that it is taken from. hazards.c derives from a finished binary whether every path through
it obeys.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase

# How to wait for the end of an instruction's writing or reading.
NOTHING = "NO_WAIT"  # no wait is needed: there is nothing to wait for, or it is over at once
SLOTS = "BY_SLOTS"  # by a number of cycles
SS = "BY_SS"  # by (ss)
SY = "BY_SY"  # by (sy)
EITHER = "BY_EITHER"  # by one of both


@dataclass(frozen=True, slots=True)
class Rule:
    """What the instructions of a category whose names match `names` leave pending."""

    categories: tuple[int, ...]
    names: str
    result: str = NOTHING  # the wait for what it writes to registers
    sources: str = NOTHING  # for what it reads from registers: a write too early would change it
    constants: str = NOTHING  # for what it writes to constants
    waits: bool = False  # it waits by itself, as with both flags
    barrier: bool = False  # so does the instruction after it
    cycle: bool = False  # it takes a cycle, and one more for each (rpt) and (nop)
    source: str = ""


# The first row that matches applies.
RULES = (
    Rule((0,), "jump", source="count_instruction(): it may not be there in the end"),
    Rule((0,), "br", source="count_instruction()"),
    Rule((0,), "br[aA][ao]", source="count_instruction()"),
    Rule((0,), "shpe", waits=True, cycle=True, source="legalize_block()"),
    Rule((0,), "*", cycle=True, source="count_instruction()"),
    Rule((1, 2, 3), "*", result=SLOTS, cycle=True, source="ir3_delayslots()"),
    Rule((4,), "*", result=SS, sources=SS, source="is_sfu(), is_war_hazard_producer()"),
    Rule((5,), "tcinv", source="is_tex()"),
    Rule((5,), "*", result=SY, sources=EITHER, source="is_tex_or_prefetch(), is_war_hazard_producer()"),
    Rule((6,), "getfiberid", result=SS, sources=SS, source="is_sfu()"),
    Rule((6,), "shfl", result=SS, sources=SS, source="is_ss_producer()"),
    Rule((6,), "ldl*", result=SS, sources=SS, source="is_local_mem_load()"),
    # Mesa lets (sy) end its reading as well, though (sy) does not wait for its result (bug 546).
    Rule((6,), "atomic.l.*", result=SS, sources=SS, source="legalize_block(), is_atomic()"),
    Rule((6,), "resinfo.b", result=SS, sources=EITHER, source="legalize_block(), OPC_RESINFO"),
    Rule((6,), "ldc.k", sources=EITHER, constants=SY, source="legalize_block(), needs_sy_for_const"),
    # Mesa names only ldc.k; both are loads from memory into constants.
    Rule((6,), "ldg.k", sources=EITHER, constants=SY, source="legalize_block(), needs_sy_for_const"),
    Rule((6,), "stc", sources=SS, constants=SS, source="legalize_block(), needs_ss_for_const"),
    Rule((6,), "st*", sources=SS, source="is_store(), is_war_hazard_producer()"),
    Rule((6,), "*", result=SY, sources=EITHER, source="is_sy_producer(), is_war_hazard_producer()"),
    Rule((7,), "lock", waits=True, source="ir3-cat7.xml: (sy); Mesa's own have (ss) too"),
    Rule((7,), "unlock", source="ir3-cat7.xml: it follows a lock without a flag"),
    Rule((7,), "alias*", source="is_barrier()"),
    # If a barrier ends a block, Mesa's flags are lost with the jump that opt_jump() removes. What they do is not public.
    Rule((7,), "*", barrier=True, source="is_barrier(): the instruction after it has (ss) and (sy)"),
)


@dataclass(frozen=True, slots=True)
class Delays:
    """The cycles from a result to its use, on some GPUs."""

    gpus: tuple[tuple[int, int], ...]  # ranges of their numbers
    alu: int  # to another instruction of the categories 1 to 3 that reads the register in the same size
    other: int  # to all else; of a0.x, a1.x and p0 to all
    late: int  # how much later than others mad and madsh read their third source,
    all_late: bool  # and with EMULATOR_ACCEPT=third-source all of category 3
    scalar: bool  # a separate unit computes in shared registers; the others wait for it by (ss)
    after_second: int  # nops after the start of the second part of a predication,
    after_prede: int  # and after its end
    source: str


# By 25.0.7's compiler all of category 3 reads its third source late on a7xx; by 26.2.6's only mad and madsh do, as on
# a6xx. The newer one is taken to be right. The variable is for the older one, whose code mostly breaks this rule. A
# source without a file name is in freedreno_devices.py.
DELAYS = (
    Delays(((600, 634), (640, 649), (680, 689), (702, 702)), 3, 6, 2, False, False, 0, 0, "ir3_compiler.c, delay_slots"),
    Delays(((650, 659),), 3, 6, 2, False, True, 0, 7, "a6xx_gen3: has_scalar_alu, prede_nop_quirk"),
    Delays(((635, 639), (660, 679), (690, 699)), 3, 6, 2, False, True, 5, 7, "a6xx_gen4: predtf_nop_quirk too"),
    Delays(((700, 701), (703, 799)), 2, 5, 1, True, True, 5, 7, "ir3_compiler.c, gen >= 7; a7xx_base"),
)


def rule(category: int, name: str) -> Rule:
    """The rule for an instruction."""
    return next(r for r in RULES if category in r.categories and fnmatchcase(name, r.names))


def is_late(name: str) -> bool:
    """True if the third source is read late (ir3_src_read_delay())."""
    return name.startswith("mad")
