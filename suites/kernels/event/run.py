"""The bodies of the area, by kind."""

from __future__ import annotations

from . import callback, commands, graph, wait

BODIES = {
    "event.callback_once": callback.check_once,
    "event.callback_passed": callback.check_passed,
    "event.callback_states": callback.check_all_states,
    "event.callback_inside": callback.check_inside,
    "event.deprecated": wait.check_deprecated,
    "event.waits": commands.check_waits,
    "event.fails": commands.check_fails,
    "event.fails_among": commands.check_fails_among,
    "event.released": commands.check_released,
    "event.blocking": commands.check_blocking,
    "event.profile": commands.check_profile,
    "event.no_profile_yet": commands.check_no_profile_yet,
    "event.status_order": commands.check_status_order,
    "event.graph": graph.check_graph,
    "event.wait": wait.check_wait,
    "event.user": wait.check_user,
    "event.sync_after_error": wait.check_sync_after_error,
    "event.references": wait.check_references,
    "event.dropped": wait.check_dropped,
    "event.long_chain": wait.check_long_chain,
    "event.sequence": wait.check_sequence,
    "event.no_profile": wait.check_no_profile,
    "event.timer": wait.check_timer,
    "event.timer_null": wait.check_timer_null,
    "event.timer_profile": wait.check_timer_profile,
}
