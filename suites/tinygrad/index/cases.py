"""The catalogue of indexing, gather and scatter, sorting."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case

from ..rows import SHEET, Row, op_cases


def rows() -> Iterator[Row]:
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


def cases() -> Iterator[Case]:
    yield from op_cases("index", rows())
