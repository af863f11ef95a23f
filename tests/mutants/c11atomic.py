"""Atomics of C11 that err in the value, the order of accesses, or in whether they report success."""

import re

from mutation import Function, api, compiler_of

source = compiler_of("c11atomic")


def _where_it_stands(pattern: str, replacement: str) -> Function:
    """As `compiler`, for cases that build several sources of which not all hold the pattern."""

    def wrap(inner: Function) -> Function:
        return lambda self, source, options="": inner(self, re.sub(pattern, replacement, source), options)

    return wrap


_BUILD = "runner.device.Device.build"
_STORE = r"(atomic_store_explicit\(v \+ 0[^;]*;)"

MUTANTS = [
    source(
        "fetch_add.not_atomic",
        "fetch/add.uint.*",
        r"old\[i\] = atomic_fetch_add_explicit\(p, v, ([^;]*);",
        r"old[i] = atomic_load_explicit(p, \1; atomic_store_explicit(p, old[i] + v, \1;",
    ),
    source("fetch_sub.adds", "fetch/sub.int.*", "atomic_fetch_sub", "atomic_fetch_add"),
    source("fetch_max.unsigned_min", "fetch/max.uint.*", "atomic_fetch_max", "atomic_fetch_min"),
    source("fetch_xor.ors", "fetch/xor.int.local", "atomic_fetch_xor", "atomic_fetch_or"),
    source("exchange.returns_new", "fetch/exchange.float.*", r"old\[i\] = (atomic_exchange[^;]*);", r"old[i] = (\1, v);"),
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
    source("store.lost", "load_store/uint.*", r"(atomic_store_explicit\(q)", r"if (k < 2) \1"),
    source("load.other_cell", "load_store/float.global", r"\+ 21 \+ k", "+ 20 + k"),
    source("flag.not_cleared", "flag/relaxed.*", r"if \(l == k \* 5\)", "if (l == k * 5 && k < 3)"),
    source("flag.all_win", "flag/relaxed.global", r"\? 0 : 1\)", "? 1 : 0)"),
    source(
        "litmus.store_sinks",
        "litmus/message.fence.work_group.*",
        r"(void together[^@]*?)" + _STORE + r"([^@]*?)(\n    \}\n)",
        r"\1\3 \2\4",
    ),
    source(
        "litmus.loads_swapped",
        "litmus/write_write.relaxed.work_group.*",
        r"memory_order_relaxed, memory_scope_work_group\);(\s*)atomic_store_explicit\(v \+ 0, 2u",
        r"memory_order_relaxed, memory_scope_work_group);\1atomic_store_explicit(v + 0, 0u",
    ),
    source(
        "litmus.own_write_unseen",
        "litmus/write_read.relaxed.work_group.*",
        r"(atomic_store_explicit\(v \+ 0, 1u[^;]*;)(\s*)(q\[0\] = [^;]*;)",
        r"\3\2\1",
    ),
    source("offered.macro_missing", "offered/*", "r.0. = 2;", "r[0] = 1;"),
]
