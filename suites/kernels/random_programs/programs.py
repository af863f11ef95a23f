"""Random programs against their interpreter; a failing one is cut down to what still fails."""

from __future__ import annotations

import re

import numpy as np
import pyopencl as cl

from runner import check
from runner.check import Mismatch
from runner.device import Device
from runner.model import Case

from .generator import generate, inputs
from .interpreter import interpret
from .language import Program, outputs, source
from .shrinking import cut, shrink

ITEMS = 16
_TRIALS = 60
Words = list[dict[str, int]]


def check_program(device: Device, case: Case) -> None:
    """Every variable and array at the end, of every work-item. Params: flavour, number, cuts (shrinking.py)."""
    flavour, number = case.params["flavour"], case.params["number"]
    program = generate(flavour, number)
    words = inputs(flavour, number, program, ITEMS)
    program = cut(program, case.params.get("cuts", ()))
    try:
        compare(device, program, words)
    except Mismatch as error:
        least, _ = shrink(program, lambda candidate, _: message(device, candidate, words) != "", _TRIALS)
        text = source(least)
        print(f"{source(program)}\ncut down to:\n{text}")
        one_line = re.sub(r"\s+", " ", text)
        raise Mismatch(f"{error}; cut down to: {one_line}") from error


def compare(device: Device, program: Program, words: Words) -> None:
    """Run a program and compare; raises `check.Mismatch`."""
    found = outputs(program.kernel)
    kernel = device.build(source(program)).f
    columns = [[row[name] for name, _ in program.kernel.parameters] or [0] for row in words]
    read = device.buffer(np.array(columns, np.uint64))
    wrote = device.buffer(np.full((ITEMS, len(found)), 0xA5, np.uint64))
    device.launch(kernel, [ITEMS], [ITEMS], read, wrote)
    got = device.read(wrote, np.uint64, (ITEMS, len(found)))
    want = np.array([interpret(program, row) for row in words], np.uint64)
    for i, (name, kind, _) in enumerate(found):
        check.equal(f"{kind} {name} of each item", got[:, i], want[:, i])


def message(device: Device, program: Program, words: Words) -> str:
    """What is wrong with a program's values, or "" where nothing is, or where it is no program to run."""
    if not outputs(program.kernel):
        return ""
    try:
        compare(device, program, words)
    except Mismatch as error:
        return str(error)
    except cl.Error:
        return ""
    return ""
