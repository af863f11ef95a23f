"""Elements that come more than once, or from more than one operand: expanded, repeated, joined, diagonal."""

from collections.abc import Iterator

from ..rows import Operand, Row
from .rows import GRADIENTS, TYPES, every_way, row


def copies() -> Iterator[Row]:
    """Rows whose elements come more than once, or from more than one operand."""
    yield row("expand", (5, 1, 33), {"shape": [5, 7, 33]}, "special")
    yield row("expand", (3, 1), {"shape": [2, -1, 61]}, "full", dtypes=("int32", "int8", "uint64"), name="leading")
    yield row(
        "expand", (3, 1, 5), {"shape": [2, 3, 4, 5], "fold": "around"}, variants=("", "noopt", *GRADIENTS), name="around"
    )
    yield row("repeat", (5, 7), {"repeats": [3, 2]}, "special")
    yield row("repeat", (7,), {"repeats": [2, 1, 3]}, "full", dtypes=("int32", "uint8"), name="leading")
    yield from every_way("repeat", (3, 4), {"repeats": [2, 3]}, name="around")
    yield row("repeat_interleave", (5, 7), {"repeats": 3, "dim": 1}, "special")
    yield row("repeat_interleave", (5, 7), {"repeats": 4, "dim": None}, "full", dtypes=("int32", "int8"), name="flat")
    yield from every_way("repeat_interleave", (3, 4), {"repeats": 3, "dim": 0}, name="around")
    three: list[Operand] = [((5, 7, 33), "normal"), ((5, 2, 33), "normal"), ((5, 1, 33), "normal")]
    yield Row("movement", "cat", three, args={"axis": 1})
    yield Row("movement", "cat", [((5, 7), ""), ((5, 2), "")], ("bool",), args={"axis": 1})
    yield Row("movement", "cat", [((5, 7), "full"), ((5, 2), "full")], TYPES[3:11], ("",), {"axis": -1})
    yield Row("movement", "cat", [((4, 7), "special"), ((4, 7), "special")], args={"axis": 0}, name="equal")
    yield Row(
        "movement", "cat", [((0, 7), "normal"), ((3, 7), "normal"), ((1, 7), "normal")], args={"axis": 0}, name="nothing"
    )
    mixed = {"axis": 1, "view": ["transposed", "strided", "shrunk"], "fold": "around"}
    yield Row(
        "movement",
        "cat",
        [((9, 5), "full"), ((5, 11), "full"), ((5, 13), "full")],
        ("int32", "uint8"),
        args=mixed,
        name="views",
    )
    yield Row(
        "movement", "cat", [((5, 4), "small"), ((5, 9), "small")], args={"axis": 1, "fold": "around"}, variants=GRADIENTS
    )
    for dim, name in ((0, "first"), (-1, "last")):
        yield Row("movement", "stack", [((5, 33), "special")] * 3, args={"dim": dim}, name=name)
    yield Row(
        "movement",
        "stack",
        [((7, 9), "full")] * 2,
        ("int32", "int8", "int64"),
        args={"dim": 1, "fold": "around"},
        name="around",
    )
    yield Row("movement", "stack", [((3, 5), "small")] * 3, args={"dim": 1, "fold": "around"}, variants=GRADIENTS)
    for indexing in ("ij", "xy"):
        axes = [((5,), "special"), ((7,), "special"), ((3,), "special")]
        yield Row("movement", "meshgrid", axes, args={"indexing": indexing}, name=indexing)
        yield Row(
            "movement",
            "meshgrid",
            [((5,), "full"), ((7,), "full")],
            ("int32",),
            args={"indexing": indexing, "fold": "around"},
            name=indexing,
        )
