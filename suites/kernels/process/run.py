"""The bodies of the area, by kind."""

from __future__ import annotations

from . import caches, processes

BODIES = {
    "process.end": processes.check_end,
    "process.fork": processes.check_fork,
    "process.closed": processes.check_closed,
    "process.start": processes.check_start,
    "process.devices": processes.check_devices,
    "process.type": processes.check_type,
    "process.absent": processes.check_absent,
    "process.features": processes.check_features,
    "process.cache_taken": caches.check_taken,
    "process.cache_damaged": caches.check_damaged,
    "process.cache_other_build": caches.check_other_build,
    "process.cache_other_library": caches.check_other_library,
}
