"""Extensions and optional features that have no area of their own."""

from __future__ import annotations

from . import device_address, optional, semaphore

BODIES = device_address.BODIES | optional.BODIES | semaphore.BODIES
