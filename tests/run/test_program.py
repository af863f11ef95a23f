"""A program that a case runs: whether it was started at all."""

import pytest

from runner.check import NothingTested
from runner.program import run_program


def test_what_the_loader_ends_has_begun_if_it_has_printed() -> None:
    ended = run_program(["sh", "-c", "echo begun; echo no memory >&2; exit 127"], may_die=True)
    assert (ended.code, ended.output, ended.reasons) == (127, "begun\n", ["no memory"])
    with pytest.raises(NothingTested, match="a library is missing"):
        run_program(["sh", "-c", "exit 127"], may_die=True)
