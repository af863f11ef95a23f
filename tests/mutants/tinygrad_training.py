"""Optimisers and loops that err: a term of a formula, a state that is not carried, a stale buffer in a replay."""

from collections.abc import Callable
from typing import Any

from mutation import Function, Mutant, api, generated, of

Change = Callable[..., Any]


def _place(what: str, cases: str, place: str, wrap: Callable[[Change], Change]) -> Mutant:
    return api(f"tinygrad/training/{what}", f"tinygrad/{cases}", f"tinygrad.{place}", wrap)


def _fixed(what: str, cases: str, optimiser: str, **fixed: Any) -> Mutant:
    """An optimiser that was given other options."""
    return _place(what, cases, f"nn.optim.{optimiser}", lambda inner: lambda ws, **how: inner(ws, **{**how, **fixed}))


def _update(what: str, cases: str, change: Callable[[Any, Any], Any]) -> Mutant:
    """Another number is subtracted, computed from the weight and the step."""
    return _place(
        what, cases, "nn.optim.Optimizer._apply_update", lambda inner: lambda self, t, up: inner(self, t, change(t, up))
    )


def _state(what: str, cases: str, optimiser: str, change: Callable[[Any], None]) -> Mutant:
    """The optimiser's state is changed before each step."""

    def step(inner: Function, self: Any, *lists: Any) -> Any:
        change(self)
        return inner(self, *lists)

    return _place(what, cases, f"nn.optim.{optimiser}._step", of(step))


def _first_gradient(inner: Change) -> Change:
    """The gradients of the first step, always."""
    kept: list[Any] = []

    def step(self: Any, params: Any, grads: Any) -> Any:
        kept.append([g.clone().realize() for g in grads]) if not kept else None
        return inner(self, params, kept[0])

    return step


def _last_replay(inner: Change) -> Change:
    """A replay that reads the operands of the call before."""
    before: list[Any] = []

    def call(self: Any, *operands: Any) -> Any:
        mine, before[:] = (before[:] or list(operands)), list(operands)
        return inner(self, *(mine if self.captured is not None else operands))

    return call


_SGD, _ADAM = "optimiser/SGD.momentum", "optimiser/Adam.adam"


def _forget_moments(self: Any) -> None:
    for i in range(len(self.m)):
        self.m[i] = self.m[i] * 0


def _swap_moments(self: Any) -> None:
    self.b1, self.b2 = self.b2, self.b1


def _forget_powers(self: Any) -> None:
    self.b1_t, self.b2_t = self.b1_t * 0 + 1, self.b2_t * 0 + 1


def _forget_momentum(self: Any) -> None:
    self.b = [b * 0 for b in self.b]


MUTANTS = [
    _fixed("no_momentum", _SGD, "SGD", momentum=0.0),
    _fixed("not_nesterov", "optimiser/SGD.nesterov", "SGD", nesterov=False),
    _fixed("no_decay", "optimiser/SGD.decay", "SGD", weight_decay=0.0),
    _fixed("popular", "optimiser/SGD.classic", "SGD", classic=False, lr=0.1001),
    _fixed("rate_rounded", "optimiser/SGD.momentum", "SGD", lr=0.10001),
    _fixed("trusts_blindly", "optimiser/LARS.trusting", "LARS", tcoef=0.0),
    _fixed("other_epsilon", "optimiser/Adam.betas", "Adam", eps=0.12501),
    _fixed("other_beta", _ADAM, "Adam", b2=0.9991),
    _fixed("adam_for_adamw", "optimiser/AdamW.adamw", "AdamW", weight_decay=0.0),
    _fixed("lamb_without_decay", "optimiser/LAMB.lamb_decay", "LAMB", weight_decay=0.0),
    _fixed("adam_for_lamb", "optimiser/LAMB.lamb", "LAMB", adam=True),
    _fixed("one_step_less", "optimiser/Muon.two_steps", "Muon", ns_steps=1),
    _fixed("muon_looks_ahead", "optimiser/Muon.two_steps", "Muon", nesterov=True),
    _update("half_precision_step", _SGD, lambda t, up: up.half().contiguous().float()),
    _update("ascends", "optimiser/SGD.plain", lambda t, up: -up),
    _update(
        "weight_rounded", "optimiser/AdamW.decayed", lambda t, up: up + (t.detach() - t.detach().half().contiguous().float())
    ),
    _state("moments_forgotten", _ADAM, "LAMB", _forget_moments),
    _state("betas_exchanged", "optimiser/Adam.betas", "LAMB", _swap_moments),
    _state("powers_forgotten", _ADAM, "LAMB", _forget_powers),
    _state("momentum_forgotten", _SGD, "LARS", _forget_momentum),
    _place("stale_gradient", "optimiser/group", "nn.optim.LARS._step", _first_gradient),
    _place("stale_gradient_in_a_loop", "training/perceptron_sgd", "nn.optim.LARS._step", _first_gradient),
    _place("stale_replay", "training/perceptron_sgd.jit", "engine.jit._TinyJit.__call__", _last_replay),
    _place("gradients_pile_up", "training/perceptron_sgd", "nn.optim.Optimizer.zero_grad", lambda inner: lambda self: None),
    _place(
        "loss_of_the_sum",
        "training/perceptron_adam",
        "tensor.Tensor.cross_entropy",
        lambda inner: lambda self, y: inner(self, y, reduction="sum") / self.shape[0] * 1.001,
    ),
    _place(
        "half_gradient",
        "training/convolutional_sgd",
        "tensor.Tensor.max_pool2d",
        lambda inner: lambda self: inner(self * 0.5 + self.detach() * 0.5),
    ),
    _place(
        "not_causal",
        "training/transformer_sgd",
        "tensor.Tensor.scaled_dot_product_attention",
        lambda inner: lambda self, k, v, is_causal: inner(self, k, v),
    ),
    _place(
        "dead_shift", "training/transformer_sgd", "tensor.Tensor.layernorm", lambda inner: lambda self: inner(self).detach()
    ),
    generated("tinygrad/training/approximate_exp2", "tinygrad/training/perceptron_sgd", r"\bexp2\(", "1.001f*exp2("),
    generated("tinygrad/training/sum_begins_above", "tinygrad/training/convolutional_sgd", r"= 0\.0f;", "= 0.001f;"),
]
