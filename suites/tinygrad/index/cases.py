"""The catalogue of indexing, gather and scatter, sorting."""

from collections.abc import Iterator, Sequence
from typing import Any

from runner.model import Case

from ..rows import F32, F32_HALF, FEATURES, SHEET, Operand, Row, op_cases
from .expressions import BASIC, LISTS

INTEGERS = ("int32", "int8", "int16", "int64", "uint8", "uint16", "uint32", "uint64")
TYPES = ("float32", "float16", "float64", *INTEGERS, "bool")
GRADIENTS = ("backward", "noopt_backward")
ONCE = ("",)
BLOCK = (9, 11, 13)

METHODS = {"__setitem__": "tinygrad/index/assigned.*"}


def _row(op: str, operands: Sequence[Operand], dtypes: Sequence[str] = F32, name: str = "", **more: Any) -> Row:
    """`more`: fields of Row, and arguments of the operation."""
    fields = {"variants": more.pop("variants")} if "variants" in more else {}
    return Row("index", op, operands, dtypes, args=more, name=name, **fields)


def _brackets() -> Iterator[Row]:
    for index in BASIC:
        # int32 with arithmetic around it: a view by itself may need no kernel
        yield _row("__getitem__", [(BLOCK, "full")], ("int32",), index, index=index, fold="around")
    for index in ("stride", "backward", "new_axes"):
        yield _row("__getitem__", [(BLOCK, "special")], F32, index, index=index, variants=ONCE)
        yield _row("__getitem__", [(BLOCK, "full")], ("int8", "uint16", "int64"), index, index=index, variants=ONCE)
        yield _row(
            "__getitem__",
            [((9, 13, 11), "full")],
            ("int32",),
            f"{index}.view",
            index=index,
            view="transposed",
            variants=ONCE,
        )
    for index in LISTS:
        yield _row("__getitem__", [(BLOCK, "full")], ("int32",), index, index=index)
        yield _row("__getitem__", [(BLOCK, "normal")], ("float32",), index, index=index, variants=ONCE)
    yield _row("__getitem__", [((5, 6, 3), "normal")], F32, "stride", index="stride", variants=("backward",))
    yield _row("__getitem__", [((9, 3, 2), "normal")], F32, "two_lists", index="two_lists", variants=GRADIENTS)
    for index, shape in (("slice", (5, 11, 13)), ("stride", (4, 4, 3)), ("backward", (9, 11, 3)), ("list", (4, 11, 13))):
        yield _row("stored", [(BLOCK, "full"), (shape, "full")], ("int32", "uint8"), index, index=index, fold="around")
        yield _row("stored", [(BLOCK, "normal"), (shape, "normal")], F32, index, index=index, variants=ONCE)
    yield _row(
        "stored", [((9, 4, 3), "normal"), ((4, 2, 1), "normal")], F32, "stride", index="stride", variants=("backward",)
    )


def _takes() -> Iterator[Row]:
    rows: Operand = ((65,), "-37", "int32")
    yield _row("take", [((37, 5), "full"), rows], ("int32", "int8"))
    yield _row("take", [((37, 5), "full"), rows], (*INTEGERS[2:], "bool"), variants=ONCE)
    yield _row("take", [((37, 5), "normal"), rows], ("float32", "float16", "float64"))
    yield _row("take", [((37, 5), "normal"), ((11, 3), "-37", "int32")], F32, "of_two_axes")
    yield _row("take", [((1, 5), "normal"), ((7,), "-2", "int32")], F32, "beyond", variants=ONCE)
    yield _row("take", [((1021, 3), "full"), ((2053,), "-1021", "int32")], ("int32",), "large", variants=ONCE)
    for kind in ("int8", "int16", "int64", "uint8", "uint32"):
        domain = "37" if kind.startswith("u") else "-37"
        yield _row("take", [((37, 5), "full"), ((65,), domain, kind)], ("int32",), f"by_{kind}", variants=ONCE)
    for view in ("transposed", "strided", "padded", "chained"):
        yield _row("take", [((20, 74), "full"), ((33,), "-7", "int32")], ("int32",), view, view=[view, ""], fold="around")
    yield _row("take_second", [((5, 37), "full"), rows], ("int32", "uint8"), fold="around")
    pair: list[Operand] = [((65,), "-37", "int32"), ((65,), "-41", "int32")]
    yield _row("take_pairs", [((37, 41), "normal"), *pair], F32_HALF)
    yield _row("take_pairs", [((37, 41), "full"), *pair], ("int32", "int8", "uint64"))
    yield _row("take_inner", [((3, 37, 41), "full"), *pair], ("int32",))
    grid: list[Operand] = [((9,), "-37", "int32"), ((13,), "-41", "int32")]
    yield _row("take_grid", [((37, 41), "full"), *grid], ("int32", "uint16"))
    yield _row("take_apart", [((37, 5, 41), "full"), *pair], ("int32",))
    yield _row("take_after", [((37, 5), "full"), rows], ("int32", "int64"), fold="before")
    yield _row("take_chain", [((37, 5), "full"), ((20,), "-37", "int32"), ((30,), "-20", "int32")], ("int32",))
    yield _row("joined", [((37, 5), "full"), ((37, 5), "full"), rows], ("int32",), fold="around")
    yield _row("take", [((7, 5), "normal"), ((12,), "-7", "int32")], F32, variants=GRADIENTS)
    yield _row("take_pairs", [((7, 5), "normal"), ((12,), "7", "int32"), ((12,), "5", "int32")], F32, variants=GRADIENTS)


def _gathers() -> Iterator[Row]:
    yield _row("gather", [((37, 41), "normal"), ((37, 9), "41", "int32")], ("float32", "float16", "float64"), dim=1)
    yield _row("gather", [((37, 41), "full"), ((37, 9), "41", "int32")], (*INTEGERS, "bool"), dim=1, variants=ONCE)
    yield _row("gather", [((13, 7), "full"), ((29, 7), "13", "int32")], ("int32", "uint8"), "first", dim=0)
    yield _row("gather", [((5, 7, 9), "full"), ((3, 11, 8), "7", "int64")], ("int32",), "smaller", dim=-2, fold="around")
    yield _row("gather", [((7, 9), "normal"), ((7, 5), "9", "int32")], F32, dim=1, variants=GRADIENTS)
    flat: list[Operand] = [((17,), "full"), ((9,), "17", "int32"), ((9,), "full")]
    yield _row("scatter", flat, ("int32", "int8", "uint16"), "line", dim=0)
    sheet: list[Operand] = [((9, 33), "special"), ((13, 33), "9", "int32"), ((13, 33), "special")]
    yield _row("scatter", sheet, F32_HALF, dim=0)
    yield _row(
        "scatter", [((5, 17), "full"), ((4, 9), "17", "int32"), ((6, 10), "full")], ("int32", "int64"), "smaller", dim=-1
    )
    yield _row("scatter", [((4, 5), "normal"), ((3, 5), "4", "int32"), ((3, 5), "normal")], F32, dim=0, variants=GRADIENTS)
    for reduce, value in ((None, 7), ("add", 2), ("multiply", 3)):
        args = {"dim": 1, "value": value, "reduce": reduce}
        yield _row("scatter_scalar", [((9, 17), "full"), ((9, 31), "17", "int32")], ("int32",), reduce or "set", **args)
        yield _row(
            "scatter_scalar", [((9, 17), "small"), ((9, 31), "17", "int32")], F32, reduce or "set", variants=ONCE, **args
        )
    by: list[Operand] = [((13, 33), "9", "int32")]
    for reduce in ("sum", "prod", "mean", "amax", "amin"):
        domain = "unit" if reduce == "prod" else "positive"
        floats: list[Operand] = [((9, 33), domain), *by, ((13, 33), domain)]
        whole: list[Operand] = [((9, 33), "full"), *by, ((13, 33), "full")]
        yield _row("scatter_reduce", floats, F32, reduce, dim=0, reduce=reduce)
        yield _row("scatter_reduce", floats, F32, f"{reduce}.alone", dim=0, reduce=reduce, include_self=False)
        yield _row("scatter_reduce", floats, ("float16",), reduce, dim=0, reduce=reduce, variants=ONCE)
        if reduce != "mean":
            types = ("int32", "int64") if reduce in ("sum", "prod") else ("int32", "uint8", "int16")
            yield _row("scatter_reduce", whole, types, reduce, dim=0, reduce=reduce)
            yield _row(
                "scatter_reduce",
                whole,
                ("int32",),
                f"{reduce}.alone",
                dim=0,
                reduce=reduce,
                include_self=False,
                variants=ONCE,
            )
        few = "distinct" if reduce.startswith("a") else "unit"
        small: list[Operand] = [((4, 5), few), ((3, 5), "4", "int32"), ((3, 5), few)]
        if not reduce.startswith("a"):
            yield _row("scatter_reduce", small, F32, reduce, dim=0, reduce=reduce, variants=("backward",))


def _masks() -> Iterator[Row]:
    mask: Operand = (SHEET, "", "bool")
    yield _row("one_hot", [((129,), "13")], ("int32", "int8", "int64", "uint8"), classes=13)
    yield _row("one_hot", [((5, 7), "-3")], ("int32",), "outside", classes=2)  # negative numbers are not classes
    yield _row("histogram", [((257,), "13")], ("int32",), classes=13)
    yield _row("masked_fill", [(SHEET, "special"), mask], F32_HALF, value=2.5)
    yield _row("masked_fill", [(SHEET, "full"), mask], INTEGERS, value=7)
    yield _row(
        "masked_fill",
        [(SHEET, "full"), ((129,), "", "bool")],
        ("int32", "uint8"),
        "broadcast",
        value=7,
        fold="around",
        variants=ONCE,
    )
    yield _row("masked_fill", [((7, 9), "normal"), ((7, 9), "", "bool")], F32, value=2.5, variants=GRADIENTS)
    few: list[Operand] = [((7, 19), "full"), ((7, 19), "", "bool")]
    yield _row("masked_select", [((7, 19), "special"), few[1]], F32)
    yield _row("masked_select", few, ("int32", "int8"), fold="before")
    yield _row("masked_select", [few[0], ((19,), "", "bool")], ("int32",), "broadcast", size=100, fill=-5)
    yield _row("masked_select", few, ("int32",), "cut", size=20)
    yield _row("nonzero", [((7, 19), "", "bool")], ("bool",))
    yield _row("nonzero", [((3, 5, 7), "2")], ("int32",), size=90, fill=-1)
    yield _row("nonzero", [((31,), "small")], F32)


def _sorts() -> Iterator[Row]:
    """A kernel for each stage of a bitonic network: short rows, and one long row."""
    for size in (2, 3, 7, 8, 17, 33):
        variants = ("", "noopt") if size in (3, 8) else ONCE
        yield _row("sort", [((3, size), "small")], ("int32",), f"of_{size}", variants=variants)
    yield _row("sort", [((5, 9), "distinct")], ("float32", "float16", "float64"))
    yield _row("sort", [((3, 6), "full")], (*INTEGERS, "bool"), descending=True, variants=ONCE)
    yield _row("sort", [((2, 8), "ordered")], F32, "ordered")
    yield _row("sort", [((2, 7), "ordered")], F32, "ordered.descending", descending=True, variants=ONCE)
    yield _row("sort", [((9, 4), "small")], ("int32",), "first", dim=0, descending=True)
    yield _row("sort", [((3, 5, 4), "full")], ("int32",), "middle", dim=1, fold="before", variants=ONCE)
    yield _row("sort", [((6, 5), "small")], ("int32",), "view", view="transposed", variants=ONCE)
    yield _row("argsort", [((5, 8), "small")], ("int32", "uint8"), descending=True, variants=ONCE)
    yield _row("argsort", [((7, 3), "normal")], F32, "first", dim=0)
    yield _row("topk", [((5, 9), "distinct")], F32_HALF, k=4)
    yield _row("topk", [((5, 7), "small")], ("int32", "int8"), "smallest", k=3, largest=False, variants=ONCE)
    yield _row("topk", [((8, 3), "full")], ("int32", "uint32", "int64"), "first", k=5, dim=0, variants=ONCE)
    yield _row("topk", [((3, 8), "full")], ("int32",), "all", k=8, variants=ONCE)
    yield _row("distinct", [((5, 16), "small")], ("int32", "float32"))
    yield _row("sorted_values", [((3, 4), "distinct")], F32, variants=GRADIENTS)
    yield _row("largest_values", [((3, 4), "distinct")], F32, k=2, variants=("backward",))


def _bodies() -> Iterator[Case]:
    for noopt in (0, 1):
        variant = ".noopt" if noopt else ""
        for dtype in ("int32", "int8", "int64", "float32") if noopt else TYPES:
            domain = "normal" if dtype.startswith("float") else "full"
            yield _case(f"far.{dtype}{variant}", dtype, noopt=noopt, domain=domain)
        for index in ("row", "slice", "column", "negative", "stride", "backward", "new_axes", "list_second"):
            for dtype in ("int32", "float32") if index in ("stride", "backward") else ("int32",):
                yield _case(f"assigned.{dtype}.{index}{variant}", dtype, noopt=noopt, index=index)
        for dtype in ("int32",) if noopt else ("int32", "float32", "uint8"):
            yield _case(f"stored_at.{dtype}{variant}", dtype, noopt=noopt)


def _case(name: str, dtype: str, **params: Any) -> Case:
    requires = (FEATURES[dtype],) if dtype in FEATURES else ()
    kind = f"index.{name.split('.')[0]}"
    return Case(f"tinygrad/index/{name}", kind, {"dtype": dtype, **params}, requires)


def cases() -> Iterator[Case]:
    """The rows of indexing and sorting as cases, and the cases with their own bodies."""
    for rows in (_brackets, _takes, _gathers, _masks, _sorts):
        yield from op_cases("index", rows())
    yield from _bodies()
