"""The catalogue of softmax, normalisation, attention, losses, dropout and the layers of tinygrad.nn."""

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from typing import Any

from runner.model import Case

from ..rows import F32, F32_HALF, Operand, Row, op_cases

METHODS = {"dropout": "tinygrad/nn/dropout.*"}

EVERY = ("", "noopt", "backward", "noopt_backward")
PAIR = ("", "noopt_backward")
Shape = Sequence[int]


def normal(*shapes: Shape) -> list[Operand]:
    """Operands of these shapes, drawn from the normal distribution."""
    return [(shape, "normal") for shape in shapes]


def rows() -> Iterator[Row]:
    """Every row of the table: softmax, normalisation, attention, losses, layers."""
    yield from _softmax()
    yield from _normalisation()
    yield from _attention()
    yield from _losses()
    yield from _layers()


def _softmax() -> Iterator[Row]:
    for op in ("softmax", "log_softmax", "softmin"):
        yield Row("nn", op, normal((33, 65)), F32_HALF)
        yield Row("nn", op, normal((33, 65)), F32, EVERY[2:])
        yield Row("nn", op, normal((5, 7, 11)), F32, PAIR, {"axis": 1}, "axis")
        yield Row("nn", op, [((5, 65), "small")], name="wide")
        yield Row("nn", op, [((5, 65), "ordered")], name="infinite")
    yield Row("nn", "softmax", normal((33, 65)), ("float64",))
    yield Row("nn", "softmax", normal((3, 1031)), name="long")
    yield Row("nn", "softmax", normal((2, 4096)), name="grouped")
    yield Row("nn", "softmax", normal((1031, 3)), name="short")
    yield Row("nn", "softmax_in", normal((33, 65)), ("float16",), args={"dtype": "float32"})


def _normalisation() -> Iterator[Row]:
    yield Row("nn", "layernorm", normal((33, 65)), F32_HALF)
    yield Row("nn", "layernorm", normal((33, 65)), ("float64",))
    yield Row("nn", "layernorm", normal((33, 65)), F32, EVERY[2:])
    yield Row("nn", "layernorm", normal((4, 5, 6, 7)), F32, PAIR, {"axis": [1, 2, 3], "eps": 1e-3}, "axes")
    yield Row("nn", "layernorm", normal((7, 1024)), name="grouped")
    yield Row("nn", "normalize", normal((33, 65)))
    for p, axis in ((1.0, 0), (3.0, -1)):
        yield Row("nn", "normalize", normal((17, 41)), args={"p": p, "dim": axis}, name=f"p{p:.0f}")
    yield Row("nn", "layernorm", normal((65, 7)), F32, PAIR, {"axis": 0}, "first")
    operands = [*normal((4, 5, 6, 7), (5,), (5,), (5,)), ((5,), "positive")]
    yield Row("nn", "batchnorm", operands, F32, EVERY)
    yield Row("nn", "batchnorm", operands, ("float16", "float64"))
    yield Row("nn", "batchnorm", [*normal((9, 5), (5,), (5,), (5,)), ((5,), "positive")], F32, PAIR, name="flat")
    last = [*normal((4, 5, 6), (6,), (6,), (6,)), ((6,), "positive")]
    yield Row("nn", "batchnorm", last, args={"axis": 2}, name="last")


ATTENTIONS: Mapping[str, tuple[Sequence[Shape], Mapping[str, Any], Sequence[Operand]]] = {
    "heads": (((2, 3, 17, 16), (2, 3, 23, 16), (2, 3, 23, 8)), {}, ()),
    "one_query": (((1, 4, 1, 16), (1, 4, 37, 16), (1, 4, 37, 16)), {}, ()),
    "one_key": (((1, 2, 3, 4), (1, 2, 1, 4), (1, 2, 1, 4)), {}, ()),
    "plain": (((3, 7, 5), (3, 11, 5), (3, 11, 5)), {}, ()),
    "causal": (((2, 3, 17, 8), (2, 3, 17, 8), (2, 3, 17, 8)), {"is_causal": True}, ()),
    "causal_wide": (((1, 2, 7, 8), (1, 2, 13, 8), (1, 2, 13, 8)), {"is_causal": True}, ()),
    "mask": (((2, 3, 17, 8), (2, 3, 23, 8), (2, 3, 23, 8)), {}, [((1, 1, 17, 23), "", "bool")]),
    "mask_each": (((2, 3, 5, 8), (2, 3, 29, 8), (2, 3, 29, 8)), {}, [((2, 3, 5, 29), "", "bool")]),
    "mask_added": (((2, 3, 7, 8), (2, 3, 9, 8), (2, 3, 9, 8)), {}, [((7, 9), "normal")]),
    "gqa": (((2, 6, 7, 8), (2, 2, 9, 8), (2, 2, 9, 8)), {"enable_gqa": True}, ()),
    "mqa_causal": (((1, 4, 9, 8), (1, 1, 9, 8), (1, 1, 9, 8)), {"enable_gqa": True, "is_causal": True}, ()),
    "long": (((1, 2, 64, 32), (1, 2, 256, 32), (1, 2, 256, 32)), {}, ()),
}


def _attention() -> Iterator[Row]:
    op = "scaled_dot_product_attention"
    for name, (shapes, args, more) in ATTENTIONS.items():
        variants = ("", "noopt") if name in ("long", "one_key") else PAIR
        yield Row("attention", op, [*normal(*shapes), *more], F32, variants, args, name)
    for name in ("heads", "causal", "mask", "gqa"):
        shapes, args, more = ATTENTIONS[name]
        yield Row("attention", op, [*normal(*shapes), *more], ("float16",), args=args, name=name)
    for name in ("causal", "gqa"):
        shapes, args, more = ATTENTIONS[name]
        yield Row("attention", op, normal(*shapes), F32, ("noopt", "backward"), args, name)


def _losses() -> Iterator[Row]:
    def labelled(shape: Shape, labels: Shape, classes: int) -> list[Operand]:
        return [*normal(shape), (labels, str(classes), "int32")]

    rows_of_ten = labelled((33, 10), (33,), 10)
    op = "sparse_categorical_crossentropy"
    choices: dict[str, dict[str, Any]] = {
        "": {},
        "sum": {"reduction": "sum"},
        "none": {"reduction": "none"},
        "ignored": {"ignore_index": 3},
        "ignored_none": {"ignore_index": 3, "reduction": "none"},
        "smooth": {"label_smoothing": 0.125, "ignore_index": 2},
    }
    for name, args in choices.items():
        yield Row("loss", op, rows_of_ten, F32, PAIR, args, name)
    yield Row("loss", op, labelled((3, 5, 7), (3, 5), 7), F32, PAIR, {"label_smoothing": 0.25}, "sequence")
    yield Row("loss", op, rows_of_ten, ("float16",))
    choices = {"": {}, "none": {"reduction": "none"}, "smooth": {"label_smoothing": 0.1, "reduction": "sum"}}
    for name, args in choices.items():
        yield Row("loss", "cross_entropy", rows_of_ten, F32, PAIR, args, name)
        soft = [*normal((9, 11)), ((9, 11), "positive")]
        yield Row("loss", "cross_entropy", soft, F32, PAIR, args, "_".join(filter(None, ("soft", name))))
    yield Row("loss", "cross_entropy", labelled((2, 5, 4, 3), (2, 4, 3), 5), F32, EVERY, name="image")
    yield Row("loss", "cross_entropy", [*normal((13,)), ((13,), "positive")], name="vector")
    weights: list[Operand] = [*rows_of_ten, ((10,), "positive")]
    choices = {"": {}, "none": {"reduction": "none"}, "sum": {"reduction": "sum"}, "ignored": {"ignore_index": 4}}
    for name, args in choices.items():
        yield Row("loss", "nll_loss", rows_of_ten, F32, PAIR, args, name)
        yield Row("loss", "nll_loss", weights, F32, PAIR, args, "_".join(filter(None, ("weighted", name))))
    yield Row("loss", "nll_loss", labelled((2, 5, 4, 3), (2, 4, 3), 5), name="image")
    yield Row("loss", "binary_crossentropy", [((31, 7), "unit")] * 2, F32, EVERY)
    yield Row("loss", "binary_crossentropy", [((31, 7), "unit")] * 2, args={"reduction": "none"}, name="none")
    logits: list[Operand] = [((31, 7), "normal"), ((31, 7), "unit")]
    yield Row("loss", "binary_crossentropy_logits", logits, F32, EVERY)
    yield Row("loss", "binary_crossentropy_logits", logits, F32, PAIR, {"reduction": "none"}, "none")
    weighted: list[Operand] = [*logits, ((7,), "positive")]
    yield Row("loss", "binary_crossentropy_logits", weighted, F32, PAIR, {"reduction": "sum"}, "weighted")


# layer, name: operands (the input and the attributes), the constructor's arguments
LAYERS: Sequence[tuple[str, str, Sequence[Shape], Mapping[str, Any]]] = (
    ("Linear", "", ((17, 37), (19, 37), (19,)), {"sizes": [37, 19]}),
    ("Linear", "batched", ((2, 3, 16), (5, 16)), {"sizes": [16, 5], "bias": False}),
    ("Conv1d", "", ((2, 3, 29), (5, 3, 4), (5,)), {"sizes": [3, 5, 4], "stride": 2, "padding": 1}),
    ("Conv2d", "", ((2, 3, 9, 8), (5, 3, 3, 3), (5,)), {"sizes": [3, 5, 3], "padding": 1}),
    ("Conv2d", "same", ((1, 4, 7, 9), (6, 2, 2, 3), (6,)), {"sizes": [4, 6, [2, 3]], "padding": "same", "groups": 2}),
    (
        "Conv2d",
        "without_bias",
        ((1, 3, 9, 8), (5, 3, 3, 3)),
        {"sizes": [3, 5, 3], "stride": 2, "dilation": 2, "bias": False},
    ),
    ("ConvTranspose1d", "", ((2, 3, 11), (3, 2, 4), (2,)), {"sizes": [3, 2, 4], "stride": 2}),
    ("ConvTranspose2d", "", ((1, 3, 5, 4), (3, 4, 3, 3), (4,)), {"sizes": [3, 4, 3], "stride": 2, "output_padding": 1}),
    ("LayerNorm", "", ((5, 7, 12), (12,), (12,)), {"sizes": [12]}),
    ("LayerNorm", "image", ((5, 3, 4, 6), (3, 4, 6), (3, 4, 6)), {"sizes": [[3, 4, 6]], "eps": 1e-3}),
    ("LayerNorm", "plain", ((5, 12),), {"sizes": [12], "elementwise_affine": False}),
    ("LayerNorm2d", "", ((2, 12, 5, 4), (12,), (12,)), {"sizes": [12]}),
    ("GroupNorm", "", ((3, 12, 5, 4), (12,), (12,)), {"sizes": [4, 12]}),
    ("GroupNorm", "plain", ((3, 6, 7),), {"sizes": [2, 6], "affine": False}),
    ("InstanceNorm", "", ((3, 5, 6, 4), (5,), (5,)), {"sizes": [5]}),
    ("RMSNorm", "", ((5, 7, 32), (32,)), {"sizes": [32]}),
    ("RMSNorm", "plain", ((9, 33),), {"sizes": [33], "elementwise_affine": False, "eps": 1e-3}),
    ("sequential", "", ((9, 13), (13, 17), (17, 5)), {}),
)
# layers that are another layer under another name: not in the premerge tier
VARIANTS = ("Conv1d", "ConvTranspose1d", "ConvTranspose2d", "LayerNorm2d", "InstanceNorm", "sequential")


def _layers() -> Iterator[Row]:
    for op, name, shapes, args in LAYERS:
        yield Row("layer", op, normal(*shapes), F32, PAIR, args, name)
    by_op = {op: (shapes, args) for op, name, shapes, args in LAYERS if not name}
    for op in ("Linear", "Conv2d", "LayerNorm", "GroupNorm", "RMSNorm"):
        shapes, args = by_op[op]
        yield Row("layer", op, normal(*shapes), ("float16",), args=args)
    statistics = [*normal((4, 5, 6, 7), (5,), (5,), (5,)), ((5,), "positive")]
    yield Row("layer", "BatchNorm", statistics, F32, PAIR, {"sizes": [5]})
    index: Operand = ((4, 9), "11", "int32")
    yield Row("layer", "Embedding", [index, ((11, 7), "normal")], F32_HALF, PAIR, {"sizes": [11, 7]})
    beyond: Operand = ((4, 9), "-13", "int32")
    yield Row("layer", "Embedding", [beyond, ((11, 7), "normal")], args={"sizes": [11, 7]}, name="beyond")
    wide: Operand = ((2, 5), "1031", "int64")
    yield Row("layer", "Embedding", [wide, ((1031, 16), "normal")], F32, PAIR, {"sizes": [1031, 16]}, "wide")
    lstm = normal((3, 5, 7), (5, 6), (5, 6), (24, 7), (24, 6), (24,), (24,))
    yield Row("layer", "LSTMCell", lstm, args={"sizes": [7, 6]})
    yield Row("layer", "LSTMCell", lstm[:5], args={"sizes": [7, 6], "bias": False}, name="without_bias")
    yield Row("layer", "LSTMCell_hidden", lstm, F32, EVERY[2:], {"sizes": [7, 6]})
    first = normal((5, 7), (24, 7), (24, 6), (24,), (24,))
    yield Row("layer", "LSTMCell_first", first, args={"sizes": [7, 6]})


INITIAL: Mapping[str, tuple[Sequence[int], Sequence[str], float]] = {  # sizes, uniform attributes, their bound
    "Linear": ((64, 128), ("weight", "bias"), 1 / sqrt(64)),
    "Conv2d": ((8, 32, 3), ("weight", "bias"), 1 / sqrt(8 * 9)),
    "ConvTranspose2d": ((8, 32, 3), ("weight",), 1 / sqrt(8 * 9)),
    "Embedding": ((64, 32), ("weight",), sqrt(6 / (64 + 32))),
    "LSTMCell": ((32, 16), ("weight_ih", "weight_hh"), 1 / sqrt(16)),
}


def cases() -> Iterator[Case]:
    """The rows as cases, and those of dropout."""
    yield from op_cases("nn", rows())
    for name, p, dtype, noopt in (
        ("quarter", 0.25, "float32", 0),
        ("quarter.noopt", 0.25, "float32", 1),
        ("half", 0.5, "float16", 0),
        ("most", 0.9, "float32", 0),
    ):
        requires = ("fp16",) if dtype == "float16" else ()
        params = {"p": p, "dtype": dtype, "shape": [67, 129], "noopt": noopt}
        yield Case(f"tinygrad/nn/dropout.{name}", "nn.dropout", params, requires=requires)
    yield Case("tinygrad/attention/dropout", "nn.attention_dropout")
    for name, shape in {"image": [4, 5, 6, 7], "flat": [33, 5]}.items():
        for noopt in (0, 1):
            test_id = f"tinygrad/layer/batchnorm_training.{name}{'.noopt' * noopt}"
            yield Case(test_id, "nn.batchnorm_training", {"shape": shape, "noopt": noopt})
    for layer, (sizes, weights, bound) in INITIAL.items():
        params = {"layer": layer, "sizes": list(sizes), "weights": list(weights), "bound": bound}
        yield Case(f"tinygrad/layer/initial.{layer}", "nn.initial", params)
