"""The bodies of the training family: optimisers for given gradients, and loops of small networks."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from runner import check
from runner.device import Device
from runner.releases import training

from ..bounded import Bounded
from ..derivative import Traced, pull
from ..disturbance import Settle, measured
from ..inputs import draw
from ..results import compare, launches, tensor
from .models import MODELS, Model, initial
from .optimisers import STEPS, State, make


def check_optimiser(
    device: Device, *, optimiser: str, options: Any, shapes: Sequence[Sequence[int]], noopt: int, fused: bool
) -> None:
    """Four steps on weights of several shapes with given gradients; each weight is compared after each step."""
    tinygrad = device.tinygrad()
    weights = [draw(device.rng, "float32", shape, "unit") for shape in shapes]
    on = [tensor(tinygrad, w) for w in weights]
    by, states = [Bounded.exact(w) for w in weights], [dict[str, Bounded]() for _ in weights]
    more = {"fused": True} if fused else {}
    steps = make(optimiser, on, {**options, **more})
    for i in range(4):
        # 0.5 to 1.5 in magnitude: Adam divides by a gradient's own magnitude
        gradients = [draw(device.rng, "float32", shape, "unit") for shape in shapes]
        for w, g in zip(on, gradients, strict=True):
            w.grad = tensor(tinygrad, g)
        with training(tinygrad), tinygrad.Context(NOOPT=noopt), launches(tinygrad):
            steps.step()
        for j, (g, state) in enumerate(zip(gradients, states, strict=True)):
            by[j] = STEPS[optimiser](by[j], Bounded.exact(g), state, **options)
            compare(f"weight {j} after step {i}", on[j].numpy(), by[j])
        steps.zero_grad()
        check.true("zero_grad drops the gradients", all(w.grad is None for w in on))


def check_group(device: Device) -> None:
    """Two optimisers as one, each with weights of its own."""
    from tinygrad.nn.optim import OptimizerGroup

    tinygrad = device.tinygrad()
    weights = [draw(device.rng, "float32", (7, 5), "unit") for _ in range(2)]
    on = [tensor(tinygrad, w) for w in weights]
    by, states = [Bounded.exact(w) for w in weights], [dict[str, Bounded]() for _ in weights]
    kinds: list[tuple[str, Mapping[str, Any]]] = [("SGD", {"lr": 0.125, "momentum": 0.9}), ("Adam", {"lr": 0.01})]
    steps = OptimizerGroup(*(make(kind, [w], o) for (kind, o), w in zip(kinds, on, strict=True)))
    for i in range(3):
        gradients = [draw(device.rng, "float32", (7, 5), "unit") for _ in on]
        for w, g in zip(on, gradients, strict=True):
            w.grad = tensor(tinygrad, g)
        with training(tinygrad), launches(tinygrad):
            steps.step()
        for j, ((kind, options), g) in enumerate(zip(kinds, gradients, strict=True)):
            by[j] = STEPS[kind](by[j], Bounded.exact(g), states[j], **options)
            compare(f"weight of {kind} after step {i}", on[j].numpy(), by[j])


Batch = tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]


def curve(
    model: Model,
    name: str,
    options: Mapping[str, Any],
    weights: Sequence[np.ndarray[Any, Any]],
    batches: Sequence[Batch],
    settle: Settle,
) -> list[Bounded]:
    """The loss before each step, then the weights after the last; the bounds are those of one step."""
    by: list[Bounded] = [Bounded.exact(w) for w in weights]
    states: list[State] = [{} for _ in by]
    losses = []
    for x, labels in batches:
        traced = [Traced.operand(w) for w in by]
        loss = model.loss(Traced.operand(Bounded.exact(x)), Bounded.exact(labels), traced)
        losses.append(Bounded(loss.value, loss.error, loss.dtype))
        gradients = pull(loss, Bounded.exact(np.array(1, np.float32)), traced)
        for j, (g, state) in enumerate(zip(gradients, states, strict=True)):
            if g is None:
                raise ValueError(f"the loss does not depend on weight {j}")
            by[j] = settle(STEPS[name](by[j], g, state, **options))
            state.update({key: settle(value) for key, value in state.items()})
    return [*losses, *by]


def check_loop(device: Device, *, model: str, optimiser: str, options: Any, steps: int, noopt: int, jit: bool) -> None:
    """A network learns a small set of labels: the loss of every step, and the weights at the end.

    With `jit` the step is captured by TinyJit and replayed, with other batches in the same buffers.
    """
    tinygrad = device.tinygrad()
    network = MODELS[model]
    weights = initial(device.rng, network.weights)
    batches: list[Batch] = []
    for i in range(steps):
        if i < 2:  # two batches in turn
            x = draw(device.rng, "float32", network.inputs, "normal")
            labels = device.rng.integers(0, network.classes, network.inputs[0]).astype(np.int32)
            batches.append((x, labels))
        else:
            batches.append(batches[i - 2])
    on = [tensor(tinygrad, w) for w in weights]
    optimise = make(optimiser, on, options)

    def step(x: Any, labels: Any) -> Any:
        optimise.zero_grad()
        loss = network.apply(x, *on).cross_entropy(labels)
        loss.backward()
        # in one schedule: later, the loss would be computed with the new weights
        return loss.realize(*optimise.schedule_step())

    run = tinygrad.TinyJit(step) if jit else step
    want = measured(device.rng, lambda settle: curve(network, optimiser, options, weights, batches, settle))
    if not want[steps - 2].value < want[0].value:  # an even number of steps apart: the same batch
        raise ValueError("the reference does not learn")
    with training(tinygrad), tinygrad.Context(NOOPT=noopt):
        for i, (x, labels) in enumerate(batches):
            at = tensor(tinygrad, x), tensor(tinygrad, labels)
            with launches(tinygrad):
                loss = run(*at)
            compare(f"loss {i}", loss.numpy(), want[i])
    for j, (w, b) in enumerate(zip(on, want[steps:], strict=True)):
        compare(f"weight {j} at the end", w.numpy(), b)
