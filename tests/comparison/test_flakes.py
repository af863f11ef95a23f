"""What becomes of an entry of a flakes file, and which factor a flake depends on."""

import itertools
from dataclasses import replace
from fractions import Fraction
from math import comb

import pytest

from runner.analysis.flakes import Action, judge_flake
from runner.expectations.target import Target
from runner.model import Attempt, Expectation, FileKind, How, Result, Status, Verdict
from runner.records.history import Execution, Run
from runner.verdict.intervals import Factor, fisher_exact, strongest
from runner.verdict.judge import judge

_P, _F, _C, _S = Status.PASS, Status.FAIL, Status.CRASH, Status.SKIP


_BAD = (_F, _C, Status.TIMEOUT)


def _executions(*statuses: Status, builds: int = 1) -> tuple[Execution, ...]:
    per = -(-len(statuses) // builds)
    return tuple(
        Execution(
            Run(n, str(n), f"2026-01-01T00:{n // 60:02}:{n % 60:02}", Target("mock"), "", f"build {n // per}", "", 1, ""),
            status,
            0.1,
            How.WARM,
            1,
            "",
        )
        for n, status in enumerate(statuses)
    )


def _entry(rate: tuple[int, int] | None, kind: FileKind = FileKind.FLAKES, pattern: str = "s/a/t") -> Expectation:
    return Expectation(pattern, kind, frozenset({_F}), "", rate, source="f:1")


@pytest.mark.parametrize(
    ("statuses", "builds", "entry", "action", "red"),
    [
        ([_F, _P, _P], 1, None, Action.ADD, False),
        ([_F, _F, _P, _P], 2, None, None, False),  # fixed, not flaky
        ([_F, _F], 1, None, None, False),
        ([_P] * 20 + [_F] * 20, 1, None, None, False),  # broken, though the build is the same
        ([_P, _F, _P, _F], 1, None, Action.ADD, False),
        ([_P, _P], 1, None, None, False),
        ([_F, _P] + [_P] * 100, 1, None, None, False),  # it has been fixed since
        ([_F, _P], 1, _entry(None, FileKind.FAILS), Action.ADD, False),
        ([_F, _P, _P], 1, _entry((1, 3)), Action.KEEP, False),
        ([_F, _P, _P], 1, _entry(None), Action.CHANGE, False),
        ([_F, _C, _P], 1, _entry((1, 3)), Action.CHANGE, True),
        ([_F, _P] * 20, 1, _entry((1, 200)), Action.CHANGE, True),
        ([_F] * 20, 1, _entry((1, 200)), Action.CHANGE, True),
        (([_F] + [_P] * 19) * 10, 1, _entry((9, 10)), Action.CHANGE, False),
        ([_P] * 150, 1, _entry((1, 3)), Action.DROP, False),
        ([_P] * 100, 1, _entry((1, 3)), Action.KEEP, False),
        ([_P] * 10, 1, _entry((1, 300)), Action.KEEP, False),
        ([_P] * 150, 1, _entry((1, 3), pattern="s/a/*"), Action.KEEP, False),
        ([_P] * 100, 1, _entry(None), Action.KEEP, False),
    ],
)
def test_its_executions_decide_what_becomes_of_a_line(
    statuses: list[Status], builds: int, entry: Expectation | None, action: Action | None, red: bool
) -> None:
    flake = judge_flake("s/a/t", _executions(*statuses, builds=builds), entry)
    assert (flake and (flake.action, flake.red)) == (action and (action, red))
    if flake and flake.action in (Action.ADD, Action.CHANGE):
        k, bad = sum(s in _BAD for s in statuses), frozenset(statuses) - {_P}
        always = Expectation("s/a/t", FileKind.FAILS, bad)
        assert flake.entry == (
            always if k == len(statuses) else Expectation("s/a/t", FileKind.FLAKES, bad, "", (k, len(statuses)))
        )


def test_what_fails_on_one_device_and_passes_on_another_is_not_a_flake() -> None:
    ran = _executions(*[_F, _P] * 4)
    by_device = tuple(replace(e, run=replace(e.run, device=f"device {n % 2}")) for n, e in enumerate(ran))
    assert judge_flake("s/a/t", ran, None)
    assert judge_flake("s/a/t", by_device, None) is None


def test_a_status_that_a_line_knows_is_not_forgotten_because_its_rate_changes() -> None:
    entry = replace(_entry((1, 200)), statuses=frozenset({_F, _C}))
    flake = judge_flake("s/a/t", _executions(*[_F, _P] * 20), entry)
    assert flake
    assert flake.entry == replace(entry, rate=(20, 40), source="")


@pytest.mark.parametrize(
    ("rate", "statuses", "verdict"),
    [
        ((1, 300), (_F, _P), Verdict.KNOWN_FLAKE),
        ((1, 300), (_F, _F, _P), Verdict.FAIL),
        ((1, 3), (_F, _F, _P), Verdict.KNOWN_FLAKE),
        ((1, 3), (_F,) * 9 + (_P,), Verdict.KNOWN_FLAKE),
        ((1, 40), (_F,) * 4 + (_P,), Verdict.FAIL),
        ((1, 300), (_F, _P, _F, _P), Verdict.KNOWN_FLAKE),  # two runs merged: twice in two, each with its pass
        ((1, 300), (_F, _P) * 3, Verdict.FAIL),
    ],
)
def test_a_pass_in_the_end_does_not_excuse_what_the_rate_makes_incredible(
    rate: tuple[int, int], statuses: tuple[Status, ...], verdict: Verdict
) -> None:
    judged = judge(Result("s/a/t", tuple(Attempt(s) for s in statuses)), _entry(rate))
    assert judged.verdict is verdict
    assert ("f:1 says" in judged.message) == (verdict is Verdict.FAIL)


def test_fishers_exact_test_is_that_of_all_tables_with_these_margins() -> None:
    for a, b, c, d in itertools.product(range(5), repeat=4):
        row, n, column = a + b, a + b + c + d, a + c
        tables = {
            x: Fraction(comb(row, x) * comb(n - row, column - x), comb(n, column))
            for x in range(column + 1)
            if x <= row and column - x <= n - row
        }
        assert fisher_exact(a, b, c, d) == pytest.approx(float(sum(p for p in tables.values() if p <= tables[a])))
    assert fisher_exact(3, 1, 1, 3) == pytest.approx(34 / 70)  # Fisher's lady tasting tea


def test_the_factor_that_matters_pays_for_the_others_that_were_looked_at() -> None:
    child = Factor("child", {"fresh": (0, 50), "warm": (12, 50)})
    level, probability = child.strongest
    assert level == "warm"
    assert probability == pytest.approx(fisher_exact(0, 50, 12, 38))
    idle = [Factor(f"f{n}", {"a": (4, 50), "b": (5, 50)}) for n in range(3)]
    found = strongest([*idle, child])
    assert found
    assert found[0] is child
    assert found[2] == pytest.approx(4 * fisher_exact(0, 50, 12, 38))
    assert strongest([*idle * 20, child]) is None
    assert strongest(idle) is None
    assert strongest([]) is None
    of_four = Factor("order", {"1": (0, 9), "2": (9, 9), "3": (0, 9), "4": (0, 9)})
    level, probability = of_four.strongest
    assert level == "2"
    assert probability == pytest.approx(4 / comb(36, 9))
    assert Factor("one", {"a": (3, 9)}).strongest == ("", 1.0)
