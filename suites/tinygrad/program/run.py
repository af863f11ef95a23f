"""The bodies of programs: graphs of operations, training, and the other modules of this folder."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from runner import check
from runner.device import Device

from ..bounded import Bounded
from ..inputs import draw
from ..networks import matmul
from ..results import compare, launches, read, tensor
from .graphs import OPS

__all__ = ["OPS"]


def check_sgd(device: Device) -> None:
    """Three steps of gradient descent on a perceptron of two layers, mean squared error.

    The reference is the same training by hand, with its bounds carried through the steps.
    """
    tinygrad = device.tinygrad()
    batch, wide, hidden, out, rate = 32, 13, 17, 3, 0.125
    shapes = {"x": (batch, wide), "t": (batch, out), "w1": (wide, hidden), "b1": (hidden,), "w2": (hidden, out)}
    drawn = {name: draw(device.rng, "float32", shape, "normal") for name, shape in shapes.items()}
    drawn["w1"] *= np.float32(0.25)
    drawn["w2"] *= np.float32(0.25)
    on = {name: tensor(tinygrad, a) for name, a in drawn.items()}
    by = {name: Bounded.exact(a) for name, a in drawn.items()}
    weights = ("w1", "b1", "w2")
    for step in range(3):
        loss = (((on["x"] @ on["w1"] + on["b1"]).tanh() @ on["w2"] - on["t"]) ** 2).mean()
        gradients = loss.gradient(*(on[name] for name in weights))
        steps = [on[n] - rate * g for n, g in zip(weights, gradients, strict=True)]
        got, *_ = read(tinygrad, loss, *steps)
        with launches(tinygrad):
            tinygrad.Tensor.realize(*(on[n].assign(new) for n, new in zip(weights, steps, strict=True)))
        layer = (matmul(by["x"], by["w1"]) + by["b1"]).tanh()
        away = matmul(layer, by["w2"]) - by["t"]
        compare(f"loss {step}", got, (away * away).mean())
        error = away * (2 / (batch * out))
        back = error.einsum("no,ho->nh", by["w2"]) * (1.0 - layer * layer)
        found = (by["x"].einsum("nk,nh->kh", back), back.sum(0), layer.einsum("nh,no->ho", error))
        for name, gradient in zip(weights, found, strict=True):
            by[name] = by[name] - (gradient.widened(4.0) * rate)
            compare(f"{name} after {step}", on[name].numpy(), by[name])


@contextmanager
def compilations() -> Iterator[list[str]]:
    """Collect the sources of the kernels that are compiled in the block."""
    from tinygrad.runtime.ops_cl import CLCompiler

    sources: list[str] = []
    inner = CLCompiler.compile

    def noted(self: Any, source: str) -> Any:
        sources.append(source)
        return inner(self, source)

    CLCompiler.compile = noted
    try:
        yield sources
    finally:
        CLCompiler.compile = inner


def check_unoptimised(device: Device, *, op: str, operands: Sequence[Any], args: Any) -> None:
    """Optimised and plain kernels: the results differ by no more than the sum of both bounds."""
    tinygrad, row = device.tinygrad(), OPS[op]
    arrays = [draw(device.rng, dtype, shape, domain) for shape, domain, dtype in operands]
    on, found = [tensor(tinygrad, a) for a in arrays], []
    for noopt in (0, 1):
        with tinygrad.Context(NOOPT=noopt):
            result = row.apply(*on, **args)
            found.append(read(tinygrad, *(result if isinstance(result, tuple) else (result,))))
    wants = row.reference(*map(Bounded.exact, arrays), **args)
    for i, want in enumerate(wants if isinstance(wants, tuple) else (wants,)):
        compare(f"result {i}, optimised", found[0][i], want)
        check.close(f"result {i}, optimised against plain", found[0][i], found[1][i], atol=2 * want.error)


def check_searched(device: Device, *, op: str, operands: Sequence[Any], args: Any, width: int) -> None:
    """BEAM: tinygrad times many kernels for one graph, and takes the fastest, which must be right too."""
    tinygrad, row = device.tinygrad(), OPS[op]
    arrays = [draw(device.rng, dtype, shape, domain) for shape, domain, dtype in operands]
    on = [tensor(tinygrad, a) for a in arrays]
    with tinygrad.Context(BEAM=width, IGNORE_BEAM_CACHE=1), compilations() as sources:
        result = row.apply(*on, **args)
        outputs = [t.contiguous() for t in (result if isinstance(result, tuple) else (result,))]
        tinygrad.Tensor.realize(*outputs)  # no `launches`: the search launches more than tinygrad counts
    if len(sources) <= 2 * len(outputs):
        raise check.NothingTested(f"{len(sources)} kernels compiled for {len(outputs)} results: no search")
    wants = row.reference(*map(Bounded.exact, arrays), **args)
    for i, (out, want) in enumerate(zip(outputs, wants if isinstance(wants, tuple) else (wants,), strict=True)):
        check.equal(f"result {i}: device", out.device, "CL", stage="api")
        compare(f"result {i}", out.numpy(), want)
