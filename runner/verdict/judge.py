"""The two decisions of a run, as pure functions: whether a case runs again, and what its result means.

The verdict table is deqp-runner's, with three additions: signatures, rates of known flakes, and state
that an earlier case left behind in the driver.
"""

import enum
import math
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import assert_never

from runner.model import Attempt, Expectation, FileKind, How, Result, Status, Verdict
from runner.verdict.intervals import INCREDIBLE, upper95
from runner.verdict.place import has_place, without_place

SEVERITY = (Status.PASS, Status.FAIL, Status.TIMEOUT, Status.CRASH)
BAD = frozenset({Status.FAIL, Status.TIMEOUT, Status.CRASH})
FLAKE_ATTEMPTS = 10
MAX_FLAKE_ATTEMPTS = 70  # a test that may fail all of these belongs into a fails file
_TIMEOUT_ATTEMPTS = 2
MANY_REGRESSIONS = 20  # confirmed regressions without a flake, after which reds are not repeated
_NUMBER = r"-?\b(?:0x[\da-f.]+(?:p[-+]\d+)?|\d+(?:\.\d+)?(?:e[-+]\d+)?)\b"
_VALUE = re.compile(rf"{_NUMBER}(?: \({_NUMBER}\))?")  # as messages write them: 137 (0x89), 0x1.8p+5 (48)
# Errors of a device that another process may have hung or filled; such a case is tried again while
# the other workers pause, so that it is not blamed for a fault of its neighbour.
_DEVICE_ERRORS = (
    "CL_OUT_OF_RESOURCES",
    "CL_OUT_OF_HOST_MEMORY",
    "CL_MEM_OBJECT_ALLOCATION_FAILURE",
    "CL_DEVICE_NOT_AVAILABLE",
    "memory limit",
)


class Next(enum.Enum):
    """What to do after the attempts so far."""

    DONE = "done"
    ALONE = "alone"
    QUIET = "quiet"  # alone, while the other workers pause
    REPLAY = "replay"  # in a fresh child, after the cases that the first attempt's child had run


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on a case, with the message that explains it."""

    verdict: Verdict
    message: str = ""


def next_attempt(attempts: Sequence[Attempt], expectation: Expectation | None, retries: int = 2) -> Next:
    """Decide whether a case runs again. `attempts` holds at least one; a skipped case never comes here."""
    expectation = deciding(attempts, expectation)
    last = attempts[-1]
    if last.status is Status.SKIP or (last.how is How.LATE and last.status in BAD):  # not the case's own chance
        return Next.DONE
    if last.status is Status.ERROR:
        return Next.ALONE if sum(a.status is Status.ERROR for a in attempts) < 2 else Next.DONE
    tried = [a for a in attempts if a.status is not Status.ERROR]
    is_flake = expectation is not None and expectation.kind is FileKind.FLAKES and _seen_bad(tried) <= expectation.statuses
    most = _attempts_of_flake(expectation) if expectation and is_flake else FLAKE_ATTEMPTS
    if sum(a.status is Status.TIMEOUT for a in tried) >= (most if is_flake else _TIMEOUT_ATTEMPTS):
        return Next.DONE
    again = Next.QUIET if _may_be_a_neighbours(last) else Next.ALONE
    if is_flake and _seen_bad(tried):
        done = last.status is Status.PASS or len(tried) >= most
        return Next.DONE if done else again
    if len(tried) == 1:
        return Next.DONE if retries == 0 or _is_expected(last, expectation) else again
    if len(tried) > retries or _two_agree(tried, expectation):
        return Next.DONE
    first = tried[0]
    if len(tried) == 2 and first.status in BAD and first.nth_in_child > 1 and last.status is Status.PASS:
        return Next.REPLAY
    return again


def judge(result: Result, expectation: Expectation | None, floor: Collection[str] = ()) -> Judgement:
    """The verdict on the attempts of a case with its expectation (none, fails or flakes).

    `floor` lists the capabilities that the target is known to have. A case that fails elsewhere and needs what the floor
    does not promise is a plain skip here: the device has lost nothing. An attempt that was refused, because its reply was
    none or its body tested nothing, makes a pass a flake; any other row says that there was one.
    """
    expectation = deciding(result.attempts, expectation)
    if expectation is None and len(result.attempts) == 1 and result.attempts[0].status is Status.PASS:
        return Judgement(Verdict.PASS, result.attempts[0].message)  # most of every run
    refused = [a for a in result.attempts if a.status is Status.ERROR]
    if len(refused) == len(result.attempts):
        return Judgement(Verdict.ERROR, refused[-1].message if refused else "no attempt")
    judged = _judge_attempts(result, expectation, floor)
    if not refused:
        return judged
    count, why = f"{len(refused)} of {len(result.attempts)} attempts", refused[-1].message
    if judged.verdict is Verdict.PASS:
        return Judgement(Verdict.FLAKE, f"{count}: {why}")
    return Judgement(judged.verdict, f"{judged.message} ({count} refused: {why})".lstrip())


def _judge_attempts(result: Result, expectation: Expectation | None, floor: Collection[str]) -> Judgement:
    attempts = [a for a in result.attempts if a.status is not Status.ERROR]
    # An executed attempt counts, whatever one before or after it lacked.
    attempts = [a for a in attempts if a.status is not Status.SKIP] or attempts
    last = attempts[-1]
    kind = expectation.kind if expectation and expectation.statuses != {Status.PASS} else None
    if last.status is Status.SKIP:
        never_there = bool(floor and last.unmet) and not set(floor) & set(last.unmet)
        improved = kind is FileKind.FAILS and not never_there
        return Judgement(Verdict.IMPROVED_SKIP if improved else Verdict.SKIP, last.message)
    bad = _seen_bad(attempts)
    passed = any(a.status is Status.PASS for a in attempts)
    leaks = last.how is How.REPLAY and last.status in BAD
    # A child that dies while nothing runs was broken before that, whatever passes afterwards.
    certain = leaks or any(a.how is How.LATE for a in attempts)
    status = last.status if leaks else max((a.status for a in attempts), key=SEVERITY.index)
    message = next((a.message for a in reversed(attempts) if a.status is status), "")
    if passed and bad and not certain:
        if expectation and kind is FileKind.FLAKES and bad <= expectation.statuses:
            return _against_flakes(attempts, status, message, bad, expectation)
        k = sum(a.status in BAD for a in attempts)
        return Judgement(Verdict.FLAKE, f"{k} of {len(attempts)} attempts: {message}")
    match kind:
        case None:
            return Judgement(Verdict(status), message)
        case FileKind.FAILS:
            assert expectation is not None
            return _against_fails(attempts, status, message, expectation)
        case FileKind.FLAKES:
            assert expectation is not None
            return _against_flakes(attempts, status, message, bad, expectation)
        case FileKind.SKIPS:
            raise ValueError(f"{result.id} was run under a skips entry: {expectation}")
        case _:
            assert_never(kind)


def deciding(attempts: Sequence[Attempt], expectation: Expectation | None) -> Expectation | None:
    """The first of an entry and its `others` whose signature every bad attempt has; else the test's own, if any."""
    if expectation is None:
        return None
    bad = [a for a in attempts if a.status in BAD]
    for entry in (expectation, *expectation.others) if bad else ():
        if all(a.status in entry.statuses and signature_matches(a.message, entry) for a in bad):
            return entry
    return None if expectation.is_family else expectation


def signature_matches(message: str, expectation: Expectation | None) -> bool:
    """True if the entry has no signature, or the message contains it.

    A message without a place, from a child that could not tell it, contradicts no place.
    """
    if expectation is None:
        return True
    signature = expectation.signature if has_place(message) else without_place(expectation.signature)
    if expectation.signature and not signature:  # nothing but a place, and there is none
        return False
    if expectation.any_values:
        return _VALUE.sub("#", signature) in _VALUE.sub("#", message)
    return signature in message


def another_way(attempts: Sequence[Attempt], entry: Expectation) -> str | None:
    """The message of the first attempt that failed with a fails entry's status, but not with its signature."""
    bad = (a for a in attempts if a.status in entry.statuses and a.status is not Status.TIMEOUT)
    return next((a.message for a in bad if not signature_matches(a.message, entry)), None)


def _repeats_are_known(attempts: Sequence[Attempt], entry: Expectation) -> bool:
    """True if only the first attempt failed in another way: because of the memory of a used child, say."""
    repeats = attempts[1:]
    return len(repeats) > 1 and all(a.status in entry.statuses for a in attempts) and another_way(repeats, entry) is None


def _against_fails(attempts: Sequence[Attempt], status: Status, message: str, entry: Expectation) -> Judgement:
    (expected,) = entry.statuses
    if status is Status.PASS and entry.mark == "pending":
        return Judgement(Verdict.PASS)
    if status is Status.PASS:
        return Judgement(Verdict.IMPROVED_PASS, f"listed as {expected} in {entry.source}")
    if status is expected:
        other = another_way(attempts, entry)
        if other is None or _repeats_are_known(attempts, entry):
            return Judgement(Verdict.EXPECTED_FAIL, message)
        return Judgement(Verdict(status), f"{other} (not the known way: {entry.source} says {entry.signature!r})")
    if status is Status.FAIL and expected in (Status.CRASH, Status.TIMEOUT):
        return Judgement(Verdict.IMPROVED_FAIL, f"{message} (listed as {expected} in {entry.source})")
    return Judgement(Verdict(status), message)


def _against_flakes(
    attempts: Sequence[Attempt], status: Status, message: str, bad: frozenset[Status], entry: Expectation
) -> Judgement:
    if status is Status.PASS:
        return Judgement(Verdict.PASS)
    if not bad <= entry.statuses:
        return Judgement(Verdict(status), message)
    k = sum(a.status in BAD for a in attempts)
    passes = sum(a.status is Status.PASS for a in attempts)
    if is_beyond_rate(k, passes, entry):
        return Judgement(Verdict(status), f"{message} (failed {k} of {len(attempts)}; {rate_of_entry(entry)})")
    return Judgement(Verdict.KNOWN_FLAKE, f"{k} of {len(attempts)} attempts: {message}")


def is_beyond_rate(failures: int, passes: int, entry: Expectation) -> bool:
    """True if these are too many failures for a flake of the entry's rate, or none passes any more."""
    if not passes and failures >= (_attempts_of_flake(entry) if entry.rate is None else needed_attempts(entry.rate)):
        return True
    return entry.rate is not None and _chance(failures, passes, upper95(*entry.rate)) < INCREDIBLE


def needed_attempts(rate: tuple[int, int]) -> float:
    """How many failures in a row are incredible at a rate that was measured; infinitely many if it has never passed."""
    failures, runs = rate
    if failures == runs:
        return math.inf
    # Laplace's rule: something seen once in a few runs is not a certainty.
    return math.ceil(math.log(INCREDIBLE) / math.log((failures + 1) / (runs + 2)))


def _attempts_of_flake(entry: Expectation) -> int:
    """How often a known flake is tried until it passes: often enough to tell that it never does."""
    least = _TIMEOUT_ATTEMPTS if entry.statuses == {Status.TIMEOUT} else FLAKE_ATTEMPTS
    needed = needed_attempts(entry.rate) if entry.rate else least
    return least if needed > MAX_FLAKE_ATTEMPTS else max(least, int(needed))


def rate_of_entry(entry: Expectation) -> str:
    """What a flakes entry states as its rate, with its place."""
    return f"{entry.source} says {entry.rate[0]}/{entry.rate[1]}" if entry.rate else f"{entry.source} gives no rate"


def _chance(failures: int, passes: int, rate: float) -> float:
    """The probability of `failures` or more failures before `passes` passes (at least one), at this rate.

    It is repeated until it passes: the negative binomial distribution, as a tail of the binomial one.
    """
    n = failures + max(passes, 1) - 1
    return sum(math.comb(n, i) * rate**i * (1 - rate) ** (n - i) for i in range(failures, n + 1))


def _seen_bad(attempts: Sequence[Attempt]) -> frozenset[Status]:
    return frozenset(a.status for a in attempts) & BAD


def _is_expected(attempt: Attempt, expectation: Expectation | None) -> bool:
    judged = judge(Result("", (attempt,)), expectation)
    return judged.verdict in (Verdict.PASS, Verdict.SKIP, Verdict.EXPECTED_FAIL)


def _two_agree(attempts: Sequence[Attempt], expectation: Expectation | None) -> bool:
    kinds = [(a.status, signature_matches(a.message, expectation)) for a in attempts]
    return len(set(kinds)) < len(kinds)


def _may_be_a_neighbours(attempt: Attempt) -> bool:
    return attempt.status is Status.TIMEOUT or (
        attempt.status in BAD and any(word in attempt.message for word in _DEVICE_ERRORS)
    )
