"""The bodies of the area, by kind."""

from __future__ import annotations

from . import functions, geometric

BODIES = {
    "common.value": functions.check_value,
    "common.clamp_nan": functions.check_clamp_nan,
    "common.sign_zero": functions.check_sign_zero,
    "common.known": functions.check_known,
    "common.geometric": geometric.check_geometric,
    "common.range": geometric.check_range,
    "common.normalize_edge": geometric.check_normalize_edge,
}
