"""The bodies: one for all operations, and the programs of programs.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from runner.device import Device
from runner.model import Case

from . import programs
from .bounded import Bounded
from .inputs import draw
from .ops import OPS
from .results import compare, read, tensor

# A derived gradient is a chain of local ones: it takes a few times the roundings of the closed form
# (tanh as 2 sigmoid(2x) - 1: nine against four), at the same magnitudes.
GRADIENT_ROUNDINGS = 4.0


def run(device: Device, case: Case) -> None:
    """Run one case; `case.kind` is `op` or the name of a program."""
    with np.errstate(all="ignore"):
        if case.kind == "op":
            run_op(device, case.params)
        else:
            programs.PROGRAMS[case.kind](device)


def run_op(device: Device, params: dict[str, Any]) -> None:
    """Draw the operands, run the operation (or its gradient) on the device, compare with its reference."""
    tinygrad = device.tinygrad()
    op, args, variant = OPS[params["op"]], params["args"], params["variant"]
    arrays = [draw(device.rng, dtype, shape, domain) for shape, domain, dtype in params["operands"]]
    on = [tensor(tinygrad, a) for a in arrays]
    exact = [Bounded.exact(a) for a in arrays]
    with tinygrad.Context(NOOPT=int(variant == "noopt")):
        result = op.apply(*on, **args)
        if variant != "backward":
            (got,) = read(tinygrad, result)
            compare(params["op"], got, op.reference(*exact, **args), bits=op.bits)
            return
        if op.gradient is None:
            raise LookupError(f"{params['op']} has no gradient in ops.py")
        # A random cotangent: with ones, a transposed or swapped gradient may go unnoticed.
        dtype = next(a.dtype.name for a in arrays if a.dtype.kind == "f")
        cotangent = draw(device.rng, dtype, result.shape, "normal")
        wants = op.gradient(Bounded.exact(cotangent), *exact, **args)
        by = [i for i, want in enumerate(wants) if want is not None]
        gradients = result.gradient(*(on[i] for i in by), gradient=tensor(tinygrad, cotangent))
        for i, got in zip(by, read(tinygrad, *gradients), strict=True):
            compare(f"d {params['op']} / d operand {i}", got, wants[i].widened(GRADIENT_ROUNDINGS))
