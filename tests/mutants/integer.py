"""Integer operators and builtins that compute something near."""

from __future__ import annotations

from mutation import compiler

MUTANTS = [
    compiler("integer/add_sat.wraps", "kernels/integer/add_sat.*", r"\badd_sat\((\w+), (\w+)\)", r"\1 + \2"),
    compiler("integer/hadd.rounds_up", "kernels/integer/hadd.*", r"\bhadd\b", "rhadd"),
]
