"""The overloads of the builtins of OpenCL C 3.0, 6.15, that come in types and widths.

Plain Python, because the catalogue reads it too; the templates are explained in overload.py.
"""

from collections.abc import Iterator

from .overload import CL3, FLOATING, INTEGERS, TYPES, WIDTHS, Overload, integer, unfold, vector

_UNARY = """acos acosh acospi asin asinh asinpi atan atanh atanpi cbrt ceil cos cosh cospi erfc erf exp exp2 exp10
expm1 fabs floor lgamma log log2 log10 log1p logb rint round rsqrt sin sinh sinpi sqrt tan tanh tanpi tgamma trunc"""
_BINARY = "atan2 atan2pi copysign fdim fmax fmin fmod hypot maxmag minmag nextafter pow powr remainder"
MATH = (
    *(f"g {name}(g)" for name in _UNARY.split()),
    *(f"g {name}(g, g)" for name in _BINARY.split()),
    *("g fma(g, g, g)", "g mad(g, g, g)", "i ilogb(g)", "g ldexp(g, i)", "g pown(g, i)", "g rootn(g, i)"),
    *("g nan(u)", "g fract(g, @g)", "g frexp(g, @i)", "g lgamma_r(g, @i)", "g modf(g, @g)"),
    *("g remquo(g, g, @i)", "g sincos(g, @g)"),
)
MATH_OF_VECTORS = ("g fmax(g, s) : scalar", "g fmin(g, s) : scalar", "g ldexp(g, int) : scalar")
_FAST = "cos exp exp2 exp10 log log2 log10 recip rsqrt sin sqrt tan"
FAST_MATH = (
    *(f"g {kind}_{name}(g)" for kind in ("half", "native") for name in _FAST.split()),
    *(f"g {kind}_{name}(g, g)" for kind in ("half", "native") for name in ("divide", "powr")),
)
INTEGER = (
    *("u abs(g)", "u abs_diff(g, g)", "g add_sat(g, g)", "g hadd(g, g)", "g rhadd(g, g)", "g clamp(g, g, g)"),
    *("g clz(g)", "g mad_hi(g, g, g)", "g mad_sat(g, g, g)", "g max(g, g)", "g min(g, g)", "g mul_hi(g, g)"),
    *("g rotate(g, g)", "g sub_sat(g, g)", "g popcount(g)"),
)
INTEGER_OF_VECTORS = ("g clamp(g, s, s) : scalar", "g max(g, s) : scalar", "g min(g, s) : scalar")
COMMON = (
    *("g clamp(g, g, g)", "g degrees(g)", "g max(g, g)", "g min(g, g)", "g mix(g, g, g)", "g radians(g)"),
    *("g step(g, g)", "g smoothstep(g, g, g)", "g sign(g)"),
)
COMMON_OF_VECTORS = (
    *("g clamp(g, s, s) : scalar", "g max(g, s) : scalar", "g min(g, s) : scalar", "g mix(g, g, s) : scalar"),
    *("g step(s, g) : scalar", "g smoothstep(s, s, g) : scalar"),
)
_COMPARISONS = "isequal isnotequal isgreater isgreaterequal isless islessequal islessgreater isordered isunordered"
RELATIONAL = (
    *(f"t {name}(g, g)" for name in _COMPARISONS.split()),
    *(f"t {name}(g)" for name in ("isfinite", "isinf", "isnan", "isnormal", "signbit")),
)
BIT_OPERATIONS = (
    *("g bitfield_insert(g, g, uint, uint)", "l bitfield_extract_signed(g, uint, uint)"),
    *("u bitfield_extract_unsigned(g, uint, uint)", "g bit_reverse(g)"),
)
MODES = ("", "_rte", "_rtz", "_rtp", "_rtn")


def _every(templates: tuple[str, ...], types: tuple[str, ...], widths: tuple[int, ...] = WIDTHS) -> Iterator[Overload]:
    for template in templates:
        yield from unfold(template, types, widths)


def math() -> Iterator[Overload]:
    """6.15.2."""
    yield from _every(MATH, FLOATING)
    yield from _every(MATH_OF_VECTORS, FLOATING, WIDTHS[1:])
    yield from _every(FAST_MATH, ("float",))


def integers() -> Iterator[Overload]:
    """6.15.3, and what extensions add to it."""
    yield from _every(INTEGER, INTEGERS)
    yield from _every(INTEGER_OF_VECTORS, INTEGERS, WIDTHS[1:])
    yield from unfold("g ctz(g)", INTEGERS, WIDTHS, ("opencl_c_3.0",), CL3)
    yield from _every(("g mad24(g, g, g)", "g mul24(g, g)"), ("int", "uint"))
    for narrow, wide in zip(INTEGERS[:6], INTEGERS[2:], strict=True):
        low = integer(narrow, unsigned=True)
        for width in WIDTHS:
            result, rest = vector(wide, width), vector(low, width)
            yield from unfold(f"{result} upsample(g, {rest})", (narrow,), (width,))
    for template in BIT_OPERATIONS:
        yield from unfold(template, INTEGERS, WIDTHS, ("cl_khr_extended_bit_ops",))
    yield from _dot_products()


def _dot_products() -> Iterator[Overload]:
    packed = ("cl_khr_integer_dot_product", "__opencl_c_integer_dot_product_input_4x8bit_packed")
    loose = ("cl_khr_integer_dot_product", "__opencl_c_integer_dot_product_input_4x8bit")
    for a in "us":
        for b in "us":
            result = "uint" if a + b == "uu" else "int"
            x, y = ("uchar4" if sign == "u" else "char4" for sign in (a, b))
            suffix = f"{a}{b}_{result}"
            yield from unfold(f"{result} dot({x}, {y}) : {a}{b}", requires=loose, options=CL3)
            yield from unfold(f"{result} dot_acc_sat({x}, {y}, {result}) : {a}{b}", requires=loose, options=CL3)
            for name, more in (("dot", ""), ("dot_acc_sat", f", {result}")):
                template = f"{result} {name}_4x8packed_{suffix}(uint, uint{more})"
                yield from unfold(template, requires=packed, options=CL3)


def common() -> Iterator[Overload]:
    """6.15.4."""
    yield from _every(COMMON, FLOATING)
    yield from _every(COMMON_OF_VECTORS, FLOATING, WIDTHS[1:])


def geometric() -> Iterator[Overload]:
    """6.15.5: up to four components."""
    few = (1, 2, 3, 4)
    yield from _every(("g cross(g, g)",), FLOATING, (3, 4))
    yield from _every(("s dot(g, g)", "s distance(g, g)", "s length(g)", "g normalize(g)"), FLOATING, few)
    yield from _every(("s fast_distance(g, g)", "s fast_length(g)", "g fast_normalize(g)"), ("float",), few)


def relational() -> Iterator[Overload]:
    """6.15.6."""
    yield from _every(RELATIONAL, FLOATING)
    yield from _every(("int any(g)", "int all(g)"), INTEGERS[::2])
    yield from _every(("g bitselect(g, g, g)", "g select(g, g, l) : signed", "g select(g, g, u) : unsigned"), TYPES)


def memory() -> Iterator[Overload]:
    """vloadn, vstoren and half in memory (6.15.7), with their address spaces."""
    for width in WIDTHS[1:]:
        yield from unfold(f"g vload{width}(size_t, #s)", TYPES, (width,))
        yield from unfold(f"void vstore{width}(g, size_t, @s)", TYPES, (width,))
    for width in WIDTHS:
        w = "" if width == 1 else str(width)
        aligned = ("", "a") if w else ("",)
        for a in aligned:
            yield from unfold(f"g vload{a}_half{w}(size_t, #half)", ("float",), (width,))
            for mode in MODES:
                name = f"vstore{a}_half{w}{mode}"
                yield from unfold(f"void {name}(g, size_t, @half)", ("float", "double"), (width,))


def shuffles() -> Iterator[Overload]:
    """6.15.13: n of m components, from one operand or from two."""
    for name in TYPES:
        mask = integer(name, unsigned=True)
        for m in (2, 4, 8, 16):
            for n in (2, 4, 8, 16):
                operand, result, by = f"{name}{m}", f"{name}{n}", f"{mask}{n}"
                width = 4 if m == n == 4 else 16
                word = "" if m == n == 4 else f" : {m}to{n}"
                yield from unfold(f"{result} shuffle({operand}, {by}){word}", (name,), (width,))
                yield from unfold(f"{result} shuffle2({operand}, {operand}, {by}){word}", (name,), (width,))


def copies() -> Iterator[Overload]:
    """Asynchronous copies and prefetch (6.15.11)."""
    yield from _every(
        (
            "event_t async_work_group_copy(local g*, const global g*, size_t, =e) : to_local",
            "event_t async_work_group_copy(global g*, const local g*, size_t, =e) : to_global",
            "event_t async_work_group_strided_copy(local g*, const global g*, size_t, size_t, =e) : to_local",
            "event_t async_work_group_strided_copy(global g*, const local g*, size_t, size_t, =e) : to_global",
            "void prefetch(const global g*, size_t)",
        ),
        TYPES,
    )
    yield from unfold("void wait_group_events(int, =&e)")
