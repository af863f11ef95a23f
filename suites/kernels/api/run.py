"""The bodies of the area, by kind."""

from __future__ import annotations

from . import mistakes

BODIES = {
    "api.valid": mistakes.check_valid,
    "api.mistake": mistakes.check_mistake,
}
