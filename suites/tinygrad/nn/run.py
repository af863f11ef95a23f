"""What each operation is: softmax and normalisations."""

from __future__ import annotations

from ..networks import layernorm, layernorm_gradient, log_softmax, softmax
from ..ops import Op

OPS: dict[str, Op] = {
    "softmax": Op(
        lambda x: x.softmax(),
        softmax,
        lambda g, x: [softmax(x) * (g - (g * softmax(x)).sum(-1, keepdims=True))],
    ),
    "log_softmax": Op(lambda x: x.log_softmax(), log_softmax),
    "layernorm": Op(lambda x: x.layernorm(), layernorm, layernorm_gradient),
}
