"""Programs of several kernels: replays, assignments, several outputs, training."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runner import check
from runner.device import Device
from runner.model import Case

from ..bounded import Bounded
from ..inputs import draw
from ..networks import matmul, softmax
from ..results import compare, launches, read, tensor


def jit_replay(device: Device, case: Case) -> None:
    """A captured program, replayed with new inputs, gives what the eager one gives, bit for bit."""
    tinygrad = device.tinygrad()

    def eager(x: Any, y: Any) -> Any:
        return ((x @ y).softmax() + x.sum(1, keepdim=True)).contiguous()

    replayed = tinygrad.TinyJit(lambda x, y: eager(x, y).realize())
    for step in range(5):  # the first runs, the second captures, the rest replay
        x, y = (draw(device.rng, "float32", shape, "normal") for shape in ((33, 41), (41, 65)))
        on = tensor(tinygrad, x), tensor(tinygrad, y)
        with launches(tinygrad):
            result = replayed(*on)
        got = result.numpy()
        (plain,) = read(tinygrad, eager(*on))
        a, b = Bounded.exact(x), Bounded.exact(y)
        compare(f"call {step}", got, softmax(matmul(a, b)) + a.sum(1, keepdims=True))
        check.equal(f"call {step} against eager", got, plain)


def jit_assign(device: Device, case: Case) -> None:
    """A replayed program that updates a buffer in place sees its own last update."""
    tinygrad = device.tinygrad()
    start = draw(device.rng, "int32", (1031,), "full")
    state = tensor(tinygrad, start)
    step = tinygrad.TinyJit(lambda x: state.assign(state * 3 + x).realize())
    want = start.copy()
    for i in range(6):
        x = draw(device.rng, "int32", (1031,), "full")
        on = tensor(tinygrad, x)
        with launches(tinygrad):
            step(on)
        want = want * np.int32(3) + x
        compare(f"state after {i + 1}", state.numpy(), Bounded.exact(want))


def several_outputs(device: Device, case: Case) -> None:
    """One schedule with results that share operands and intermediates."""
    tinygrad = device.tinygrad()
    x, y = (draw(device.rng, "float32", (67, 129), "normal") for _ in range(2))
    a, b = tensor(tinygrad, x), tensor(tinygrad, y)
    product = a * b
    got = read(tinygrad, product, product.sum(0), (product + a).exp(), product.sum(1).max())
    u, v = Bounded.exact(x), Bounded.exact(y)
    wide = u * v
    wants = {"product": wide, "columns": wide.sum(0), "exp": (wide + u).exp(), "top row": wide.sum(1).max()}
    for found, (what, want) in zip(got, wants.items(), strict=True):
        compare(what, found, want)


def sgd(device: Device, case: Case) -> None:
    """Three steps of gradient descent on a perceptron of two layers, mean squared error.

    The reference is the same training by hand; its bounds are carried through the steps.
    """
    tinygrad = device.tinygrad()
    batch, wide, hidden, out, rate = 32, 13, 17, 3, 0.125
    shapes = {
        "x": (batch, wide),
        "t": (batch, out),
        "w1": (wide, hidden),
        "b1": (hidden,),
        "w2": (hidden, out),
    }
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


BODIES: dict[str, Callable[[Device, Case], None]] = {
    "program.jit_replay": jit_replay,
    "program.jit_assign": jit_assign,
    "program.several_outputs": several_outputs,
    "program.sgd": sgd,
}
