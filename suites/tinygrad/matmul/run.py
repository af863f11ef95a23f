"""What each operation is: contractions."""

from __future__ import annotations

from ..networks import matmul, matmul_gradient
from ..ops import Op

OPS: dict[str, Op] = {
    "matmul": Op(lambda x, y: x @ y, matmul, matmul_gradient),
}
