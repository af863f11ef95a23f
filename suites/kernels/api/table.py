"""All calls of this area, by topic and by name. Plain Python, because the catalogue reads it too."""

from dataclasses import replace

from . import image, image_transfer, kernel, memory, platforms, program, svm, transfer
from .kinds import other_kinds
from .members import members, nulls, unknown_bits
from .terms import Call

_TOPICS: dict[str, tuple[Call, ...]] = {
    "platform": platforms.CALLS,
    "memory": memory.CALLS,
    "transfer": transfer.CALLS,
    "image": image.CALLS,
    "image_transfer": image_transfer.CALLS,
    "program": program.CALLS,
    "kernel": kernel.CALLS,
    "svm": svm.CALLS,
}


def _with_generated_mistakes(row: Call) -> Call:
    """The call with the mistakes derived from it."""
    row = replace(row, mistakes={**row.mistakes, **other_kinds(row), **nulls(row)})
    return replace(row, mistakes={**row.mistakes, **members(row), **unknown_bits(row)})


TOPICS: dict[str, tuple[Call, ...]] = {
    topic: tuple(map(_with_generated_mistakes, calls)) for topic, calls in _TOPICS.items()
}
CALLS: dict[str, Call] = {call.function: call for calls in TOPICS.values() for call in calls}
