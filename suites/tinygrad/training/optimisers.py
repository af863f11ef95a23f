"""The published formulas of the optimisers of tinygrad.nn.optim, over `Bounded`.

Each is called for each step with a weight, its gradient and its state (its own dict), and returns the new weight.
"""

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from typing import Any

import numpy as np

from ..bounded import Bounded
from ..matmul.factorisation import newton_schulz
from ..networks import reshaped

State = MutableMapping[str, Bounded]
Step = Callable[..., Bounded]


def _scalar(value: float) -> Bounded:
    return Bounded.exact(np.array([value], np.float32))


def _momentum(state: State, g: Bounded, momentum: float, nesterov: bool) -> Bounded:
    """b <- momentum b + g, from 0; with Nesterov's look ahead the step is g + momentum b."""
    if not momentum:
        return g
    state["b"] = state["b"] * momentum + g if "b" in state else g
    return g + state["b"] * momentum if nesterov else state["b"]


def _norm(x: Bounded) -> Bounded:
    return (x * x).sum().sqrt()


def sgd(
    w: Bounded,
    g: Bounded,
    state: State,
    *,
    lr: float,
    momentum: float = 0.0,
    weight_decay: float = 0.0,
    nesterov: bool = False,
    classic: bool = False,
) -> Bounded:
    """Stochastic gradient descent; the classic form has the rate inside the momentum (Sutskever et al. 2013)."""
    g = g + w * weight_decay if weight_decay else g
    if classic:
        return w - _momentum(state, g * lr, momentum, nesterov)
    return w - _momentum(state, g, momentum, nesterov) * lr


def lars(
    w: Bounded,
    g: Bounded,
    state: State,
    *,
    lr: float,
    momentum: float = 0.9,
    weight_decay: float = 1e-4,
    tcoef: float = 0.001,
) -> Bounded:
    """You, Gitman and Ginsburg 2017: each layer's rate is scaled by |w| / (|g| + decay |w|)."""
    trust = _norm(w) * tcoef / (_norm(g) + _norm(w) * weight_decay)
    return w - _momentum(state, (g + w * weight_decay) * trust * lr, momentum, False)


def muon(
    w: Bounded,
    g: Bounded,
    state: State,
    *,
    lr: float,
    momentum: float = 0.95,
    weight_decay: float = 0.1,
    ns_steps: int = 5,
    nesterov: bool = True,
) -> Bounded:
    """Jordan et al. 2024: the step is made orthogonal by Newton-Schulz; decay as in AdamW."""
    g = _momentum(state, g, momentum, nesterov)
    flat = reshaped(g, (g.value.shape[0], -1))
    g = reshaped(newton_schulz(flat, ns_steps, (3.4445, -4.775, 2.0315)), g.value.shape)
    return w - (g * lr + w * weight_decay * lr)


def lamb(
    w: Bounded,
    g: Bounded,
    state: State,
    *,
    lr: float,
    b1: float = 0.9,
    b2: float = 0.999,
    eps: float = 1e-6,
    weight_decay: float = 0.0,
    trust: bool = True,
) -> Bounded:
    """Adam with decoupled decay (Kingma and Ba 2015, Loshchilov and Hutter 2019), and |w| / |step| as a layer's rate
    (You et al. 2020). The powers of b1 and b2 are float32 numbers on the device: near 1, their rounding counts.
    """
    one = _scalar(1)
    state["b1"], state["b2"] = state.get("b1", one) * b1, state.get("b2", one) * b2
    square = g * g * (1 - b2)
    state["m"] = state["m"] * b1 + g * (1 - b1) if "m" in state else g * (1 - b1)
    state["v"] = state["v"] * b2 + square if "v" in state else square
    m, v = state["m"] / (1.0 - state["b1"]), state["v"] / (1.0 - state["b2"])
    step = m / (v.sqrt() + eps) + w * weight_decay
    return w - step * (_norm(w) / _norm(step)) * lr if trust else w - step * lr


def adam(w: Bounded, g: Bounded, state: State, **options: Any) -> Bounded:
    """One step of Adam: the new weights."""
    return lamb(w, g, state, **{"eps": 1e-8, **options}, trust=False)


def adamw(w: Bounded, g: Bounded, state: State, **options: Any) -> Bounded:
    """One step of Adam with decoupled weight decay: the new weights."""
    return adam(w, g, state, **{"weight_decay": 0.01, **options})


STEPS: Mapping[str, Step] = {"SGD": sgd, "LARS": lars, "Muon": muon, "LAMB": lamb, "Adam": adam, "AdamW": adamw}


def make(name: str, weights: Sequence[Any], options: Mapping[str, Any]) -> Any:
    """tinygrad's optimiser of that name, with its rate copied to the device: it comes from the host."""
    from tinygrad.nn import optim

    optimiser = getattr(optim, name)(weights, **options)
    optimiser.lr.realize()
    return optimiser
