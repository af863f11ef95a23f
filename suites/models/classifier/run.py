"""The classifier: inference, and training step by step."""

from typing import Any

import numpy as np

from runner import check
from runner.device import Device
from runner.releases import training

from ..parameters import seed
from ..rounding import F64, Rounding, agree
from . import reference

PICTURES, SIDE, CLASSES = 8, 12, 10
RATE, MOMENTUM, DECAY = 0.125, 0.75, 0.0625  # exact in float32
STEPS = 2
SEED = 98  # every channel is active in a quarter of the pixels: an inactive one would hide its weights


def _data() -> tuple[Any, Any]:
    rng = np.random.default_rng(6)
    pictures = rng.standard_normal((PICTURES, 3, SIDE, SIDE)).astype(np.float32)
    return pictures, rng.integers(0, CLASSES, PICTURES)


def check_inference(device: Device) -> None:
    """Logits with the running statistics, which do not change."""
    tinygrad = device.tinygrad()
    from .model import Classifier

    model = Classifier()
    weights = seed(model, SEED)
    x, _ = _data()
    logits = model(tinygrad.Tensor(x).realize()).numpy()
    agree(lambda r: {"logits": reference.infer(weights, x.astype(np.float64), r)}, {"logits": logits})
    check.equal("running mean", model.norm1.running_mean.numpy(), weights["norm1.running_mean"].astype(np.float32))


def check_training(device: Device) -> None:
    """Two steps of SGD with momentum and weight decay: the losses, every parameter, every running statistic."""
    tinygrad = device.tinygrad()
    from tinygrad.nn.optim import SGD
    from tinygrad.nn.state import get_parameters, get_state_dict

    from .model import Classifier

    model = Classifier()
    weights = seed(model, SEED)
    x, labels = _data()
    statistics = ("running_mean", "running_var", "num_batches_tracked")
    state = get_state_dict(model)
    trained = [t for name, t in state.items() if not name.endswith(statistics)]
    check.equal("parameters", len(trained), len(get_parameters(model)) - 9)
    optimiser = SGD(trained, RATE, MOMENTUM, DECAY)
    on, wanted = tinygrad.Tensor(x).realize(), tinygrad.Tensor(labels.astype(np.int32)).realize()
    got = {}
    with training(tinygrad):
        for step in range(STEPS):
            optimiser.zero_grad()
            loss = model(on).sparse_categorical_crossentropy(wanted)
            loss.backward()
            tinygrad.Tensor.realize(loss, *optimiser.schedule_step(), *state.values())
            got[f"loss {step}"] = loss.numpy().reshape(1)
    got |= {name: tensor.numpy() for name, tensor in state.items()}
    check.equal("batches", got.pop("norm1.num_batches_tracked"), np.int64(STEPS))

    def compute(r: Rounding) -> dict[str, F64]:
        w, losses = weights, {}
        velocity: dict[str, Any] = {}
        for step in range(STEPS):
            w, velocity, losses[f"loss {step}"] = reference.train(
                w, velocity, x.astype(np.float64), labels, RATE, MOMENTUM, DECAY, r
            )
        return losses | w

    agree(compute, got)
