"""The small networks that are trained, computed by tinygrad and over `Bounded`, from the same weights."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..bounded import Bounded
from ..convolution.windows import conv, max_pool
from ..networks import attention, layernorm, linear, matmul, relu, reshaped
from ..nn.layers import normalised_batch
from ..nn.losses import cross_entropy

Shapes = Sequence[Sequence[int]]


@dataclass(frozen=True)
class Model:
    """`apply(x, *weights)` gives a batch's logits on the device, `reference` over `Bounded`."""

    weights: Shapes
    inputs: Sequence[int]
    classes: int
    apply: Callable[..., Any]
    reference: Callable[..., Bounded]

    def loss(self, x: Bounded, labels: Bounded, weights: Sequence[Bounded]) -> Bounded:
        return cross_entropy(self.reference(x, *weights), labels)


def _perceptron(x: Any, w: Any, b: Any, v: Any, c: Any) -> Any:
    return x.linear(w, b).tanh().linear(v, c)


def _perceptron_reference(x: Bounded, w: Bounded, b: Bounded, v: Bounded, c: Bounded) -> Bounded:
    return linear(linear(x, w, b).tanh(), v, c)


def _convolutional(x: Any, k: Any, scale: Any, shift: Any, v: Any, c: Any) -> Any:
    y = x.conv2d(k, padding=1)
    mean, var = y.mean((0, 2, 3)), y.var((0, 2, 3), correction=0)
    y = y.batchnorm(scale, shift, mean, (var + 1e-5).rsqrt()).relu().max_pool2d()
    return y.flatten(1).linear(v, c)


def _convolutional_reference(x: Bounded, k: Bounded, scale: Bounded, shift: Bounded, v: Bounded, c: Bounded) -> Bounded:
    y = relu(normalised_batch(conv(x, k, padding=1), scale, shift)[0])
    y = max_pool(y, (2, 2))  # type: ignore[assignment]
    return linear(reshaped(y, (y.value.shape[0], -1)), v, c)


def _transformer(x: Any, qkv: Any, out: Any, scale: Any, shift: Any, head: Any) -> Any:
    q, k, v = (x @ qkv).chunk(3, -1)
    y = x + q.scaled_dot_product_attention(k, v, is_causal=True) @ out
    # of a position in the middle: the last one sees all others, causal or not
    return (y.layernorm() * scale + shift)[:, 2] @ head


def _transformer_reference(x: Bounded, qkv: Bounded, out: Bounded, scale: Bounded, shift: Bounded, head: Bounded) -> Bounded:
    width = x.value.shape[-1]
    every = matmul(x, qkv)
    q, k, v = (every.moved(lambda a, i=i: a[..., i * width : (i + 1) * width]) for i in range(3))  # type: ignore[misc]
    y = x + matmul(attention(q, k, v, is_causal=True), out)
    y = layernorm(y) * scale + shift
    return matmul(y.moved(lambda a: a[:, 2]), head)


MODELS: Mapping[str, Model] = {
    "perceptron": Model(((8, 12), (12,), (12, 5), (5,)), (16, 8), 5, _perceptron, _perceptron_reference),
    "convolutional": Model(
        ((3, 1, 3, 3), (3,), (3,), (27, 3), (3,)), (4, 1, 6, 6), 3, _convolutional, _convolutional_reference
    ),
    "transformer": Model(((8, 24), (8, 8), (8,), (8,), (8, 5)), (4, 6, 8), 5, _transformer, _transformer_reference),
}


def initial(rng: np.random.Generator, shapes: Shapes) -> list[np.ndarray[Any, Any]]:
    """Normal, divided by the square root of the length of each sum; vectors near 1 and different from each other."""
    drawn = []
    for shape in shapes:
        a = rng.standard_normal(shape)
        fan = np.prod(shape[1:]) if len(shape) == 4 else shape[0]
        drawn.append((a / np.sqrt(fan) if len(shape) > 1 else 1 + a / 4).astype(np.float32))
    return drawn
