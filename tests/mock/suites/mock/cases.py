"""Cases whose bodies do to the runner what drivers do to it. `bulk` cases are many and trivial."""

import os
from collections.abc import Iterator

from runner.model import Case, Tier

_TIMEOUT_S = 1.5


def cases() -> Iterator[Case]:
    for kind in (
        *("pass", "fail", "segfault", "abort", "assert_", "exit0", "exit3", "raise_", "nothing", "complain"),
        *("flood", "utf8", "ignore_term", "grandchild"),
    ):
        yield Case(f"mock/basic/{kind.strip('_')}", kind)
    for kind in ("hang", "hang_gil"):
        yield Case(f"mock/hang/{kind}", kind, timeout_s=_TIMEOUT_S)
    yield Case("mock/state/flake", "flake", {"fails": 1})
    yield Case("mock/state/flake_twice", "flake", {"fails": 2})
    yield Case("mock/state/poison", "poison")
    yield Case("mock/state/poisoned", "poisoned")
    yield Case("mock/memory/eat", "eat", timeout_s=30)
    yield Case("mock/need/unmet", "pass", requires=("qcom",))
    yield Case("mock/tier/nightly", "pass", tier=Tier.NIGHTLY)
    for n in range(4):
        yield Case(f"mock/group/{n}", "same_child", {"group": "g"}, group="mock/g")
    yield from _counted()
    yield from _on_demand()
    yield from _faulty()
    yield from _against_the_runner()


def _counted() -> Iterator[Case]:
    """As many as a variable says."""
    for n in range(int(os.environ.get("MOCK_BULK", "0"))):
        crash = n % 10 == 5 and os.environ.get("MOCK_BULK_CRASH")
        yield Case(f"mock/bulk/{n:05}", "segfault" if crash else "pass")
    hold = int(os.environ.get("MOCK_HOLD", "999"))  # from this one on they wait for a test
    for n in range(int(os.environ.get("MOCK_SLEEP", "0"))):
        yield Case(f"mock/sleep/{n:03}", "sleep", {"seconds": 0.05, "held": n >= hold}, timeout_s=60)
    for n in range(int(os.environ.get("MOCK_COINS", "0"))):
        yield Case(f"mock/coin/{n:03}", "coin", {"percent": int(os.environ.get("MOCK_PERCENT", "50"))})


def _on_demand() -> Iterator[Case]:
    """If a variable asks for them."""
    if os.environ.get("MOCK_SPIN"):
        yield Case("mock/spin/spins", "spin", timeout_s=1)
    if os.environ.get("MOCK_LIBRARY"):
        yield Case("mock/library/a_loads", "load")
        yield Case("mock/library/b_loads_and_waits", "load", {"waits": True})
    if os.environ.get("MOCK_BOARD"):
        yield Case("mock/board/kill_worker", "kill_worker")
        yield Case("mock/board/kernel_message", "kernel_message")
    if os.environ.get("MOCK_ENVIRONMENT"):
        yield Case("mock/environment/print", "print_environment")
    if os.environ.get("MOCK_CHANCE"):
        yield Case("mock/state/first_by_chance", "first_by_chance")
    if os.environ.get("MOCK_SLIPS"):
        for kind in ("attribute", "name", "type"):
            yield Case(f"mock/slip/{kind}", f"{kind}_slip")
    if os.environ.get("MOCK_HOSTILE"):
        yield Case("mock/hostile/print", "hostile")
    if os.environ.get("MOCK_LEFT"):
        yield Case("mock/left/poison", "poison")
        yield Case("mock/left/poisoned", "poisoned")
        yield Case("mock/cache/cold_alone", "cold_alone")
        yield Case("mock/cache/crash", "segfault")
        for n in range(30):
            yield Case(f"mock/left/{n:02}", "pass")
            yield Case(f"mock/cache/{n:02}", "pass")


def _faulty() -> Iterator[Case]:
    """Cases that go wrong in native code, if a variable asks for them."""
    if os.environ.get("MOCK_PLACE"):
        yield Case("mock/place/getenv", "fault", {"function": os.environ["MOCK_PLACE"]})
        yield Case("mock/place/thread", "fault_in_thread")
        yield Case("mock/place/exit", "exit_in_c")
    if os.environ.get("MOCK_SANITIZED"):
        for kind in ("overflow", "again", "clean"):
            yield Case(f"mock/sanitized/{kind}", "sanitized", {"function": kind})
        yield Case("mock/sanitized/foreign", "sanitized_by_others")
        yield Case("mock/sanitized/wrong", "sanitized_and_wrong")


def _against_the_runner() -> Iterator[Case]:
    """Cases that attack the process that runs them, if a variable asks for them."""
    if os.environ.get("MOCK_WORKER"):
        yield Case("mock/worker/a_kills_once", "kill_worker_once")
        yield Case("mock/worker/b_kills", "kill_worker")
        yield Case("mock/worker/c_stops", "stop_worker", timeout_s=_TIMEOUT_S)
        yield Case("mock/worker/c_stops_once", "stop_worker", {"once": True}, timeout_s=_TIMEOUT_S)
        for n in range(3):
            yield Case(f"mock/worker/d_{n}", "pass")
    if os.environ.get("MOCK_LATE"):
        yield Case("mock/late/a_dies", "crash_late")
        yield Case("mock/late/a_dies_once", "crash_late", {"once": True})
        yield Case("mock/late/a_dies_in_the_next", "crash_in_the_next")
        yield Case("mock/late/b_is_next", "next")
        yield Case("mock/late/b_lacks", "pass", requires=("qcom",))
    if os.environ.get("MOCK_OUTPUT"):
        yield Case("mock/output/a_deletes", "delete_output")
        yield Case("mock/output/b_empties", "empty_output")
        yield Case("mock/output/c_prints", "utf8")
    if os.environ.get("MOCK_REPLY"):
        for kind in ("reply_twice", "reply_late", "reply_ahead", "reply_garbage", "reply_status", "surrogate"):
            yield Case(f"mock/reply/{kind}", kind)
            yield Case(f"mock/reply/{kind}_and_fail", "next_fails")
