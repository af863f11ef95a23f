"""The common and the geometric builtins: operands, widths and error limits. Plain Python.

OpenCL C 3.0, 6.15.4, 6.15.5 and 7.4; for half, cl_khr_fp16.
"""

from dataclasses import dataclass

TYPES = ("float", "half", "double")
WIDTHS = {"float": (1, 2, 3, 4, 8, 16), "half": (1, 3, 4), "double": (1, 3, 16)}


@dataclass(frozen=True, slots=True)
class Common:
    """A builtin of 6.15.4: its number of operands, and which a second form takes as scalars ("01": first, second).

    `known`: the width of the vectors in calls with constant operands.
    """

    operands: int
    scalars: str = ""
    known: int = 4


COMMON: dict[str, Common] = {
    "clamp": Common(3, "12", known=2),
    "degrees": Common(1, known=3),
    "max": Common(2, "1", known=4),
    "min": Common(2, "1", known=2),
    "mix": Common(3, "2", known=3),
    "radians": Common(1, known=4),
    "sign": Common(1, known=2),
    "smoothstep": Common(3, "01", known=3),
    "step": Common(2, "0", known=4),
}

EXACT = ("clamp", "max", "min", "sign", "step")

GEOMETRIC = ("cross", "distance", "dot", "length", "normalize")
FAST = ("fast_distance", "fast_length", "fast_normalize")  # only for float

# The embedded profile leaves the limits open (7.4). A loose factor that every sane device keeps: its operations may round
# toward zero, with an error of a unit instead of a half, and sqrt, rsqrt and division have at most twice the full profile's.
EMBEDDED = 2


def geometric_widths(name: str) -> tuple[int, ...]:
    """The widths of the vectors that a geometric builtin takes."""
    return (3, 4) if name == "cross" else (1, 2, 3, 4)


def geometric_limit(name: str, floating: str, n: int) -> float:
    """The limit in ULP for the full profile; for cross and dot, the absolute error in units of max * max * epsilon."""
    if name.startswith("fast_"):
        return {"distance": 8191.5 + 2 * n, "length": 8191.5 + n, "normalize": 8192.0 + n}[name[5:]]
    limits = {
        "cross": (3.0, 3.0, 3.0),
        "dot": (2 * n - 1.0,) * 3,
        "distance": (2.5 + 2 * n, 5.5 + 2 * n, 0.5 + 1.5 * n + 0.5 * (n - 1)),
        "length": (2.75 + 0.5 * n, 5.5 + n, 1.5 + 0.5 * (0.5 * n + 0.5 * (n - 1))),
        "normalize": (2.0 + n, 4.5 + n, 2 + 0.5 * n + 0.5 * (n - 1)),
    }
    return limits[name][("float", "double", "half").index(floating)]
