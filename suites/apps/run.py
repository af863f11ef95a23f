"""Runs the cases of the suite."""

from runner.bodies import Body, find_body
from runner.device import Device
from runner.model import Case


def body_of(kind: str) -> Body:
    """The function `check_BODY` of a module, for the kind MODULE.BODY."""
    return find_body(__package__, kind)


def run(device: Device, case: Case) -> None:
    """Run one case. Raises `check.Mismatch` if the program's answer is wrong."""
    body_of(case.kind)(device, **case.params)
