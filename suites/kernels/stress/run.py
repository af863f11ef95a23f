"""The bodies of the area, by kind."""

from __future__ import annotations

from . import exhausted, leak, limit, load, wide

BODIES = {
    "stress.leak": leak.check_leak,
    "stress.local": limit.check_local,
    "stress.local_both": limit.check_local_both,
    "stress.local_beyond": limit.check_local_beyond,
    "stress.constant": limit.check_constant,
    "stress.table": limit.check_table,
    "stress.arguments": limit.check_arguments,
    "stress.generated": load.check_generated,
    "stress.pressure": load.check_pressure,
    "stress.loops": load.check_loops,
    "stress.kernels": load.check_kernels,
    "stress.items": load.check_items,
    "stress.many": load.check_many,
    "stress.large": load.check_large,
    "stress.wide_buffer": wide.check_buffer,
    "stress.wide_range": wide.check_range,
    "stress.exhausted": exhausted.check_exhausted,
}
