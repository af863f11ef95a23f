"""Each rule of an Adreno's hazards on a few instructions: code that breaks it, and code that does not."""

from typing import NamedTuple


class Rule(NamedTuple):
    """Instructions stand between slashes. `wrong` has one finding, which contains these words; `right` has none."""

    wrong: str
    finding: str
    right: str
    gpu: int = 630


_LDG, _LDL, _LDP = (f"{name} type=u32 dst=r2.x address=r0.x size=1" for name in ("ldg", "ldl", "ldp"))
_STG = "stg type=u32 data=r2.x address=r0.x size=1"
_ATOMIC_G, _ATOMIC_L = (f"atomic.{letter}.add type=u32 dst=r2.x address=r0.x data=r1.x" for letter in "gl")
_SHFL = "shfl type=u32 dst=r2.x data=r0.x index=r0.y"
_ISAM = "isam type=u32 dst=r1.y mask=15"
_STC = "stc type=u32 dst=c2.x data=r0.x size=1"
_A1 = "mov.u16u16 a1.x, 256 / (rpt5)nop"
_LDC_K = "ldc.k size=1 address_immediate=1"
_ADD, _MOV, _HALF = "add.u r2.y, r2.x, r0.y", "mov.u32u32 r2.x, r0.x", "mov.u16u16 hr0.z, hr4.y"
_SHARED = "add.u r48.x, r48.y, r48.z"
_OF_LANES, _SAME = "cmps.u.lt p0.x, r48.x, r0.y", "cmps.u.lt p0.x, r48.x, c0.x"
_OVER = f"{_SHARED} / jump offset=2 / mov.u32u32 r2.x, r48.x"
_UNIFORM, _BR = "cmps.u.lt up0.x, r48.x, r48.y", "br offset=1"

RULES = {
    "sfu": Rule(f"rsq r2.x, r0.x / {_ADD}", "(ss) missing before add.u r2.y", f"rsq r2.x, r0.x / (ss){_ADD}"),
    "sfu overwritten": Rule(f"rsq r2.x, r0.x / {_MOV}", "(ss) missing before mov", f"rsq r2.x, r0.x / (ss){_MOV}"),
    "local": Rule(f"{_LDL} / {_ADD}", "(ss) missing", f"{_LDL} / (ss)nop / {_ADD}"),
    "global": Rule(f"{_LDG} / {_ADD}", "(sy) missing before add.u r2.y", f"{_LDG} / (sy){_ADD}"),
    "private": Rule(f"{_LDP} / (ss){_ADD}", "(sy) missing", f"{_LDP} / (sy){_ADD}"),
    "into another load": Rule(f"{_LDG} / {_LDP}", "(sy) missing before ldp", f"{_LDG} / (sy){_LDP}"),
    "atomic": Rule(f"{_ATOMIC_G} / {_ADD}", "(sy) missing", f"{_ATOMIC_G} / (sy){_ADD}"),
    "local atomic": Rule(f"{_ATOMIC_L} / {_ADD}", "(ss) missing", f"{_ATOMIC_L} / (ss){_ADD}"),
    "shuffle": Rule(f"{_SHFL} / {_ADD}", "(ss) missing", f"{_SHFL} / (ss){_ADD}"),
    "texture": Rule(f"{_ISAM} / {_ADD}", "(sy) missing", f"{_ISAM} / (sy){_ADD}"),
    # written before a read is over
    "store": Rule(f"{_STG} / {_MOV}", "r2.x is read by stg", f"{_STG} / (ss){_MOV}"),
    "store, (sy)": Rule(f"{_STG} / (sy){_MOV}", "(ss) missing", f"{_STG} / (ss){_MOV}"),
    "load": Rule(f"{_LDG} / mov.u32u32 r0.y, r1.x", "r0.y is read by ldg", f"{_LDG} / (sy)mov.u32u32 r0.y, r1.x"),
    "load, (ss)": Rule(f"{_LDG} / mov.u32u32 r0.x, r1.x", "(ss) missing", f"{_LDG} / (ss)mov.u32u32 r0.x, r1.x"),
    "sfu's source": Rule(f"rsq r1.x, r2.x / {_MOV}", "(ss) missing", f"rsq r1.x, r2.x / (ss){_MOV}"),
    # cycles
    "to alu, a6xx": Rule(f"{_MOV} / (rpt1)nop / {_ADD}", "1 delay slot missing", f"{_MOV} / (rpt2)nop / {_ADD}"),
    "to alu, a7xx": Rule(f"{_MOV} / nop / {_ADD}", "1 delay slot missing", f"{_MOV} / (rpt1)nop / {_ADD}", 730),
    "nop of an alu": Rule(f"{_MOV} / (nop1)add.u r3.x, r0.x, r0.y / {_ADD}", "1 delay slot missing",
                          f"{_MOV} / (nop2)add.u r3.x, r0.x, r0.y / {_ADD}"),
    "to sfu, a6xx": Rule(f"{_MOV} / (rpt2)nop / rsq r2.y, r2.x", "3 delay slots missing",
                         f"{_MOV} / (rpt5)nop / rsq r2.y, r2.x"),
    "to sfu, a7xx": Rule(f"{_MOV} / (rpt3)nop / rsq r2.y, r2.x", "1 delay slot missing",
                         f"{_MOV} / (rpt4)nop / rsq r2.y, r2.x", 730),
    "to an address": Rule(f"mov.u32u32 r0.y, r1.x / (rpt4)nop / {_LDG}", "r0.y is written by mov",
                          f"mov.u32u32 r0.y, r1.x / (rpt5)nop / {_LDG}"),
    "late source": Rule(f"{_MOV} / mad.f32 r2.y, r0.x, r0.y, r2.x", "1 delay slot missing before mad.f32",
                        f"{_MOV} / nop / mad.f32 r2.y, r0.x, r0.y, r2.x"),
    "no late source": Rule(f"{_MOV} / nop / sel.b32 r2.y, r0.x, r0.y, r2.x", "1 delay slot missing",
                           f"{_MOV} / (rpt1)nop / sel.b32 r2.y, r0.x, r0.y, r2.x", 730),
    "half of a full one": Rule(f"{_MOV} / (rpt4)nop / {_HALF}", "1 delay slot missing", f"{_MOV} / (rpt5)nop / {_HALF}"),
    "last of a repeated": Rule("(rpt2)mov.u32u32 r1.z, r0.x / (rpt1)nop / add.u r3.x, r2.x, r0.y", "1 delay slot missing",
                               "(rpt2)mov.u32u32 r1.z, r0.x / (rpt2)nop / add.u r3.x, r2.x, r0.y"),
    "first of a repeated": Rule("(rpt2)mov.u32u32 r2.x, r0.x / add.u r3.x, r2.x, r0.y", "1 delay slot missing",
                                "(rpt2)mov.u32u32 r2.x, r0.x / nop / add.u r3.x, r2.x, r0.y"),
    "predicate": Rule(f"cmps.u.lt p0.x, r0.x, r0.y / (rpt4)nop / {_BR}", "p0.x is written by cmps.u.lt",
                      f"cmps.u.lt p0.x, r0.x, r0.y / (rpt5)nop / {_BR}"),
    "a1.x": Rule(f"mov.u16u16 a1.x, 0 / (rpt4)nop / {_LDC_K}", "a1.x is written by mov",
                 f"mov.u16u16 a1.x, 0 / (rpt5)nop / {_LDC_K}"),
    "a1.x, early preamble": Rule(f"mov.u16u16 a1.x, (r)0 / (rpt5)nop / {_LDC_K}", "(ss) missing before ldc.k",
                                 f"mov.u16u16 a1.x, (r)0 / (ss)nop / {_LDC_K}", 730),
    "after prede": Rule("predt / nop / prede / (rpt5)nop", "1 nops missing after prede",
                         "predt / nop / prede / (rpt6)nop", 660),
    "after prede, and a jump": Rule("predt / nop / prede / jump offset=2 / nop / (jp)(rpt5)nop",
                                     "1 nops missing after prede",
                                     "predt / nop / prede / jump offset=2 / nop / (jp)(rpt6)nop", 660),
    "second part": Rule("predt / predf / (rpt3)nop / prede / (rpt6)nop", "1 nops missing after predf",
                        "predt / predf / (rpt4)nop / prede / (rpt6)nop", 730),
    # constants
    "stored constant": Rule(f"{_STC} / add.u r2.y, c2.x, r0.x", "a constant is stored before it",
                            f"{_STC} / add.u r2.y, c1.w, r0.x / (ss)add.u r2.z, c2.x, r0.x"),
    "stored constant, a1.x": Rule(f"{_A1} / {_STC} dst_a1=1 / add.u r2.y, c66.x, r0.x", "a constant is stored before it",
                                  f"{_A1} / {_STC} dst_a1=1 / add.u r2.y, c65.w, r0.x"),
    "loaded constants": Rule(f"{_LDC_K} / add.u r2.y, c2.x, r0.x", "(sy) missing", f"{_LDC_K} / (sy)add.u r2.y, c2.x, r0.x"),
    # what waits for all
    "barrier": Rule(f"bar / nop / {_ADD}", "(ss) and (sy) missing before add.u", f"bar / nop / (sy)(ss){_ADD}"),
    "barrier, one flag": Rule(f"bar / (sy){_ADD}", "(ss) missing", f"bar / (ss)nop / (sy){_ADD}"),
    "preamble's end": Rule("(ss)shpe", "(sy) missing before (ss)shpe", "(sy)(ss)shpe"),
    "lock": Rule("(sy)lock / unlock", "(ss) missing before (sy)lock", "(sy)(ss)lock / unlock", 730),
    # registers that a wave shares
    "shared": Rule("mov.u32u32 r48.x, r0.x / mov.u32u32 r2.x, r48.x", "(ss) missing",
                   "mov.u32u32 r48.x, r0.x / (ss)mov.u32u32 r2.x, r48.x"),
    "shared, to others": Rule("add.u r48.x, r48.y, r48.z / mov.u32u32 r2.x, r48.x", "(ss) missing",
                              "add.u r48.x, r48.y, r48.z / add.u r49.x, r48.x, 1 / (ss)mov.u32u32 r2.x, r48.x", 660),
    "shared, without a unit": Rule("add.u r48.x, r48.y, r48.z / add.u r49.x, r48.x, 1", "(ss) missing",
                                   "add.u r48.x, r48.y, r48.z / (ss)add.u r49.x, r48.x, 1"),
    "shared, another size": Rule("add.u r48.x, r48.y, r48.z / add.u hr50.x, hr48.x, 1", "(ss) missing",
                                 "add.u r48.x, r48.y, r48.z / (ss)add.u hr50.x, hr48.x, 1", 660),
    "shared, written over": Rule(f"{_SHARED} / add.u r49.x, r48.x, 1 / add.u hr48.x, hr54.x, 1", "comes from add.u r48.x",
                                 f"{_SHARED} / add.u r49.x, r48.x, 1 / (ss)add.u hr48.x, hr54.x, 1", 660),
    "predicate of a wave": Rule(f"{_UNIFORM} / (rpt5)nop / {_BR}", "(ss) missing before br", f"{_UNIFORM} / (ss){_BR}", 730),
    # lanes that wait after a jump forward run next, but none wait after a jump back
    "shared, other lanes": Rule(f"br offset=3 / {_SHARED} / jump offset=2 / mov.u32u32 r2.x, r48.x", "(ss) missing",
                                f"(ss)br offset=3 / {_SHARED} / jump offset=-2 / mov.u32u32 r2.x, r48.x", 660),
    # nor if a predicate of the whole wave made all of them jump, or none
    "shared, no other lanes": Rule(f"{_OF_LANES} / (rpt5)nop / br offset=3 / {_OVER}", "(ss) missing",
                                   f"{_UNIFORM} / (ss)br offset=3 / {_OVER}", 730),
    # nor if it was computed from what is the same in all lanes, unless other lanes come with another one
    "shared, a predicate of lanes": Rule(f"{_OF_LANES} / (rpt5)nop / br offset=3 / {_OVER}", "(ss) missing before mov",
                                         f"{_SAME} / (rpt5)nop / br offset=5 / nop / br offset=3 / {_OVER}", 660),
    "shared, where lanes meet": Rule(f"{_SAME} / br predicate=1 offset=2 / {_SAME} / (rpt5)nop / br offset=3 / {_OVER}",
                                     "(ss) missing before mov",
                                     f"br predicate=1 offset=2 / nop / {_SAME} / (rpt5)nop / br offset=3 / {_OVER}", 660),
    # along the paths
    "one arm": Rule(f"br offset=2 / {_LDG} / {_ADD}", "(sy) missing before add.u", f"br offset=2 / {_LDG} / (sy){_ADD}"),
    "round a loop": Rule(f"{_ADD} / {_LDG} / br offset=-2 / (ss)nop", "(sy) missing before add.u",
                         f"(sy){_ADD} / {_LDG} / br offset=-2 / (ss)nop"),
    "cycles over a jump": Rule(f"{_MOV} / jump offset=2 / (rpt5)nop / {_ADD}", "3 delay slots missing",
                               f"{_MOV} / (rpt2)nop / jump offset=2 / (rpt5)nop / {_ADD}"),
    "after a predication": Rule(f"predt / {_LDG} / prede / {_ADD}", "(sy) missing before add.u",
                                 f"predt / {_LDG} / predf / {_ADD} / prede / (sy){_ADD}"),
    # all lanes that the first branch leaves take the second one: only the jump leads to the sum
    "two branches": Rule(f"br offset=4 / {_LDG} / br offset=3 / br offset=2 / {_ADD} / (sy){_ADD}", "(sy) missing",
                         f"br offset=4 / {_LDG} / br offset=3 inverted=1 / br offset=2 / {_ADD} / (sy){_ADD}"),
}  # fmt: skip
