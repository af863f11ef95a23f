"""The bodies of the area, by kind."""

from __future__ import annotations

from . import arithmetic, functions, implicit, known, refusal, reinterpretation, together

BODIES = {
    "conversion.convert": functions.check_convert,
    "conversion.together": together.check_together,
    "conversion.known": known.check_known,
    "conversion.implicit": implicit.check_implicit,
    "conversion.chain": implicit.check_chain,
    "conversion.truth": implicit.check_truth,
    "conversion.arithmetic": arithmetic.check_scalars,
    "conversion.widening": arithmetic.check_widening,
    "conversion.as_type": reinterpretation.check_as_type,
    "conversion.refused": refusal.check_refused,
}
