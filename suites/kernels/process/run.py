"""The bodies of the area, by kind."""

from __future__ import annotations

from . import processes

BODIES = {
    "process.end": processes.check_end,
    "process.fork": processes.check_fork,
    "process.closed": processes.check_closed,
    "process.start": processes.check_start,
    "process.devices": processes.check_devices,
}
