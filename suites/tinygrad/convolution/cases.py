"""The catalogue of convolutions, pooling and interpolation."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from runner.model import Case

from ..rows import F32, F32_ALL, F32_HALF, Row, op_cases

EVERY = ("", "noopt", "backward", "noopt_backward")
PAIR = ("", "noopt_backward")
Shape = Sequence[int]

# name: input, weight and options; a third operand is the bias
CONVOLUTIONS: Mapping[str, tuple[Shape, Shape, Mapping[str, Any]]] = {
    "stride": ((2, 4, 13, 11), (6, 4, 3, 3), {"stride": 2, "padding": 1}),
    "strides": ((2, 4, 13, 11), (6, 4, 3, 2), {"stride": [2, 3]}),
    "stride_beyond": ((1, 2, 11, 13), (3, 2, 2, 2), {"stride": 3}),
    "paddings": ((1, 3, 7, 6), (5, 3, 3, 2), {"padding": [2, 1]}),
    "asymmetric": ((1, 3, 7, 6), (5, 3, 3, 2), {"padding": [0, 3, 2, 1]}),
    "cropped": ((1, 3, 9, 10), (4, 3, 3, 3), {"padding": [-1, 0, 1, -2]}),
    "dilation": ((2, 3, 13, 11), (4, 3, 3, 3), {"dilation": 2}),
    "dilations": ((2, 3, 9, 13), (4, 3, 3, 2), {"dilation": [1, 3], "stride": [2, 1], "padding": [2, 0]}),
    "groups": ((2, 4, 13, 11), (6, 2, 3, 2), {"groups": 2, "padding": 1}),
    "depthwise": ((2, 6, 9, 8), (6, 1, 3, 3), {"groups": 6, "padding": 1}),
    "multiplier": ((1, 3, 9, 8), (6, 1, 3, 3), {"groups": 3, "stride": 2}),
    "pointwise": ((2, 4, 13, 11), (5, 4, 1, 1), {}),
    "pointwise_stride": ((1, 7, 9, 9), (3, 7, 1, 1), {"stride": 2}),
    "whole": ((3, 2, 7, 5), (4, 2, 7, 5), {}),
    "one": ((1, 1, 1, 1), (1, 1, 1, 1), {}),
    "one_result": ((1, 16, 4, 4), (1, 16, 4, 4), {}),
    "tall_kernel": ((1, 2, 17, 5), (3, 2, 11, 1), {"padding": [5, 0]}),
    "first": ((1, 3, 32, 32), (16, 3, 7, 7), {"stride": 2, "padding": 3}),
    "large": ((2, 16, 24, 24), (32, 16, 3, 3), {"padding": 1}),
    "conv1d": ((2, 3, 29), (5, 3, 4), {}),
    "conv1d_all": ((1, 4, 31), (6, 2, 3), {"groups": 2, "stride": 2, "dilation": 3, "padding": [1, 4]}),
    "conv3d": ((1, 2, 5, 6, 7), (3, 2, 2, 3, 2), {}),
    "conv3d_all": (
        (1, 4, 5, 6, 7),
        (4, 2, 2, 1, 3),
        {"groups": 2, "stride": [1, 2, 2], "padding": 1, "dilation": [2, 1, 1]},
    ),
}

TRANSPOSED: Mapping[str, tuple[Shape, Shape, Mapping[str, Any]]] = {
    "plain": ((2, 3, 5, 7), (3, 4, 3, 3), {}),
    "stride": ((1, 3, 5, 4), (3, 4, 3, 3), {"stride": 2}),
    "output_padding": ((1, 3, 5, 4), (3, 4, 3, 3), {"stride": 2, "padding": 1, "output_padding": 1}),
    "strides": ((1, 2, 4, 5), (2, 3, 2, 4), {"stride": [3, 2], "output_padding": [2, 0], "padding": [0, 1]}),
    "asymmetric": ((1, 2, 5, 5), (2, 3, 3, 3), {"padding": [0, 1, 2, 1]}),
    "dilation": ((1, 3, 5, 4), (3, 2, 3, 2), {"dilation": [2, 3], "stride": [1, 2]}),
    "groups": ((2, 4, 5, 4), (4, 3, 3, 3), {"groups": 2, "stride": 2, "padding": 1}),
    "depthwise": ((1, 3, 5, 4), (3, 1, 2, 2), {"groups": 3, "stride": 2}),
    "transposed1d": ((2, 3, 11), (3, 2, 4), {"stride": 3, "output_padding": 2}),
    "transposed3d": ((1, 2, 3, 4, 3), (2, 3, 2, 2, 3), {"stride": [1, 2, 1], "padding": [0, 1, 1]}),
}

POOLS: Mapping[str, tuple[Shape, Mapping[str, Any]]] = {
    "two": ((2, 3, 12, 10), {"kernel_size": [2, 2]}),
    "overlap": ((2, 4, 13, 11), {"kernel_size": [3, 3], "stride": 2}),
    "dense": ((1, 2, 7, 9), {"kernel_size": [3, 2], "stride": 1}),
    "skipping": ((1, 2, 11, 13), {"kernel_size": [2, 3], "stride": [4, 5]}),
    "dilation": ((1, 3, 13, 11), {"kernel_size": [3, 2], "stride": 1, "dilation": [2, 3]}),
    "padding": ((2, 3, 9, 8), {"kernel_size": [3, 3], "stride": 2, "padding": 1}),
    "asymmetric": ((1, 2, 7, 8), {"kernel_size": [3, 3], "stride": 2, "padding": [0, 1, 1, 0]}),
    "ceil": ((1, 3, 8, 7), {"kernel_size": [3, 3], "stride": 2, "ceil_mode": True}),
    "ceil_padding": ((1, 2, 9, 6), {"kernel_size": [3, 2], "stride": [3, 2], "padding": 1, "ceil_mode": True}),
    "whole": ((3, 5, 7, 9), {"kernel_size": [7, 9]}),
    "pool1d": ((2, 3, 37), {"kernel_size": [4], "stride": 3}),
    "pool3d": ((1, 2, 5, 6, 7), {"kernel_size": [2, 3, 2], "stride": [2, 1, 3]}),
    "large": ((2, 8, 48, 48), {"kernel_size": [2, 2]}),
}

INTERPOLATIONS: Mapping[str, tuple[Shape, Mapping[str, Any]]] = {
    "up": ((2, 3, 5, 7), {"size": [10, 21]}),
    "down": ((2, 3, 12, 15), {"size": [5, 4]}),
    "uneven": ((1, 2, 7, 5), {"size": [11, 3]}),
    "aligned": ((2, 3, 5, 7), {"size": [9, 4], "align_corners": True}),
    "linear1d": ((2, 3, 13), {"size": [37]}),
    "linear3d": ((1, 2, 3, 4, 5), {"size": [5, 3, 8]}),
    "nearest": ((2, 3, 5, 7), {"size": [10, 21], "mode": "nearest"}),
    "nearest_down": ((2, 3, 12, 15), {"size": [5, 4], "mode": "nearest"}),
    "nearest_exact": ((2, 3, 5, 7), {"size": [11, 9], "mode": "nearest-exact"}),
    "nearest_exact_down": ((1, 2, 13), {"size": [6], "mode": "nearest-exact"}),
}


def rows() -> Iterator[Row]:
    """Every row of the table: convolutions, pools, interpolations."""
    yield from _convolutions()
    yield from _pools()
    for name, (shape, args) in INTERPOLATIONS.items():
        yield Row("interpolate", "interpolate", [(shape, "normal")], F32, PAIR, args, name)
    yield Row(
        "interpolate", "interpolate", [((2, 3, 5, 7), "normal")], ("float16", "float64"), args={"size": [10, 21]}, name="up"
    )
    yield Row(
        "interpolate",
        "interpolate",
        [((2, 3, 5, 7), "full")],
        ("int32", "uint8"),
        args={"size": [10, 21], "mode": "nearest"},
        name="nearest",
    )
    yield Row("interpolate", "interpolate_bytes", [((2, 8, 4), "100")], ("uint8",), args={"size": [16, 8]})


def _convolutions() -> Iterator[Row]:
    image, weight, padded = (2, 4, 13, 11), (6, 4, 3, 3), {"padding": 1}
    plain = [(image, "normal"), (weight, "normal")]
    yield Row("conv", "conv2d", plain, F32_ALL, EVERY, padded, "plain")
    yield Row("conv", "conv2d", [*plain, ((6,), "normal")], F32_HALF, EVERY, padded, "bias")
    for name, (x, w, args) in CONVOLUTIONS.items():
        variants = ("", "noopt") if name in ("one", "large", "first") else PAIR
        yield Row("conv", "conv2d", [(x, "normal"), (w, "normal")], F32, variants, args, name)
    small = [(image, "small"), (weight, "small")]
    yield Row("conv", "conv2d", small, ("float32", "int8", "int16", "uint8"), args=padded, name="exact")
    full = [(image, "full"), (weight, "full")]
    yield Row("conv", "conv2d", full, ("int32", "int64", "uint32"), args=padded, name="exact")
    yield Row("conv", "conv2d", plain, ("float16",), args={**padded, "dtype": "float32"}, name="in_float32")
    depthwise = CONVOLUTIONS["depthwise"]
    operands = [(shape, "normal") for shape in depthwise[:2]]
    yield Row("conv", "conv2d", operands, ("float16",), args=depthwise[2], name="depthwise")
    for name, (x, w, args) in TRANSPOSED.items():
        yield Row("conv", "conv_transpose2d", [(x, "normal"), (w, "normal")], F32, PAIR, args, name)
    x, w, args = TRANSPOSED["stride"]
    operands = [(x, "normal"), (w, "normal"), ((4,), "normal")]
    yield Row("conv", "conv_transpose2d", operands, F32_ALL, args=args, name="bias")
    for name, (n, c, h, v), o, padding in (
        ("tile", (1, 2, 6, 6), 3, 0),
        ("several", (2, 4, 13, 11), 6, 1),
        ("asymmetric", (1, 3, 9, 8), 2, [0, 2, 1, 0]),
    ):
        operands = [((n, c, h, v), "normal"), ((o, c, 3, 3), "normal")]
        yield Row("conv", "conv2d_winograd", operands, F32, PAIR, {"padding": padding}, name)


def _pools() -> Iterator[Row]:
    for name, (shape, args) in POOLS.items():
        variants = ("", "noopt") if name == "large" else PAIR
        yield Row("pool", "max_pool2d", [(shape, "distinct")], F32, variants, args, name)
        if name == "dilation":
            continue
        yield Row("pool", "avg_pool2d", [(shape, "normal")], F32, variants, args, name)
        if {"padding", "ceil_mode"} & set(args):
            without = {**args, "count_include_pad": False}
            yield Row("pool", "avg_pool2d", [(shape, "normal")], F32, variants, without, f"{name}_without")
    shape, args = POOLS["padding"]
    yield Row("pool", "max_pool2d", [(shape, "small")], F32, EVERY, args, "ties")
    yield Row("pool", "max_pool2d", [(shape, "ordered")], ("float32", "float16", "float64"), args=args, name="infinite")
    integers = ("int32", "int8", "int16", "int64", "uint8", "uint16", "uint32", "uint64")
    yield Row("pool", "max_pool2d", [(shape, "full")], integers, args=args, name="full")
    yield Row("pool", "avg_pool2d", [(shape, "normal")], ("float16", "float64"), args=args, name="padding")
    for name in ("overlap", "padding", "ceil_padding", "pool1d", "pool3d"):
        shape, args = POOLS[name]
        args = {**args, "return_indices": True}
        yield Row("pool", "max_pool2d", [(shape, "distinct")], args=args, name=f"indices_{name}")
        yield Row("pool", "max_pool2d", [(shape, "small")], ("int32",), args=args, name=f"indices_{name}")
    for name, shape, kernel, stride, size in (
        ("two", (2, 3, 12, 10), [2, 2], None, [12, 10]),
        ("larger", (1, 2, 7, 9), [2, 2], 2, [8, 10]),
        ("skipping", (1, 2, 11, 13), [2, 3], [4, 5], [12, 14]),
        ("pool3d", (1, 2, 5, 6, 7), [2, 3, 2], [2, 3, 3], [5, 6, 7]),
    ):
        # windows that overlap would name an element twice
        args = {"kernel_size": kernel, "stride": stride, "size": size}
        yield Row("pool", "max_unpool2d", [(shape, "distinct")], F32, PAIR, args, name)


def cases() -> Iterator[Case]:
    """The rows as cases."""
    yield from op_cases("convolution", rows())
