"""The bodies of the area."""

from __future__ import annotations

from . import access, aliases, conversion, mapping, query, sampling, transfer

BODIES = {
    **access.BODIES,
    **aliases.BODIES,
    **conversion.BODIES,
    **mapping.BODIES,
    **query.BODIES,
    **sampling.BODIES,
    **transfer.BODIES,
}
