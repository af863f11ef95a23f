"""A small language without undefined behaviour: its programs and their types.

Every operation is defined for all operands: signed sums are computed in the unsigned type, divisors are made odd and
positive, indices are masked, loops are counted, floating-point numbers are tamed (floats.py). So a program stays well
defined when a part of it is cut out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

SCALARS = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong")
FLOATS = ("half", "float", "double")
BITS = {"char": 8, "uchar": 8, "short": 16, "ushort": 16, "int": 32, "uint": 32, "long": 64, "ulong": 64}
BITS |= {"half": 16, "float": 32, "double": 64}
# The integer type with the bits of a floating-point type; comparisons of vectors have it, too.
INTEGERS = {"half": "short", "float": "int", "double": "long"}
WIDTHS = (2, 3, 4, 8)


@dataclass(frozen=True, slots=True)
class Node:
    """An expression: `op` with `args`, or a leaf whose `value` is a constant, a name or a list of indices."""

    op: str
    type: str
    args: tuple[Node, ...] = ()
    value: Any = None


Block = tuple["Statement", ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """assign, if, for, while, do, switch, call, break, continue or return; `value` is a count, a name or labels.

    Of structs: copy, pass (a call that takes and returns one) and return_struct. Of images: write_image. Statements that
    all items of a work-group reach: exchange, atomic, own_atomic, sub_group, and repeat, a loop around these.
    """

    op: str
    nodes: tuple[Node, ...] = ()
    blocks: tuple[Block, ...] = ()
    value: Any = None


@dataclass(frozen=True, slots=True)
class Struct:
    """A variable of a struct type. Its members are variables NAME.FIELD, or arrays if they have a size."""

    name: str
    type: str
    fields: tuple[tuple[str, str, int], ...]  # field, type, size (0 if it is not an array)

    @property
    def values(self) -> list[tuple[str, str]]:
        return [(f"{self.name}.{field}", kind) for field, kind, size in self.fields if not size]

    @property
    def arrays(self) -> list[tuple[str, str, int]]:
        return [(f"{self.name}.{field}", kind, size) for field, kind, size in self.fields if size]


@dataclass(frozen=True, slots=True)
class Function:
    """A function. Its variables are declared at its top, so that a statement can be moved out of its block.

    The size of an array is a power of two; `array_parameter` is an array of the caller.
    """

    name: str
    result: str
    parameters: tuple[tuple[str, str], ...]  # name, type
    variables: tuple[tuple[str, str, int], ...]  # name, type, initial value of each component
    arrays: tuple[tuple[str, str, int], ...]  # name, type, size
    body: Block
    array_parameter: tuple[str, str, int] | None = None
    structs: tuple[Struct, ...] = ()
    struct_parameter: Struct | None = None  # which the function also returns
    initial: tuple[tuple[str, tuple[Node, ...]], ...] = ()  # of arrays with a computed initialiser
    shared: tuple[str, ...] = ()  # what the items of a work-group share: names of SHARED


@dataclass(frozen=True, slots=True)
class Shared:
    """Something that the items of a work-group share; `own`: the part that each item adds to `out` at the end ("": none)."""

    type: str = ""
    size: int = 0  # elements
    own: str = ""
    argument: str = ""  # the kernel's parameter, if it comes from the host


# The union's bytes, counters for all items, one counter for each item; images; the sub-group of each item.
SHARED = {
    "u": Shared("ulong", 128, "u.ulong_[item]"),
    "la": Shared("uint", 8, "la[item & 7]"),
    "lb": Shared("int", 8, "lb[item & 7]"),
    "lo": Shared("uint", 32, "lo[item]"),
    "ga": Shared("uint", 8, "ga[item & 7]", "global uint *ga"),
    "gb": Shared("int", 8, "gb[item & 7]", "global int *gb"),
    "im": Shared("uint4", 64, argument="read_only image2d_t im"),
    "js": Shared("int4", 64, argument="read_only image2d_t js"),
    "om": Shared("uint4", 128, argument="write_only image2d_t om"),
    "places": Shared("uint", 32, argument="global uint *places"),
}
UNION = ("uchar", "char8", "short", "ushort4", "uint", "int2", "long", "ulong", "ulong2")  # the types of its members


@dataclass(frozen=True, slots=True)
class Program:
    """Functions, each before its callers; the last one is the kernel, whose parameters are read from `in`."""

    functions: tuple[Function, ...]

    @property
    def kernel(self) -> Function:
        return self.functions[-1]

    def with_kernel(self, **changes: Any) -> Program:
        return Program((*self.functions[:-1], replace(self.kernel, **changes)))


def base(type_name: str) -> str:
    """The type of a vector's components."""
    return type_name.rstrip("0123456789")


def width(type_name: str) -> int:
    """The number of components; 1 for a scalar."""
    return int(type_name[len(base(type_name)) :] or 1)


def vector(scalar: str, components: int) -> str:
    """The vector type with `components` components, or the scalar type if there is only one."""
    return scalar if components == 1 else f"{scalar}{components}"


def unsigned(type_name: str) -> str:
    """The unsigned type of the same shape."""
    return type_name if type_name.startswith("u") else f"u{type_name}"


def signed(type_name: str) -> str:
    """The signed type of the same shape."""
    return type_name.removeprefix("u")


def wrap(value: int, scalar: str) -> int:
    """`value` modulo 2 to the power of the type's bits, in the type's range."""
    bits = BITS[scalar]
    value %= 1 << bits
    return value - (1 << bits) if not scalar.startswith("u") and value >> bits - 1 else value


def computed_in(type_name: str) -> str:
    """The unsigned type in which sums are computed: scalars are promoted, vectors are not."""
    if width(type_name) > 1:
        return unsigned(type_name)
    return "ulong" if BITS[type_name] == 64 else "uint"


def is_float(type_name: str) -> bool:
    """True for half, float, double and their vectors."""
    return base(type_name) in FLOATS


def constant(value: float, type_name: str) -> Node:
    """A leaf with the value in each component. A floating-point type must hold the value exactly."""
    if is_float(type_name):
        return Node("constant", type_name, value=float(value))
    return Node("constant", type_name, value=wrap(int(value), base(type_name)))


def outputs(kernel: Function) -> list[tuple[str, str, int]]:
    """What the kernel writes to `out`, as (expression, scalar type, words): variables, arrays, then what is shared."""
    named = [(name, kind) for name, kind in kernel.parameters] + [(n, t) for n, t, _ in kernel.variables]
    arrays = list(kernel.arrays)
    for struct in kernel.structs:
        named += struct.values
        arrays += struct.arrays
    out = []
    for name, kind in named:
        out += [(f"{name}{part}", base(kind), 1) for part in _parts(kind)]
    for name, kind, size in arrays:
        for i in range(size):
            place = f"{name}[{i // 4}][{i % 4}]" if name.startswith("m") else f"{name}[{i}]"
            out += [(f"{place}{part}", base(kind), 1) for part in _parts(kind)]
    return out + [(SHARED[name].own, SHARED[name].type, 1) for name in kernel.shared if SHARED[name].own]


def _parts(kind: str) -> list[str]:
    return [""] if width(kind) == 1 else [f".s{i:x}" for i in range(width(kind))]


def at(name: str, index: str, size: int) -> str:
    """An element of an array, whose size is a power of two. An array whose name begins with m has rows of four."""
    if name.startswith("m"):
        return f"{name}[({index}) >> 2 & {size // 4 - 1}][({index}) & 3]"
    return f"{name}[({index}) & {size - 1}]"
