"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from runner.model import Case

from ..needs import needs
from .table import BUILTINS, EDGES, OTHER_TYPES, VECTORS


def cases() -> Iterator[Case]:
    """Builtins of float, as vectors, of half and double; then the edges."""
    for name, builtin in BUILTINS.items():
        yield Case(f"kernels/math/{name}", "math.ulp", math_params(name, builtin.limit))
    for name, width in VECTORS:
        params = math_params(name, BUILTINS[name].limit, width=width)
        yield Case(f"kernels/math/{name}.float{width}", "math.ulp", params)
    for floating, name, limit in OTHER_TYPES:
        params = math_params(name, limit, floating=floating)
        yield Case(f"kernels/math/{name}.{floating}", "math.ulp", params, needs(floating))
    for name in EDGES:
        yield Case(f"kernels/math/edge/{name}", "math.edge", {"builtin": name})


def math_params(name: str, limit: float, floating: str = "float", width: int = 1) -> dict[str, Any]:
    """What the body math.ulp reads."""
    return {"builtin": name, "type": floating, "width": width, "limit": limit}
