"""References of the losses, over `Bounded`, with the options of tinygrad's methods of the same names."""

import numpy as np

from ..bounded import Bounded
from ..networks import log_softmax, softplus


def reduced(x: Bounded, reduction: str) -> Bounded:
    """A loss of each element as it is, as its sum or as its mean."""
    return {"none": lambda: x, "sum": x.sum, "mean": x.mean}[reduction]()


def _chosen(x: Bounded, labels: Bounded, axis: int) -> Bounded:
    """The element of each label along an axis of classes."""
    return x.moved(lambda a: np.take_along_axis(a, np.expand_dims(labels.value, axis), axis).squeeze(axis))


def sparse_categorical_crossentropy(
    x: Bounded, y: Bounded, ignore_index: int = -1, label_smoothing: float = 0.0, reduction: str = "mean"
) -> Bounded:
    """Classes on the last axis; an ignored label counts neither in the sum nor in the mean."""
    log_p = log_softmax(x)
    kept = np.ones(y.value.shape) if ignore_index == -1 else (y.value != ignore_index).astype(float)
    chosen = _chosen(log_p, y, -1).moved(lambda a: a * kept)
    spread = log_p.mean(-1).moved(lambda a: a * kept)
    each = chosen * (1 - label_smoothing) + spread * label_smoothing
    return -(each.sum() / float(kept.sum())) if reduction == "mean" else -reduced(each, reduction)


def cross_entropy(x: Bounded, y: Bounded, label_smoothing: float = 0.0, reduction: str = "mean") -> Bounded:
    """Classes on axis 1, for a vector on axis 0; the targets are labels, or probabilities of x's shape."""
    axis = min(x.value.ndim - 1, 1)
    classes = x.value.shape[axis]
    if y.dtype.kind != "f":
        one = np.expand_dims(y.value, axis) == np.arange(classes).reshape(-1, *[1] * (x.value.ndim - axis - 1))
        y = Bounded.exact(one.astype(x.dtype))
    if label_smoothing:
        y = y * (1 - label_smoothing) + label_smoothing / classes
    return -reduced((log_softmax(x, axis) * y).sum(axis), reduction)


def nll_loss(
    x: Bounded, y: Bounded, weight: Bounded | None = None, ignore_index: int | None = None, reduction: str = "mean"
) -> Bounded:
    """x holds log-probabilities, classes on axis 1; the mean is over the weights of the labels."""
    kept = np.ones(y.value.shape) if ignore_index is None else (y.value != ignore_index).astype(float)
    each = -_chosen(x, y, 1).moved(lambda a: a * kept)
    if weight is None:
        return each.sum() / float(kept.sum()) if reduction == "mean" else reduced(each, reduction)
    weights = weight.moved(lambda a: a[y.value] * kept)
    each = each * weights
    return each.sum() / weights.sum() if reduction == "mean" else reduced(each, reduction)


def binary_crossentropy(x: Bounded, y: Bounded, reduction: str = "mean") -> Bounded:
    """-(y log x + (1 - y) log(1 - x)) of probabilities x."""
    return reduced(-(y * x.log()) - (1.0 - y) * (1.0 - x).log(), reduction)


def binary_crossentropy_logits(
    x: Bounded, y: Bounded, pos_weight: Bounded | None = None, reduction: str = "mean"
) -> Bounded:
    """Binary cross-entropy of logits x; `pos_weight` is the weight of positive answers."""
    yes, no = softplus(-x), softplus(x)
    yes = y * yes if pos_weight is None else pos_weight * y * yes
    return reduced(yes + (1.0 - y) * no, reduction)


def half(x: Bounded) -> Bounded:
    """|x| / 2: a probability, if |x| is 0.5 to 1.5."""
    return x.abs() * 0.5
