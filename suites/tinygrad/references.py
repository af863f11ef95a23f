"""A reference that the gradients of several families need."""

from .bounded import Bounded


def unbroadcast(gradient: Bounded, like: Bounded) -> Bounded:
    """The gradient of an operand that was broadcast: summed over the repeated axes."""
    lead = gradient.value.ndim - like.value.ndim
    axes = tuple(i for i, n in enumerate(gradient.value.shape) if i < lead or like.value.shape[i - lead] == 1 != n)
    return gradient.sum(axes).moved(lambda a: a.reshape(like.value.shape)) if axes else gradient
