"""The catalogue of optimisers and training loops."""

from collections.abc import Iterator, Mapping
from typing import Any

from runner.model import Case

METHODS = {"backward": "tinygrad/training/*", "is_param_": "tinygrad/optimiser/*"}

# name: optimiser and options; the rates are powers of two if the case checks the formula, not the rounding of the rate
OPTIMISERS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "plain": ("SGD", {"lr": 0.125}),
    "momentum": ("SGD", {"lr": 0.1, "momentum": 0.9}),
    "nesterov": ("SGD", {"lr": 0.1, "momentum": 0.9, "nesterov": True}),
    "decay": ("SGD", {"lr": 0.1, "momentum": 0.5, "weight_decay": 0.25}),
    "classic": ("SGD", {"lr": 0.1, "momentum": 0.9, "classic": True}),
    "default": ("LARS", {"lr": 0.5}),
    "trusting": ("LARS", {"lr": 0.5, "tcoef": 0.25, "weight_decay": 0.125, "momentum": 0.5}),
    "adam": ("Adam", {"lr": 0.01}),
    "betas": ("Adam", {"lr": 0.01, "b1": 0.5, "b2": 0.75, "eps": 0.125}),
    "adamw": ("AdamW", {"lr": 0.01}),
    "decayed": ("AdamW", {"lr": 0.125, "weight_decay": 0.5}),
    "lamb": ("LAMB", {"lr": 0.01}),
    "lamb_decay": ("LAMB", {"lr": 0.01, "weight_decay": 0.25}),
    "one_step": ("Muon", {"lr": 0.01, "ns_steps": 1}),
    "two_steps": ("Muon", {"lr": 0.01, "ns_steps": 2, "nesterov": False, "weight_decay": 0.5}),
}

LOOPS: Mapping[str, tuple[str, str, Mapping[str, Any]]] = {
    "perceptron_sgd": ("perceptron", "SGD", {"lr": 0.25, "momentum": 0.5}),
    "perceptron_adam": ("perceptron", "Adam", {"lr": 0.03125}),
    "perceptron_adamw": ("perceptron", "AdamW", {"lr": 0.03125, "weight_decay": 0.25}),
    "perceptron_lamb": ("perceptron", "LAMB", {"lr": 0.03125}),
    "convolutional_sgd": ("convolutional", "SGD", {"lr": 0.03125, "momentum": 0.5}),
    "transformer_sgd": ("transformer", "SGD", {"lr": 0.0625, "momentum": 0.5, "nesterov": True}),
}


def cases() -> Iterator[Case]:
    """Each optimiser, plain and fused, and the training loops."""
    for name, (optimiser, options) in OPTIMISERS.items():
        shapes = [[7, 5], [5, 3, 2]] if optimiser == "Muon" else [[7, 5], [5], [3, 2, 2], [1]]
        kinds = [("", 0, False), ("noopt", 1, False)]
        if name in ("momentum", "adam"):
            kinds.append(("fused", 0, True))
        for kind, noopt, fused in kinds:
            test_id = ".".join(filter(None, (f"tinygrad/optimiser/{optimiser}.{name}", kind)))
            params = {"optimiser": optimiser, "options": options, "shapes": shapes, "noopt": noopt, "fused": fused}
            yield Case(test_id, "training.optimiser", params)
    yield Case("tinygrad/optimiser/group", "training.group")
    for name, (model, optimiser, options) in LOOPS.items():
        for kind in ("", "noopt", "jit"):
            if kind and name in ("perceptron_adamw", "perceptron_lamb"):
                continue
            params = {
                "model": model,
                "optimiser": optimiser,
                "options": options,
                "steps": 6 if kind == "jit" else 4,  # tinygrad schedules each step again unless it is captured
                "noopt": int(kind == "noopt"),
                "jit": kind == "jit",
            }
            test_id = ".".join(filter(None, (f"tinygrad/training/{name}", kind)))
            # some 50 kernels, each compiled again: seconds on a quiet machine, many on a small board
            yield Case(test_id, "training.loop", params, timeout_s=90.0)
