"""The bodies of the area, by kind."""

from __future__ import annotations

from . import operations

BODIES = {
    "atomic.operation": operations.check_operation,
    "atomic.place": operations.check_place,
}
