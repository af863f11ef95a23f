"""The catalogue of movement: no arithmetic, every element in its place."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case

from ..rows import F32, Row, op_cases


def rows() -> Iterator[Row]:
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


def cases() -> Iterator[Case]:
    yield from op_cases("movement", rows())
