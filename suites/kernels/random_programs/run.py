"""The bodies of the area, by kind."""

from __future__ import annotations

from . import programs

BODIES = {
    "random_programs.program": programs.check_program,
}
