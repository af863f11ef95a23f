"""Instructions, and the types with which each is tested. Plain Python, because the catalogue reads it too."""

from collections.abc import Iterator

from ..kit.needs import needs

INTEGERS = ("uchar", "ushort", "uint", "ulong")
FLOATS = ("float", "double", "half")
WIDTHS = (2, 3, 4, 8, 16)

# Instructions that compute an integer from integers, with their number of operands (SPIR-V 1.6, 3.52.13),
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
# a truth value from integers or floats (3.52.15),
INTEGER_RELATIONS = (
    *("IEqual", "INotEqual", "UGreaterThan", "SGreaterThan", "UGreaterThanEqual", "SGreaterThanEqual", "ULessThan"),
    *("SLessThan", "ULessThanEqual", "SLessThanEqual"),
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
    """The features that a module with these types needs."""
    return ("il", *needs(*(t.lstrip("v0123456789") for t in types)))


# The vector type of each instruction, besides the scalar types; without a row here, v4 of the first scalar type.
VECTOR_OF: dict[str, str] = {
    op: vector
    for vector, ops in {
        "v16double": "FDiv",
        "v16float": "FOrdLessThan FUnordLessThanEqual Unordered SignBitSet",
        "v16uchar": "ISub",
        "v16uint": "BitwiseAnd UGreaterThanEqual s_sub_sat s_mad_hi",
        "v16ulong": "popcount s_mul_hi",
        "v16ushort": "SRem SLessThanEqual u_rhadd select",
        "v2float": "FNegate FOrdEqual FUnordLessThan FOrdGreaterThanEqual IsNan",
        "v2half": "FRem",
        "v2uchar": "SNegate",
        "v2uint": "SMod s_abs s_max s_mul24",
        "v2ulong": "BitwiseOr SGreaterThanEqual u_sub_sat u_mad_hi",
        "v2ushort": "IMul IEqual IAddCarry s_abs_diff u_mul_hi",
        "v3double": "FAdd",
        "v3float": "FMod FUnordEqual FOrdGreaterThan FUnordGreaterThanEqual IsInf",
        "v3uchar": "BitwiseXor",
        "v3uint": "UDiv INotEqual ISubBorrow u_abs_diff rotate u_mul24",
        "v3ulong": "ShiftLeftLogical u_abs u_max",
        "v3ushort": "Not ULessThan s_hadd s_mad_sat",
        "v4float": "FOrdNotEqual FUnordGreaterThan LessOrGreater IsFinite",
        "v4half": "FSub",
        "v4uchar": "ShiftRightLogical",
        "v4uint": "BitCount SLessThan u_hadd u_mad_sat s_mad24",
        "v4ulong": "SDiv UGreaterThan UMulExtended s_add_sat s_clamp",
        "v4ushort": "clz s_min",
        "v8float": "FMul FUnordNotEqual FOrdLessThanEqual Ordered IsNormal",
        "v8uchar": "UMod",
        "v8uint": "ctz u_min u_mad24",
        "v8ulong": "IAdd ULessThanEqual s_rhadd bitselect",
        "v8ushort": "ShiftRightArithmetic SGreaterThan SMulExtended u_add_sat u_clamp",
    }.items()
    for op in ops.split()
}


def typed(names: tuple[str, ...], scalars: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Each name with each scalar type, and with one vector type."""
    for name in names:
        for scalar in scalars:
            yield name, scalar
        yield name, VECTOR_OF.get(name, f"v4{scalars[0]}")


def conversions() -> Iterator[tuple[str, str, str, str, bool]]:
    """Instruction, type of the operand, type of the result, rounding mode ("" if not decorated), whether it saturates."""
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
