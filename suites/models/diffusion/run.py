"""Latent diffusion, block by block."""

from typing import Any

import numpy as np

from runner.device import Device

from ..parameters import seed
from ..rounding import agree
from . import reference

WIDTH, CONTEXT, HEADS, SIDE = 48, 24, 4, 8


def check_unet(device: Device) -> None:
    """Two latents at two times with two texts: the noise, and each level of it."""
    tinygrad = device.tinygrad()
    from .model import UNet

    model = UNet(WIDTH, CONTEXT, HEADS)
    weights = seed(model, 1)
    rng = np.random.default_rng(2)
    x = rng.standard_normal((2, 4, SIDE, SIDE)).astype(np.float32)
    time = np.array([37.0, 961.0], dtype=np.float32)
    context = rng.standard_normal((2, 5, CONTEXT)).astype(np.float32)
    outs = model(*(tinygrad.Tensor(a).realize() for a in (x, time, context)))
    operands: Any = [a.astype(np.float64) for a in (x, time, context)]
    agree(lambda r: reference.unet(weights, *operands, WIDTH, HEADS, r), read(outs))  # type: ignore[call-arg]


def check_decoder(device: Device) -> None:
    """Two latents, decoded to pictures."""
    tinygrad = device.tinygrad()
    from .model import Decoder

    model = Decoder(WIDTH)
    weights = seed(model, 3)
    x = np.random.default_rng(4).standard_normal((2, 4, SIDE, SIDE)).astype(np.float32)
    outs = model(tinygrad.Tensor(x).realize())
    agree(lambda r: reference.decoder(weights, x.astype(np.float64), r), read(outs))


def read(outs: dict[str, Any]) -> dict[str, np.ndarray]:
    """Compute in one schedule, and copy to the host."""
    from tinygrad import Tensor

    tensors = {name: out.contiguous() for name, out in outs.items()}
    Tensor.realize(*tensors.values())
    return {name: tensor.numpy() for name, tensor in tensors.items()}
