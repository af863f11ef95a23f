"""The cases of the area."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from runner.model import Case

from ..areas import Area, combine
from .table import ALL_TYPES, GENERIC, IMPLICIT, INTEGERS, OPERATIONS, ORDERS, PAIRS, POINTERS, SCOPES, SPACES, needs

_AREA = Area("c11atomic", typed=False)
# The tests of litmus.py, by the modes that forbid an outcome.
_LITMUS = {
    ("release_acquire", "fence", "seq_cst", "seq_cst_fence"): (
        *("message", "load_buffering", "causality", "relay", "read_then_write"),
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
_GROUP_SCOPE: dict[str, Any] = {"scope": "work_group"}


def _explicit(function: str, order: str, scope: str = "work_group") -> str:
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


def _fetch() -> Iterator[Case]:
    """Relaxed operations in a work-group, which every device with OpenCL C 3.0 has."""
    pairs = [*product(OPERATIONS, INTEGERS), ("exchange", "float"), ("exchange", "double")]
    pairs += [(o, t) for t in POINTERS for o in ("fetch_add", "fetch_max", "exchange")[:: 1 if t == "size_t" else 2]]
    for space, (operation, t) in product(SPACES, pairs):
        call = _explicit(f"atomic_{operation}_explicit(p, v)", "relaxed")
        params = {"operation": operation, "type": t, "space": space, "call": call, **_GROUP_SCOPE}
        name = f"fetch/{operation.removeprefix('fetch_')}.{{type}}.{{space}}"
        yield _AREA.case(name, "fetch", *needs("relaxed", "work_group", t), params=params)


def _orders() -> Iterator[Case]:
    for space in SPACES:
        for (m, order), (n, scope) in product(enumerate(ORDERS), enumerate(SCOPES)):
            if (order, scope) == ("relaxed", "work_group") or (space == "local" and scope == "sub_group"):
                continue
            first = ("fetch_add", "fetch_min", "exchange", "fetch_xor")[(m + n) % 4]
            for operation in dict.fromkeys([first, "fetch_add"]) if space == "global" else [first]:
                params = {"operation": operation, "type": "uint", "space": space, "scope": scope}
                call = _explicit(f"atomic_{operation}_explicit(p, v)", order, scope)
                name = f"order/{{operation}}.{order}.{{scope}}.{{space}}"
                yield _AREA.case(name, "fetch", *needs(order, scope), params=params, call=call)
        for scope, wider in (("sub_group", "work_group"), ("work_group", "device"), ("work_group", "all_svm_devices")):
            if (space, scope) != ("local", "sub_group"):
                calls = (_explicit("atomic_fetch_add_explicit(p, v)", "relaxed", s) for s in (scope, wider))
                call = f"(get_local_id(0) & 1 ? {' : '.join(calls)})"
                params = {"operation": "fetch_add", "type": "uint", "space": space, "scope": scope, "call": call}
                requires = ("opencl3.1", *needs("relaxed", scope), *needs("relaxed", wider))
                yield _AREA.case(f"scope/{{scope}}.{wider}.{{space}}", "fetch", *requires, params=params)
        for success, failure in PAIRS[1:]:
            exchange: dict[str, Any] = {"type": "uint", "space": space, "orders": [success, failure]}
            exchange |= {"strength": "strong" if failure == "relaxed" else "weak", "expected": "private"}
            name = f"order/exchange_if.{success}.{failure}.{space}"
            yield _AREA.case(name, "compare_exchange", *needs(success, "work_group"), params=exchange, **_GROUP_SCOPE)
        for pair in ("release acquire", "seq_cst seq_cst", "release relaxed", "relaxed acquire"):
            store, load = pair.split()
            requires = (*needs(store, "work_group"), *needs(load, "work_group"))
            accesses = _stores_and_loads(store, load)
            yield _AREA.case(
                f"order/load_store.{store}.{load}.{space}", "load_store", *requires, type="uint", space=space, **accesses
            )


def _stores_and_loads(store: str, load: str) -> dict[str, Any]:
    first, then = _explicit("atomic_store_explicit(p, v)", store), _explicit("atomic_load_explicit(p)", load)
    return {"store": first, "load": then}


def _implicit() -> Iterator[Case]:
    requires = ("opencl_c_3.0", *IMPLICIT)
    for operation in OPERATIONS:
        space = "local" if operation in ("fetch_sub", "fetch_xor", "fetch_min", "exchange") else "global"
        t = "uint" if operation in ("fetch_or", "fetch_xor", "fetch_max", "exchange") else "int"
        params = {"operation": operation, "type": t, "space": space, "scope": "device"}
        for form, order in (("", ""), ("_explicit", ", memory_order_relaxed")):
            call = f"atomic_{operation}{form}(p, v{order})"
            yield _AREA.case(f"implicit/{{operation}}{form}.{{space}}", "fetch", *requires, params=params, call=call)
    for space in SPACES:
        call = _explicit("atomic_fetch_add_explicit((volatile atomic_uint *)p, v)", "relaxed")
        params = {"operation": "fetch_add", "type": "uint", "space": space, "call": call, **_GROUP_SCOPE}
        yield _AREA.case("implicit/generic_pointer.{space}", "fetch", "opencl_c_3.0", GENERIC, params=params)
        for strength in ("strong", "weak"):
            exchange: dict[str, Any] = {
                "strength": strength,
                "type": "int",
                "scope": "device",
                "orders": [],
                "expected": "private",
            }
            name = "implicit/exchange_if_{strength}.{space}"
            yield _AREA.case(name, "compare_exchange", *requires, params=exchange, space=space)
        params = {"type": "int", "store": "atomic_store(p, v)", "load": "atomic_load(p)"}
        yield _AREA.case("implicit/load_store.{space}", "load_store", *requires, params=params, space=space)
        params = {"set": "atomic_flag_test_and_set(p)", "clear": "atomic_flag_clear(p)"}
        yield _AREA.case("implicit/flag.{space}", "flag", *requires, params=params, space=space)


def _compare_exchange() -> Iterator[Case]:
    name, orders = "exchange_if/{strength}.{type}.{space}", ["relaxed", "relaxed"]
    for params in combine(space=SPACES, strength=("strong", "weak"), type=ALL_TYPES):
        requires = needs("relaxed", "work_group", params["type"])
        yield _AREA.case(
            name, "compare_exchange", *requires, params=params, orders=orders, expected="private", **_GROUP_SCOPE
        )
    rows = combine(strength=["strong"], type=["int"], space=["global"], expected=("global", "local"), orders=[orders])
    requires = needs("relaxed", "work_group")
    yield from _AREA.each("exchange_if/expected_{expected}", "compare_exchange", rows, *requires, **_GROUP_SCOPE)


def _others() -> Iterator[Case]:
    for space in SPACES:
        for t in (*ALL_TYPES, "size_t"):
            params, requires = {"type": t, "space": space}, needs("relaxed", "work_group", t)
            calls = _stores_and_loads("relaxed", "relaxed")
            yield _AREA.case("load_store/{type}.{space}", "load_store", *requires, params=params, **calls)
            if t in ("int", "ulong", "float"):
                yield _AREA.case("load_store/init.{type}.{space}", "init", *requires, params=params)
        for orders in ("relaxed relaxed", "acquire release", "acq_rel relaxed", "seq_cst seq_cst"):
            first, then = orders.split()
            params = {
                "set": _explicit("atomic_flag_test_and_set_explicit(p)", first),
                "clear": _explicit("atomic_flag_clear_explicit(p)", then),
            }
            yield _AREA.case(f"flag/{first}.{space}", "flag", *needs(first, "work_group"), params=params, space=space)


def _litmus() -> Iterator[Case]:
    places = (("work_group", "global"), ("work_group", "local"), ("device", "global"))
    for modes, tests in _LITMUS.items():
        for test, mode, (scope, space) in product(tests, modes, places):
            params = {"test": test, "mode": mode, "scope": scope, "space": space}
            requires = needs(_MODE_ORDER.get(mode, "seq_cst"), scope)
            yield _AREA.case("litmus/{test}.{mode}.{scope}.{space}", "litmus", *requires, params=params)
