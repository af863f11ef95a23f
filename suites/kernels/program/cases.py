"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case

from .table import OPTIONS, REFUSALS


def cases() -> Iterator[Case]:
    """Builds, and what they refuse."""
    for name, (source, options, error, log) in REFUSALS.items():
        params = {"source": source, "options": options, "error": error, "log": log}
        yield Case(f"kernels/program/refuse.{name}", "program.refusal", params)
    yield Case("kernels/program/options", "program.options", {"rows": OPTIONS})
    for name in ("link", "binary", "kernel_info"):
        yield Case(f"kernels/program/{name}", f"program.{name}")
