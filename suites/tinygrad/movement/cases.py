"""The catalogue of movement: no arithmetic, every element at its place.

A view by itself may need no kernel: the rows read it through another view, or with arithmetic before and after it
(`views.py`), as tinygrad's views get into kernels.
"""

from collections.abc import Iterator
from typing import Any

from runner.model import Case

from ..rows import Operand, Row, op_cases
from .copies import copies
from .rows import CUBE, GRADIENTS, ONCE, TYPES, every_way, row

METHODS = dict.fromkeys(("__len__", "numel", "max_numel", "size"), "tinygrad/movement/nothing")
SMALL = (3, 4, 5)


def _shapes() -> Iterator[Row]:
    """Rows that only give the elements other places."""
    yield from every_way("reshape", (3, 4, 10), {"shape": [5, -1, 4]})
    yield row("reshape", (31, 33), {"shape": [-1], "view": "chained"}, "special", name="flat")
    yield row("reshape", (1,), {"shape": [1, 1, 1], "fold": "before"}, name="one")
    yield from every_way("view", (6, 10), {"shape": [4, 15]})
    yield from every_way("squeeze", (4, 1, 15), {"dim": 1})
    yield row("squeeze", (1, 37, 1, 5, 1), {"fold": "before"}, name="all")
    yield from every_way("unsqueeze", (7, 9), {"dim": -2})
    yield from every_way("flatten", (2, 3, 4, 5), {"start_dim": 1, "end_dim": 2})
    yield row("flatten", (3, 31), {"view": "strided"}, "special", name="all")
    yield from every_way("unflatten", (3, 20), {"dim": -1, "sizes": [2, -1, 5]})


def _orders() -> Iterator[Row]:
    yield row("permute", CUBE, {"order": [2, 0, 1]}, "special", dtypes=("float32", "float16"))
    yield row("permute", (5, 7, 9), {"order": [1, 2, 0]}, "full", dtypes=TYPES[3:], name="types", variants=ONCE)
    yield row("permute", (33, 31), {"order": [1, 0]}, "special", dtypes=("float64",))
    yield row("permute", (2, 3, 4, 5, 2, 3), {"order": [5, 3, 1, 4, 2, 0]}, "full", dtypes=("int32",), name="six")
    yield row("permute", SMALL, {"order": [2, 0, 1], "fold": "bfloat16"}, name="bfloat16")
    yield from every_way("permute", SMALL, {"order": [-1, 0, 1]}, name="around")
    yield row("transpose", CUBE, {"axes": [0, -1]}, "special")
    yield row("transpose", (257, 131), {"axes": [0, 1]}, "full", dtypes=("int32", "int8"), name="large")
    yield from every_way("transpose", SMALL, {"axes": [-1, 0]}, name="around")
    yield from every_way("T", (7, 13), {})
    yield row("flip", CUBE, {"axes": [0, 2]}, "special")
    yield row("flip", (1031,), {"axes": [0]}, "full", dtypes=("int8", "uint16", "int64"), name="line")
    yield from every_way("flip", SMALL, {"axes": [0, -1]}, name="around")
    yield row("roll", CUBE, {"shifts": [2, -5], "dims": [0, 2]}, "special")
    yield row("roll", (7, 9), {"shifts": 40, "dims": None}, "full", dtypes=("int32", "uint8"), name="flat")
    yield from every_way("roll", (4, 15), {"shifts": [-3], "dims": [-1]}, name="around")
    for name, shape, formula, sizes in (
        ("parted", (2, 12, 5), "b (c h) w -> w b h c", {"c": 3}),
        ("ellipsis", (2, 3, 4, 5), "... c h -> (h c) ...", {}),
        ("one", (12, 1, 7), "(a b) 1 c -> 1 (c b) a", {"b": 4}),
    ):
        yield row("rearrange", shape, {"formula": formula, "sizes": sizes}, "special", name=name)
    yield from every_way("rearrange", (2, 6, 5), {"formula": "b (c h) w -> w b h c", "sizes": {"c": 3}})


def _pads() -> Iterator[Row]:
    around: dict[str, Any] = {"padding": [[1, 2], [0, 3], [4, 0]]}
    yield row("pad", CUBE, around, "special")
    yield row("pad", CUBE, around, "full", dtypes=("int32", "uint8", "int64"))
    yield row("pad", (9, 17), {"padding": [[1, 2], [0, 3]]}, "normal", variants=GRADIENTS)
    yield row(
        "pad", (5, 33), {"padding": [2, 3], "value": 2.5}, "special", dtypes=("float32", "float16", "float64"), name="flat"
    )
    yield row("pad", (5, 33), {"padding": [2, 3, 0, 1], "value": 7}, "full", dtypes=TYPES[3:11], name="value")
    for value in ("inf", "-inf", "nan"):
        args: dict[str, Any] = {"padding": [None, [2, 3]], "value": value}
        yield row("pad", (5, 33), args, "special", dtypes=("float32", "float16"), name=value.replace("-", "minus_"))
    yield row("pad", (9, 17), {"padding": [[-2, 3], [4, -5]]}, "special", name="negative")
    yield row(
        "pad", (9, 17), {"padding": [[-2, 3], [4, -5]], "value": -3}, "full", dtypes=("int32", "int16"), name="negative"
    )
    yield row("pad", (1,), {"padding": [[0, 100]]}, "full", dtypes=("int32",), name="one")
    yield row("pad", (7, 13), {"padding": [2, 3, 4, 5], "fold": "around"}, "full", dtypes=("int32", "int8"), name="around")
    yield row("pad", SMALL, {"padding": [2, 3, 4, 5], "fold": "bfloat16"}, name="bfloat16")
    for mode, pads in (("reflect", [[2, 3], [0, 16]]), ("replicate", [[2, 3], [0, 40]]), ("circular", [[9, 3], [0, 17]])):
        op = "pad" if mode == "circular" else "pad_joined"
        args = {"padding": pads, "mode": mode}
        around = {**args, "view": "transposed", "fold": "around"}
        less = {"padding": [[-1, 2], [3, -2]], "mode": mode}
        few = {"padding": [[1, 2], [3, 0]], "mode": mode}
        yield row(op, (9, 17), args, "special", name=mode)
        yield row(op, (9, 17), args, "full", dtypes=("int32", "int8", "uint16", "int64"), name=mode)
        yield row(op, (17, 9), around, "full", dtypes=("int32",), name=f"{mode}.around")
        yield row(op, (4, 7), less, "special", name=f"{mode}.negative", variants=ONCE)
        yield row(op, (4, 7), few, name=mode, variants=GRADIENTS)
    yield row("pad_to", (5, 31), {"shape": [8, None], "value": 0}, "special")
    yield row("pad_to", (5, 31), {"shape": [None, 64], "value": 9}, "full", dtypes=("int32", "uint8", "int16"), name="value")
    yield from every_way("pad_to", (5, 11), {"shape": [8, 16], "value": 1}, name="around")
    # Only the gate keeps these loads inside the operand: without it they are up to 64 and 1024 rows away.
    for dtypes, domain in ((TYPES[3:], "full"), (TYPES[:3], "normal")):
        yield row("far", (2, 2**18), {"away": 64}, domain, dtypes=dtypes)
    yield row("far", (2, 2**20), {"away": 1024}, "full", dtypes=("int32", "int8"), name="gigabytes")


def _parts() -> Iterator[Row]:
    yield row("shrink", CUBE, {"bounds": [[1, 4], [2, 7], [3, 30]]}, "special")
    yield row("shrink", (9, 31), {"bounds": [None, [30, 31]]}, "full", dtypes=("int32", "int8", "uint64"), name="column")
    yield from every_way("shrink", (9, 11), {"bounds": [[2, 8], [1, 4]]}, name="around")
    yield row("shrink_to", CUBE, {"shape": [3, None, 31]}, "special")
    yield from every_way("shrink_to", (9, 11), {"shape": [2, 10]}, name="around")
    yield row("chunk", (13, 33), {"chunks": 4, "dim": 1}, "special")
    yield row(
        "chunk",
        (7, 20),
        {"chunks": 3, "dim": 0, "view": "transposed", "fold": "around"},
        "full",
        dtypes=("int32", "uint8"),
        name="around",
    )
    yield row("split", (13, 33), {"sizes": 10, "dim": -1}, "special")
    yield row(
        "split",
        (9, 20),
        {"sizes": [1, 5, 12, 2], "dim": 1, "fold": "around"},
        "full",
        dtypes=("int32", "uint8"),
        name="sizes",
    )
    yield from every_way("split_cat", (4, 15), {"sizes": [4, 1, 10], "dim": 1})
    yield row("unfold", (5, 37), {"dim": 1, "size": 7, "step": 3}, "special")
    yield row("unfold", (37, 5), {"dim": 0, "size": 4, "step": 6}, "full", dtypes=("int32", "uint8"), name="apart")
    yield row("unfold", (9, 9), {"dim": -1, "size": 9, "step": 1, "fold": "around"}, "full", dtypes=("int16",), name="whole")
    yield from every_way("unfold", (3, 17), {"dim": -1, "size": 5, "step": 2}, name="around")
    yield row("diagonal", (17, 31), {}, "special")
    for name, args in (("above", {"offset": 3}), ("below", {"offset": -3}), ("dims", {"offset": 1, "dim1": -1, "dim2": 0})):
        yield row("diagonal", (11, 5, 13), args, "full", dtypes=("int32",), name=name)
    yield from every_way("diagonal", (7, 9), {"offset": 1}, name="around")
    yield row("diag", (37,), {}, "special")
    yield row("diag", (9,), {}, "full", dtypes=("int32", "uint8", "bool"))
    yield row("diag", (9,), {"fold": "around"}, name="around", variants=GRADIENTS)
    for op in ("triu", "tril"):
        yield row(op, (37, 41), {}, "normal")
        yield row(op, (3, 9, 13), {"diagonal": 2}, "full", dtypes=("int32", "int8", "bool"), name="above")
        yield row(op, (17, 5), {"diagonal": -3}, "special", dtypes=("float32", "float16"), name="below")
        yield from every_way(op, (6, 9), {"diagonal": -1}, name="around")


def _chains() -> Iterator[Row]:
    """Views of views, and computations through them."""
    yield row("views", (12, 22), {}, "special")
    yield row("views", (12, 22), {"fold": "around"}, "full", dtypes=("int32", "uint8", "int64"), name="around")
    yield row("views", (7, 12), {"fold": "around"}, variants=GRADIENTS, name="around")
    yield row("view_arithmetic", (9, 11), {}, "full", dtypes=("int32", "int64", "uint32"))
    yield row("view_arithmetic", (9, 11), {}, variants=("", "noopt", *GRADIENTS))
    for view in ("transposed", "reversed", "shrunk", "strided", "padded", "chained", "expanded"):
        args: dict[str, Any] = {"order": [1, 2, 0, 3] if view == "expanded" else [1, 2, 0], "axis": 1, "view": view}
        variants = ("", "noopt") if view in ("padded", "chained") else ONCE
        yield row("moved_sum", (8, 9, 10), args, "full", dtypes=("int32",), name=view, variants=variants)
        yield row("moved_sum", (8, 9, 10), args, "normal", variants=ONCE, name=view)
    pair: list[Operand] = [((9, 13), "normal"), ((16, 9), "normal")]
    yield Row("movement", "pad_times_flip", pair, ("float32", "float16"))
    yield Row("movement", "pad_times_flip", [((5, 6), "normal"), ((9, 5), "normal")], variants=GRADIENTS)


def cases() -> Iterator[Case]:
    """The rows of movement as cases, and the movement of nothing."""
    for rows in (_shapes, _orders, _pads, _parts, copies, _chains):
        yield from op_cases("movement", rows())
    yield Case(id="tinygrad/movement/nothing", kind="movement.nothing")
