"""The operations of the family: contractions, and the factorisations made from them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from runner import check
from runner.device import Device

from ..bounded import Array, Bounded
from ..derivative import derived
from ..networks import contraction, linear, matmul
from ..ops import Op
from ..results import tensor
from .factorisation import newton_schulz

# The views of an operand, of a tensor and of an array.
Views = Mapping[str, tuple[Callable[[Any], Any], Callable[[Array], Array]]]
VIEWS: Views = {
    "": (lambda t: t, lambda a: a),
    "transposed": (lambda t: t.transpose(-1, -2), lambda a: a.swapaxes(-1, -2)),
    "strided": (lambda t: t[..., ::2, 1::3], lambda a: a[..., ::2, 1::3]),
    "flipped": (lambda t: t.flip(-1), lambda a: a[..., ::-1]),
    "shrunk": (lambda t: t[..., 1:-2, 3:-1], lambda a: a[..., 1:-2, 3:-1]),
    "padded": (lambda t: t.pad((1, 2, 2, 1)), lambda a: np.pad(a, ((2, 1), (1, 2)))),
    "expanded": (lambda t: t.expand(17, -1), lambda a: np.broadcast_to(a, (17, a.shape[1]))),
    "first_second": (lambda t: t.permute(1, 0, 2), lambda a: a.transpose(1, 0, 2)),
    "last_first": (lambda t: t.permute(2, 0, 1), lambda a: a.transpose(2, 0, 1)),
}


def multiply(x: Any, y: Any, left: str = "", right: str = "", **args: Any) -> Any:
    """tinygrad's product of two views."""
    return VIEWS[left][0](x).matmul(VIEWS[right][0](y), **args)


def multiplied(x: Bounded, y: Bounded, left: str = "", right: str = "", dtype: str = "") -> Bounded:
    """The reference of a product of two views; integers wrap in the operands' type before they are summed."""
    x, y = x.moved(VIEWS[left][1]), y.moved(VIEWS[right][1])
    if dtype and x.dtype.kind != "f":  # the products wrap in the operands' type, the sum in the wider one
        products = x.value[:, :, None] * y.value[None]
        return Bounded.exact(products.sum(1, dtype=dtype))
    return matmul(x, y, dtype or None)


def whole_product(x: Bounded, y: Bounded) -> Array:
    """The product of the absolute values: all of one sign, so that the sums grow."""
    return np.abs(x.value) @ np.abs(y.value)


def half_sums(x: Bounded, y: Bounded) -> Bounded:
    """Whole numbers, exact in float32, rounded once at the end."""
    return Bounded.exact(whole_product(x, y).astype(np.float32)).cast(np.float16)


def bfloat16_sums(x: Bounded, y: Bounded) -> Bounded:
    """Whole products of at most 81 are exact in bfloat16, and their sums in float32; rounded once, to eight bits."""
    bits = whole_product(x, y).astype(np.float32).view(np.uint32)
    rounded = (bits + 0x7FFF + (bits >> 16 & 1)) & np.uint32(0xFFFF0000)
    return Bounded.exact(rounded.astype(np.uint32).view(np.float32))


def einsum(*operands: Bounded, formula: str) -> Bounded:
    """tinygrad multiplies all operands and sums once: each product of n factors has n - 1 roundings."""
    inputs, _, output = formula.replace("...", "zy").partition("->")
    names = inputs.split(",")
    if "->" not in formula:
        output = "".join(sorted(c for c in set(inputs) - {","} if inputs.count(c) == 1))
    parts = []
    for x, letters in zip(operands, names, strict=True):
        own = "".join(dict.fromkeys(letters))
        parts.append((x.moved(lambda a, f=f"{letters}->{own}": np.einsum(f, a)), own))  # type: ignore[misc]
    x, letters = parts[0]
    for y, more in parts[1:-1]:
        every = letters + "".join(c for c in more if c not in letters)
        x, letters = contraction(x, y, f"{letters},{more}->{every}"), every
    if len(parts) > 1 and x.dtype.kind == "f":
        return contraction(x, parts[-1][0], f"{letters},{parts[-1][1]}->{output}")
    if len(parts) > 1:  # integers: the products wrap in the operands' type, the sum in one of at least 32 bits
        every = "".join(dict.fromkeys(letters + parts[-1][1]))
        products = np.einsum(f"{letters},{parts[-1][1]}->{every}", x.value, parts[-1][0].value)
        x, letters = Bounded.exact(products), every
    total = x.sum(tuple(i for i, c in enumerate(letters) if c not in output))
    kept = "".join(c for c in letters if c in output)
    return total.moved(lambda a: np.einsum(f"{kept}->{output}", a))


def matmul_op(apply: Callable[..., Any], reference: Callable[..., Bounded] = matmul) -> Op:
    """An operation whose gradients are derived from its reference."""
    return Op(apply, reference, derived(reference))


OPS: dict[str, Op] = {
    "matmul": matmul_op(multiply, multiplied),
    "dot": matmul_op(lambda x, y: x.dot(y)),
    "__matmul__": matmul_op(lambda x, y: x @ y),
    "__rmatmul__": matmul_op(lambda x, y: y.__rmatmul__(x)),
    "__imatmul__": matmul_op(lambda x, y: x.__imatmul__(y)),
    "matmul_chain": matmul_op(lambda x, y, z: x @ y @ z, lambda x, y, z: matmul(matmul(x, y), z)),
    "matmul_self": matmul_op(lambda x: x @ x.T, lambda x: matmul(x, x.moved(np.transpose))),
    "half_sums": Op(lambda x, y: x.abs() @ y.abs(), half_sums),
    "bfloat16_sums": Op(lambda x, y: (x.abs().bfloat16() @ y.abs().bfloat16()).float(), bfloat16_sums),
    "linear": matmul_op(lambda x, w, b=None: x.linear(w, b), linear),
    "einsum": matmul_op(lambda *x, formula: type(x[0]).einsum(formula, *x), einsum),
    "newton_schulz": matmul_op(lambda x, **args: x.newton_schulz(**args), newton_schulz),
}


def check_empty(device: Device, *, shapes: Sequence[Sequence[int]]) -> None:
    """A sum of no terms is 0, and no rows give no rows."""
    tinygrad = device.tinygrad()
    arrays = [np.zeros(shape, np.float32) for shape in shapes]
    x, y = (tensor(tinygrad, a) for a in arrays)
    got, want = (x @ y).numpy(), arrays[0] @ arrays[1]
    check.equal("shape", got.shape, want.shape)
    check.equal("type", got.dtype.name, "float32")
    check.equal("product", got, want)
