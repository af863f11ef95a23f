"""Instructions and the types that each is tried on. Plain Python, for the catalogue too."""

from __future__ import annotations

from collections.abc import Iterator

from ..needs import needs

INTEGERS = ("uchar", "ushort", "uint", "ulong")
FLOATS = ("float", "double", "half")
WIDTHS = (2, 3, 4, 8, 16)

# The number of operands by instruction, for what computes an integer from integers (SPIR-V 1.6, 3.52.13),
INTEGER_OPERATIONS = {
    "SNegate": 1,
    "Not": 1,
    "BitCount": 1,
    "IAdd": 2,
    "ISub": 2,
    "IMul": 2,
    "UDiv": 2,
    "SDiv": 2,
    "UMod": 2,
    "SRem": 2,
    "SMod": 2,
    "ShiftLeftLogical": 2,
    "ShiftRightLogical": 2,
    "ShiftRightArithmetic": 2,
    "BitwiseAnd": 2,
    "BitwiseOr": 2,
    "BitwiseXor": 2,
}
# a truth from integers or floats (3.52.15),
INTEGER_RELATIONS = (
    "IEqual",
    "INotEqual",
    "UGreaterThan",
    "SGreaterThan",
    "UGreaterThanEqual",
    "SGreaterThanEqual",
    "ULessThan",
    "SLessThan",
    "ULessThanEqual",
    "SLessThanEqual",
)
FLOAT_RELATIONS = {
    "FOrdEqual": 2,
    "FUnordEqual": 2,
    "FOrdNotEqual": 2,
    "FUnordNotEqual": 2,
    "FOrdLessThan": 2,
    "FUnordLessThan": 2,
    "FOrdGreaterThan": 2,
    "FUnordGreaterThan": 2,
    "FOrdLessThanEqual": 2,
    "FUnordLessThanEqual": 2,
    "FOrdGreaterThanEqual": 2,
    "FUnordGreaterThanEqual": 2,
    "LessOrGreater": 2,
    "Ordered": 2,
    "Unordered": 2,
    "IsNan": 1,
    "IsInf": 1,
    "IsFinite": 1,
    "IsNormal": 1,
    "SignBitSet": 1,
}
# a low and a high word from two integers,
WIDE_OPERATIONS = ("IAddCarry", "ISubBorrow", "UMulExtended", "SMulExtended")
# and a float from floats.
FLOAT_OPERATIONS = {"FNegate": 1, "FAdd": 2, "FSub": 2, "FMul": 2, "FDiv": 2, "FRem": 2, "FMod": 2}

MODES = ("RTE", "RTZ", "RTP", "RTN")


def features(*types: str) -> tuple[str, ...]:
    """What a module with these types needs of a device."""
    return ("il", *needs(*(t.lstrip("v0123456789") for t in types)))


def typed(names: tuple[str, ...], scalars: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Each name with each scalar type, and with one vector type; the vectors' types go round."""
    for n, name in enumerate(names):
        for scalar in scalars:
            yield name, scalar
        yield name, f"v{WIDTHS[n % 5]}{scalars[n % len(scalars)]}"


def conversions() -> Iterator[tuple[str, str, str, str, bool]]:
    """Instruction, type of the operand, of the result, rounding mode ("": none is decorated), saturated."""
    for source in FLOATS:
        for target in INTEGERS:
            yield "ConvertFToS", source, target, "", False
            yield "ConvertFToU", source, target, "", True
            yield "ConvertSToF", target, source, "", False
            yield "ConvertUToF", target, source, "", False
        for target in FLOATS:
            if source != target:
                yield "FConvert", source, target, "", False
    for mode in MODES:
        yield "ConvertFToS", "float", "uint", mode, False
        yield "ConvertFToS", "float", "uchar", mode, True
        yield "ConvertFToU", "float", "ushort", mode, True
        yield "ConvertFToU", "double", "ulong", mode, False
        yield "ConvertSToF", "uint", "float", mode, False
        yield "ConvertUToF", "ulong", "float", mode, False
        yield "ConvertSToF", "ulong", "double", mode, False
        yield "FConvert", "double", "float", mode, False
        yield "FConvert", "float", "half", mode, False
    for source in INTEGERS:
        for target in INTEGERS:
            if source != target:
                yield "UConvert", source, target, "", False
                yield "SConvert", source, target, "", False
            yield "SatConvertSToU", source, target, "", False
            yield "SatConvertUToS", source, target, "", False
