"""The judge, exhaustively: the table of design and README, repeats, signatures, rates, left-behind state.

One file: the table and everything that moves a row of it.
"""

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest
from answers import attempt

from runner.model import Attempt, Expectation, FileKind, How, Result, Status, Verdict
from runner.verdict.intervals import upper95
from runner.verdict.judge import MAX_FLAKE_ATTEMPTS, Next, another_way, judge, next_attempt

P, F, C, T, S, E = Status.PASS, Status.FAIL, Status.CRASH, Status.TIMEOUT, Status.SKIP, Status.ERROR


def result(*statuses: Status) -> Result:
    return Result("a/b", tuple(attempt(s) for s in statuses))


def fails(status: Status, signature: str = "") -> Expectation:
    return Expectation("a/b", FileKind.FAILS, frozenset({status}), signature, source="f:1")


def flakes(*statuses: Status, rate: tuple[int, int] | None = None) -> Expectation:
    return Expectation("a/b", FileKind.FLAKES, frozenset(statuses), rate=rate, source="f:1")


_ENTRIES = {
    "none": None,
    "Fail": fails(F),
    "Crash": fails(C),
    "Timeout": fails(T),
    "flake Fail": flakes(F),
    "flake Crash": flakes(C),
    "flake Timeout": flakes(T),
    "flake all": flakes(F, C, T),
}
_TABLE = {
    P: ["Pass", *["UnexpectedImprovement(Pass)"] * 3, *["Pass"] * 4],
    F: ["Fail", "ExpectedFail", *["UnexpectedImprovement(Fail)"] * 2, "KnownFlake", "Fail", "Fail", "KnownFlake"],
    C: ["Crash", "Crash", "ExpectedFail", "Crash", "Crash", "KnownFlake", "Crash", "KnownFlake"],
    T: ["Timeout", "Timeout", "Timeout", "ExpectedFail", "Timeout", "Timeout", "KnownFlake", "KnownFlake"],
    S: ["Skip", *["UnexpectedImprovement(Skip)"] * 3, *["Skip"] * 4],
    E: ["Error"] * 8,
}


def wrong_cells(cells: Iterable[tuple[str, Verdict, str]]) -> list[str]:
    """Of (cell, verdict, what the table says), those that differ; with it a failure names every wrong cell."""
    return [f"{cell}: got {got}, want {want}" for cell, got, want in cells if got != want]


def table_cells() -> Iterator[tuple[str, Verdict, str]]:
    for status, row in _TABLE.items():
        for (name, entry), want in zip(_ENTRIES.items(), row, strict=True):
            yield f"{status} by {name}", judge(result(status), entry).verdict, want


def test_one_attempt_is_judged_by_the_table() -> None:
    assert _TABLE.keys() == set(Status)
    assert wrong_cells(table_cells()) == []


def verdict_of_several(statuses: tuple[Status, ...], entry: Expectation | None) -> str:
    """The rules of the design for more than one attempt, apart from the judge's own code."""
    bad = set(statuses) - {P}
    worst = max(statuses, key=(P, F, T, C).index)
    is_flakes_entry = entry is not None and entry.kind is FileKind.FLAKES
    listed = entry is not None and is_flakes_entry and bad <= entry.statuses
    if P in statuses and bad:
        return "KnownFlake" if listed else "Flake"
    if is_flakes_entry and bad:
        never_passes = entry is not None and entry.statuses == bad == {T} and entry.rate is None
        return "KnownFlake" if listed and not never_passes else str(worst)
    name = next(name for name, known in _ENTRIES.items() if known is entry)
    return _TABLE[worst][list(_ENTRIES).index(name)]


def test_three_attempts_become_one_row() -> None:
    cells = [
        (f"{'+'.join(statuses)} by {name}", judge(result(*statuses), entry).verdict, verdict_of_several(statuses, entry))
        for statuses, (name, entry) in itertools.product(itertools.product((P, F, C, T), repeat=3), _ENTRIES.items())
    ]
    assert len(cells) == 4**3 * 8
    assert wrong_cells(cells) == []


@pytest.mark.parametrize("status", [F, C])
def test_a_signature_must_match_every_attempt_of_its_status(status: Status) -> None:
    entry = fails(status, "value: sin")
    same, other = attempt(status, message="value: sin(1)"), attempt(status, message="value: cos(1)")
    assert judge(Result("a/b", (same,)), entry).verdict is Verdict.EXPECTED_FAIL
    assert judge(Result("a/b", (same, other)), entry).verdict == status.value
    assert "f:1" in judge(Result("a/b", (other,)), entry).message


def test_with_other_inputs_a_signature_says_all_but_its_numbers() -> None:
    entry = replace(fails(F, "value: sin[3]: got 0x1.8p+5 (48) want -7"), any_values=True)
    for message, verdict in {
        "value: sin[17]: got -0x1p-3 (-0.125) want 0": Verdict.EXPECTED_FAIL,
        "value: sin[3]: got 137 (0x89) want 1.27e+07 (2 of 4 wrong)": Verdict.EXPECTED_FAIL,
        "value: cos[3]: got 0x1.8p+5 (48) want -7": Verdict.FAIL,
        "value: sin[3]: got 0x1.8p+5 (48), which is not a number": Verdict.FAIL,
    }.items():
        assert judge(Result("a/b", (attempt(F, message=message),)), entry).verdict is verdict


@pytest.mark.parametrize("status", [F, C])
def test_repeats_in_the_known_way_count_if_only_the_first_attempt_failed_in_another(status: Status) -> None:
    entry = fails(status, "value: sin")
    same, other = attempt(status, message="value: sin(1)"), attempt(status, message="value: cos(1)")
    known = judge(Result("a/b", (other, same, same)), entry)
    assert (known.verdict, known.message) == (Verdict.EXPECTED_FAIL, same.message)
    assert another_way((other, same, same), entry) == other.message
    for attempts in ((other, same), (other, other, same), (other, same, other), (same, other, same)):
        assert judge(Result("a/b", attempts), entry).verdict == status.value


def test_a_crash_is_not_a_first_failure_by_chance() -> None:
    same = attempt(F, message="value: sin(1)")
    assert judge(Result("a/b", (attempt(C, message="SIGSEGV"), same, same)), fails(F, "value: sin")).verdict is Verdict.CRASH


def test_the_entry_of_a_family_decides_only_by_the_message() -> None:
    second = replace(fails(C, "SIGFPE"), pattern="a/*", source="f:2")
    family = replace(fails(F, "no function"), pattern="*", others=(second,))

    def verdict(*attempts: Attempt) -> str:
        return judge(Result("a/b", attempts), family).verdict

    known, other = attempt(F, message="build: no function f"), attempt(F, message="value: got 1")
    assert verdict(known) == "ExpectedFail"
    assert verdict(attempt(C, message="SIGFPE: died")) == "ExpectedFail"
    assert verdict(attempt(P)) == "Pass"
    assert verdict(attempt(S)) == "Skip"
    assert verdict(other) == "Fail"
    assert verdict(known, other) == "Fail"
    assert verdict(attempt(C, message="build: no function f")) == "Crash"
    assert verdict(attempt(T, message="no function")) == "Timeout"
    assert verdict(known, attempt(P)) == "Flake"
    own = replace(fails(F, "got 7"), others=(family, second))
    assert judge(Result("a/b", (attempt(F, message="value: got 7"),)), own).verdict == "ExpectedFail"
    assert judge(Result("a/b", (known,)), own).verdict == "ExpectedFail"
    assert judge(Result("a/b", (other,)), own).verdict == "Fail"
    assert judge(Result("a/b", (attempt(P),)), own).verdict == "UnexpectedImprovement(Pass)"
    assert next_attempt([known], family) is Next.DONE
    assert next_attempt([other], family) is Next.ALONE


def test_a_pass_line_counts_as_no_line() -> None:
    assert judge(result(P), fails(P)).verdict is Verdict.PASS
    assert judge(result(F), fails(P)).verdict is Verdict.FAIL


def test_a_known_flake_that_always_fails_is_red_only_if_its_rate_makes_that_incredible() -> None:
    ten = result(*[F] * 10)
    assert judge(ten, flakes(F)).verdict is Verdict.FAIL  # an entry without a rate hides no test that never passes
    assert judge(result(*[F] * 9, P), flakes(F)).verdict is Verdict.KNOWN_FLAKE
    assert judge(ten, flakes(F, rate=(180, 200))).verdict is Verdict.KNOWN_FLAKE
    assert judge(ten, flakes(F, rate=(3, 200))).verdict is Verdict.FAIL
    assert judge(result(F), flakes(F, rate=(3, 200))).verdict is Verdict.KNOWN_FLAKE
    assert judge(result(T, T), flakes(T)).verdict is Verdict.TIMEOUT  # no third is tried


@pytest.mark.parametrize("status", [F, C, T])
@pytest.mark.parametrize("rate", [(1, 2), (1, 3), (9, 10), (1, 300), (162, 200)])
def test_a_known_flake_of_any_rate_is_red_when_it_never_passes_any_more(status: Status, rate: tuple[int, int]) -> None:
    entry, attempts = flakes(status, rate=rate), [attempt(status)]
    while next_attempt(attempts, entry) is not Next.DONE:
        attempts.append(attempt(status))
    assert len(attempts) <= MAX_FLAKE_ATTEMPTS
    assert judge(Result("a/b", tuple(attempts)), entry).verdict is Verdict(status)
    if rate[0] * 2 > rate[1]:  # with so few runs it is not
        assert judge(Result("a/b", (attempt(status),) * 4), entry).verdict is Verdict.KNOWN_FLAKE
    assert judge(Result("a/b", (attempt(status), attempt(P))), entry).verdict is Verdict.KNOWN_FLAKE


def test_what_has_always_failed_in_several_ways_may_do_so() -> None:
    assert judge(result(*[F, C] * 5), flakes(F, C, rate=(19, 19))).verdict is Verdict.KNOWN_FLAKE


@pytest.mark.parametrize("order", [(P,), (F,), (F, P), (C, P, P)])
@pytest.mark.parametrize("entry", [None, flakes(F), fails(F), fails(T)])
def test_a_death_after_the_reply_is_a_crash_whatever_passed(entry: Expectation | None, order: tuple[Status, ...]) -> None:
    attempts = [*map(attempt, order), attempt(C, How.LATE)]
    assert next_attempt(attempts, entry) is Next.DONE
    assert judge(Result("a/b", tuple(attempts)), entry).verdict is Verdict.CRASH
    assert judge(Result("a/b", tuple(attempts)), fails(C)).verdict is Verdict.EXPECTED_FAIL


def test_a_signature_that_is_only_a_place_matches_no_message_without_one() -> None:
    entry = fails(C, ": died in libgallium (main thread)")
    at = attempt(C, message="SIGSEGV: died in libgallium (main thread)")
    assert judge(Result("a/b", (at,)), entry).verdict is Verdict.EXPECTED_FAIL
    assert judge(Result("a/b", (attempt(C, message="SIGABRT: anything"),)), entry).verdict is Verdict.CRASH


def test_upper95_is_the_wilson_bound() -> None:
    # Solve (p - k/n)^2 = z^2 p (1 - p) / n, which defines the interval, independently of the code.
    for k, n in ((0, 10), (3, 200), (5, 10), (10, 10)):
        p = upper95(k, n)
        assert (p - k / n) ** 2 == pytest.approx(1.959964**2 * p * (1 - p) / n, abs=1e-9)
        assert p >= k / n - 1e-12
    assert upper95(0, 0) == 1


def test_a_harness_error_beside_a_failure_does_not_count() -> None:
    assert judge(result(E, F), None).verdict is Verdict.FAIL
    assert judge(result(E, E), None).verdict is Verdict.ERROR


@pytest.mark.parametrize("statuses", [(S, F), (F, S), (S, F, F), (E, S, F)])
def test_a_skip_beside_a_failure_hides_nothing(statuses: tuple[Status, ...]) -> None:
    assert judge(result(*statuses), None).verdict is Verdict.FAIL
    assert judge(result(*statuses), fails(F)).verdict is Verdict.EXPECTED_FAIL
    assert judge(result(S, E), None).verdict is Verdict.SKIP


def test_state_left_behind_is_red_although_the_case_passes_by_itself() -> None:
    leak = Result("a/b", (attempt(F, nth=5), attempt(P, How.ALONE), attempt(F, How.REPLAY, 5, "x (only after a/a)")))
    assert judge(leak, None).verdict is Verdict.FAIL
    assert judge(leak, None).message == "x (only after a/a)"
    assert judge(leak, flakes(F)).verdict is Verdict.KNOWN_FLAKE


@pytest.mark.parametrize(
    ("attempts", "entry", "then"),
    [
        ([attempt(P)], None, Next.DONE),
        ([attempt(S)], fails(F), Next.DONE),
        ([attempt(F)], fails(F), Next.DONE),
        ([attempt(F)], fails(F, "other"), Next.ALONE),
        ([attempt(P)], fails(F), Next.ALONE),
        ([attempt(F)], None, Next.ALONE),
        ([attempt(C)], None, Next.ALONE),
        ([attempt(T)], None, Next.QUIET),
        ([attempt(T)], fails(T), Next.DONE),
        ([attempt(F, message="enqueue: k: CL_OUT_OF_RESOURCES")], None, Next.QUIET),
        ([attempt(F), attempt(F)], None, Next.DONE),
        ([attempt(F), attempt(C)], None, Next.ALONE),
        ([attempt(F), attempt(P)], None, Next.ALONE),
        ([attempt(F, nth=2), attempt(P)], None, Next.REPLAY),
        ([attempt(P, nth=2), attempt(F)], fails(F), Next.ALONE),
        ([attempt(F, nth=2), attempt(P), attempt(F, How.REPLAY)], None, Next.DONE),
        ([attempt(T), attempt(T)], None, Next.DONE),
        ([attempt(T), attempt(P)], None, Next.ALONE),
        ([attempt(F), attempt(C), attempt(P)], None, Next.DONE),
        ([attempt(E)], None, Next.ALONE),
        ([attempt(E), attempt(E)], None, Next.DONE),
        ([attempt(F)], flakes(F), Next.ALONE),
        ([attempt(F)] * 9, flakes(F), Next.ALONE),
        ([attempt(F)] * 10, flakes(F), Next.DONE),
        ([attempt(F)] * 3 + [attempt(P)], flakes(F), Next.DONE),
        ([attempt(T)] * 2, flakes(T), Next.DONE),
        ([attempt(C)], flakes(F), Next.ALONE),
        ([attempt(C), attempt(C)], flakes(F), Next.DONE),
    ],
)
def test_what_is_tried_next_follows_from_the_attempts_and_the_line(
    attempts: list[Attempt], entry: Expectation | None, then: Next
) -> None:
    assert next_attempt(attempts, entry) is then


def test_without_retries_nothing_is_repeated() -> None:
    assert next_attempt([attempt(F)], None, retries=0) is Next.DONE


def attempts_until_done(statuses: tuple[Status, ...], entry: Expectation | None) -> int:
    """How often a case runs whose attempts end in turn as these; 25 stands for "endless"."""
    attempts: list[Attempt] = []
    for status in itertools.islice(itertools.cycle(statuses), 25):
        attempts.append(attempt(status))
        if next_attempt(attempts, entry) is Next.DONE:
            break
    judge(Result("a/b", tuple(attempts)), entry)
    return len(attempts)


def test_every_case_comes_to_an_end() -> None:
    endings = list(itertools.product((P, F, C, T, E), repeat=3))
    endless = [
        f"{'+'.join(statuses)} by {name}"
        for statuses, (name, entry) in itertools.product(endings, _ENTRIES.items())
        if attempts_until_done(statuses, entry) > 10
    ]
    assert endless == []


_GARBLED = "protocol: no message: b'garbage'"


@pytest.mark.parametrize("entry", [None, flakes(F), Expectation("a/b", FileKind.FAILS, frozenset({P}))])
@pytest.mark.parametrize("order", [(E, P), (P, E), (E, P, E)])
def test_a_pass_beside_an_attempt_that_was_refused_is_a_flake_that_says_so(
    entry: Expectation | None, order: tuple[Status, ...]
) -> None:
    judged = judge(Result("a/b", tuple(attempt(s, message=_GARBLED if s is E else "") for s in order)), entry)
    assert judged.verdict is Verdict.FLAKE
    assert judged.message == f"{order.count(E)} of {len(order)} attempts: {_GARBLED}"


@pytest.mark.parametrize("entry", _ENTRIES.values())
@pytest.mark.parametrize("status", [F, C, T, S])
def test_every_other_row_has_its_verdict_and_says_that_an_attempt_was_refused(
    entry: Expectation | None, status: Status
) -> None:
    rest = (attempt(status), attempt(status))
    judged = judge(Result("a/b", (attempt(E, message=_GARBLED), *rest)), entry)
    assert judged.verdict is judge(Result("a/b", rest), entry).verdict
    assert judged.message.endswith(f"(1 of 3 attempts refused: {_GARBLED})")
