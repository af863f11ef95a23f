"""The bodies, by kind."""

from runner.bodies import Body
from runner.check import NothingTested
from runner.device import Device
from runner.model import Case

from . import binaries, programs


def body_of(kind: str) -> Body:
    """The body of a kind, which is piglit's name for it: a program in OpenCL C or in C, whole or a subtest of it."""
    return _BODIES[kind]


def run(device: Device, case: Case) -> None:
    """Run one of piglit's tests, or one of its subtests."""
    body_of(case.kind)(device, **case.params)


def check_unreadable(_: Device, *, reason: str) -> None:
    """A program whose annotation cannot be read."""
    raise NothingTested(reason)


_BODIES: dict[str, Body] = {
    "program": programs.check_program,
    "program.subtest": programs.check_subtest,
    "binary": binaries.check_binary,
    "binary.subtest": binaries.check_subtest,
    "unreadable": check_unreadable,
}
