"""The bodies of the area, by kind."""

from __future__ import annotations

from . import guards, mistakes

BODIES = {
    "api.valid": mistakes.check_valid,
    "api.mistake": mistakes.check_mistake,
    "api.guard": guards.check_query,
    "api.guard_all": guards.check_all,
    "api.guard_list": guards.check_list,
}
