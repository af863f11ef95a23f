"""Events: what waits, what is told, what an error stops. Every wait ends by a deadline."""

from __future__ import annotations

from . import callback, commands, graph, wait

BODIES = callback.BODIES | commands.BODIES | graph.BODIES | wait.BODIES
