"""The catalogue of casts and bitcasts, alone and fused with what selects."""

from __future__ import annotations

from collections.abc import Iterator

from runner.model import Case

from ..rows import LINE, Row, op_cases


def rows() -> Iterator[Row]:
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


def cases() -> Iterator[Case]:
    yield from op_cases("cast", rows())
