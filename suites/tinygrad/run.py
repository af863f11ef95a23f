"""The bodies of the suite: `Case.kind` is family.body; `op` is the body of all operations."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import numpy as np

from runner.device import Device
from runner.model import Case

from . import numeric
from .bounded import Bounded
from .inputs import draw
from .ops import Op
from .results import compare, read, tensor

# A derived gradient is a chain of local ones: it takes a few times the roundings of the closed form
# (tanh as 2 sigmoid(2x) - 1: nine against four), at the same magnitudes.
GRADIENT_ROUNDINGS = 4.0


def run(device: Device, case: Case) -> None:
    """Run one case. Raises `check.Mismatch` where the device is wrong."""
    family, _, body = case.kind.partition(".")
    module = import_module(f".{family}.run", __package__)
    with np.errstate(all="ignore"):
        if body == "op":
            run_op(device, module.OPS[case.params["op"]], case.params)
        else:
            module.BODIES[case.kind](device, case)


def run_op(device: Device, op: Op, params: Mapping[str, Any]) -> None:
    """Draw the operands, run the operation (or its gradient) on the device, compare with its reference."""
    tinygrad = device.tinygrad()
    args, variant = params["args"], params["variant"]
    arrays = [draw(device.rng, dtype, shape, domain) for shape, domain, dtype in params["operands"]]
    on = [tensor(tinygrad, a) for a in arrays]
    exact = [Bounded.exact(a) for a in arrays]
    with tinygrad.Context(NOOPT=int(variant.startswith("noopt"))):
        result = op.apply(*on, **args)
        if not variant.endswith("backward"):
            results = result if isinstance(result, tuple) else (result,)
            wants = op.reference(*exact, **args)
            wants = wants if isinstance(wants, tuple) else (wants,)
            for i, (got, want) in enumerate(zip(read(tinygrad, *results), wants, strict=True)):
                name = params["op"] if len(wants) == 1 else f"{params['op']} result {i}"
                compare(name, got, want, bits=op.bits)
            return
        # A random cotangent: with ones, a transposed or swapped gradient may go unnoticed.
        dtype = next(a.dtype.name for a in arrays if a.dtype.kind == "f")
        cotangent = draw(device.rng, dtype, result.shape, "normal")
        if op.gradient is None:
            slopes = numeric.gradient(op.reference, Bounded.exact(cotangent), arrays, args, op.roundings)
        else:
            derivatives = op.gradient(Bounded.exact(cotangent), *exact, **args)
            slopes = [want and want.widened(GRADIENT_ROUNDINGS) for want in derivatives]
        by = [i for i, want in enumerate(slopes) if want is not None]
        gradients = result.gradient(*(on[i] for i in by), gradient=tensor(tinygrad, cotangent))
        for i, got in zip(by, read(tinygrad, *gradients), strict=True):
            slope = slopes[i]
            assert slope is not None
            compare(f"d {params['op']} / d operand {i}", got, slope)
