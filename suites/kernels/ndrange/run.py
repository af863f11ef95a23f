"""The bodies of the area, by kind."""

from __future__ import annotations

from . import identifiers

BODIES = {
    "ndrange.identifiers": identifiers.check_identifiers,
    "ndrange.linear": identifiers.check_linear,
    "ndrange.beyond": identifiers.check_beyond,
    "ndrange.required": identifiers.check_required,
    "ndrange.hint": identifiers.check_hint,
    "ndrange.large": identifiers.check_large,
    "ndrange.largest": identifiers.check_largest,
    "ndrange.empty": identifiers.check_empty,
}
