"""The catalogue of casts and bitcasts, by themselves and fused with a selection, and of type promotion."""

from collections.abc import Iterator
from itertools import combinations

from runner.model import Case

from ..elementwise.axes import LINE, ONCE
from ..rows import Row, op_cases

INTEGERS = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
FLOATS = ("float16", "float32", "float64")
TYPES = ("bool", *INTEGERS, *FLOATS)
SIZES = {dtype: 1 if dtype == "bool" else int("".join(filter(str.isdigit, dtype))) // 8 for dtype in TYPES}
FP8 = ("fp8e4m3", "fp8e5m2", "fp8e4m3fnuz", "fp8e5m2fnuz")

# Both variants, and in the premerge tier.
PREMERGE_CASTS = {
    *(("float32", target) for target in ("int32", "uint8", "bool", "float16", "float64")),
    *((source, "float32") for source in ("float16", "float64", "int32", "uint32", "int64", "bool", "int16")),
    *(("int64", "int32"), ("int32", "int8"), ("int8", "int32"), ("uint16", "int64")),
}
# Bitcasts to an element of another size.
RESIZED = {
    *(("float32", "uint8"), ("uint8", "float32"), ("int64", "int32"), ("uint16", "uint64")),
    *(("float16", "uint32"), ("uint32", "float16"), ("uint8", "float64")),
}
METHOD_TARGETS = {
    "float": "float32",
    "half": "float16",
    "double": "float64",
    "int": "int32",
    "long": "int64",
    "short": "int16",
    "bool": "bool",
}
CHAINS = (*(("int8", "int32"), ("uint8", "float32"), ("float16", "float32")), *(("int16", "uint64"), ("bool", "int8")))
METHODS = {"element_size": "tinygrad/cast/sizes", "is_floating_point": "tinygrad/cast/sizes"}


def _domain(source: str, target: str) -> str:
    """Values that the target can hold: C leaves the others undefined."""
    if source in FLOATS:
        return f"in_{target}" if target in INTEGERS else "special"
    if target == "bool":
        return "small"
    if target == "float16" and SIZES[source] >= 4:
        return "60000" if source.startswith("u") else "-60000"
    return "full"


def _casts() -> Iterator[Row]:
    for source in TYPES:
        for target in TYPES:
            if source != target:
                shown = (source, target) in PREMERGE_CASTS
                yield Row(
                    "cast",
                    "cast",
                    [(LINE, _domain(source, target))],
                    (source,),
                    ("", "noopt") if shown else ONCE,
                    {"dtype": target},
                    f"to_{target}",
                )
    yield Row("cast", "cast", [(LINE, "tiny")], ("float16",), ONCE, {"dtype": "float32"}, "to_float32.tiny")
    for method, target in METHOD_TARGETS.items():
        domain, source = "small" if method == "bool" else "-2000", "int16" if method == "int" else "int32"
        yield Row("cast", method, [(LINE, domain)], (source,), ONCE, {"dtype": target})
    for chain in CHAINS:
        operands = [(LINE, "small" if "bool" in chain else "-30000")]
        yield Row(
            "cast",
            "chain",
            operands,
            ("int32",),
            ("", "noopt") if chain == CHAINS[0] else ONCE,
            {"through": list(chain)},
            "_".join(chain),
        )


def _bitcasts() -> Iterator[Row]:
    whole = [t for t in TYPES if t != "bool"]
    for source in whole:
        for target in whole:
            if source == target:
                continue
            shown = (source, target) in {("float32", "int32"), ("uint32", "float32"), ("float16", "uint16")}
            domain = "special" if source in FLOATS else "full"
            args = {"dtype": target}
            if SIZES[source] == SIZES[target]:
                yield Row(
                    "cast", "bitcast", [(LINE, domain)], (source,), ("", "noopt") if shown else ONCE, args, f"to_{target}"
                )
            elif (source, target) in RESIZED:
                yield Row("cast", "bitcast", [((5, 24), domain)], (source,), ONCE, args, f"to_{target}")


def _bfloat16() -> Iterator[Row]:
    for source in TYPES:
        domain = "special" if source in FLOATS else "full"
        variants = ("", "noopt") if source in ("float32", "int32") else ONCE
        yield Row("cast", "bfloat16", [(LINE, domain)], (source,), variants)
    for target, domain in (
        ("int32", "angle"),
        ("uint8", "outer"),
        ("float16", "unit"),
        ("float64", "unit"),
        ("bool", "small"),
    ):
        args = {"dtype": target}
        variants = ("", "noopt") if target == "uint8" else ONCE
        yield Row("cast", "from_bfloat16", [(LINE, domain)], ("float32",), variants, args, f"to_{target}")
    two = [(LINE, "unit"), (LINE, "unit")]
    for operation in ("add", "mul", "maximum", "where", "lt"):
        args = {"of": operation}
        yield Row("cast", "bfloat16_arithmetic", two, args=args, name=operation)
    yield Row("cast", "bfloat16_bits", [(LINE, "full")], ("uint16",))
    for dtype in FP8:  # of float16, which tinygrad casts through
        args = {"through": dtype}
        variants = ("", "noopt") if dtype == "fp8e4m3" else ONCE
        yield Row("cast", "float8", [(LINE, "positive")], ("float16",), variants, args, dtype)
        yield Row("cast", "float8", [(LINE, "ordered")], ("float16",), ONCE, args, f"{dtype}.saturated")


def _selected() -> Iterator[Row]:
    """A small integer, converted to float and selected against a float constant: a pass of Mesa narrowed the constant to
    the integer's width. Every type, with each way to select, and constants of each kind.
    """
    for dtype in (*INTEGERS, "float16"):
        domain = "finite" if dtype == "float16" else "full"
        for op in ("cast_clip", "cast_where", "cast_max", "cast_pad"):
            both = dtype in ("uint16", "int16", "int32")
            yield Row("cast", op, [(LINE, domain)], (dtype,), ("", "noopt") if both else ONCE)
        for op, constant in (("cast_where", "inf"), ("cast_where", "nan"), ("cast_pad", "inf")):
            args = {"constant": constant}
            yield Row("cast", op, [(LINE, domain)], (dtype,), ONCE, args, constant)
        yield Row("cast", "where_cast", [(LINE, domain)], (dtype,), ("", "noopt") if dtype == "int32" else ONCE)
    for dtype in ("int8", "uint16", "int32", "float32"):
        for op in ("cast_where", "cast_max", "cast_pad"):
            args = {"dtype": "float16"}
            yield Row(
                "cast",
                op,
                [(LINE, "-1000" if dtype == "int32" else "ordered" if dtype == "float32" else "full")],
                (dtype,),
                ONCE,
                args,
                "to_float16",
            )
    for dtype, constant in (*((dtype, "3") for dtype in INTEGERS), ("int32", "2.5"), ("int32", "inf")):
        args = {"constant": constant}
        yield Row(
            "cast", "pad_of_cast", [(LINE, "full")], (dtype,), ("", "noopt") if dtype == "int16" else ONCE, args, constant
        )
    for dtype in ("bool", "uint8", "int16", "int64"):
        yield Row("cast", "cast_mul", [(LINE, "full")], (dtype,))
    for name, constant in (("minus_inf", "-inf"), ("nan", "nan")):
        args = {"constant": constant}
        yield Row("cast", "cast_max", [(LINE, "full")], ("int32", "int16"), ONCE, args, name)


def _promotions() -> Iterator[Row]:
    """Mixed types, but uint64 with a signed type: they have no common integer, and tinygrad refuses to store the result."""
    kinds = ("bool", "int8", "uint8", "int32", "uint32", "int64", "uint64", *FLOATS)
    for first, second in combinations(kinds, 2):
        if second == "uint64" and first.startswith("int"):
            continue
        domain = "small" if second in FLOATS else "full"
        operands = [(LINE, domain, first), (LINE, domain, second)]
        yield Row(
            "promotion", "promoted", operands, (first,), ("", "noopt") if first == "bool" else ONCE, name=f"and_{second}"
        )
    for first, second in (("int8", "uint8"), ("uint32", "int16"), ("bool", "float16"), ("int32", "float32")):
        for op in ("lt", "where", "maximum"):
            operands = [(LINE, "small", first), (LINE, "small", second)]
            yield Row("promotion", "promoted", operands, (first,), ONCE, {"of": op}, f"and_{second}.{op}")
    for dtype, constant in (("int8", 3), ("uint64", 3), ("uint16", 5), ("float16", 3), ("float16", 2.5)):
        args = {"constant": constant}  # the type could not store a constant of another kind
        yield Row("promotion", "promoted_constant", [(LINE, "small")], (dtype,), ("", "noopt"), args, f"and_{constant}")


def rows() -> Iterator[Row]:
    """Every row of the table: the operation and its types."""
    for table in (_casts, _bitcasts, _bfloat16, _selected, _promotions):
        yield from table()


def cases() -> Iterator[Case]:
    """The rows as cases, and the sizes of the types."""
    yield from op_cases("cast", rows())
    yield Case(id="tinygrad/cast/sizes", kind="cast.sizes", params={})
