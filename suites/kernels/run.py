"""The bodies of the suite: `Case.kind` names one."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

import pyopencl as cl

from runner.check import Mismatch
from runner.device import Device, error_name
from runner.model import Case

AREAS = ("api", "atomic", "control", "conversion", "event", "image", "image_transfer", "integer", "mathfn",
         "memory", "ndrange", "printf", "program", "vector", "workgroup")  # fmt: skip
BODIES: dict[str, Callable[[Device, Case], None]] = {
    kind: body for area in AREAS for kind, body in import_module(f".{area}", __package__).BODIES.items()
}


def run(device: Device, case: Case) -> None:
    """Run one case. Raises `check.Mismatch` where the device is wrong."""
    try:
        BODIES[case.kind](device, case)
    except cl.Error as error:  # of a call that a body makes outside of `Device`
        raise Mismatch(f"api: {error.routine}: {error_name(error)}") from error
