"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from runner.model import Case

from ..areas import Area
from ..coverage import Row
from .table import (
    EVERY,
    GENERIC,
    IMPLICIT,
    INTEGERS,
    OPERATIONS,
    ORDERS,
    PAIRS,
    POINTERS,
    SCOPES,
    SPACES,
    needs,
)

_SECTION = "OpenCL C 3.0, 6.15.12"
ROWS = [
    Row("kernels/c11atomic/fetch/*", "C11 read-modify-write operations on every type", _SECTION, "c11_atomics"),
    Row("kernels/c11atomic/order/*", "C11 operations: memory orders and scopes", _SECTION, "c11_atomics"),
    Row(
        "kernels/c11atomic/implicit/*",
        "C11 operations without an order, and by generic pointers",
        _SECTION,
        "c11_atomics",
    ),
    Row(
        "kernels/c11atomic/scope/*",
        "C11 operations of two scopes on one object",
        "OpenCL API 3.1, 3.3.6.3",
        "c11_atomics",
    ),
    Row("kernels/c11atomic/exchange_if/*", "atomic_compare_exchange", _SECTION, "c11_atomics"),
    Row("kernels/c11atomic/load_store/*", "atomic_load, atomic_store, atomic_init", _SECTION, "c11_atomics"),
    Row("kernels/c11atomic/flag/*", "atomic_flag", _SECTION, "c11_atomics"),
    Row("kernels/c11atomic/litmus/*", "Memory model: litmus tests", "OpenCL API 3.0, 3.3.9", "c11_atomics"),
    Row(
        "kernels/c11atomic/offered/*",
        "Atomic capabilities, features and macros",
        "OpenCL C 3.0, 6.2.1",
        "api",
    ),
]
_AREA = Area("c11atomic", typed=False)
# The tests of litmus.py by the modes that forbid an outcome.
_LITMUS = {
    ("release_acquire", "fence", "seq_cst", "seq_cst_fence"): (
        "message",
        "load_buffering",
        "causality",
        "relay",
        "read_then_write",
    ),
    ("seq_cst", "seq_cst_fence"): ("store_buffering", "independent_reads", "two_writes", "write_then_read"),
    ("relaxed",): ("read_read", "write_write", "write_read", "read_write"),
}
_MODE_ORDER = {"release_acquire": "acq_rel", "fence": "relaxed", "relaxed": "relaxed"}
_OFFERED = {
    "seq_cst": (
        "__opencl_c_atomic_order_seq_cst",
        1 << 2,
        "atomic_fetch_add_explicit(p, 1u, memory_order_seq_cst, memory_scope_work_group)",
    ),
    "acq_rel": ("__opencl_c_atomic_order_acq_rel", 1 << 1, ""),
    "device": ("__opencl_c_atomic_scope_device", 1 << 5, "atomic_store_explicit(p, 1u, memory_order_relaxed)"),
    "all_devices": ("__opencl_c_atomic_scope_all_devices", 1 << 6, ""),
    "implicit_add": ("__opencl_c_atomic_order_seq_cst", 0, "atomic_fetch_add(p, 1u)"),
    "implicit_flag": ("__opencl_c_atomic_order_seq_cst", 0, "atomic_flag_clear(g)"),
}


def _explicit(function: str, order: str, scope: str) -> str:
    return f"{function[:-1]}, memory_order_{order}, memory_scope_{scope})"


def cases() -> Iterator[Case]:
    """The atomics of C11."""
    yield from _fetch()
    yield from _orders()
    yield from _implicit()
    yield from _compare_exchange()
    yield from _others()
    yield from _litmus()
    for name, (feature, bit, expression) in _OFFERED.items():
        params = {"feature": feature, "capability": bit, "expression": expression}
        yield _AREA.case(f"offered/{name}", "offered", "opencl_c_3.0", params=params)
    yield _AREA.case("offered/least", "least", "opencl_c_3.0", "execute")


def _fetch_case(
    folder: str,
    name: str,
    operation: str,
    t: str,
    space: str,
    scope: str,
    call: str,
    requires: tuple[str, ...],
) -> Case:
    params = {"operation": operation, "type": t, "space": space, "scope": scope, "call": call}
    return _AREA.case(f"{folder}/{name}", "fetch", *requires, params=params)


def _fetch() -> Iterator[Case]:
    """Relaxed, in a work-group: what every device of OpenCL C 3.0 has."""
    for space in SPACES:
        pairs = [(o, t) for o in OPERATIONS for t in INTEGERS] + [
            ("exchange", "float"),
            ("exchange", "double"),
        ]
        pairs += [(o, t) for t in POINTERS for o in ("fetch_add", "fetch_max", "exchange")[:: 1 if t == "size_t" else 2]]
        for operation, t in pairs:
            call = _explicit(f"atomic_{operation}_explicit(p, v)", "relaxed", "work_group")
            name = f"{operation.removeprefix('fetch_')}.{t}.{space}"
            yield _fetch_case("fetch", name, operation, t, space, "work_group", call, needs("relaxed", "work_group", t))


def _orders() -> Iterator[Case]:
    for space in SPACES:
        for order in ORDERS:
            for scope in SCOPES:
                if (order, scope) == ("relaxed", "work_group") or (space == "local" and scope == "sub_group"):
                    continue
                operation = ("fetch_add", "fetch_min", "exchange", "fetch_xor")[
                    (ORDERS.index(order) + SCOPES.index(scope)) % 4
                ]
                call = _explicit(f"atomic_{operation}_explicit(p, v)", order, scope)
                name = f"{operation}.{order}.{scope}.{space}"
                yield _fetch_case("order", name, operation, "uint", space, scope, call, needs(order, scope))
                call = _explicit("atomic_fetch_add_explicit(p, v)", order, scope)
                if operation != "fetch_add" and space == "global":
                    name = f"fetch_add.{order}.{scope}.{space}"
                    yield _fetch_case("order", name, "fetch_add", "uint", space, scope, call, needs(order, scope))
        for scope, wider in (("sub_group", "work_group"), ("work_group", "device"), ("work_group", "all_svm_devices")):
            if (space, scope) != ("local", "sub_group"):
                calls = (_explicit("atomic_fetch_add_explicit(p, v)", "relaxed", s) for s in (scope, wider))
                call = f"(get_local_id(0) & 1 ? {' : '.join(calls)})"
                requires = ("opencl3.1", *needs("relaxed", scope), *needs("relaxed", wider))
                yield _fetch_case("scope", f"{scope}.{wider}.{space}", "fetch_add", "uint", space, scope, call, requires)
        for success, failure in PAIRS[1:]:
            params = {
                "strength": "strong" if failure == "relaxed" else "weak",
                "type": "uint",
                "space": space,
                "scope": "work_group",
                "orders": [success, failure],
                "expected": "private",
            }
            yield _AREA.case(
                f"order/exchange_if.{success}.{failure}.{space}",
                "compare_exchange",
                *needs(success, "work_group"),
                params=params,
            )
        for store, load in (
            ("release", "acquire"),
            ("seq_cst", "seq_cst"),
            ("release", "relaxed"),
            ("relaxed", "acquire"),
        ):
            params = {
                "type": "uint",
                "space": space,
                "store": _explicit("atomic_store_explicit(p, v)", store, "work_group"),
                "load": _explicit("atomic_load_explicit(p)", load, "work_group"),
            }
            requires = (*needs(store, "work_group"), *needs(load, "work_group"))
            yield _AREA.case(f"order/load_store.{store}.{load}.{space}", "load_store", *requires, params=params)


def _implicit() -> Iterator[Case]:
    requires = ("opencl_c_3.0", *IMPLICIT)
    for operation in OPERATIONS:
        space = "local" if operation in ("fetch_sub", "fetch_xor", "fetch_min", "exchange") else "global"
        t = "uint" if operation in ("fetch_or", "fetch_xor", "fetch_max", "exchange") else "int"
        call = f"atomic_{operation}(p, v)"
        yield _fetch_case("implicit", f"{operation}.{space}", operation, t, space, "device", call, requires)
        call = f"atomic_{operation}_explicit(p, v, memory_order_relaxed)"
        name = f"{operation}_explicit.{space}"
        yield _fetch_case("implicit", name, operation, t, space, "device", call, requires)
    for space in SPACES:
        call = _explicit("atomic_fetch_add_explicit((volatile atomic_uint *)p, v)", "relaxed", "work_group")
        yield _fetch_case(
            "implicit", f"generic_pointer.{space}", "fetch_add", "uint", space, "work_group", call, ("opencl_c_3.0", GENERIC)
        )
        for strength in ("strong", "weak"):
            params: dict[str, Any] = {
                "strength": strength,
                "type": "int",
                "space": space,
                "scope": "device",
                "orders": [],
                "expected": "private",
            }
            yield _AREA.case(f"implicit/exchange_if_{strength}.{space}", "compare_exchange", *requires, params=params)
        params = {"type": "int", "space": space, "store": "atomic_store(p, v)", "load": "atomic_load(p)"}
        yield _AREA.case(f"implicit/load_store.{space}", "load_store", *requires, params=params)
        params = {"space": space, "set": "atomic_flag_test_and_set(p)", "clear": "atomic_flag_clear(p)"}
        yield _AREA.case(f"implicit/flag.{space}", "flag", *requires, params=params)


def _compare_exchange() -> Iterator[Case]:
    for space in SPACES:
        for strength in ("strong", "weak"):
            for t in EVERY:
                params = {
                    "strength": strength,
                    "type": t,
                    "space": space,
                    "scope": "work_group",
                    "orders": ["relaxed", "relaxed"],
                    "expected": "private",
                }
                yield _AREA.case(
                    f"exchange_if/{strength}.{t}.{space}",
                    "compare_exchange",
                    *needs("relaxed", "work_group", t),
                    params=params,
                )
    for expected in ("global", "local"):
        params = {
            "strength": "strong",
            "type": "int",
            "space": "global",
            "scope": "work_group",
            "orders": ["relaxed", "relaxed"],
            "expected": expected,
        }
        yield _AREA.case(
            f"exchange_if/expected_{expected}", "compare_exchange", *needs("relaxed", "work_group"), params=params
        )


def _others() -> Iterator[Case]:
    relaxed = "relaxed", "work_group"
    for space in SPACES:
        for t in (*EVERY, "size_t"):
            params: dict[str, Any] = {"type": t, "space": space}
            calls = {
                "store": _explicit("atomic_store_explicit(p, v)", *relaxed),
                "load": _explicit("atomic_load_explicit(p)", *relaxed),
            }
            yield _AREA.case(f"load_store/{t}.{space}", "load_store", *needs(*relaxed, t), params=params | calls)
            if t in ("int", "ulong", "float"):
                yield _AREA.case(f"load_store/init.{t}.{space}", "init", *needs(*relaxed, t), params=params)
        for set_order, clear_order in (
            ("relaxed", "relaxed"),
            ("acquire", "release"),
            ("acq_rel", "relaxed"),
            ("seq_cst", "seq_cst"),
        ):
            params = {
                "space": space,
                "set": _explicit("atomic_flag_test_and_set_explicit(p)", set_order, "work_group"),
                "clear": _explicit("atomic_flag_clear_explicit(p)", clear_order, "work_group"),
            }
            name = f"flag/{set_order}.{space}"
            yield _AREA.case(name, "flag", *needs(set_order, "work_group"), params=params)


def _litmus() -> Iterator[Case]:
    for modes, tests in _LITMUS.items():
        for test in tests:
            for mode in modes:
                for scope, space in (("work_group", "global"), ("work_group", "local"), ("device", "global")):
                    params = {"test": test, "mode": mode, "scope": scope, "space": space}
                    requires = needs(_MODE_ORDER.get(mode, "seq_cst"), scope)
                    yield _AREA.case(f"litmus/{test}.{mode}.{scope}.{space}", "litmus", *requires, params=params)
