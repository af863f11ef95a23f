"""The bodies of the area, by kind."""

from __future__ import annotations

from . import litmus, operations

BODIES = {
    "c11atomic.fetch": operations.check_fetch,
    "c11atomic.compare_exchange": operations.check_compare_exchange,
    "c11atomic.load_store": operations.check_load_store,
    "c11atomic.init": operations.check_init,
    "c11atomic.flag": operations.check_flag,
    "c11atomic.offered": operations.check_offered,
    "c11atomic.least": operations.check_least,
    "c11atomic.litmus": litmus.check_litmus,
}
