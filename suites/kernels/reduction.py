"""Smaller forms of a case that crashes its process, for `runner repro`. Needs no device and no numpy."""

from collections.abc import Callable
from dataclasses import replace

from runner.model import Case

from .random_programs.families import program_of
from .random_programs.shrinking import Cuts, shrink

_TRIALS = 150  # about a second each


def reduce(case: Case, fails: Callable[[Case], bool], trials: int = _TRIALS) -> Case:
    """The smallest form found that still fails; the case itself if it is not a random program."""
    if case.kind != "random_programs.program":
        return case

    def with_cuts(cuts: Cuts) -> Case:
        return replace(case, params={**case.params, "cuts": list(cuts)})

    program, _ = program_of(**case.params)
    _, cuts = shrink(program, lambda _, cuts: fails(with_cuts(cuts)), trials)
    return with_cuts(cuts)
