"""A child that dies, or speaks, when its case is over and no other one has begun: whose doing that is.

It is the case's that ran last in it. No repeat makes it undone: whether a thread dies before or after the reply of the
case that broke it hangs on the machine's load, and nothing else.
"""

from dataclasses import replace

from runner.model import Attempt, Result, Status


def mark_late_death(attempt: Attempt, late: Attempt) -> Attempt:
    """An attempt whose child has died after its reply, or has spoken unasked."""
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
    """A result that was brought already, with what became of its child since."""
    *others, last = result.attempts
    own = (*result.attempts, late) if late.status is Status.ERROR else (*others, mark_late_death(last, late))
    return Result(result.id, own)
