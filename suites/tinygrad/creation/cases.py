"""The catalogue of creation: constants, ranges, tensors made like others."""

from collections.abc import Iterator, Sequence
from typing import Any

from runner.model import Case

from ..rows import FEATURES, Row, op_cases

INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
FLOATS = ("float32", "float16", "float64")
ONCE = ("",)

METHODS = {
    **{f"{name}_like": f"tinygrad/creation/constant.*.{name}_like*" for name in ("full", "zeros", "ones")},
    **{name: f"tinygrad/creation/constant.*.{name}*" for name in ("full", "zeros", "ones")},
    "const_like": "tinygrad/creation/likes.*",
    "empty": "tinygrad/creation/empty.*",
    "empty_like": "tinygrad/creation/empty.*",
    **dict.fromkeys(("tolist", "numpy", "data", "item", "clone"), "tinygrad/creation/values"),
}


def _range(dtype: str, name: str, *bounds: float, variants: Sequence[str] = ("", "noopt")) -> Row:
    args = dict(zip(("start", "stop", "step"), bounds, strict=True))
    return Row("creation", "arange", [], (dtype,), variants, {**args, "dtype": dtype}, name)


def _ranges() -> Iterator[Row]:
    yield _range("int32", "thousand", 0, 1031, 1)
    yield _range("int32", "backward", 50, -77, -3)
    yield _range("int32", "two", -1, 1, 1, variants=ONCE)
    yield _range("int32", "many", 5, 300000, 1)
    yield _range("int32", "wide", -(2**31), 2**31 - 2**24, 2**24, variants=ONCE)
    for dtype in ("int8", "int16", "uint8", "uint16", "uint32"):
        yield _range(dtype, "", 3, 120, 2, variants=ONCE)
    yield _range("int64", "beyond_32_bits", -(2**40), 2**40, 2**33 + 1)
    yield _range("uint64", "beyond_63_bits", 2**62, 2**64 - 2**60, 2**59 + 3, variants=ONCE)
    yield _range("float32", "halves", -3, 40, 0.5)
    yield _range("float32", "tenths", 1, 20, 0.1)
    yield _range("float32", "downward", 2, -9, -0.3, variants=ONCE)
    yield _range("float16", "eighths", -4, 9, 0.125)
    yield _range("float64", "tenths", 1, 20, 0.1)
    for dtype, bounds in (
        ("float32", (0, 1, 33)),
        ("float32", (-5, 7.5, 1031)),
        ("float16", (-1, 1, 65)),
        ("float64", (3, -4, 17)),
        ("int32", (0, 64, 33)),
    ):
        args = {**dict(zip(("start", "stop", "steps"), bounds, strict=True)), "dtype": dtype}
        yield Row("creation", "linspace", [], (dtype,), args=args, name=f"of_{bounds[2]}")
    for dtype, n, m in (
        ("float32", 17, None),
        ("int32", 5, 33),
        ("uint8", 33, 5),
        ("float16", 7, 7),
        ("bool", 9, 8),
        ("int64", 3, 3),
    ):
        variants = ONCE if dtype in ("uint8", "int64") else ("", "noopt")
        yield Row("creation", "eye", [], (dtype,), variants, {"n": n, "m": m, "dtype": dtype})
    for dtype in ("int32", "float32"):
        domain = "full" if dtype == "int32" else "small"
        yield Row("creation", "eye_times", [((9, 9), domain)], (dtype,))
        yield Row("creation", "grid", [((19, 23), domain)], (dtype,))
        yield Row("creation", "likes", [((17, 11), domain)], (dtype, *(("uint32", "int64") if dtype == "int32" else ())))
    yield Row("creation", "likes", [((3, 5), "normal")], variants=("backward",))
    yield Row("creation", "reversed_arange", [((31, 3), "full")], ("int32",))


def _constants() -> Iterator[Case]:
    for noopt in (0, 1):
        for dtype in ("float32", "int64", "uint8") if noopt else (*FLOATS, *INTEGERS):
            values: list[float | str] = ["lowest", "highest"]
            if dtype in FLOATS:
                values = ["inf", "nan", "highest", "-0.0"]
            if noopt:
                values = values[:1]
            for value in values:
                yield _constant(dtype, "full", (37, 5), value, noopt)
        for method, value in (("zeros", 0), ("ones", 1), ("zeros_like", 0), ("ones_like", 1), ("full_like", 7)):
            for dtype in ("float32",) if noopt else ("float32", "float16", "uint8", "bool"):
                if (method, dtype) != ("full_like", "bool"):
                    yield _constant(dtype, method, (19, 13), value, noopt)
        yield _constant("int32", "full", (1048583,), -3, noopt)  # prime
        yield _constant("uint8", "full", (1,), 200, noopt)


def _constant(dtype: str, method: str, shape: Sequence[int], value: float | str, noopt: int) -> Case:
    size = "" if len(shape) > 1 else f".of_{shape[0]}"
    name = f".{str(value).replace('-', 'minus_').replace('.0', '')}" if method == "full" else ""
    params: dict[str, Any] = {"dtype": dtype, "method": method, "shape": list(shape), "value": value, "noopt": noopt}
    return Case(
        f"tinygrad/creation/constant.{dtype}.{method}{name}{size}{'.noopt' if noopt else ''}",
        "creation.constant",
        params,
        (FEATURES[dtype],) if dtype in FEATURES else (),
    )


def cases() -> Iterator[Case]:
    """Ranges, constants, tensors made like others."""
    yield from op_cases("creation", _ranges())
    yield from _constants()
    for dtype in ("float32", "int8"):
        yield Case(f"tinygrad/creation/empty.{dtype}", "creation.empty", {"dtype": dtype})
    yield Case("tinygrad/creation/values", "creation.values")
