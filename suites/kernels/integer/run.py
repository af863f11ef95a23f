"""The bodies of the area, by kind."""

from __future__ import annotations

from . import arithmetic, dot, folded, limits

BODIES = {
    "integer.operation": arithmetic.check_operation,
    "integer.constant": arithmetic.check_constant,
    "integer.folded": folded.check_folded,
    "integer.limits": limits.check_limits,
    "integer.division_by_zero": arithmetic.check_division_by_zero,
    "integer.link": arithmetic.check_link,
    "integer.dot": dot.check_dot,
    "integer.dot_constant": dot.check_constant,
    "integer.dot_known": dot.check_known_accumulator,
    "integer.dot_operand": dot.check_known_operand,
    "integer.dot_capabilities": dot.check_capabilities,
    "integer.dot_acceleration": dot.check_acceleration,
}
