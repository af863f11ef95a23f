"""Buffers: creation, transfers, fills, sub-buffers, mapping. numpy is the oracle."""

from __future__ import annotations

from . import create, fill, map, sub, transfer

BODIES = create.BODIES | fill.BODIES | map.BODIES | sub.BODIES | transfer.BODIES
