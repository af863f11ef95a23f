"""The bodies of the model suite: `Case.kind` is a module of this folder and one of its BODIES, as `llama.run.answer`."""

from __future__ import annotations

from importlib import import_module

from runner.device import Device
from runner.model import Case


def run(device: Device, case: Case) -> None:
    """Run one case. Raises `check.Mismatch` where the device is wrong."""
    module, _, body = case.kind.rpartition(".")
    import_module(f".{module}", __package__).BODIES[body](device, case)
