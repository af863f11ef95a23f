"""The operations of the family: softmax, attention, normalisation, losses, dropout and the layers of tinygrad.nn."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runner import check
from runner.device import Device
from runner.releases import training

from ..bounded import Bounded
from ..derivative import derived
from ..inputs import draw
from ..networks import attention, channels, layernorm, log_softmax, softmax
from ..ops import Op
from ..results import compare, launches, read, tensor
from . import losses
from .layers import LAYERS, make_module, normalised_batch


def op(apply: Callable[..., Any], reference: Callable[..., Any]) -> Op:
    """An operation whose gradients are derived from its reference."""
    return Op(apply, reference, derived(reference))


def method(name: str, reference: Callable[..., Any]) -> Op:
    """The same for a method of Tensor."""
    return op(lambda *operands, **args: getattr(operands[0], name)(*operands[1:], **args), reference)


def layernorm_over(x: Any, axis: Any = -1, eps: float = 1e-5) -> Any:
    """tinygrad's layernorm, over one axis or several."""
    return x.layernorm(tuple(axis) if isinstance(axis, list) else axis, eps)


def normalize(x: Bounded, p: float = 2.0, dim: int = 1) -> Bounded:
    """x / (sum |x|**p)**(1/p): the root as exp2(log2(sum) / p), as tinygrad computes it in general."""
    size = x.abs()
    power = {1.0: size, 2.0: size * size, 3.0: size * size * size}[p]
    total = power.sum(dim, keepdims=True)
    return x / (total if p == 1 else (total.log2() * (1 / p)).exp2())


def batchnorm(x: Bounded, weight: Bounded, bias: Bounded, mean: Bounded, invstd: Bounded, axis: int = 1) -> Bounded:
    """(x - mean) * weight * invstd + bias along an axis."""
    w, b, m, s = (channels(v, x, axis) for v in (weight, bias, mean, invstd))
    return (x - m) * w * s + b


def cast_softmax(x: Bounded, dtype: str) -> Bounded:
    """The differences to the maximum in the operand's type, the rest in `dtype`."""
    power = (x - x.max(-1, keepdims=True)).cast(dtype).exp()
    return power * power.sum(-1, keepdims=True).reciprocal()


def probabilities(loss: Callable[..., Any]) -> Callable[..., Any]:
    """A loss of probabilities: halves of the absolute values, for operands of 0.5 to 1.5."""
    return lambda x, y, **args: loss(x.abs() * 0.5, y.abs() * 0.5, **args)


def soft(loss: Callable[..., Any]) -> Callable[..., Any]:
    """A loss whose targets are probabilities: halves of the absolute operand."""
    return lambda x, y, w=None, **args: loss(x, y.abs() * 0.5, w, **args)


OPS: dict[str, Op] = {
    "softmax": method("softmax", softmax),
    "log_softmax": method("log_softmax", log_softmax),
    "softmin": method("softmin", lambda x, axis=-1: softmax(-x, axis)),
    "softmax_in": Op(lambda x, dtype: x.softmax(dtype=dtype), cast_softmax),
    "normalize": Op(lambda x, **args: x.normalize(**args), normalize),
    "layernorm": op(layernorm_over, lambda x, axis=-1, eps=1e-5: layernorm(x, _axes(axis), eps)),
    "batchnorm": method("batchnorm", batchnorm),
    "scaled_dot_product_attention": method("scaled_dot_product_attention", attention),
    "sparse_categorical_crossentropy": method("sparse_categorical_crossentropy", losses.sparse_categorical_crossentropy),
    "cross_entropy": method("cross_entropy", losses.cross_entropy),
    "nll_loss": method("nll_loss", losses.nll_loss),
    "binary_crossentropy": op(
        probabilities(lambda x, y, **args: x.binary_crossentropy(y, **args)), probabilities(losses.binary_crossentropy)
    ),
    "binary_crossentropy_logits": op(
        soft(lambda x, y, w, **args: x.binary_crossentropy_logits(y, pos_weight=w, **args)),
        soft(losses.binary_crossentropy_logits),
    ),
    **LAYERS,
}


def _axes(axis: Any) -> Any:
    return tuple(axis) if isinstance(axis, list) else axis


def check_batchnorm_training(device: Device, *, shape: Sequence[int], noopt: int) -> None:
    """Three batches: each is normalised by its own statistics, which go into the running ones.

    The running variance takes the batch's unbiased one, n / (n - 1) of it, as the layer that tinygrad follows documents.
    """
    tinygrad = device.tinygrad()
    momentum = 0.1
    count = shape[1]
    weight, bias = (draw(device.rng, "float32", (count,), "normal") for _ in range(2))
    mean, var = (Bounded.exact(a.astype(np.float32)) for a in (np.zeros(count), np.ones(count)))
    module = make_module("BatchNorm", ("weight", "bias"), [tensor(tinygrad, weight), tensor(tinygrad, bias)], [count], {})
    n = int(np.prod(shape)) // count
    for step in range(3):
        x = draw(device.rng, "float32", shape, "normal") * np.float32(1 + step) + np.float32(step)
        on = tensor(tinygrad, x)
        with training(tinygrad), tinygrad.Context(NOOPT=noopt), launches(tinygrad):
            y = module(on).contiguous()
            tinygrad.Tensor.realize(y, module.running_mean, module.running_var, module.num_batches_tracked)
        want, own_mean, own_var = normalised_batch(Bounded.exact(x), Bounded.exact(weight), Bounded.exact(bias))
        mean = mean * (1 - momentum) + own_mean * momentum
        var = var * (1 - momentum) + own_var * (momentum * n / (n - 1))
        compare(f"batch {step}", y.numpy(), want)
        compare(f"running mean {step}", module.running_mean.numpy(), mean)
        compare(f"running variance {step}", module.running_var.numpy(), var)
    check.equal("batches", int(module.num_batches_tracked.numpy()), 3)


def check_initial(device: Device, *, layer: str, sizes: Sequence[int], weights: Sequence[str], bound: float) -> None:
    """A new layer's weights are uniform within their bound: the bound holds, mean and variance are within six sigma.

    Of n uniform numbers within b the mean has the standard deviation b / sqrt(3 n), the mean square b**2 / 3 has
    b**2 sqrt(4 / (45 n)).
    """
    from tinygrad import nn

    tinygrad = device.tinygrad()
    tinygrad.Tensor.manual_seed(7)
    tinygrad.Tensor.rand(1).realize()  # the generator's state comes from the host: not inside `launches`
    module = getattr(nn, layer)(*sizes)
    for name in weights:
        (w,) = read(tinygrad, getattr(module, name))
        n = w.size
        check.true(f"{name} is within {bound}", bool((np.abs(w) <= bound * (1 + 2**-20)).all()))
        check.close(f"mean of {name}", w.mean(dtype=np.float64), 0.0, atol=6 * bound / np.sqrt(3 * n))
        square = (w.astype(np.float64) ** 2).mean()
        check.close(f"mean square of {name}", square, bound**2 / 3, atol=6 * bound**2 * np.sqrt(4 / (45 * n)))
