"""Runs the cases of the suite."""

from importlib import import_module
from pathlib import Path

import pyopencl as cl

from runner.bodies import Body, find_body
from runner.check import Mismatch
from runner.device import Device, error_name
from runner.model import Case


def body_of(kind: str) -> Body:
    """The function `check_BODY` of a folder, for the kind FOLDER.BODY."""
    return find_body(__package__, kind)


def run(device: Device, case: Case) -> None:
    """Run one case. Raises `check.Mismatch` if the device is wrong."""
    try:
        body_of(case.kind)(device, **case.params)
    except cl.Error as error:  # from a call that a body makes itself, not through `Device`
        raise Mismatch(f"api: {error.routine}: {error_name(error)}") from error
    except AttributeError as error:
        # pyopencl's `program.f` raises this if the device finds no kernel f: its answer, not a mistake in a body.
        if isinstance(refusal := error.__cause__, cl.Error):
            raise Mismatch(f"api: {refusal.routine}: {error_name(refusal)}: {error}") from error
        raise


def c_program(device: Device, case: Case) -> str:
    """The case as a self-contained C program, "" if its area has no `c_program.py` (`runner repro`)."""
    area, _, _ = case.kind.partition(".")
    if not (Path(__file__).parent / area / "c_program.py").is_file():
        return ""
    return str(import_module(f".{area}.c_program", __package__).c_program(device, case))
