"""The conversions of the suite. Plain Python, because the catalogue reads it too. OpenCL C 3.0, 6.4."""

import itertools
from collections.abc import Callable, Iterator

from ..kit.turns import TURNS

INTEGERS = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong")
FLOATING = ("half", "float", "double")
TYPES = (*INTEGERS, *FLOATING)
BYTES = {name: 1 << i // 2 for i, name in enumerate(INTEGERS)} | {"half": 2, "float": 4, "double": 8}
WIDTHS = (2, 3, 4, 8, 16)
MODES = ("", "_rte", "_rtz", "_rtp", "_rtn")


def suffixes(target: str) -> tuple[str, ...]:
    """The suffixes of convert_<target>; floating-point types do not saturate (6.4.3.3)."""
    return MODES if target in FLOATING else (*MODES, *(f"_sat{mode}" for mode in MODES))


def conversions() -> Iterator[tuple[str, str, str, int]]:
    """Every convert_ function: target, suffix, source and width.

    Each is tested with scalars and one width of vectors. The widths alternate with source and suffix, so that each target
    and suffix, and each target and source, have every width.
    """
    for target, source in itertools.product(TYPES, repeat=2):
        t, s = TURNS[target], TURNS[source]
        for n, suffix in enumerate(suffixes(target)):
            yield target, suffix, source, WIDTHS[(t + s + n) % 5]


def joint_calls() -> Iterator[tuple[str, str, tuple[str, ...], tuple[str, ...]]]:
    """Functions that one kernel calls: name, target, sources, suffixes. Between integers, without rounding modes."""
    for target in INTEGERS:
        yield f"{target}.float", target, ("float",), suffixes(target)
        yield f"{target}.integers", target, tuple(s for s in INTEGERS if s != target), ("", "_sat")
    yield "float.integers", "float", INTEGERS, MODES
    yield "double.integers", "double", INTEGERS, MODES


def constant_calls() -> Iterator[tuple[str, str, tuple[str, ...], tuple[str, ...], str]]:
    """Functions that one kernel calls with constants: name, target, sources, suffixes, the part of the operands."""
    nearest, directed = ("", "_rte"), MODES[2:]
    saturating = tuple(f"_sat{mode}" for mode in MODES)
    for target in INTEGERS:
        yield f"{target}.integers", target, INTEGERS, ("", "_sat"), ""
        for source in FLOATING:
            yield f"{target}.{source}", target, (source,), MODES, ""
            yield f"{target}.{source}.sat", target, (source,), saturating, "ordinary"
            yield f"{target}.{source}.sat_infinite", target, (source,), saturating, "infinite"
            # NaN, and numbers below an unsigned type.
            yield f"{target}.{source}.sat_special", target, (source,), saturating, "special"
    for target in FLOATING:
        for name, sources in (("integers", INTEGERS), *((source, (source,)) for source in FLOATING)):
            yield f"{target}.{name}", target, sources, nearest, ""
            if (target, name) != ("half", "integers"):
                yield f"{target}.{name}.directed", target, sources, directed, ""
    yield "half.integers.within", "half", INTEGERS, directed, "within"
    yield "half.integers.beyond", "half", INTEGERS[3:], directed, "beyond"


def chains() -> Iterator[tuple[str, str, str]]:
    """A type, one that cannot hold all of its values, and a third: the loss in the middle must stay.

    Or a narrow integer that an int holds, from which a compiler may convert at once.
    """
    yield from ((narrow, "int", "float") for narrow in ("char", "uchar", "short", "ushort"))
    for a, b, c in itertools.product(
        ("int", "uint", "long", "float", "double"),
        ("uchar", "short", "int", "half", "float", "double"),
        ("int", "ulong", "float", "double"),
    ):
        lossy = a != b and (BYTES[b] < BYTES[a] or (BYTES[b] == BYTES[a] and a in INTEGERS) or b in INTEGERS)
        if lossy and b != c:
            yield a, b, c


# Operations whose result is narrowed; all their parts are correctly rounded.
OPERATIONS = {
    "add": "a + b",
    "sub": "a - b",
    "mul": "a * b",
    "mul_add": "a * b + c",
    "sub_mul": "c - a * b",
    "fma": "fma(a, b, c)",
}


def narrowings() -> Iterator[tuple[str, str, str]]:
    """The narrow type, the type of the operation, and the operation."""
    for source, target in (("float", "half"), ("double", "half"), ("double", "float")):
        for operation in OPERATIONS:
            yield target, source, operation
    for target, source in itertools.product(INTEGERS, FLOATING):
        for operation in ("mul", "mul_add"):
            yield target, source, operation


def rank(name: str) -> tuple[bool, int, bool]:
    """The rank of 6.4.6: floating-point types are above integers, unsigned types above signed ones of the same size."""
    return name in FLOATING, BYTES[name], name.startswith("u")


def common_type(a: str, b: str) -> str:
    """The type in which an operator computes on two scalars: the usual arithmetic conversions (6.4.6)."""
    if a in FLOATING or b in FLOATING:
        return max(a, b, key=rank)
    promoted = ["int" if BYTES[name] < 4 else name for name in (a, b)]
    return max(promoted, key=rank)


def same_size(source: str, width: int) -> list[tuple[str, int]]:
    """The results of as_ on a type: other types with their widths. Three components take the room of four (6.4.4.2)."""
    size = BYTES[source] * room(width)
    every = itertools.product(TYPES, (1, *WIDTHS))
    return [(t, w) for t, w in every if BYTES[t] * room(w) == size and (t, w) != (source, width)]


def room(width: int) -> int:
    """The number of components whose room a vector takes."""
    return 4 if width == 3 else width


def vector(name: str, width: int) -> str:
    """The type's name in OpenCL C; a scalar has the width 1."""
    return name if width == 1 else f"{name}{width}"


# For both_ways: expressions of the narrow integer from two of its type, and models in Python's integers, not truncated.
BOTH_WAYS: dict[str, tuple[str, Callable[[int, int], int]]] = {
    "add": ("a + b", lambda a, b: a + b),
    "sub": ("a - b", lambda a, b: a - b),
    "mul": ("a * b", lambda a, b: a * b),
    "negated": ("-a", lambda a, b: -a),
    "complement": ("~a", lambda a, b: ~a),
    "xor": ("a ^ b", lambda a, b: a ^ b),
    "shift_left": ("a << (b & 7)", lambda a, b: a << (b & 7)),
    "shift_right": ("a >> (b & 7)", lambda a, b: a >> (b & 7)),
    "max": ("max(a, b)", max),
    "loaded": ("a", lambda a, b: a),
}

# What a compiler must refuse: name -> the statement, and one that differs only by being valid.
REFUSED: dict[str, tuple[str, str]] = {
    "convert.width": ("int4 x = convert_int4(a.f2);", "int2 x = convert_int2(a.f2);"),
    "convert.scalar_to_vector": ("int4 x = convert_int4(a.i);", "int4 x = convert_int4(a.f4);"),
    "convert.float_sat": ("float x = convert_float_sat(a.i);", "float x = convert_float_rte(a.i);"),
    "convert.bool": ("bool x = convert_bool(a.i);", "bool x = (bool)a.i;"),
    "convert.size_t": ("size_t x = convert_size_t(a.f);", "size_t x = (size_t)a.f;"),
    "convert.two_modes": ("int x = convert_int_rte_rtz(a.f);", "int x = convert_int_rtz(a.f);"),
    "convert.mode_before_sat": ("int x = convert_int_rte_sat(a.f);", "int x = convert_int_sat_rte(a.f);"),
    "cast.vector_to_vector": ("int4 x = (int4)a.f4;", "int4 x = convert_int4(a.f4);"),
    "cast.vector_sign": ("uint4 x = (uint4)a.i4;", "uint4 x = as_uint4(a.i4);"),
    "cast.vector_to_scalar": ("float x = (float)a.f4;", "float x = (float)a.f4.x;"),
    "assign.vector_sign": ("uint4 x = a.i4;", "int4 x = a.i4;"),
    "assign.vector_float": ("float4 x = a.i4;", "float4 x = a.f4;"),
    "assign.vector_width": ("float4 x = a.f2;", "float2 x = a.f2;"),
    "argument.vector": ("float4 x = same(a.i4);", "float4 x = same(a.f4);"),
    "as.size": ("int x = as_int(a.f2);", "int2 x = as_int2(a.f2);"),
    "as.smaller": ("char4 x = as_char4(a.i4);", "char4 x = as_char4(a.i);"),
    "as.three_of_two": ("int3 x = as_int3(a.f2);", "int3 x = as_int3(a.f4);"),
    "operator.scalar_rank": ("char4 x = a.c4 + a.i;", "char4 x = a.c4 + a.c;"),
    "operator.float_scalar": ("int4 x = a.i4 * a.f;", "float4 x = a.f4 * a.i;"),
    "operator.vector_types": ("float4 x = a.f4 + a.i4;", "float4 x = a.f4 + a.f4;"),
    "operator.vector_widths": ("float4 x = a.f4 + a.f2;", "float4 x = a.f4 + a.f2.xyxy;"),
}
