"""Indices off by one, wrapped or clamped; scatters that lose or keep the wrong source; sorts that do not."""

from typing import Any

from mutation import MutantGroup

from .tinygrad_movement import last_bit, no_launch, one_group_less, scaled_gradient

_AREA = MutantGroup("tinygrad/index")
_code, _call, _op = _AREA.code, _AREA.call, _AREA.method
_CALL = "tinygrad.runtime.ops_cl.CLProgram.__call__"


def _clamped(f: Any, x: Any, indices: Any, v: Any = None) -> Any:
    """Indices beyond the operand read its last element."""
    if isinstance(indices, type(x)):
        indices = indices.maximum(-x.shape[0]).minimum(x.shape[0] - 1)
    return f(x, indices, v)


def _previous(f: Any, x: Any, indices: Any, v: Any = None) -> Any:
    """The element before the one that is asked for."""
    if isinstance(indices, type(x)):
        indices = (indices == 0).where(0, indices - 1)
    return f(x, indices, v)


def _first_source(f: Any, x: Any, dim: int, index: Any, src: Any, reduce: Any = None) -> Any:
    """Of several sources for one place, the first."""
    return f(x, dim, index.flip(dim), src.flip(dim), reduce)


MUTANTS = [
    _op("take_clamps", "far.int32", "_getitem", _clamped),
    _op("take_clamps_bytes", "far.uint8", "_getitem", _clamped),
    _op("take_of_the_previous", "take.int32", "_getitem", _previous),
    _op("take_of_the_previous_bool", "take.bool", "_getitem", _previous),
    _op(
        "negative_of_zero",
        "take.float32",
        "_getitem",
        lambda f, x, i, v=None: f(x, i.maximum(0) if isinstance(i, type(x)) else i, v),
    ),
    _op("gather_of_the_next", "gather.float32", "gather", lambda f, x, dim, i: f(x, dim, (i + 1) % x.shape[dim])),
    _op("gather_flipped", "gather.int32.first", "gather", lambda f, x, dim, i: f(x, dim, i.flip(1))),
    _op("scatter_keeps_first", "scatter.float32", "scatter", _first_source),
    _op("scatter_adds", "scatter_scalar.int32.set", "scatter", lambda f, x, dim, i, v, r=None: f(x, dim, i, v, "add")),
    _op(
        "scatter_multiplies_once",
        "scatter_scalar.int32.multiply",
        "scatter",
        lambda f, x, dim, i, v, r=None: f(x, dim, i, v),
    ),
    _op(
        "scatter_sum_without_self",
        "scatter_reduce.float32.sum",
        "scatter_reduce",
        lambda f, x, dim, i, s, reduce, include_self=True: f(x, dim, i, s, reduce, False),
    ),
    _op(
        "scatter_prod_with_self",
        "scatter_reduce.float32.prod.alone",
        "scatter_reduce",
        lambda f, x, dim, i, s, reduce, include_self=True: f(x, dim, i, s, reduce, True),
    ),
    _op(
        "scatter_mean_is_sum",
        "scatter_reduce.float32.mean",
        "scatter_reduce",
        lambda f, x, dim, i, s, reduce, include_self=True: f(x, dim, i, s, "sum"),
    ),
    _op(
        "scatter_max_is_min",
        "scatter_reduce.int32.amax",
        "scatter_reduce",
        lambda f, x, dim, i, s, reduce, include_self=True: f(x, dim, i, s, "amin"),
    ),
    _op(
        "scatter_min_from_zero",
        "scatter_reduce.int32.amin",
        "scatter_reduce",
        lambda f, x, dim, i, s, reduce, include_self=True: f(x, dim, i, s, reduce).minimum(0),
    ),
    _op("one_hot_shifted", "one_hot.int32", "one_hot", lambda f, x, n: f((x + 1) % n, n)),
    _op("one_hot_of_negatives", "one_hot.int32.outside", "one_hot", lambda f, x, n: f(x.maximum(0), n)),
    _op("select_of_the_rest", "masked_select.float32", "masked_select", lambda f, x, m, *a: f(x, m.flip(1), *a)),
    _op("select_not_filled", "masked_select.int32.broadcast", "masked_select", lambda f, x, m, size, fill: f(x, m, size)),
    _op("nonzero_in_columns", "nonzero.bool", "nonzero", lambda f, x, *a: f(x.T, *a).flip(1)),
    _op("sort_ascends", "sort.int32.first", "sort", lambda f, x, dim=-1, descending=False: f(x, dim)),
    _op(
        "sort_not_stable",
        "argsort.int32",
        "sort",
        lambda f, x, dim=-1, descending=False: (
            f(x, dim, descending)[0],
            x.shape[-1] - 1 - f(x.flip(-1), dim, descending)[1],
        ),
    ),
    _op(
        "sort_as_signed",
        "sort.uint32",
        "sort",
        lambda f, x, dim=-1, descending=False: ((r := f(x.bitcast("int32"), dim, descending))[0].bitcast("uint32"), r[1]),
    ),
    _op("topk_smallest", "topk.float32", "topk", lambda f, x, k, *a, **how: f(x, k, largest=False)),
    _op("topk_of_the_second", "topk.int32.all", "topk", lambda f, x, k, *a, **how: tuple(r.roll(1, 1) for r in f(x, k))),
    _op("stored_flipped", "assigned.int32.list_second", "_masked_merge", lambda f, x, v, m, axes: f(x, v.flip(-1), m, axes)),
    _code("fill_of_three", "masked_fill.float32", r"2\.5f", "3.0f"),
    _code("mask_inverted", "masked_fill.int32", r"\((val\d+)\?", r"(!\1?"),
    _code("stride_of_two", "__getitem__.int32.stride", r"\*3\b", "*2"),
    _code("even_groups", "__getitem__.int32.backward", r"get_group_id\((\d)\)", r"(get_group_id(\1)&~1)"),
    _code("gate_gives_one", "far.int64", r":0l\)", ":1l)"),
    _code("even_indices", "take.int8", r"= \(\*\((data\d_65)\+(\w+)\)\);", r"= (*(\1+(\2&~1)));"),
    _call("assigned_nothing", "assigned.int32.stride", _CALL, no_launch),
    _call("one_group_less", "take_pairs.float32", _CALL, one_group_less),
    _call("last_bit", "take_grid.int32", "tinygrad.runtime.ops_cl.CLAllocator._copyout", last_bit),
    _call("scaled_gradient", "gather.float32.backward", "tinygrad.mixin.gradient.compute_gradient", scaled_gradient),
]
