"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case

from .table import ERRORS


def cases() -> Iterator[Case]:
    """Errors of the API."""
    for mistake, error in ERRORS.items():
        requires = ("images",) if mistake.startswith(("image.", "sampler.")) else ()
        yield Case(f"kernels/api/{mistake}", "api.error", {"mistake": mistake, "error": error}, requires)
