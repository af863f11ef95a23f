"""An emulator runs in the child that it executes for; its own death must not count as the driver's."""

from dataclasses import replace

from runner.model import Attempt, Status

BROKEN_EXIT = 97  # how a process ends whose emulator has failed, after its last words
_LAST_WORDS = "emulator: broken: "


def last_words_in(exit_code: int | None, output: str) -> str:
    """The last words of an emulator that has ended its process, or "" if something else did."""
    said = [line for line in output.splitlines() if _LAST_WORDS in line] if exit_code == BROKEN_EXIT else []
    return said[-1] if said else ""


def without_blame(attempt: Attempt) -> Attempt:
    """The attempt, an ERROR if the emulator and not the driver has ended the child."""
    words = last_words_in(attempt.exit_code, attempt.output)
    return replace(attempt, status=Status.ERROR, message=words) if words else attempt
