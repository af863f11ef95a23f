"""The catalogue of reductions: every axis, several, all; every type; few elements and many."""

from collections.abc import Iterator, Sequence
from typing import Any

from runner.model import Case

from ..rows import F32, F32_ALL, F32_HALF, SHEET, Row, op_cases

INTEGERS = ("int32", "int8", "int16", "int64", "uint8", "uint16", "uint32", "uint64")
GRADIENTS = ("backward", "noopt_backward")
CUBE = (5, 31, 12)
ONCE = ("",)  # differs only in a type or a size from a row with all variants
AXES: Sequence[tuple[str, Any]] = (
    ("first", 0),
    ("middle", 1),
    ("last", -1),
    ("outer", [0, 2]),
    ("inner", [1, 2]),
    ("all", None),
)


def _row(op: str, shape: Sequence[int], domain: str, dtypes: Sequence[str] = F32, name: str = "", **more: Any) -> Row:
    """`more`: fields of Row, and arguments of the operation."""
    fields = {"variants": more.pop("variants")} if "variants" in more else {}
    return Row("reduce", op, [(shape, domain)], dtypes, args=more, name=name, **fields)


def _axes(op: str, domain: str, dtype: str, names: Sequence[str], **more: Any) -> Iterator[Row]:
    for name, axis in AXES:
        if name in names:
            yield _row(op, CUBE, domain, (dtype,), name=name, axis=axis, keepdim=name in ("first", "outer"), **more)


def _gradients(op: str, shape: Sequence[int], domain: str, axis: Any, name: str = "", **more: Any) -> Row:
    variants = ("backward",) if name else GRADIENTS
    return _row(op, shape, domain, name=name, axis=axis, variants=variants, **more)


def _sums() -> Iterator[Row]:
    yield _row("sum", (67, 1031), "normal", F32_ALL, "rows", axis=1)
    yield _row("sum", (67, 1031), "normal", F32, "columns", axis=0)
    yield _row("sum", (67, 1031), "small", F32, "whole")  # exact: no term may be missing
    yield from _axes("sum", "normal", "float32", ("first", "outer", "all"))
    yield from _axes("sum", "full", "int32", ("middle", "last", "inner"), variants=ONCE)
    yield _row("sum", SHEET, "full", INTEGERS, axis=0)
    yield _row("sum", SHEET, "", ("bool",), axis=1)
    yield _row("sum", (40, 5), "special", F32_HALF, "special", axis=1)
    for size in (1, 2, 3, 17, 257, 1021, 4096):
        yield _row("sum", (size,), "full", ("int32",), f"of_{size}", fold="before", variants=ONCE)
    # 32768 elements and more: two kernels if a factor of 8 to 256 divides the size, one if it is prime
    for shape, axis in (((65536,), None), ((65537,), None), ((3, 40000), 1), ((40000, 3), 0)):
        yield _row("sum", shape, "full", ("int32",), f"large_{'by'.join(map(str, shape))}", axis=axis)
    yield _row("sum", (2**20,), "full", ("int32",), "large_million", variants=ONCE)
    yield _row("sum", (3, 40000), "small", F32_HALF, "large_whole", axis=1)
    yield _row("sum", (3, 70000), "", ("bool",), "large", axis=1, variants=ONCE)
    for dtype, to in (
        ("float16", "float32"),
        ("float16", "float16"),
        ("float32", "float64"),
        ("int32", "int8"),
        ("int8", "int64"),
        ("int32", "float32"),
        ("bool", "uint8"),
        ("uint16", "uint16"),
    ):
        domain = {"f": "positive", "b": ""}.get(dtype[0], "full")
        yield _row("sum", (17, 43), domain, (dtype,), f"to_{to}", axis=1, dtype=to, variants=ONCE)
    for view in ("transposed", "reversed", "strided", "padded", "expanded", "chained"):
        once = () if view in ("transposed", "chained") else ONCE
        types = ("int32", "int8") if view == "transposed" else ("int32",)
        yield _row("sum", (19, 36), "full", types, view, axis=0, view=view, fold="around", variants=once or ("", "noopt"))
    yield _gradients("sum", SHEET, "normal", 1)
    yield _gradients("sum", CUBE, "normal", [0, 2], "outer", keepdim=True)


def _products() -> Iterator[Row]:
    yield _row("prod", (33, 19), "unit", F32_ALL, axis=1)
    yield _row("prod", (33, 19), "small", ("int32",), axis=1)
    yield _row("prod", (17, 43), "full", INTEGERS, "odd", axis=1, fold="odd", variants=ONCE)
    yield from _axes("prod", "full", "int32", ("first", "outer", "all"), fold="odd", variants=ONCE)
    yield _row("prod", (3, 65536), "full", ("int32",), "large", axis=1, fold="odd", variants=ONCE)
    yield _row("prod", (5, 31), "", ("bool",), axis=0)
    yield _row("prod", (9, 11), "small", ("int8",), "to_int64", axis=1, dtype="int64", variants=ONCE)
    yield _row("prod", (9, 11), "unit", ("float16",), "to_float32", axis=1, dtype="float32", variants=ONCE)
    yield _gradients("prod", (5, 8), "unit", 1)
    yield _gradients("prod", (5, 8), "small", 1, "zeros")  # with one 0, and with several


def _extremes() -> Iterator[Row]:
    for op in ("max", "min"):
        yield _row(op, (33, 65), "distinct", F32_HALF, axis=1)
        yield _row(op, SHEET, "full", INTEGERS, axis=0, variants=("", "noopt") if op == "max" else ONCE)
        yield _row(op, (15, 65), "ordered", F32_ALL, "ordered", axis=1, variants=ONCE)
        yield _row(op, (257, 2), "", ("bool",), axis=1)
        yield _row(op, (33, 2), "normal", F32, "few", axis=1)  # of one sign and of both
        yield from _axes(op, "normal", "float32", ("first", "inner", "all"), variants=ONCE)
        yield _row(op, (3, 65536), "full", ("int32", "uint64"), "large", axis=1, variants=ONCE)
        yield _row(op, (19, 36), "full", ("int32",), "view", axis=0, view="chained", fold="after")
        yield _row(op, (19, 36), "full", ("uint16",), "view", axis=0, view="reversed", fold="after")
        yield _row(op, (19, 36), "full", ("int8",), "padded", axis=1, view="padded")
        yield _gradients(op, (33, 65), "distinct", 1)
        yield _gradients(op, (7, 65), "small", 1, "ties")
        yield _gradients(op, CUBE, "normal", [0, 2], "outer", keepdim=True)
    for op in ("argmax", "argmin"):
        yield _row(op, SHEET, "distinct", F32_HALF, axis=1)
        yield _row(op, SHEET, "small", ("int32",), "ties", axis=0)
        yield _row(op, (15, 65), "ordered", F32, "ordered", axis=1, variants=ONCE)
        yield _row(op, (31, 33), "full", ("int8", "int64", "uint8", "uint32"), axis=-1, keepdim=True)
        yield _row(op, (31, 33), "", ("bool",), axis=0, variants=ONCE)
        yield _row(op, (5, 131), "small", ("int32",), "flat", fold="before", variants=ONCE)
        yield _row(op, (3, 40000), "full", ("int32",), "large", axis=1, variants=ONCE)
        yield _row(op, (9, 16), "normal", F32, "view", axis=1, view="chained")
    for op in ("any", "all"):
        yield _row(op, (257, 2), "", ("bool",), axis=1)
        yield _row(op, (1031, 2), "small", ("float32", "int32", "uint8", "int64", "float16"), axis=1, variants=ONCE)
        yield _row(op, (2, 257, 1), "", ("bool",), "several", axis=[0, -1], keepdim=True)
        yield _row(op, (15, 2), "special", F32, "special", axis=1, variants=ONCE)
    # with NaN, and with relative differences below and above the tolerance of 1e-5
    yield Row("reduce", "allclose", [((67,), "special"), ((67,), "unit")])


def _moments() -> Iterator[Row]:
    yield _row("mean", SHEET, "normal", F32_ALL, axis=1)
    yield _row("mean", SHEET, "small", ("int32", "uint8", "int64", "int8"), axis=0, variants=ONCE)
    yield _row("mean", SHEET, "", ("bool",), axis=1, variants=ONCE)
    yield from _axes("mean", "normal", "float32", ("first", "outer", "all"), variants=ONCE)
    yield _row("mean", (3, 40000), "positive", F32_HALF, "large", axis=1)
    yield _row("mean", (9, 16), "normal", F32, "view", axis=1, view="chained")
    yield _gradients("mean", SHEET, "normal", 1)
    yield _gradients("mean", CUBE, "normal", [0, 2], "outer", keepdim=True)
    for op in ("var", "std"):
        yield _row(op, SHEET, "normal", F32_ALL, axis=1)
        for correction in (0, 2):
            yield _row(op, SHEET, "normal", F32, f"less_{correction}", axis=0, correction=correction, variants=ONCE)
        yield from _axes(op, "normal", "float32", ("outer", "all"), variants=ONCE)
        yield _row(op, (7, 1), "normal", F32, "of_one", axis=1, variants=ONCE)  # 0 / 0
        yield _row(op, (9, 16), "normal", F32, "view", axis=1, view="strided")
        yield _gradients(op, (9, 33), "normal", 1)
        yield _gradients(op, (3, 11, 5), "normal", [0, 2], "outer", correction=0)
        yield _row(f"{op}_mean", SHEET, "normal", F32_HALF, axis=1)
        yield _row(f"{op}_mean", CUBE, "normal", F32, "outer", axis=[0, 2], keepdim=True, correction=0)
    yield _row("logsumexp", SHEET, "normal", F32_HALF, axis=1)
    yield _row("logsumexp", SHEET, "integral", F32, "far_apart", axis=1)  # their exp would be infinite
    yield from _axes("logsumexp", "normal", "float32", ("first", "outer", "all"), variants=ONCE)
    yield _gradients("logsumexp", SHEET, "normal", 1)
    yield _gradients("logsumexp", CUBE, "normal", [0, 2], "outer", keepdim=True)


def _cumulative() -> Iterator[Row]:
    yield _row("cumsum", (5, 129), "normal", F32_ALL, axis=1)
    yield _row("cumsum", (37, 11), "full", (*INTEGERS, "bool"), axis=0, variants=ONCE)
    for size in (1, 2, 512, 513, 1025):  # beyond 512: parts of 256
        yield _row("cumsum", (3, size), "full", ("int32",), f"of_{size}", axis=-1, fold="before", variants=ONCE)
    yield _row("cumsum", (5, 600), "full", ("int32",), "split", axis=1)
    yield _row("cumsum", (3, 700), "normal", F32_HALF, "split", axis=1)
    yield _row("cumsum", (600, 3), "small", F32, "whole", axis=0)
    yield _row("cumsum", (9, 20), "full", ("int32",), "view", axis=0, view="chained", fold="around")
    yield _row("cumsum", (5, 13), "normal", F32, variants=GRADIENTS, axis=1)
    yield _row("cumprod", (4, 40), "unit", F32_ALL, axis=1)
    yield _row("cumprod", (37, 5), "full", INTEGERS, "odd", axis=0, fold="odd", variants=ONCE)
    yield _row("cumprod", (3, 600), "full", ("int32",), "split", axis=1, fold="odd")
    yield _row("cumprod", (3, 6), "unit", F32, variants=GRADIENTS, axis=1)
    for op in ("cummax", "cummin"):
        yield _row(op, (5, 65), "distinct", F32_HALF, axis=1)
        yield _row(op, (33, 5), "small", ("int32", "uint8"), "ties", axis=0)
        yield _row(op, (3, 41), "full", ("int8", "int64", "uint16"), axis=-1, variants=ONCE)
        yield _row(op, (2, 530), "full", ("int32",), "split", axis=1, variants=ONCE)
        yield _row(op, (4, 9), "distinct", F32, variants=GRADIENTS, axis=1, values=True)
    yield _row("logcumsumexp", (5, 37), "normal", F32_HALF, axis=1)
    yield _row("logcumsumexp", (21, 3), "integral", F32, "far_apart", axis=0)
    yield _row("logcumsumexp", (4, 11), "normal", F32, variants=GRADIENTS, axis=1)


def _several() -> Iterator[Row]:
    """More than one reduction in a schedule, of each other and side by side."""
    both = ("", "noopt", *GRADIENTS)
    yield _row("normalised", (9, 33), "normal", F32)
    yield _row("sum_of_max", (5, 7, 9), "distinct", F32, variants=both)
    yield _row("max_of_sum", (5, 7, 9), "full", ("int32",))
    yield _row("two_sums", (19, 15), "normal", F32, variants=both)
    yield Row("reduce", "outer_sum", [((9, 33), "normal"), ((13, 33), "normal")], F32_HALF)


def cases() -> Iterator[Case]:
    """The rows of reductions as cases, and the reduction of nothing."""
    for rows in (_sums, _products, _extremes, _moments, _cumulative, _several):
        yield from op_cases("reduce", rows())
    yield Case("tinygrad/reduce/nothing", "reduce.nothing")
