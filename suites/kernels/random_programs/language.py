"""A small language without undefined behaviour: its programs, and how OpenCL C spells them.

Every operation is total: signed sums are computed on the unsigned type, divisors are made odd and positive,
indices are masked, loops are counted, floating-point numbers are tamed (numbers.py). So cutting anything out of a program
leaves one that is just as well defined.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

SCALARS = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong")
FLOATS = ("half", "float", "double")
BITS = {"char": 8, "uchar": 8, "short": 16, "ushort": 16, "int": 32, "uint": 32, "long": 64, "ulong": 64}
BITS |= {"half": 16, "float": 32, "double": 64}
# The integers of a floating-point type's bits, which are those of its vectors' comparisons, too.
INTEGERS = {"half": "short", "float": "int", "double": "long"}
WIDTHS = (2, 3, 4, 8)


@dataclass(frozen=True, slots=True)
class Node:
    """An expression: `op` with `args`, or a leaf whose `value` is a constant, a name, an index list."""

    op: str
    type: str
    args: tuple[Node, ...] = ()
    value: Any = None


Block = tuple["Statement", ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """assign, if, for, while, do, switch, call, break, continue or return; `value` is a count, a name, labels.

    Of structs: copy, pass (a call that takes and returns one) and return_struct. Of images: write_image. Those that all
    items of a work-group come to: exchange, atomic, own_atomic, sub_group, and repeat, a loop around them.
    """

    op: str
    nodes: tuple[Node, ...] = ()
    blocks: tuple[Block, ...] = ()
    value: Any = None


@dataclass(frozen=True, slots=True)
class Struct:
    """A variable of a struct type. Its members are the variables NAME.FIELD, or arrays if they have a size."""

    name: str
    type: str
    fields: tuple[tuple[str, str, int], ...]  # field, type, size: 0 if it is not an array

    @property
    def values(self) -> list[tuple[str, str]]:
        return [(f"{self.name}.{field}", kind) for field, kind, size in self.fields if not size]

    @property
    def arrays(self) -> list[tuple[str, str, int]]:
        return [(f"{self.name}.{field}", kind, size) for field, kind, size in self.fields if size]


@dataclass(frozen=True, slots=True)
class Function:
    """A function. Its variables are declared at its top, so that a statement can move without its scope.

    `arrays` maps to a size, a power of two; `array_parameter` is one that the caller owns.
    """

    name: str
    result: str
    parameters: tuple[tuple[str, str], ...]  # name, type
    variables: tuple[tuple[str, str, int], ...]  # name, type, initial value of each component
    arrays: tuple[tuple[str, str, int], ...]  # name, type, size
    body: Block
    array_parameter: tuple[str, str, int] | None = None
    structs: tuple[Struct, ...] = ()
    struct_parameter: Struct | None = None  # which such a function returns, too
    initial: tuple[tuple[str, tuple[Node, ...]], ...] = ()  # of arrays whose initialiser is computed
    shared: tuple[str, ...] = ()  # what the items of a work-group share: names of `sharing.SHARED`


@dataclass(frozen=True, slots=True)
class Shared:
    """What the items of a work-group share, and what of it each item adds to `out` at its end ("": nothing)."""

    type: str = ""
    size: int = 0  # elements
    own: str = ""
    argument: str = ""  # if it comes from the host


# The union's bytes, counters for all, one counter for each item; images; who is in which sub-group.
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
    """Functions, a callee before its callers; the last one is the kernel, whose parameters are read from `in`."""

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
    """How many components; 1 for a scalar."""
    return int(type_name[len(base(type_name)) :] or 1)


def vector(scalar: str, components: int) -> str:
    """The scalar type's vector of `components` components."""
    return scalar if components == 1 else f"{scalar}{components}"


def unsigned(type_name: str) -> str:
    """The unsigned type of that shape."""
    return type_name if type_name.startswith("u") else f"u{type_name}"


def signed(type_name: str) -> str:
    """The signed type of that shape."""
    return type_name.removeprefix("u")


def wrap(value: int, scalar: str) -> int:
    """`value` modulo 2 to the power of the type's bits, in its range."""
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
    """A leaf; every component of a vector has the value, which a floating-point type must hold exactly."""
    if is_float(type_name):
        return Node("constant", type_name, value=float(value))
    return Node("constant", type_name, value=wrap(int(value), base(type_name)))


def outputs(kernel: Function) -> list[tuple[str, str, int]]:
    """What the kernel leaves in `out`, as (expression, scalar type, words): variables, arrays, then what is shared."""
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
    """An element of an array of a size, a power of two. One whose name begins with m has rows of four."""
    if name.startswith("m"):
        return f"{name}[({index}) >> 2 & {size // 4 - 1}][({index}) & 3]"
    return f"{name}[({index}) & {size - 1}]"
