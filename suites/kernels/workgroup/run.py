"""Work-groups: the memory that they share, their barriers, copies and collectives."""

from __future__ import annotations

from . import collectives, control, copies, layout, local

BODIES = {**local.BODIES, **layout.BODIES, **control.BODIES, **copies.BODIES, **collectives.BODIES}
