"""The bodies of the area, by kind."""

from __future__ import annotations

from . import guards, mistakes

BODIES = {
    "api.valid": mistakes.check_valid,
    "api.mistake": mistakes.check_mistake,
    "api.guard": guards.check_query,
    "api.guard_all": guards.check_all,
    "api.guard_list": guards.check_list,
    "api.guard_output": guards.check_output,
    "api.guard_pitches": guards.check_pitches,
    "api.guard_binaries": guards.check_binaries,
    "api.guard_il": guards.check_il,
}
