"""The catalogue: which operation runs on which operands. What an operation is stands in ops.py."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from runner.model import Case

# A shape and a domain of inputs.py, and a type where it is not the case's.
Operand = tuple[Sequence[int], str] | tuple[Sequence[int], str, str]

FEATURES = {"float16": "fp16", "float64": "fp64"}


@dataclass(frozen=True)
class Row:
    """One operation on one set of operands, in each of `dtypes`; `variants` are ways to run it:
    "" (forward), "noopt" (forward, without tinygrad's kernel optimiser) and "backward"."""

    family: str
    op: str
    operands: Sequence[Operand]
    dtypes: Sequence[str] = ("float32",)
    variants: Sequence[str] = ("",)
    args: Mapping[str, Any] = field(default_factory=dict)
    name: str = ""  # what tells this row from another of the operation


F32, F32_HALF, F32_ALL = ("float32",), ("float32", "float16"), ("float32", "float16", "float64")
BOTH = ("", "backward")
LINE = (1031,)  # prime: no work-group size divides it, so several work-groups and a rest
SHEET = (67, 129)


def _rows() -> Iterator[Row]:
    # Slow families first: while a worker ends a slow last case, the others have nothing to do.
    yield from _networks()
    yield from _indexing()
    yield from _reductions()
    yield from _movements()
    yield from _casts()
    yield from _elementwise()


def _elementwise() -> Iterator[Row]:
    special = [(LINE, "special")]
    for op in (
        "neg",
        "abs",
        "trunc",
        "floor",
        "ceil",
        "round",
        "log2",
        "relu",
        "gelu",
        "erf",
        "isnan",
        "isinf",
    ):
        yield Row("unary", op, special)
    for op in ("exp", "exp2", "sqrt", "reciprocal", "sin"):
        yield Row("unary", op, special, F32_ALL)
    yield Row("unary", "sin", [(LINE, "unit")], ("float64",), name="small")
    yield Row("unary", "log", special, F32_HALF)
    yield Row("unary", "rsqrt", special)
    yield Row("unary", "tanh", special, F32_HALF)
    yield Row("unary", "sigmoid", special)
    yield Row("unary", "cos", [(SHEET, "angle")])
    yield Row("unary", "sign", [(LINE, "finite")])
    yield Row("unary", "exp", [((3, 1, 5), "normal")], variants=("noopt",))
    for op in ("exp", "sin", "tanh", "sigmoid"):
        yield Row("unary", op, [((33, 65), "normal")], variants=("backward",))
    for op in ("sqrt", "log"):
        yield Row("unary", op, [((33, 65), "positive")], variants=("backward",))
    yield Row("unary", "relu", [((33, 65), "normal")], variants=("backward",))
    for op in ("neg", "abs", "sign"):
        yield Row("unary", op, [(LINE, "full")], ("int32",))
    yield Row("unary", "bitwise_not", [(LINE, "full")], ("uint8", "int16", "int64"))
    yield Row("unary", "logical_not", [(LINE, "")], ("bool",))

    grid = [((16, 1), "edges"), ((1, 16), "edges")]  # every edge against every edge, by broadcasting
    ordered = [((15, 1), "ordered"), ((1, 15), "ordered")]
    for op in ("add", "mul"):
        yield Row("binary", op, grid, F32_ALL)
    for op in ("sub", "div"):
        yield Row("binary", op, grid)
    for op in ("maximum", "minimum"):
        yield Row("binary", op, ordered)
        yield Row("binary", op, [(LINE, "full"), (LINE, "full")], ("int32",))
    yield Row("binary", "pow", [(SHEET, "positive"), (SHEET, "normal")])
    yield Row("binary", "mul", [((33, 65), "normal"), ((65,), "normal")], variants=("backward",))
    yield Row("binary", "div", [((33, 65), "normal"), ((33, 65), "unit")], variants=("backward",))
    yield Row("binary", "add", [((67, 1), "normal"), ((1, 129), "normal")], name="broadcast")
    for op in ("add", "sub", "mul"):
        yield Row("binary", op, [(LINE, "full"), (LINE, "full")], ("int32", "uint8", "int64"))
    for op in ("floordiv", "mod"):
        yield Row("binary", op, [(LINE, "-32768"), (LINE, "nonzero")], ("int32",))
    for op in ("bitwise_and", "bitwise_or", "bitwise_xor"):
        yield Row("binary", op, [(LINE, "full"), (LINE, "full")], ("int32",))
    for op in ("lshift", "rshift"):
        yield Row("binary", op, [(LINE, "full"), (LINE, "shift")], ("uint32",))
    for op in ("lt", "eq", "ne"):
        yield Row("compare", op, grid)
    yield Row("compare", "le", ordered)  # tinygrad's <= is not >, and so true of NaN
    for op in ("lt", "eq"):
        yield Row("compare", op, [((31, 1), "full"), ((1, 37), "small")], ("int32", "uint16"))
    yield Row(
        "compare", "where", [(LINE, "", "bool"), (LINE, "special"), (LINE, "special")], ("float32", "float16")
    )
    yield Row("compare", "where", [(LINE, "", "bool"), (LINE, "full"), ((1,), "full")], ("int32", "int8"))
    yield Row(
        "compare",
        "where",
        [((9, 1), "", "bool"), ((9, 65), "normal"), ((65,), "normal")],
        variants=("backward",),
    )


def _casts() -> Iterator[Row]:
    for source, target, domain in (
        ("float32", "int32", "integral"),
        ("float32", "uint8", "byte"),
        ("float32", "bool", "special"),
        ("float32", "float16", "special"),
        ("float16", "float32", "special"),
        ("float32", "float64", "special"),
        ("float64", "float32", "special"),
        ("int32", "float32", "full"),
        ("uint32", "float32", "full"),
        ("int64", "float32", "full"),
        ("int64", "int32", "full"),
        ("int32", "int8", "full"),
        ("int32", "bool", "small"),
        ("bool", "float32", ""),
        ("bool", "int32", ""),
        ("int8", "int32", "full"),
        ("uint8", "float32", "full"),
        ("int16", "float32", "full"),
        ("uint16", "int64", "full"),
    ):
        yield Row("cast", "cast", [(LINE, domain)], (source,), args={"dtype": target}, name=f"to_{target}")
    for source, target, domain in (
        ("float32", "int32", "special"),
        ("uint32", "float32", "full"),
        ("float16", "uint16", "special"),
    ):
        yield Row("cast", "bitcast", [(LINE, domain)], (source,), args={"dtype": target}, name=f"to_{target}")
    # A small integer, converted to float and selected against a float constant: a pass of Mesa narrowed
    # the constant to the integer's width.
    for dtype in ("uint16", "uint8"):
        yield Row("cast", "cast_clip", [(LINE, "full")], (dtype,))
    for dtype in ("int16", "int8"):
        yield Row("cast", "cast_where", [(LINE, "full")], (dtype,))


def _reductions() -> Iterator[Row]:
    normal = [((67, 1031), "normal")]
    yield Row("reduce", "sum", normal, F32_ALL, args={"axis": 1}, name="rows")
    yield Row("reduce", "sum", normal, args={"axis": 0}, name="columns", variants=("", "noopt"))
    yield Row("reduce", "sum", [((67, 1031), "small")], name="whole")  # exact: not one term may be lost
    yield Row("reduce", "sum", [(SHEET, "normal")], args={"axis": 1}, variants=("backward",))
    yield Row("reduce", "sum", [(SHEET, "full")], ("int32", "int8", "uint16", "int64"), args={"axis": 0})
    yield Row("reduce", "sum", [(SHEET, "")], ("bool",), args={"axis": 1})
    yield Row("reduce", "prod", [((33, 19), "unit")], args={"axis": 1}, variants=BOTH)
    yield Row("reduce", "prod", [((33, 19), "small")], ("int32",), args={"axis": 1})
    yield Row("reduce", "max", [((33, 65), "distinct")], args={"axis": 1}, variants=BOTH)
    yield Row("reduce", "max", [(SHEET, "full")], ("int32", "uint8"), args={"axis": 0})
    yield Row("reduce", "min", [((15, 65), "ordered")], args={"axis": 1})
    yield Row("reduce", "argmax", [(SHEET, "distinct")], args={"axis": 1})
    yield Row("reduce", "argmax", [(SHEET, "small")], ("int32",), args={"axis": 0}, name="ties")
    yield Row("reduce", "any", [((257, 2), "")], ("bool",), args={"axis": 1})
    yield Row("reduce", "all", [((257, 2), "")], ("bool",), args={"axis": 1})
    yield Row("reduce", "mean", [(SHEET, "normal")], F32_HALF, args={"axis": 1}, variants=BOTH)
    yield Row("reduce", "std", [(SHEET, "normal")], args={"axis": 1})
    yield Row("reduce", "logsumexp", [(SHEET, "normal")], args={"axis": 1}, variants=BOTH)
    yield Row("reduce", "cumsum", [((5, 129), "normal")], args={"axis": 1})
    yield Row("reduce", "cumsum", [((5, 600), "full")], ("int32",), args={"axis": 1}, name="split")


def _movements() -> Iterator[Row]:
    cube = [((5, 7, 33), "special")]
    around = {"padding": [[1, 2], [0, 3], [4, 0]]}
    yield Row("movement", "permute", cube, ("float32", "float16"), args={"order": [2, 0, 1]})
    yield Row("movement", "pad", cube, args=around)
    yield Row(
        "movement",
        "pad",
        [((5, 7, 33), "full")],
        ("int32", "uint8", "int64"),
        args=around,
    )
    yield Row(
        "movement", "pad", [((9, 17), "normal")], args={"padding": [[1, 2], [0, 3]]}, variants=("backward",)
    )
    yield Row("movement", "shrink", cube, args={"bounds": [[1, 4], [2, 7], [3, 30]]})
    yield Row("movement", "flip", cube, args={"axes": [0, 2]})
    yield Row("movement", "expand", [((5, 1, 33), "special")], args={"shape": [5, 7, 33]})
    yield Row(
        "movement",
        "cat",
        [((5, 7, 33), "normal"), ((5, 2, 33), "normal"), ((5, 1, 33), "normal")],
        args={"axis": 1},
    )
    yield Row("movement", "cat", [((5, 7), ""), ((5, 2), "")], ("bool",), args={"axis": 1})
    yield Row("movement", "strided", [((31, 65), "special")])
    yield Row("movement", "triu", [((37, 41), "normal")], F32)


def _networks() -> Iterator[Row]:
    def product(left: Sequence[int], right: Sequence[int], domain: str = "normal") -> list[Operand]:
        return [(left, domain), (right, domain)]

    yield Row("matmul", "matmul", product((64, 64), (64, 64)), F32_ALL, name="square")
    yield Row("matmul", "matmul", product((37, 41), (41, 29)), variants=("", "noopt", "backward"), name="odd")
    yield Row("matmul", "matmul", product((1, 129), (129, 65)), name="row")
    yield Row("matmul", "matmul", product((3, 17, 23), (3, 23, 19)), name="batched")
    yield Row("matmul", "matmul", product((2, 3, 17, 23), (23, 5)), name="broadcast")
    yield Row("matmul", "matmul", product((65, 127), (127, 33), "small"), ("float32", "int32"), name="exact")
    image, weight = (2, 4, 13, 11), (6, 4, 3, 3)
    plain = {"stride": 1, "padding": 1, "groups": 1}
    yield Row("conv", "conv2d", product(image, weight), args=plain, variants=("", "noopt", "backward"))
    yield Row("conv", "conv2d", product(image, weight), ("float16",), args=plain)
    yield Row("conv", "conv2d", product(image, weight), args={**plain, "stride": 2}, name="stride")
    yield Row("conv", "conv2d", product(image, (6, 2, 3, 2)), args={**plain, "groups": 2}, name="groups")
    yield Row("conv", "conv2d", product(image, (5, 4, 1, 1)), args={**plain, "padding": 0}, name="pointwise")
    yield Row("pool", "max_pool2d", [(image, "distinct")], args={"size": 2, "stride": 2})
    yield Row("pool", "max_pool2d", [(image, "distinct")], args={"size": 3, "stride": 1}, name="overlap")
    yield Row("pool", "avg_pool2d", [(image, "normal")], args={"size": 3, "stride": 2})
    yield Row("nn", "softmax", [((33, 65), "normal")], F32_HALF, variants=("",))
    yield Row("nn", "softmax", [((33, 65), "normal")], variants=("noopt", "backward"))
    yield Row("nn", "log_softmax", [((33, 65), "normal")])
    yield Row("nn", "layernorm", [((33, 65), "normal")], variants=BOTH)


def _indexing() -> Iterator[Row]:
    yield Row("index", "gather", [((37, 41), "special"), ((37, 9), "41", "int32")], args={"axis": 1})
    yield Row(
        "index",
        "gather",
        [((37, 41), "normal"), ((37, 9), "41", "int32")],
        args={"axis": 1},
        variants=("backward",),
    )
    yield Row("index", "scatter_add", [((9, 65), "normal"), ((13, 65), "9", "int32"), ((13, 65), "normal")])
    yield Row("index", "take", [((37, 5), "full"), ((65,), "-37", "int32")], ("int32",))
    yield Row("index", "take", [((37, 5), "normal"), ((65,), "-37", "int32")])
    yield Row("index", "take_pairs", [((37, 41), "normal"), ((65,), "37", "int32"), ((65,), "41", "int32")])
    yield Row("index", "one_hot", [((129,), "13")], ("int32",), args={"classes": 13})
    yield Row("index", "masked_fill", [(SHEET, "special"), (SHEET, "", "bool")])
    yield Row("sort", "sort", [((5, 37), "distinct")], args={"descending": False})
    yield Row("sort", "sort", [((5, 37), "small")], ("int32",), args={"descending": True})
    yield Row("sort", "topk", [((5, 37), "distinct")], args={"k": 4})


def _op_cases() -> Iterator[Case]:
    for row in _rows():
        for dtype in row.dtypes:
            for variant in row.variants:
                operands = [(list(shape), domain, *(own or (dtype,))) for shape, domain, *own in row.operands]
                used = {kind for _, _, kind in operands} | {row.args.get("dtype", dtype)}
                parts = [f"tinygrad/{row.family}/{row.op}.{dtype}", row.name, variant]
                yield Case(
                    id=".".join(filter(None, parts)),
                    kind="op",
                    params={"op": row.op, "operands": operands, "args": dict(row.args), "variant": variant},
                    requires=tuple(sorted(FEATURES[kind] for kind in used if kind in FEATURES)),
                )


def cases() -> Iterator[Case]:
    for name in ("jit_replay", "jit_assign", "several_outputs", "sgd"):
        yield Case(id=f"tinygrad/program/{name}.float32", kind=name)
    yield from _op_cases()
