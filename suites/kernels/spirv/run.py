"""The bodies of the area, by the modules that hold them."""

from __future__ import annotations

from . import atomics, bodies, extended, modules, operators, specialisation

BODIES = {
    **operators.BODIES,
    **bodies.BODIES,
    **extended.BODIES,
    **specialisation.BODIES,
    **modules.BODIES,
    **atomics.BODIES,
}
