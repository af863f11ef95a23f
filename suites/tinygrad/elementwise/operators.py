"""Python's operators on tensors, from the methods that they call."""

import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from ..bounded import Bounded
from ..ops import Op
from . import functions as f

METHODS = {
    **{op: op for op in ("add", "sub", "mul", "floordiv", "mod", "pow", "lshift", "rshift")},
    **{op: f"bitwise_{op}" for op in ("and", "or", "xor")},
    "truediv": "div",
}


def operators(ops: Mapping[str, Op]) -> dict[str, Op]:
    """Each operator by its name (`__radd__`), from the operations of the methods."""
    found = {f"__{op}__": _comparison(op, ops[op].reference) for op in ("lt", "le", "gt", "ge", "eq", "ne")}
    for op, method in METHODS.items():
        found.update(_arithmetic(op, ops[method].reference))
    found["__neg__"] = Op(operator.neg, ops["neg"].reference)
    found["__invert__"] = Op(operator.invert, ops["bitwise_not"].reference)
    return found


def _arithmetic(op: str, method: Callable[..., Any]) -> Iterator[tuple[str, Op]]:
    """`x op y`, in place, and with the operands exchanged; of two tensors, or of one and a number."""
    call = getattr(operator, f"__{op}__")

    def reference(x: Bounded, *y: Bounded, number: float = 0) -> Any:
        if op == "pow" and not y:
            return f.power_of_constant(x, number)
        return method(x, *(y or [_all(number, x)]))

    def reflected(x: Bounded, *y: Bounded, number: float = 0) -> Any:
        if op == "pow":
            return f.constant_to_power(x, number)
        return method(*(y or [_all(number, x)]), x)

    def on_the_right(x: Any, *y: Any, number: float = 0) -> Any:
        return getattr(x, f"__r{op}__")(*y) if y else call(number, x)

    yield f"__{op}__", Op(lambda x, *y, number=0: call(x, *y or [number]), reference)
    yield f"__r{op}__", Op(on_the_right, reflected)
    yield f"__i{op}__", Op(lambda x, y: getattr(operator, f"__i{op}__")(x, y), reference)


def _comparison(op: str, method: Callable[..., Any]) -> Op:
    def reference(x: Bounded, *y: Bounded, number: float = 0) -> Any:
        return method(x, *(y or [_all(number, x)]))

    return Op(lambda x, *y, number=0: getattr(operator, f"__{op}__")(x, *y or [number]), reference)


def _all(number: float, like: Bounded) -> Bounded:
    return Bounded.exact(np.full(like.value.shape, number, like.dtype))
