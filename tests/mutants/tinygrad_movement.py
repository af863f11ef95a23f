"""Movements to another place, of another part, with another filling; launches that leave something out."""

from typing import Any

import numpy as np
from mutation import Function, MutantGroup, of

_AREA = MutantGroup("tinygrad/movement")
_code, _call, _op = _AREA.code, _AREA.call, _AREA.method
_CALL = "tinygrad.runtime.ops_cl.CLProgram.__call__"
_COPY_OUT = "tinygrad.runtime.ops_cl.CLAllocator._copyout"


@of
def one_group_less(inner: Function, self: Any, *buffers: Any, global_size: tuple[int, ...] = (1, 1, 1), **more: Any) -> Any:
    """A launch without its last group of the first axis that has more than one."""
    axis = next((i for i, n in enumerate(global_size) if n > 1), None)
    if axis is None:
        return None
    size = tuple(n - (i == axis) for i, n in enumerate(global_size))
    return inner(self, *buffers, global_size=size, **more)


def no_launch(inner: Function) -> Function:
    return lambda self, *buffers, **more: None


@of
def last_bit(inner: Function, self: Any, target: memoryview, source: Any) -> None:
    """The last bit of the last word that is read back."""
    inner(self, target, source)
    np.frombuffer(target.cast("B"), np.uint8)[-4] ^= 1


def scaled_gradient(inner: Function) -> Function:
    """Every gradient a thousandth too large."""
    return lambda root, root_grad, targets: {
        key: value * 1.001 if key in targets else value for key, value in inner(root, root_grad, targets).items()
    }


MUTANTS = [
    _op("flip_of_all_axes", "flip.float32", "flip", lambda f, x, *_: f(x, *range(x.ndim))),
    _op("flip_rolls", "flip.int8.line", "flip", lambda f, x, *a: f(x, *a).roll(1, 0)),
    _op("roll_backward", "roll.float32", "roll", lambda f, x, s, d: f(x, tuple(-i for i in s), d)),
    _op("roll_one_more", "roll.int32.flat", "roll", lambda f, x, s, d: f(x, s + 1 if d is None else s, d or 0)),
    _op(
        "repeat_interleaves",
        "repeat.float32",
        "repeat",
        lambda f, x, r: x.repeat_interleave(r[0], 0).repeat_interleave(r[1], 1),
    ),
    _op("interleave_repeats", "repeat_interleave.float32", "repeat_interleave", lambda f, x, n, dim: x.repeat(1, n)),
    _op("stack_backward", "stack.float32.first", "stack", lambda f, *x, dim: f(*x[::-1], dim=dim)),
    _op("meshgrid_swapped", "meshgrid.int32.ij", "meshgrid", lambda f, *x, **how: f(*x, **how)[::-1]),
    _op("unfold_shifted", "unfold.float32", "unfold", lambda f, x, *args: f(x.roll(1, 1), *args)),
    _op("diagonal_of_the_other", "diagonal.float32", "diagonal", lambda f, x, **which: f(x.flip(0), **which)),
    _op("diag_backward", "diag.float32", "diag", lambda f, x: f(x.flip(0))),
    _op("chunk_doubled", "chunk.float32", "chunk", lambda f, x, *a: [*f(x, *a)[:-1], f(x.flip(1), *a)[-1]]),
    _op("split_shifted", "split.float32", "split", lambda f, x, *a: f(x.roll(1, 0), *a)),
    _op("rearrange_backward", "rearrange.float32.parted", "rearrange", lambda f, x, *a, **s: f(x.flip(1), *a, **s)),
    _op("unflatten_backward", "unflatten.int32", "unflatten", lambda f, x, *a: f(x.flip(-1), *a)),
    _op("cat_backward", "cat.float32.equal", "cat", lambda f, *x, dim: f(*x[::-1], dim=dim)),
    _op("pad_of_zero", "pad.int32.value", "_pad_constant", lambda f, x, p, v: f(x, p, 0)),
    _op("pad_without_infinity", "pad.float32.inf", "_pad_constant", lambda f, x, p, v: f(x, p, 3.4028235e38)),
    _op("pad_circles_one_off", "pad.float32.circular", "_pad_circular", lambda f, x, p: f(x, p).roll(1, 0)),
    _op("pad_replicates", "pad_joined.float32.reflect", "_pad_reflect_replicate", lambda f, x, p, m: f(x, p, "replicate")),
    _op("pad_to_of_zero", "pad_to.int32.value", "pad_to", lambda f, x, *s, value=0: f(x, *s)),
    _op("triu_one_more", "triu.float32", "triu", lambda f, x, d=0: f(x, d + 1)),
    _op("tril_one_less", "tril.int32.above", "tril", lambda f, x, d=0: f(x, d - 1)),
    _code("gate_gives_one", "far.int32", r":0\)", ":1)"),
    _code("even_groups", "permute.float32", r"get_group_id\((\d)\)", r"(get_group_id(\1)&~1)"),
    _code("swapped_components", "far.int32", r"(int[24])\)\((\w+),(\w+)", r"\1)(\3,\2"),
    _code("after_dropped", "view_arithmetic.int32", r"\*7\b", "*5"),
    _call("one_group_less", "expand.float32", _CALL, one_group_less),
    _call("no_launch", "shrink.float32", _CALL, no_launch),
    _call("last_bit", "shrink_to.float32", _COPY_OUT, last_bit),
    _call("scaled_gradient", "views.float32.around.backward", "tinygrad.mixin.gradient.compute_gradient", scaled_gradient),
]
