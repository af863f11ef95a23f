"""All calls of this area, by topic and by name. Plain Python, because the catalogue reads it too."""

from __future__ import annotations

from . import image, image_transfer, kernel, memory, platform, program, svm, transfer
from .terms import Call

TOPICS: dict[str, tuple[Call, ...]] = {
    module.__name__.rpartition(".")[2]: module.CALLS
    for module in (platform, memory, transfer, image, image_transfer, program, kernel, svm)
}
CALLS: dict[str, Call] = {call.function: call for calls in TOPICS.values() for call in calls}
