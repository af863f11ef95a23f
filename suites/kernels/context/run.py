"""The bodies of the area, by kind."""

from __future__ import annotations

from . import contexts, destructors, lifetimes

BODIES = {
    "context.properties": contexts.check_properties,
    "context.devices": contexts.check_devices,
    "context.from_type": contexts.check_from_type,
    "context.callback": contexts.check_callback,
    "context.context_references": contexts.check_context_references,
    "context.device_references": contexts.check_device_references,
    "context.references": lifetimes.check_references,
    "context.of": lifetimes.check_of,
    "context.released_before": lifetimes.check_released_before,
    "context.queue": lifetimes.check_queue,
    "context.destructor": destructors.check_destructor,
}
