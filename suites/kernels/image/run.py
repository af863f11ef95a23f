"""The bodies of the area."""

from __future__ import annotations

from . import sampling, transfer

BODIES = {**sampling.BODIES, **transfer.BODIES}
