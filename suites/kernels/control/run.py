"""The bodies of the area, by kind."""

from __future__ import annotations

from . import arrays, counted, environment, exits, flow, trips

BODIES = {
    "control.rounding": environment.check_rounding,
    "control.descriptors": environment.check_descriptors,
    "control.traps": environment.check_traps,
    "control.counted": counted.check_counted,
    "control.exits": exits.check_exits,
    "control.float_select": flow.check_float_select,
    "control.guarded_load": flow.check_guarded_load,
    "control.guarded_loop": flow.check_guarded_loop,
    "control.literal": flow.check_literal,
    "control.loop": flow.check_loop,
    "control.private_array": arrays.check_private_array,
    "control.first_trip": trips.check_first_trip,
    "control.bounded": trips.check_bounded,
    "control.along_array": trips.check_along_array,
    "control.narrowed": trips.check_narrowed,
    "control.signed_zero": flow.check_signed_zero,
}
