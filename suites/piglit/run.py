"""The bodies, by kind."""

from __future__ import annotations

from runner.check import NothingTested
from runner.device import Device
from runner.model import Case

from . import binaries, programs


def run(device: Device, case: Case) -> None:
    """Run one test of piglit's, or one of its subtests."""
    BODIES[case.kind](device, case)


def refuse(_: Device, case: Case) -> None:
    """A program whose annotation cannot be read. Params: reason."""
    raise NothingTested(case.params["reason"])


BODIES = {
    "program": programs.check_program,
    "program.subtest": programs.check_subtest,
    "binary": binaries.check_binary,
    "binary.subtest": binaries.check_subtest,
    "unreadable": refuse,
}
