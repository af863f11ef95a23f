"""The bodies of the area, by kind."""

from __future__ import annotations

from . import execution

BODIES = {
    "programs.computed": execution.check_computed,
    "programs.refused": execution.check_refused,
}
