"""The bodies: `Case.kind` is a module of this folder and one of its functions, as `hashcat.crack`."""

from __future__ import annotations

from importlib import import_module

from runner.device import Device
from runner.model import Case


def run(device: Device, case: Case) -> None:
    """Run one case. Raises `check.Mismatch` where the program's answer is wrong."""
    module, _, body = case.kind.rpartition(".")
    getattr(import_module(f".{module}", __package__), body)(device, case)
