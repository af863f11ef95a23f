"""The scalar types of OpenCL C: their types in numpy, the pragmas that they need, and their literals."""

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

FLOATS = {"half": np.float16, "float": np.float32, "double": np.float64}
INTEGERS = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong")
#: The comparisons, as functions of arrays.
COMPARE: dict[str, Callable[..., Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


def np_type(type_name: str) -> np.dtype[Any]:
    """numpy's type for a scalar type."""
    if type_name in FLOATS:
        return np.dtype(FLOATS[type_name])
    bits = 8 << INTEGERS.index(type_name) // 2
    return np.dtype(f"{'u' if type_name.startswith('u') else ''}int{bits}")


def pragmas(*type_names: str) -> str:
    """The pragmas that a source needs before it may name these types."""
    extensions = {"half": "cl_khr_fp16", "double": "cl_khr_fp64"}
    needed = dict.fromkeys(extensions[t] for t in type_names if t in extensions)
    return "".join(f"#pragma OPENCL EXTENSION {name} : enable\n" for name in needed)


def literal(value: Any, type_name: str) -> str:
    """A constant expression of a floating type, or of int."""
    if type_name == "int":
        return f"(int){int(value)}" if value > -(2**31) else "(-2147483647 - 1)"
    number = float(value)
    if math.isnan(number):
        return f"({type_name})NAN"
    if math.isinf(number):
        return f"({type_name}){'-' if number < 0 else ''}INFINITY"
    suffix = {"float": "f", "double": "", "half": "f"}[type_name]
    text = f"{number.hex()}{suffix}"
    return f"(half){text}" if type_name == "half" else text


def vector_literal(values: NDArray[Any], type_name: str) -> str:
    """A constant expression: a vector of these components, or a scalar if there is only one."""
    components = ", ".join(literal(value, type_name) for value in values)
    return components if len(values) == 1 else f"({type_name}{len(values)})({components})"
