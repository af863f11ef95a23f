"""Runs the cases of the suite; `op` is the body of all operations, with the OPS of the family's `run.py`."""

from collections.abc import Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from runner.bodies import Body, find_body
from runner.device import Device
from runner.model import Case

from . import numeric
from .bounded import Bounded
from .inputs import draw
from .ops import Op
from .results import compare, read, tensor

# A derived gradient is a chain of local ones: it has a few times the roundings of the closed form
# (tanh as 2 sigmoid(2x) - 1: nine instead of four), at the same magnitudes.
GRADIENT_ROUNDINGS = 4.0


def body_of(kind: str) -> Body:
    """The function `check_BODY` of a family, for the kind FAMILY.BODY."""
    family, _, body = kind.partition(".")
    if body == "op":
        return partial(check_op, import_module(f".{family}.run", __package__).OPS)
    return find_body(__package__, kind)


def run(device: Device, case: Case) -> None:
    """Run one case. Raises `check.Mismatch` if the device is wrong."""
    with np.errstate(all="ignore"):
        body_of(case.kind)(device, **case.params)


def check_op(
    ops: Mapping[str, Op], device: Device, *, op: str, operands: Sequence[Any], args: Mapping[str, Any], variant: str
) -> None:
    """Draw the operands, run the operation (or its gradient) on the device, compare with its reference."""
    tinygrad, own = device.tinygrad(), ops[op]
    arrays = [draw(device.rng, dtype, shape, domain) for shape, domain, dtype in operands]
    on = [tensor(tinygrad, a) for a in arrays]
    exact = [Bounded.exact(a) for a in arrays]
    with tinygrad.Context(NOOPT=int(variant.startswith("noopt"))):
        result = own.apply(*on, **args)
        if not variant.endswith("backward"):
            results = result if isinstance(result, tuple) else (result,)
            wants = own.reference(*exact, **args)
            wants = wants if isinstance(wants, tuple) else (wants,)
            for i, (got, want) in enumerate(zip(read(tinygrad, *results), wants, strict=True)):
                name = op if len(wants) == 1 else f"{op} result {i}"
                compare(name, got, want, bits=own.bits)
            return
        # A random cotangent: with ones, a transposed or swapped gradient may go unnoticed.
        dtype = next(a.dtype.name for a in arrays if a.dtype.kind == "f")
        cotangent = draw(device.rng, dtype, result.shape, "normal")
        if own.gradient is None:
            slopes = numeric.gradient(own.reference, Bounded.exact(cotangent), arrays, args, own.roundings)
        else:
            derivatives = own.gradient(Bounded.exact(cotangent), *exact, **args)
            slopes = [want and want.widened(GRADIENT_ROUNDINGS) for want in derivatives]
        by = [i for i, want in enumerate(slopes) if want is not None]
        gradients = result.gradient(*(on[i] for i in by), gradient=tensor(tinygrad, cotangent))
        for i, got in zip(by, read(tinygrad, *gradients), strict=True):
            slope = slopes[i]
            assert slope is not None
            compare(f"d {op} / d operand {i}", got, slope)
