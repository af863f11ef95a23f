"""What differs between two runs, on reports made by hand: every pair of outcomes, pace, capabilities, identity."""

import itertools
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from runner.analysis.comparison import Comparison, compare
from runner.commands.diff import _cpu_words
from runner.expectations.resolution import Expectations
from runner.expectations.target import Target
from runner.model import Attempt, DeviceReport, How, Result, Status
from runner.records.journal import Record
from runner.run_config import RunConfig
from runner.verdict.report import Report, make_report

_P, _F, _C, _T, _S, _E = (Status.PASS, Status.FAIL, Status.CRASH, Status.TIMEOUT, Status.SKIP, Status.ERROR)
_DEVICE = DeviceReport(device="a device", mesa="25.0.7", features=("fp16", "fp64"), extensions=("cl_khr_fp16",))


def _attempts(*statuses: Status, message: str = "value: got 1 want 2") -> tuple[Attempt, ...]:
    return tuple(Attempt(s, 0.01, "" if s is _P else message) for s in statuses)


def _report(
    results: Mapping[str, Sequence[Attempt]],
    ids: Sequence[str] | None = None,
    *,
    files: Mapping[str, str] | None = None,
    device: DeviceReport | None = _DEVICE,
    footer: str | None = "",
) -> Report:
    """`ids` are those that were selected; `files` maps kinds to the texts of mock's expectation files."""
    record = Record(
        RunConfig("mock"),
        tuple(results if ids is None else ids),
        device=device,
        footer=footer,
        results={i: Result(i, tuple(attempts)) for i, attempts in results.items()},
    )
    lines = {Path(f"mock/mock-{kind}.txt"): text for kind, text in (files or {}).items()}
    return make_report(record, Expectations(Target("mock"), lines), dict.fromkeys(record.ids, ""))


_OUTCOMES: dict[str, tuple[Attempt, ...] | None] = {
    "pass": _attempts(_P),
    "fail": _attempts(_F, _F),
    "other": _attempts(_F, _F, message="build: unresolved"),  # than fail: another message
    "crash": _attempts(_C, _C, message="SIGSEGV"),
    "hang": _attempts(_T, _T, message="timeout"),
    "flake": _attempts(_F, _P),
    "skip": _attempts(_S, message="unsupported: fp16"),
    "missing": None,
    "error": _attempts(_E, message="import"),  # the harness: no outcome
}
# Rows: before. Columns: now, in the order of _OUTCOMES.
_TABLE = """
pass     =  broken  broken  broken  broken  newly_flaky  newly_skipped  broken  only_old
fail     fixed  =  changed  changed  changed  newly_flaky  newly_skipped  changed  only_old
other    fixed  changed  =  changed  changed  newly_flaky  newly_skipped  changed  only_old
crash    fixed  changed  changed  =  changed  newly_flaky  newly_skipped  changed  only_old
hang     fixed  changed  changed  changed  =  newly_flaky  newly_skipped  changed  only_old
flake    no_longer_flaky  changed  changed  changed  changed  =  newly_skipped  changed  only_old
skip     newly_running  newly_running  newly_running  newly_running  newly_running  newly_running  =  newly_running  only_old
missing  fixed  changed  changed  changed  changed  newly_flaky  newly_skipped  =  only_old
error    only_new  only_new  only_new  only_new  only_new  only_new  only_new  only_new  =
"""


def _fields(comparison: Comparison, test_id: str) -> list[str]:
    found = [
        name
        for name in ("fixed", "broken", "changed", "newly_flaky", "no_longer_flaky", "newly_skipped", "newly_running")
        if any(change.id == test_id for change in getattr(comparison, name))
    ]
    return found + [name for name in ("only_old", "only_new") if test_id in getattr(comparison, name)]


def test_every_pair_of_outcomes_is_in_the_field_that_its_definition_says() -> None:
    rows = [line.split() for line in _TABLE.strip().splitlines()]
    wanted = {f"m/{row[0]}/{now}": field for row in rows for now, field in zip(_OUTCOMES, row[1:], strict=True)}
    assert [f"m/{a}/{b}" for a, b in itertools.product(_OUTCOMES, _OUTCOMES)] == list(wanted)
    old, new = ({i: own for i in wanted if (own := _OUTCOMES[i.split("/")[side]]) is not None} for side in (1, 2))
    comparison = compare(_report(old, list(wanted)), _report(new, list(wanted)))
    assert {i: "".join(_fields(comparison, i)) or "=" for i in wanted} == wanted
    # Two errors say nothing; and that the driver came up in both runs is not a test.
    assert comparison.same == sum(field == "=" for field in wanted.values()) - 1
    assert comparison.is_worse


def test_a_test_that_one_run_did_not_select_or_did_not_reach_is_in_one_only() -> None:
    old = _report({"m/a": _attempts(_P), "m/b": _attempts(_F)})
    new = _report({"m/a": _attempts(_P), "m/new": _attempts(_F)}, ["m/a", "m/b", "m/new"], footer=None)  # killed
    comparison = compare(old, new)
    assert (comparison.only_old, comparison.only_new, comparison.broken) == (("m/b",), ("m/new",), ())
    assert not comparison.is_worse
    assert comparison.same == 1


def test_expectations_do_not_decide_what_differs() -> None:
    old = _report({"m/a": _attempts(_F), "m/b": _attempts(_P)}, files={"fails": "# why\nm/a,Fail\n"})
    new = _report(
        {"m/a": _attempts(_F, _F), "m/b": _attempts(_F), "m/c": _attempts(_P)}, files={"fails": "# why\nm/b,Fail\n"}
    )
    comparison = compare(old, new)
    assert [c.id for c in comparison.broken] == ["m/b"]
    assert not comparison.changed
    assert not comparison.fixed
    assert comparison.broken[0].new.verdict == "ExpectedFail"
    # What an older run saw is not undone by a skips entry of today.
    skipping = _report({"m/a": _attempts(_F), "m/b": _attempts(_P)}, files={"skips": "# why\nm/*\n"})
    assert [c.id for c in compare(skipping, new).broken] == ["m/b"]


def test_a_known_flake_that_did_not_pass_is_not_broken() -> None:
    line = {"flakes": "# race\nm/a,Fail,1/2\n"}
    good, bad = (_report({"m/a": _attempts(status)}, files=line) for status in (_P, _F))
    assert [c.id for c in compare(good, bad).newly_flaky] == ["m/a"]
    assert not compare(good, bad).is_worse
    assert [c.id for c in compare(bad, good).no_longer_flaky] == ["m/a"]
    rare = {"flakes": "# race\nm/a,Fail,1/10000\n"}  # three failures in a row are not a flake of this rate
    failing = _report({"m/a": _attempts(_F, _F, _F)}, files=rare)
    assert [c.id for c in compare(good, failing).broken] == ["m/a"]


@pytest.mark.parametrize(
    ("old", "new", "alike"),
    [
        ("value: x[0]: got 1 want 2 (110 of 140 wrong)", "value: x[0]: got 1 want 2 (111 of 140 wrong: all)", True),
        ("SIGABRT: Cannot select: 0x7fe7e43325a0: i8", "SIGABRT: Cannot select: 0x7f18f434d7a0: i8", True),
        ("value: x[0]: got 1 want 2\nmore", "value: x[0]: got 1 want 2\nless", True),
        ("value: x[0]: got 1 want 2", "value: x[0]: got 3 want 2", False),
        ("value: got 0x54 want 0x0", "value: got 0x55 want 0x0", False),
        ("value: wrong", "build: wrong", False),
    ],
)
def test_a_message_is_another_if_more_than_addresses_and_counts_differ(old: str, new: str, alike: bool) -> None:
    comparison = compare(*(_report({"m/a": _attempts(_F, message=m)}) for m in (old, new)))
    assert (not comparison.changed) == alike
    assert all(c.is_of_kind == (old[:5] != new[:5]) for c in comparison.changed)
    # Where a test was at its timeout says nothing.
    assert not compare(*(_report({"m/a": _attempts(_T, message=m)}) for m in (old, new))).changed


def test_a_driver_that_dies_in_start_up_is_broken_and_says_nothing_about_its_tests() -> None:
    old = _report({"m/a": _attempts(_P)})
    new = _report({}, ["m/a"], device=None, footer="probe: SIGSEGV")
    comparison = compare(old, new)
    assert [(c.id, c.new.message) for c in comparison.broken] == [("probe", "probe: SIGSEGV")]
    assert comparison.only_old == ("m/a",)
    assert comparison.lost == ()
    assert [c.id for c in compare(new, old).fixed] == ["probe"]


def _durations(draw: random.Random, factor: float = 1.0, count: int = 200) -> dict[str, float]:
    """Durations from 0.02 s to a minute, the same each time except for the factor and noise of ten per cent."""
    base = random.Random(1)
    return {f"m/{n:03}": base.lognormvariate(-1, 1.5) * factor * draw.lognormvariate(0, 0.1) for n in range(count)}


def _timed(durations: Mapping[str, float], **others: Attempt) -> Report:
    attempts = {i: (Attempt(_P, seconds),) for i, seconds in durations.items()}
    return _report(attempts | {f"m/{name}": (attempt,) for name, attempt in others.items()})


def test_only_what_is_slower_than_noise_and_than_all_others_is_slower() -> None:
    draw = random.Random(7)
    for factor in (0.3, 1.0, 4.0):
        old = _timed(_durations(draw), x=Attempt(_P, 3.0), y=Attempt(_P, 9.0), z=Attempt(_P, 0.01))
        steady = _timed(_durations(draw, factor), x=Attempt(_P, 3.0 * factor), y=Attempt(_P, 9.0 * factor))
        comparison = compare(old, steady)
        assert (comparison.slower, comparison.faster) == ((), ())
        assert comparison.shift == pytest.approx(factor, rel=0.05)
        moved = _timed(
            _durations(draw, factor), x=Attempt(_P, 12.0 * factor), y=Attempt(_P, 1.5 * factor), z=Attempt(_P, 0.4 * factor)
        )
        comparison = compare(old, moved)
        slow, fast = [p.id for p in comparison.slower], [p.id for p in comparison.faster]
        assert (slow, fast) == (["m/x"], ["m/y"])
        assert comparison.slower[0].ratio == pytest.approx(4.0, rel=0.05)  # z is forty times slower, and 0.4 s
        assert not comparison.is_worse  # slower is not broken


def test_a_noisy_run_says_little_about_pace_and_few_tests_say_nothing() -> None:
    draw = random.Random(3)
    calm, noisy = _durations(draw), {i: s * draw.lognormvariate(0, 1.0) for i, s in _durations(draw).items()}
    assert [p.id for p in compare(_timed(calm, x=Attempt(_P, 1)), _timed(calm, x=Attempt(_P, 4))).slower] == ["m/x"]
    assert compare(_timed(calm, x=Attempt(_P, 1)), _timed(noisy, x=Attempt(_P, 4))).slower == ()
    few = dict(itertools.islice(calm.items(), 10))
    comparison = compare(_timed(few, x=Attempt(_P, 1)), _timed(few, x=Attempt(_P, 99)))
    assert (comparison.slower, comparison.shift) == ((), 1.0)


def test_what_did_not_pass_warm_in_both_runs_has_no_pace() -> None:
    calm = _durations(random.Random(3))
    for attempt in (Attempt(_F, 99), Attempt(_P, 99, how=How.ALONE)):
        assert compare(_timed(calm, x=Attempt(_P, 1)), _timed(calm, x=attempt)).slower == ()


def test_capabilities_and_identity_are_compared_one_by_one() -> None:
    other = replace(
        _DEVICE,
        mesa="26.2.6",
        features=("fp16", "images"),
        packages=("a 1", "b 2"),
        loaders=("elsewhere",),
        environment={"MESA_SHADER_CACHE_DIR": "folder", "LP_NUM_THREADS": "1"},
    )
    ours = replace(_DEVICE, packages=("a 1", "b 1"), environment={"MESA_SHADER_CACHE_DIR": "another"})
    results = {"m/a": _attempts(_P)}
    comparison = compare(_report(results, device=ours), _report(results, device=other))
    assert (comparison.gained, comparison.lost) == (("images",), ("fp64",))
    assert comparison.is_worse
    assert [(d.name, d.old, d.new) for d in comparison.differences] == [
        ("mesa", "25.0.7", "26.2.6"),
        ("packages", "b 1", "b 2"),
        ("LP_NUM_THREADS", "", "1"),
    ]
    assert compare(comparison.old, comparison.old).differences == ()


@pytest.mark.parametrize(("tests", "said"), [(19, ""), (20, "2.50 times the CPU time")])
def test_the_cpu_time_of_the_tests_of_both_runs_is_compared(tests: int, said: str) -> None:
    def side(cpu_s: float, more: str) -> Report:
        ran = {f"k/{n}": [Attempt(_P, 0.01, "", cpu_s=cpu_s)] for n in range(tests)}
        return _report({**ran, f"k/{more}": [Attempt(_P, 0.01, "", cpu_s=9.0)], "k/died": [Attempt(_C, 0.01, "SIGSEGV")]})

    assert _cpu_words(compare(side(2.0, "gone"), side(5.0, "new"))) == said
