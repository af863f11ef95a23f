"""The bodies of the area, module by module."""

from __future__ import annotations

from . import groups, kept, passing, queries, refusal

BODIES = {**passing.BODIES, **refusal.BODIES, **kept.BODIES, **queries.BODIES, **groups.BODIES}
