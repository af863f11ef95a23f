"""The bodies of the area, by kind."""

from __future__ import annotations

from . import memory, operators

BODIES = {
    "half.load": memory.check_load,
    "half.store": memory.check_store,
    "half.folded": memory.check_folded,
    "half.operator": operators.check_operator,
    "half.to": operators.check_to,
}
