"""The bodies of the area, by kind."""

from __future__ import annotations

from . import barriers, functions

BODIES = {
    "subgroup.function": functions.check_function,
    "subgroup.ids": functions.check_ids,
    "subgroup.size": functions.check_size,
    "subgroup.barrier": barriers.check_barrier,
}
