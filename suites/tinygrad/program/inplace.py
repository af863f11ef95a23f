"""The operators that assign: x += y and its kin write into the buffer of x."""

import operator

from runner import check
from runner.device import Device

from ..bounded import Bounded
from ..inputs import draw
from ..networks import matmul
from ..results import compare, launches, tensor

SHAPE = (13, 13)
# The domain of the right operand, if it is not `full` or `normal`; a shift must be less than the width.
_RIGHT = {"__ilshift__": "shift", "__irshift__": "shift", "__ifloordiv__": "nonzero", "__itruediv__": "unit"}


def check_inplace(device: Device, *, op: str, dtype: str) -> None:
    """The operator twice, the second time on its own result; the buffer stays the same."""
    tinygrad = device.tinygrad()
    plain = "small" if op == "__imatmul__" else "normal" if dtype == "float32" else "full"
    x = draw(device.rng, dtype, SHAPE, "positive" if op == "__ipow__" else plain)
    y = draw(device.rng, dtype, SHAPE, _RIGHT.get(op, plain))
    on, right, want = tensor(tinygrad, x), tensor(tinygrad, y), Bounded.exact(x)
    buffer = on.uop.buffer
    for step in (1, 2):
        with launches(tinygrad):
            on = getattr(operator, op)(on, 2 if op == "__ipow__" else right)
            on.realize()
        if op == "__ipow__":
            want = want * want
        elif op == "__imatmul__":
            want = matmul(want, Bounded.exact(y))
        elif dtype == "float32":
            want = getattr(operator, op.replace("__i", "__"))(want, Bounded.exact(y))
        else:
            exact = getattr(operator, op.replace("__i", "__"))(want.value.astype(dtype), y)
            want = Bounded.exact(exact.astype(dtype))
        compare(f"x after {step}", on.numpy(), want)
    check.true("the buffer is x's own", on.uop.buffer is buffer, stage="api")
