"""The bodies of the area, by kind."""

from __future__ import annotations

from . import expressions

BODIES = {"algebra.expressions": expressions.check_expressions}
