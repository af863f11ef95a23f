"""Atomics that lose operations or return the wrong value."""

from mutation import compiler_of

source = compiler_of("atomic")

MUTANTS = [
    source("add.not_atomic", "returned/add.uint.*", r"old\[i\] = atomic_add\(p, v\)", "old[i] = *p; *p += v"),
    source("add.returns_new", "returned/add.int.global", r"= atomic_add\(p, v\)", "= atomic_add(p, v) + v"),
    source("add.unused_lost", "unused/add.int.local", r"atomic_add\(p, v\);", "*p += v;"),
    source("sub.adds", "returned/sub.*", r"\batomic_sub\b", "atomic_add"),
    source("inc.by_two", "unused/inc.*", r"atomic_inc\(p\)", "atomic_add(p, 2)"),
    source("dec.returns_new", "atom/dec.uint.*", r"= atom_dec\(p\)", "= atom_dec(p) - 1"),
    source(
        "min.unsigned", "returned/min.int.global", r"atomic_min\(p, v\)", "atomic_min((volatile __global uint *)p, (uint)v)"
    ),
    source("max.signed", "returned/max.uint.local", r"atomic_max\(p, v\)", "atomic_max((volatile __local int *)p, (int)v)"),
    source("or.returns_new", "returned/or.uint.global", r"= atomic_or\(p, v\)", "= atomic_or(p, v) | v"),
    source("and.ors", "unused/and.*", r"\batomic_and\b", "atomic_or"),
    source("xor.once_of_two", "unused/xor.uint.*", r"atomic_xor\(p, v\);", "if (i & 1) atomic_xor(p, v);"),
    source("xchg.returns_operand", "returned/xchg.float.*", r"= atomic_xchg\(p, v\)", "= (atomic_xchg(p, v), v)"),
    source("cmpxchg.matches_below", "*/cmpxchg.int.*", r"\(T\)(8|\(seen \+ v\))", r"(T)(\1 - 1)"),
    source("place.first_component", "place/vector_component.*", r"l % 5\) \+ 2", "l % 5) + 1"),
    source(
        "place.unsigned",
        "place/signed.*",
        r"(volatile __\w+ )int \*q = \((volatile __\w+ )int \*\)",
        r"\1uint *q = (\2uint *)",
    ),
    source("place.other_member", "place/struct_member.global", r"\.n\[1\]", ".n[0]"),
    source(
        "place.branches_merged",
        "place/divergent.local",
        r"else if \(l % 3 == 1\) atomic_sub",
        "else if (l % 3 == 1) atomic_add",
    ),
]
