"""Every public method of tinygrad's Tensor has cases or a reason: a release that adds one makes this fail."""

from fnmatch import fnmatchcase

from mutation import SUITES, cases_of

from runner.importing import import_suite_module


def test_every_method_has_cases_or_a_reason() -> None:
    cases = cases_of("tinygrad")
    coverage = import_suite_module(SUITES / "tinygrad", "coverage")
    covered, methods = coverage.covered(cases), coverage.methods()
    assert len(methods) > 250
    assert [name for name in methods if not covered.get(name) and name not in coverage.UNCOVERED] == []
    assert [name for name in coverage.UNCOVERED if covered.get(name) or name not in methods] == []


# An operator is its method, `half()` is cast, and a method with empty operands launches nothing.
_SAME = ("__*", "float", "half", "double", "int", "long", "short", "bool", "beside_nothing", "largest_values")


def test_every_operation_runs_with_the_optimiser_and_without() -> None:
    """In a sweep of types one row of the operation has both."""
    cases = cases_of("tinygrad")
    variants: dict[str, set[str]] = {}
    for case in cases:
        if case.kind.endswith(".op") and not any(fnmatchcase(case.params["op"], name) for name in _SAME):
            variants.setdefault(case.params["op"], set()).add(case.params["variant"].partition("_")[0])
    assert len(variants) > 250
    assert [op for op, seen in variants.items() if "noopt" not in seen] == []
