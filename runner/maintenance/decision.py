"""What an entry should be after the runs: pure, from the evidence and the entry that decides today."""

from dataclasses import dataclass
from typing import assert_never

from runner.ids import is_glob
from runner.maintenance.evidence import Evidence, Shows, signature_of
from runner.model import Expectation, FileKind, Status
from runner.verdict.intervals import INCREDIBLE, is_healed, rates_agree, upper95
from runner.verdict.judge import signature_matches

_UNRATED = 0.5  # stands for the rate that a flakes entry does not give


@dataclass(frozen=True, slots=True)
class Keep:
    """The entry stays as it is; `note` is what a person should know, "" if all is well."""

    note: str = ""


@dataclass(frozen=True, slots=True)
class Want:
    """The test is to be judged by this entry; `entry` None: it passes."""

    entry: Expectation | None


def decide(test_id: str, evidence: Evidence, entry: Expectation | None, *, sharpen: bool = False) -> Keep | Want:
    """What to do about one test. `entry` is the one that decides today, None if the test is expected to pass.

    `sharpen`: even if its signature holds, it becomes what the messages of the runs have in common, if that is longer.
    """
    if entry and entry.statuses == {Status.PASS}:
        entry = None
    match evidence.shows:
        case Shows.PASSES:
            return _passing(evidence, entry)
        case Shows.FAILS:
            return _failing(test_id, evidence, entry, sharpen=sharpen)
        case Shows.FLAKES:
            return _flaking(test_id, evidence, entry)
        case Shows.ONCE:
            if entry and evidence.statuses <= entry.statuses and all_match(evidence, entry):
                return Keep()
            return Keep("one run proves nothing; run again, and give both")
        case Shows.SKIPPED:
            if entry and entry.kind is FileKind.FAILS:
                return Keep(f"{entry.source} expects it to fail; delete that entry if the feature is gone for good")
            return Keep()
        case _:
            assert_never(evidence.shows)


def _passing(evidence: Evidence, entry: Expectation | None) -> Keep | Want:
    if entry is None:
        return Keep()
    if entry.kind is FileKind.FAILS:
        return Want(None)
    return Want(None) if not is_glob(entry.pattern) and is_healed(entry.rate, evidence.executions) else Keep()


def _failing(test_id: str, evidence: Evidence, entry: Expectation | None, *, sharpen: bool) -> Keep | Want:
    # The judge compares no signature of a Timeout: where it was cut off says nothing.
    signature = "" if evidence.status is Status.TIMEOUT else signature_of(evidence.messages)
    if entry and evidence.statuses <= entry.statuses:
        sharper = sharpen and len(signature) > len(entry.signature)
        if entry.kind is FileKind.FAILS and all_match(evidence, entry) and not sharper:
            return Keep()
        if entry.kind is FileKind.FLAKES:
            worst_rate = upper95(*entry.rate) if entry.rate else _UNRATED
            if worst_rate**evidence.executions >= INCREDIBLE:
                return Keep()
    return Want(Expectation(test_id, FileKind.FAILS, evidence.statuses, signature))


def _flaking(test_id: str, evidence: Evidence, entry: Expectation | None) -> Keep | Want:
    seen = (evidence.failures, evidence.executions)
    statuses, rate = evidence.statuses, seen
    if entry and entry.kind is FileKind.FLAKES:
        covered = statuses <= entry.statuses
        if covered and (is_glob(entry.pattern) or (entry.rate and rates_agree(entry.rate, seen))):
            return Keep()
        statuses |= entry.statuses
        if entry.rate and not covered:
            total = (entry.rate[0] + seen[0], entry.rate[1] + seen[1])
            rate = total if rates_agree(total, seen) else seen
    return Want(Expectation(test_id, FileKind.FLAKES, statuses, "", rate))


def all_match(evidence: Evidence, entry: Expectation) -> bool:
    """Whether every failure has the entry's message; a Timeout's is not compared."""
    return entry.statuses == {Status.TIMEOUT} or all(signature_matches(m, entry) for m in evidence.messages)
