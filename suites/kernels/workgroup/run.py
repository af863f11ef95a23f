"""The bodies of the area, by kind."""

from __future__ import annotations

from . import collectives, control, copies, layout, local

BODIES = {
    "workgroup.exchange": local.check_exchange,
    "workgroup.reduction": local.check_reduction,
    "workgroup.scan": local.check_scan,
    "workgroup.transpose": local.check_transpose,
    "workgroup.histogram": local.check_histogram,
    "workgroup.turn": layout.check_turn,
    "workgroup.aligned": layout.check_aligned,
    "workgroup.sizes": layout.check_sizes,
    "workgroup.whole": layout.check_whole,
    "workgroup.declared": layout.check_declared,
    "workgroup.control": control.check_control,
    "workgroup.copy": copies.check_copy,
    "workgroup.copy_events": copies.check_events,
    "workgroup.collective_reduce": collectives.check_reduce,
    "workgroup.collective_broadcast": collectives.check_broadcast,
    "workgroup.collective_vote": collectives.check_vote,
    "workgroup.collective_offered": collectives.check_offered,
}
