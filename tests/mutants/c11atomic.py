"""Atomics of C11 that err in the value, the order of accesses, or in what they say of success."""

from __future__ import annotations

import re

from mutation import Function, api, compiler


def _where_it_stands(pattern: str, replacement: str) -> Function:
    """As `compiler`, for cases that build several sources of which not all hold the pattern."""

    def wrap(inner: Function) -> Function:
        return lambda self, source, options="": inner(self, re.sub(pattern, replacement, source), options)

    return wrap


_BUILD = "runner.device.Device.build"
_STORE = r"(atomic_store_explicit\(v \+ 0[^;]*;)"

MUTANTS = [
    compiler(
        "c11atomic/fetch_add.not_atomic",
        "kernels/c11atomic/fetch/add.uint.*",
        r"old\[i\] = atomic_fetch_add_explicit\(p, v, ([^;]*);",
        r"old[i] = atomic_load_explicit(p, \1; atomic_store_explicit(p, old[i] + v, \1;",
    ),
    compiler(
        "c11atomic/fetch_sub.adds",
        "kernels/c11atomic/fetch/sub.int.*",
        "atomic_fetch_sub",
        "atomic_fetch_add",
    ),
    compiler(
        "c11atomic/fetch_max.unsigned_min",
        "kernels/c11atomic/fetch/max.uint.*",
        "atomic_fetch_max",
        "atomic_fetch_min",
    ),
    compiler(
        "c11atomic/fetch_xor.ors",
        "kernels/c11atomic/fetch/xor.int.local",
        "atomic_fetch_xor",
        "atomic_fetch_or",
    ),
    compiler(
        "c11atomic/exchange.returns_new",
        "kernels/c11atomic/fetch/exchange.float.*",
        r"old\[i\] = (atomic_exchange[^;]*);",
        r"old[i] = (\1, v);",
    ),
    api(
        "c11atomic/compare_exchange.expected_kept",
        "kernels/c11atomic/exchange_if/strong.int.*",
        _BUILD,
        _where_it_stands(r"explicit\(own, &e,", "explicit(own, &was,"),
    ),
    api(
        "c11atomic/compare_exchange.always_true",
        "kernels/c11atomic/exchange_if/weak.uint.*",
        _BUILD,
        _where_it_stands(r"(\(own, &e, v[^;]*\)) != 0;", r"\1 | 1;"),
    ),
    compiler(
        "c11atomic/store.lost",
        "kernels/c11atomic/load_store/uint.*",
        r"(atomic_store_explicit\(q)",
        r"if (k < 2) \1",
    ),
    compiler("c11atomic/load.other_cell", "kernels/c11atomic/load_store/float.global", r"\+ 21 \+ k", "+ 20 + k"),
    compiler(
        "c11atomic/flag.not_cleared",
        "kernels/c11atomic/flag/relaxed.*",
        r"if \(l == k \* 5\)",
        "if (l == k * 5 && k < 3)",
    ),
    compiler("c11atomic/flag.all_win", "kernels/c11atomic/flag/relaxed.global", r"\? 0 : 1\)", "? 1 : 0)"),
    compiler(
        "c11atomic/litmus.store_sinks",
        "kernels/c11atomic/litmus/message.fence.work_group.*",
        r"(void together[^@]*?)" + _STORE + r"([^@]*?)(\n    \}\n)",
        r"\1\3 \2\4",
    ),
    compiler(
        "c11atomic/litmus.loads_swapped",
        "kernels/c11atomic/litmus/write_write.relaxed.work_group.*",
        r"memory_order_relaxed, memory_scope_work_group\);(\s*)atomic_store_explicit\(v \+ 0, 2u",
        r"memory_order_relaxed, memory_scope_work_group);\1atomic_store_explicit(v + 0, 0u",
    ),
    compiler(
        "c11atomic/litmus.own_write_unseen",
        "kernels/c11atomic/litmus/write_read.relaxed.work_group.*",
        r"(atomic_store_explicit\(v \+ 0, 1u[^;]*;)(\s*)(q\[0\] = [^;]*;)",
        r"\3\2\1",
    ),
    compiler("c11atomic/offered.macro_missing", "kernels/c11atomic/offered/*", "r.0. = 2;", "r[0] = 1;"),
]
