"""Each rule of the emulated Adreno's hazards on a few instructions: code that breaks it, and code that does not."""

from __future__ import annotations

from adreno_code import Words, word

A0, A1, P0, SHARED = 244, 245, 248, 192
_U16, _U32 = 2, 3
_FULL = {(52, 52): 1}
END, BAR, PREDT, PREDF, PREDE = map(word, ("end", "bar", "predt", "predf", "prede"))
UNLOCK = word("unlock", generation=7)
LDC_K = word("ldc.k", size=1, address_immediate=1)
STC = word("stc", dst=8, data=0, size=1, type=_U32)
SHFL = word("shfl", data=0, index=1, dst=8, type=_U32)
ISAM = word("isam", {(0, 0): 1}, dst=8, mask=15, type=_U32)
UNIFORM = word("cmps.u", {(0, 7): SHARED, (16, 23): SHARED} | _FULL, dst=A0)


def nop(cycles: int = 1, *, ss: int = 0, sy: int = 0) -> int:
    return word("nop", repeat=cycles - 1, ss=ss, sy=sy)


def mov(to: int, source: int, ss: int = 0, sy: int = 0, repeat: int = 0, type_: int = _U32) -> int:
    return word("mov", {(0, 7): source}, dst=to, type=type_, src_type=type_, ss=ss, sy=sy, repeat=repeat)


def mova(to: int, value: int = 0, early: int = 0) -> int:
    return word("mov", {(0, 31): value, (53, 54): 2, (43, 43): early}, dst=to, type=_U16, src_type=_U16)


def add(to: int, a: int, b: int = 1, ss: int = 0, sy: int = 0) -> int:
    return word("add.u", {(0, 7): a, (16, 23): b} | _FULL, dst=to, ss=ss, sy=sy)


def add_constant(to: int, constant: int, ss: int = 0, sy: int = 0) -> int:
    return word("add.u", {(0, 10): constant, (11, 13): 2, (16, 23): 1} | _FULL, dst=to, ss=ss, sy=sy)


def compare(predicate: int = 0) -> int:
    return word("cmps.u", {(0, 7): 0, (16, 23): 1} | _FULL, dst=P0 + predicate)


def rsq(to: int, source: int, ss: int = 0) -> int:
    return word("rsq", {(0, 7): source} | _FULL, dst=to, ss=ss)


def mad(to: int, a: int, b: int, c: int, name: str = "mad.f32") -> int:
    return word(name, {(0, 7): a, (47, 54): b, (16, 23): c}, dst=to)


def load(name: str, to: int, address: int = 0, sy: int = 0) -> int:
    return word(name, dst=to, address=address, size=1, type=_U32, sy=sy)


def store(name: str, data: int, address: int = 0) -> int:
    return word(name, data=data, address=address, size=1, type=_U32)


def atomic(name: str, to: int, data: int) -> int:
    return word(name, dst=to, address=0, data=data, type=_U32)


def branch(offset: int, inverted: int = 0) -> int:
    return word("br", offset=offset, inverted=inverted)


# What is wrong, on which GPU, and the finding; the repaired code, of which nothing is said.
RULES: dict[str, tuple[int, Words, str, Words]] = {
    "sfu": (630, [rsq(8, 0), add(9, 8)], "(ss) missing before add.u r2.y", [rsq(8, 0), add(9, 8, ss=1)]),
    "sfu overwritten": (630, [rsq(8, 0), mov(8, 1)], "(ss) missing before mov", [rsq(8, 0), mov(8, 1, ss=1)]),
    "local": (630, [load("ldl", 8), add(9, 8)], "(ss) missing", [load("ldl", 8), nop(ss=1), add(9, 8)]),
    "global": (630, [load("ldg", 8), add(9, 8)], "(sy) missing before add.u r2.y", [load("ldg", 8), add(9, 8, sy=1)]),
    "private": (630, [load("ldp", 8), add(9, 8, ss=1)], "(sy) missing", [load("ldp", 8), add(9, 8, sy=1)]),
    "into another load": (
        630,
        [load("ldg", 8), load("ldp", 9, 8)],
        "(sy) missing before ldp",
        [load("ldg", 8), load("ldp", 9, 8, sy=1)],
    ),
    "atomic": (
        630,
        [atomic("atomic.g.add", 8, 4), add(9, 8)],
        "(sy) missing",
        [atomic("atomic.g.add", 8, 4), add(9, 8, sy=1)],
    ),
    "local atomic": (
        630,
        [atomic("atomic.l.add", 8, 4), add(9, 8)],
        "(ss) missing",
        [atomic("atomic.l.add", 8, 4), add(9, 8, ss=1)],
    ),
    "shuffle": (630, [SHFL, add(9, 8)], "(ss) missing", [SHFL, add(9, 8, ss=1)]),
    "texture": (630, [ISAM, add(12, 11)], "(sy) missing", [ISAM, add(12, 11, sy=1)]),
    "read by a store": (630, [store("stg", 8), mov(8, 4)], "r2.x is read by stg", [store("stg", 8), mov(8, 4, ss=1)]),
    "read by a store, (sy)": (630, [store("stg", 8), mov(8, 4, sy=1)], "(ss) missing", [store("stg", 8), mov(8, 4, ss=1)]),
    "read by a load": (630, [load("ldg", 8, 4), mov(4, 0)], "(ss) missing", [load("ldg", 8, 4), mov(4, 0, sy=1)]),
    "read by a load, (ss)": (
        630,
        [load("ldg", 8, 4), mov(5, 0)],
        "r1.y is read by ldg",
        [load("ldg", 8, 4), mov(5, 0, ss=1)],
    ),
    "read by an sfu": (630, [rsq(8, 4), mov(4, 0)], "(ss) missing", [rsq(8, 4), mov(4, 0, ss=1)]),
    "to alu, a6xx": (
        630,
        [mov(8, 0), nop(2), add(9, 8)],
        "1 delay slot missing before add.u",
        [mov(8, 0), nop(3), add(9, 8)],
    ),
    "to alu, a7xx": (730, [mov(8, 0), nop(1), add(9, 8)], "1 delay slot missing", [mov(8, 0), nop(2), add(9, 8)]),
    "to sfu, a6xx": (630, [mov(8, 0), nop(2), rsq(9, 8)], "4 delay slots missing", [mov(8, 0), nop(6), rsq(9, 8)]),
    "to sfu, a7xx": (730, [mov(8, 0), nop(4), rsq(9, 8)], "1 delay slot missing", [mov(8, 0), nop(5), rsq(9, 8)]),
    "to the address": (
        630,
        [mov(9, 0), nop(5), load("ldg", 12, 8)],
        "1 delay slot missing",
        [mov(9, 0), nop(6), load("ldg", 12, 8)],
    ),
    "late source": (
        630,
        [mov(8, 0), mad(9, 0, 1, 8)],
        "1 delay slot missing before mad.f32",
        [mov(8, 0), nop(1), mad(9, 0, 1, 8)],
    ),
    "no late source": (
        730,
        [mov(8, 0), nop(1), mad(9, 0, 1, 8, "sel.b32")],
        "1 delay slot missing",
        [mov(8, 0), nop(2), mad(9, 0, 1, 8, "sel.b32")],
    ),
    "half of a full one": (
        630,
        [mov(8, 0), nop(5), mov(2, 17, type_=_U16)],
        "1 delay slot missing",
        [mov(8, 0), nop(6), mov(2, 17, type_=_U16)],
    ),
    "repeated": (
        630,
        [mov(8, 0, repeat=2), nop(2), add(12, 10)],
        "1 delay slot missing",
        [mov(8, 0, repeat=2), nop(3), add(12, 10)],
    ),
    "early of a repeated": (
        630,
        [mov(8, 0, repeat=2), add(12, 8)],
        "1 delay slot missing",
        [mov(8, 0, repeat=2), nop(1), add(12, 8)],
    ),
    "predicate": (630, [compare(), nop(5), branch(1)], "p0.x is written by cmps.u", [compare(), nop(6), branch(1)]),
    "a1.x": (
        630,
        [mova(A1), nop(5), LDC_K, nop(sy=1)],
        "1 delay slot missing before ldc.k",
        [mova(A1), nop(6), LDC_K, nop(sy=1)],
    ),
    "a1.x, early preamble": (
        730,
        [mova(A1, early=1), nop(6), LDC_K, nop(sy=1)],
        "(ss) missing before ldc.k",
        [mova(A1, early=1), nop(ss=1), LDC_K, nop(sy=1)],
    ),
    "stored constant": (
        630,
        [STC, add_constant(9, 8)],
        "a constant is stored before it",
        [STC, add_constant(9, 7), add_constant(9, 8, ss=1)],
    ),
    "loaded constants": (630, [LDC_K, add_constant(9, 8)], "(sy) missing", [LDC_K, add_constant(9, 8, sy=1)]),
    "barrier": (630, [BAR, nop(), add(8, 0)], "(ss) and (sy) missing before add.u", [BAR, nop(), add(8, 0, ss=1, sy=1)]),
    "barrier, one flag": (630, [BAR, add(8, 0, sy=1)], "(ss) missing", [BAR, nop(ss=1), add(8, 0, sy=1)]),
    "preamble's end": (630, [word("shpe", ss=1)], "(sy) missing before (ss)shpe", [word("shpe", ss=1, sy=1)]),
    "shared": (630, [mov(SHARED, 0), add(8, SHARED)], "(ss) missing", [mov(SHARED, 0), add(8, SHARED, ss=1)]),
    "shared, vector": (
        660,
        [add(SHARED, SHARED + 1), add(8, SHARED)],
        "(ss) missing",
        [add(SHARED, SHARED + 1), add(SHARED + 2, SHARED), add(8, SHARED, ss=1)],
    ),
    "shared, no unit": (
        630,
        [add(SHARED, SHARED + 1), add(SHARED + 2, SHARED)],
        "(ss) missing",
        [add(SHARED, SHARED + 1), add(SHARED + 2, SHARED, ss=1)],
    ),
    "shared, other size": (
        660,
        [add(SHARED, SHARED + 1), mov(SHARED + 8, SHARED, type_=_U16)],
        "(ss) missing",
        [add(SHARED, SHARED + 1), mov(SHARED + 8, SHARED, ss=1, type_=_U16)],
    ),
    "uniform predicate": (
        730,
        [UNIFORM, nop(6), branch(1)],
        "(ss) missing before br",
        [UNIFORM, word("br", offset=1, ss=1)],
    ),
    "behind prede": (660, [PREDT, nop(), PREDE, nop(6)], "1 nops missing behind prede", [PREDT, nop(), PREDE, nop(7)]),
    "second part": (
        730,
        [PREDT, nop(), PREDF, nop(4), mov(8, 0), PREDE, nop(7)],
        "1 nops missing behind predf",
        [PREDT, nop(), PREDF, nop(5), mov(8, 0), PREDE, nop(7)],
    ),
    "lock": (730, [word("lock", sy=1), UNLOCK], "(ss) missing before (sy)lock", [word("lock", sy=1, ss=1), UNLOCK]),
    # along the paths
    "one arm": (
        630,
        [branch(2), load("ldg", 8), add(9, 8)],
        "(sy) missing before add.u",
        [branch(2), load("ldg", 8), add(9, 8, sy=1)],
    ),
    "round a loop": (
        630,
        [add(9, 8), load("ldg", 8, 4), nop(), branch(-3), nop(ss=1)],
        "(sy) missing before add.u r2.y",
        [add(9, 8, sy=1), load("ldg", 8, 4), nop(), branch(-3), nop(ss=1)],
    ),
    "cycles over a jump": (
        630,
        [mov(8, 0), word("jump", offset=2), nop(6), add(9, 8)],
        "3 delay slots missing",
        [mov(8, 0), nop(3), word("jump", offset=2), nop(6), add(9, 8)],
    ),
    "behind a predication": (
        630,
        [PREDT, load("ldg", 8), PREDE, add(9, 8)],
        "(sy) missing before add.u",
        [PREDT, load("ldg", 8), PREDF, add(9, 8), nop(sy=1, ss=1), PREDE, add(9, 8, sy=1)],
    ),
}
