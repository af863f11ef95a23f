"""The bodies of the area, by kind."""

from __future__ import annotations

from . import access, shuffle

BODIES = {
    "vload.load": access.check_load,
    "vload.store": access.check_store,
    "vload.shuffle": shuffle.check_shuffle,
    "vload.shuffle_constant": shuffle.check_constant,
}
