"""An emulator beside the child that it is loaded into: its own death is no driver's."""

from __future__ import annotations

from dataclasses import replace

from runner.model import Attempt, Status

BROKEN_EXIT = 97  # how a process ends whose emulator has failed
_LAST_WORDS = "emulator: broken: "


def without_blame(attempt: Attempt) -> Attempt:
    """The attempt, an ERROR where the emulator and not the driver has ended the child."""
    if attempt.exit_code != BROKEN_EXIT:
        return attempt
    said = [line for line in attempt.output.splitlines() if line.startswith(_LAST_WORDS)]
    return replace(
        attempt, status=Status.ERROR, message=said[-1] if said else f"{_LAST_WORDS}exit {BROKEN_EXIT} without a word"
    )
