"""Every public method of tinygrad's Tensor has cases or a reason: a release that adds one makes this fail."""

from __future__ import annotations

from mutation import SUITES

from runner import catalogue
from runner.importing import import_suite_module


def test_every_method_has_cases_or_a_reason() -> None:
    _, cases = catalogue.load_suite(SUITES / "tinygrad")
    coverage = import_suite_module(SUITES / "tinygrad", "coverage")
    covered, methods = coverage.covered(cases), coverage.methods()
    assert len(methods) > 250
    assert [name for name in methods if not covered.get(name) and name not in coverage.UNCOVERED] == []
    assert [name for name in coverage.UNCOVERED if covered.get(name) or name not in methods] == []


def test_every_operation_runs_with_the_optimiser_and_without() -> None:
    """Where it is the same kernel either way, as in a sweep of types, one row of the operation has both."""
    _, cases = catalogue.load_suite(SUITES / "tinygrad")
    variants: dict[str, set[str]] = {}
    for case in cases:
        if {"op", "variant"} <= case.params.keys():
            key = f"{case.kind} {case.params['op']}"
            variants.setdefault(key, set()).add(case.params["variant"].partition("_")[0])
    assert {op: seen for op, seen in variants.items() if "noopt" not in seen} == {}
