"""Atomics that lose operations or return the wrong value."""

from __future__ import annotations

from mutation import compiler

MUTANTS = [
    compiler(
        "atomic/add.not_atomic",
        "kernels/atomic/returned/add.uint.*",
        r"old\[i\] = atomic_add\(p, v\)",
        "old[i] = *p; *p += v",
    ),
    compiler(
        "atomic/add.returns_new",
        "kernels/atomic/returned/add.int.global",
        r"= atomic_add\(p, v\)",
        "= atomic_add(p, v) + v",
    ),
    compiler("atomic/add.unused_lost", "kernels/atomic/unused/add.int.local", r"atomic_add\(p, v\);", "*p += v;"),
    compiler("atomic/sub.adds", "kernels/atomic/returned/sub.*", r"\batomic_sub\b", "atomic_add"),
    compiler("atomic/inc.by_two", "kernels/atomic/unused/inc.*", r"atomic_inc\(p\)", "atomic_add(p, 2)"),
    compiler("atomic/dec.returns_new", "kernels/atomic/atom/dec.uint.*", r"= atom_dec\(p\)", "= atom_dec(p) - 1"),
    compiler(
        "atomic/min.unsigned",
        "kernels/atomic/returned/min.int.global",
        r"atomic_min\(p, v\)",
        "atomic_min((volatile __global uint *)p, (uint)v)",
    ),
    compiler(
        "atomic/max.signed",
        "kernels/atomic/returned/max.uint.local",
        r"atomic_max\(p, v\)",
        "atomic_max((volatile __local int *)p, (int)v)",
    ),
    compiler(
        "atomic/or.returns_new",
        "kernels/atomic/returned/or.uint.global",
        r"= atomic_or\(p, v\)",
        "= atomic_or(p, v) | v",
    ),
    compiler("atomic/and.ors", "kernels/atomic/unused/and.*", r"\batomic_and\b", "atomic_or"),
    compiler(
        "atomic/xor.once_of_two",
        "kernels/atomic/unused/xor.uint.*",
        r"atomic_xor\(p, v\);",
        "if (i & 1) atomic_xor(p, v);",
    ),
    compiler(
        "atomic/xchg.returns_operand",
        "kernels/atomic/returned/xchg.float.*",
        r"= atomic_xchg\(p, v\)",
        "= (atomic_xchg(p, v), v)",
    ),
    compiler(
        "atomic/cmpxchg.matches_below",
        "kernels/atomic/*/cmpxchg.int.*",
        r"\(T\)(8|\(seen \+ v\))",
        r"(T)(\1 - 1)",
    ),
    compiler(
        "atomic/place.first_component",
        "kernels/atomic/place/vector_component.*",
        r"l % 5\) \+ 2",
        "l % 5) + 1",
    ),
    compiler(
        "atomic/place.unsigned",
        "kernels/atomic/place/signed.*",
        r"(volatile __\w+ )int \*q = \((volatile __\w+ )int \*\)",
        r"\1uint *q = (\2uint *)",
    ),
    compiler("atomic/place.other_member", "kernels/atomic/place/struct_member.global", r"\.n\[1\]", ".n[0]"),
    compiler(
        "atomic/place.branches_merged",
        "kernels/atomic/place/divergent.local",
        r"else if \(l % 3 == 1\) atomic_sub",
        "else if (l % 3 == 1) atomic_add",
    ),
]
