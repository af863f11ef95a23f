"""Convolutions, pools and interpolation that err: a wrong gate, pad, stride, window or weight."""

from collections.abc import Callable
from typing import Any

from mutation import Function, api, generated, methods_of, of

_method = methods_of("convolution")


def _option(name: str, change: Callable[[Any], Any]) -> Callable[[Function], Function]:
    """One argument is another."""

    def wrap(inner: Function) -> Function:
        return lambda self, *args, **how: inner(self, *args, **{**how, name: change(how[name])})

    return wrap


def _weight(change: Callable[[Any], Any]) -> Callable[[Function], Function]:
    return lambda inner: lambda self, w, *args, **how: inner(self, change(w), *args, **how)


@of
def _later_index(inner: Function, self: Any, *args: Any, return_indices: bool = False, **how: Any) -> Any:
    if not return_indices:
        return inner(self, *args, **how)
    top, at = inner(self, *args, return_indices=True, **how)
    return top, at + 1


@of
def _fewer_groups(inner: Function, self: Any, *buffers: Any, global_size: Any, **how: Any) -> Any:
    last = max(global_size[1] - 1, 1)
    return inner(self, *buffers, global_size=(global_size[0], last, *global_size[2:]), **how)


_CONV, _POOL = "tinygrad/conv/", "tinygrad/pool/"

MUTANTS = [
    generated("tinygrad/convolution/gate_open", f"{_CONV}conv2d.float32.plain", r"\(alu3\?", "(true?"),
    generated("tinygrad/convolution/gate_ored", f"{_CONV}conv2d.float32.plain", r"\(alu3&alu4\)", "(alu3|alu4)"),
    generated("tinygrad/convolution/gate_by_one", f"{_CONV}conv2d.float32.plain", r"\(gidx0<10\)", "(gidx0<11)"),
    generated("tinygrad/convolution/pads_with_one", f"{_CONV}conv2d.float32.asymmetric", r":0\.0f\)", ":1.0f)"),
    generated("tinygrad/convolution/kernel_shifted", f"{_CONV}conv2d.float32.plain", r"alu9\+80\)", "alu9+79)"),
    generated("tinygrad/convolution/image_shifted", f"{_CONV}conv2d.float32.plain", r"\(alu8\+-12\)", "(alu8+-11)"),
    generated("tinygrad/convolution/product_lost", f"{_CONV}conv2d.float32.plain", r"\+\(val8\*val16\)", ""),
    generated("tinygrad/convolution/channel_lost", f"{_CONV}conv2d.float32.plain", r"Ridx0 < 4", "Ridx0 < 3"),
    generated("tinygrad/convolution/fused_in_half", f"{_CONV}conv2d.float16.in_float32", r"float buf0\[", "half buf0["),
    generated(
        "tinygrad/convolution/not_less",
        f"{_POOL}max_pool2d.float32.overlap",
        r"\((\w+(?:\.\w)?)<(\w+(?:\.\w)?)\)\?",
        r"(\1>\2)?",
    ),
    generated("tinygrad/convolution/first_of_two", f"{_POOL}max_pool2d.float32.two", r"\?val(\d+)\.y:", r"?val\1.x:"),
    generated("tinygrad/convolution/lowest_is_zero", f"{_POOL}max_pool2d.float32.infinite.noopt", r"-INFINITY", "0.0f"),
    generated("tinygrad/convolution/quarter_of_a_mean", f"{_POOL}avg_pool2d.float32.two", r"0\.25f", "0.24999f"),
    api(
        "tinygrad/convolution/one_group_less",
        f"{_CONV}conv2d.float32.plain.noopt",
        "tinygrad.runtime.ops_cl.CLProgram.__call__",
        _fewer_groups,
    ),
    _method("flipped", "conv/conv2d.float32.bias", "conv2d", _weight(lambda w: w.flip(-1))),
    _method("transposed_kernel", "conv/conv2d.float32.bias", "conv2d", _weight(lambda w: w.transpose(-1, -2))),
    _method("weight_rounded", "conv/conv2d.float32.pointwise", "conv2d", _weight(lambda w: w.half().contiguous().float())),
    _method("channels_rolled", "conv/conv2d.float32.depthwise", "conv2d", _weight(lambda w: w.roll(1, 0))),
    _method("groups_mixed", "conv/conv2d.float32.groups", "conv2d", _weight(lambda w: w.roll(3, 0))),
    _method(
        "pads_swapped", "conv/conv2d.float32.asymmetric", "conv2d", _option("padding", lambda p: [p[1], p[0], p[2], p[3]])
    ),
    _method(
        "strides_swapped", "conv/conv_transpose2d.float32.strides", "conv_transpose2d", _option("stride", lambda s: s[::-1])
    ),
    _method(
        "pads_before",
        "conv/conv_transpose2d.float32.output_padding",
        "conv_transpose2d",
        lambda inner: lambda self, *a, **how: inner(self, *a, **how).roll(1, -1),
    ),
    _method(
        "dilated_less",
        "conv/conv2d.float32.dilation",
        "conv2d",
        lambda inner: lambda self, w, b=None, **how: inner(self, w, b, **{**how, "dilation": 1, "padding": -1}),
    ),
    _method(
        "tile_constant",
        "conv/conv2d_winograd.float32.several",
        "_apply_winograd_matrix",
        lambda inner: lambda self, mat, dims: inner(self, [[v + (v == 1 / 6) * 1e-4 for v in row] for row in mat], dims),
    ),
    _method(
        "conv_gradient",
        "conv/conv2d.float32.plain.backward",
        "gradient",
        lambda inner: lambda self, *t, gradient: inner(self, *t, gradient=gradient.flip(-1)),
    ),
    _method("ceil_is_floor", "pool/max_pool2d.float32.ceil", "_apply_ceil_mode", lambda inner: lambda self, pads, *a: pads),
    _method(
        "counts_padding",
        "pool/avg_pool2d.float32.padding_without",
        "avg_pool2d",
        _option("count_include_pad", lambda c: True),
    ),
    _method("index_by_one", "pool/max_pool2d.float32.indices_overlap", "max_pool2d", _later_index),
    _method(
        "index_swapped",
        "pool/max_unpool2d.float32.two",
        "max_unpool2d",
        lambda inner: lambda self, at, *a, **how: inner(self, at.flip(-1), *a, **how),
    ),
    _method(
        "aligned",
        "interpolate/interpolate.float32.up",
        "interpolate",
        lambda inner: lambda self, size, **how: inner(self, size, align_corners=True),
    ),
    _method(
        "other_end", "interpolate/interpolate.float32.down", "lerp", lambda inner: lambda self, end, w: inner(end, self, w)
    ),
    _method(
        "weight_beyond",
        "interpolate/interpolate.float32.uneven",
        "lerp",
        lambda inner: lambda self, end, w: inner(self, end, w * 1.0001),
    ),
    _method(
        "exact_is_not", "interpolate/interpolate.float32.nearest_exact", "interpolate", _option("mode", lambda m: "nearest")
    ),
]
