"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case

from ..needs import needs
from .table import OPERATIONS, result_type


def cases() -> Iterator[Case]:
    """Operators and builtins, each on some types."""
    for name, operation in OPERATIONS.items():
        for type_name in operation.types:
            params = {"operation": name, "type": type_name}
            requires = needs(type_name, result_type(operation, type_name))
            yield Case(f"kernels/integer/{name}.{type_name}", "integer.operation", params, requires)
