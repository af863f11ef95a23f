"""The bodies of the area, by kind."""

from __future__ import annotations

from . import component, creation, vectors

BODIES = {
    "vector.three": vectors.check_three,
    "vector.relational": vectors.check_relational,
    "vector.refusal": vectors.check_refusal,
    "vector.swizzle": component.check_swizzle,
    "vector.write": component.check_write,
    "vector.named": component.check_named,
    "vector.halves": component.check_halves,
    "vector.halves_write": component.check_halves_write,
    "vector.update": component.check_update,
    "vector.parts": creation.check_parts,
    "vector.literal": creation.check_literal,
    "vector.memory": creation.check_memory,
    "vector.pointer": creation.check_pointer,
    "vector.step": creation.check_step,
}
