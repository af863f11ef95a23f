"""The bodies of the area, by kind."""

from __future__ import annotations

from . import calls, sequence

BODIES = {
    "queues.in_order": sequence.check_in_order,
    "queues.out_of_order": sequence.check_out_of_order,
    "queues.ring": sequence.check_ring,
    "queues.side_by_side": sequence.check_side_by_side,
    "queues.create": calls.check_create,
    "queues.properties_array": calls.check_properties_array,
    "queues.size": calls.check_size,
    "queues.device_default": calls.check_device_default,
    "queues.refused": calls.check_refused,
    "queues.sync": calls.check_sync,
    "queues.finish_waits": calls.check_finish_waits,
    "queues.empty": calls.check_empty,
    "queues.release": calls.check_release,
    "queues.across": calls.check_across,
    "queues.mark": calls.check_mark,
}
