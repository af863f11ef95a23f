"""The cases of the area."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case

from ..needs import needs
from .table import CONVERSIONS, REINTERPRETATIONS


def cases() -> Iterator[Case]:
    """convert_, as_, and half in memory."""
    for target, suffix, source, width in CONVERSIONS:
        params = {"target": target, "suffix": suffix, "source": source, "width": width}
        w = "" if width == 1 else str(width)
        name = f"{target}{w}{suffix}.{source}{w}"
        yield Case(f"kernels/conversion/{name}", "conversion.convert", params, needs(target, source))
    for target, source, size, used in REINTERPRETATIONS:
        params = {"target": target, "source": source, "bytes": size, "used_bytes": used}
        requires = needs(source.rstrip("0123456789"))
        yield Case(f"kernels/conversion/as_{target}.{source}", "conversion.as_type", params, requires)
    for mode in ("", "rtz", "rtp", "rtn"):
        name = f"vstore_half_{mode}" if mode else "vstore_half"
        yield Case(f"kernels/conversion/{name}", "conversion.half_memory", {"mode": mode})
