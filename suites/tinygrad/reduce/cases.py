"""The catalogue of reductions."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case

from ..rows import BOTH, F32_ALL, F32_HALF, SHEET, Row, op_cases


def rows() -> Iterator[Row]:
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


def cases() -> Iterator[Case]:
    yield from op_cases("reduce", rows())
