"""A child that dies, or sends something, when its case is over and no other has begun: which case is to blame.

The case that ran last in it is to blame, whatever a repeat does: whether a thread dies before or after the reply of the
case that broke it depends only on the machine's load.
"""

from dataclasses import replace

from runner.model import Attempt, Result, Status


def mark_late_death(attempt: Attempt, late: Attempt) -> Attempt:
    """An attempt whose child has died after its reply, or has sent something unasked."""
    said = f"{attempt.status}: {attempt.message}".removesuffix(": ")
    return replace(
        attempt,
        status=late.status,
        message=f"{late.message} (after its reply, {said})",
        output=attempt.output + late.output,
        signal=late.signal,
        exit_code=late.exit_code,
        how=attempt.how if late.status is Status.ERROR else late.how,
    )


def with_death(result: Result, late: Attempt) -> Result:
    """A result that was already sent, with what has happened to its child since."""
    *others, last = result.attempts
    own = (*result.attempts, late) if late.status is Status.ERROR else (*others, mark_late_death(last, late))
    return Result(result.id, own)
