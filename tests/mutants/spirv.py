"""SPIR-V that is read as its neighbour: the module is changed on its way to the device."""

import re
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from mutation import Function, Mutant, NotApplied, api, api_of, of

called = api_of("spirv")

_PLACE = "suites.kernels.kit.spirv.assemble"
_SPECIALISE = "suites.kernels.spirv.specialisation.specialise"


def module(name: str, cases: str, pattern: str, replacement: str, area: str = "spirv") -> Mutant:
    """Change the text that is assembled (`re.sub`, every match)."""

    def assemble(inner: Function, text: str, **options: Any) -> bytes:
        changed = re.sub(pattern, replacement, text)
        if changed == text:
            raise NotApplied(f"{pattern!r} matches nothing in:\n{text}")
        return bytes(inner(changed, **options))

    return api(f"{area}/{name}", f"kernels/{area}/{cases}", _PLACE, of(assemble))


_WORDS = {"uchar": 8, "ushort": 16, "uint": 32, "ulong": 64}
_INTEGER = [
    *("SNegate", "Not", "BitCount", "IAdd", "ISub", "IMul", "UDiv", "SDiv", "UMod", "SRem", "ShiftLeftLogical"),
    *("ShiftRightLogical", "ShiftRightArithmetic", "BitwiseAnd", "BitwiseOr", "BitwiseXor"),
]
_ORDER = ["Equal", "NotEqual", "GreaterThan", "LessThan", "GreaterThanEqual", "LessThanEqual"]
_INTEGER_ORDER = [
    f"{sign}{name}" for name in _ORDER for sign in ("I" if name.endswith("tEqual") or name == "Equal" else "US")
]
_FLOATS = {"nan": "OpIsNan %bool %z", "infinity": "OpIsInf %bool %x", "zero": "OpFOrdEqual %bool %x %float_0"}


_EDGES: dict[str, Callable[[int], int]] = {"zero": lambda b: 0, "ones": lambda b: 2**b - 1, "sign": lambda b: 1 << b - 1}


def _at_edges() -> Iterator[Mutant]:
    """Each operation of integers and each relation, wrong only for one class of its first operand."""
    for n, op in enumerate(_INTEGER):
        for k, (edge, of_bits) in enumerate(_EDGES.items()):
            for scalar in ([*_WORDS][(n + k) % 4], [*_WORDS][(n + k + 2) % 4]):
                yield module(
                    f"{op}.{scalar}.at_{edge}",
                    f"integer/{op}.{scalar}",
                    rf"%y = (Op{op} %{scalar} .*)",
                    rf"""%q = \1
%is = OpIEqual %bool %x %{scalar}_{of_bits(_WORDS[scalar])}
%next = OpIAdd %{scalar} %q %{scalar}_1
%y = OpSelect %{scalar} %is %next %q""",
                )
    for n, op in enumerate(_INTEGER_ORDER):
        scalar = ("ushort", "uint", "ulong")[n % 3]
        bits = _WORDS[scalar]
        for edge, other in {"zero": f"%{scalar}_0", "sign": f"%{scalar}_{1 << bits - 1}", "equal": "%z"}.items():
            yield _flipped(op, scalar, edge, f"OpIEqual %bool %x {other}")
    for kind, name in product(("FOrd", "FUnord"), _ORDER):
        for edge, question in _FLOATS.items():
            yield _flipped(f"{kind}{name}", "float", edge, question)


def _flipped(op: str, scalar: str, edge: str, question: str) -> Mutant:
    """A relation that becomes its opposite if a condition holds."""
    pattern, changed = rf"%c = (Op{op} %bool .*)", f"%q = \\1\n%is = {question}\n%c = OpLogicalNotEqual %bool %q %is"
    return module(f"{op}.{scalar}.at_{edge}", f"relation/{op}.{scalar}", pattern, changed)


def ignored(inner: Callable[..., Any]) -> Callable[..., Any]:
    """Say that all is well, and do nothing."""
    return lambda *_: "CL_SUCCESS"


def first_alone(inner: Callable[..., Any]) -> Callable[..., Any]:
    """Only the constant 3 is ever set."""
    return lambda program, spec_id, value: inner(program, spec_id, value) if spec_id == 3 else "CL_SUCCESS"


def any_error_is(code: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Every refusal has one code."""

    def call(inner: Function, *arguments: Any) -> str:
        error = str(inner(*arguments))
        return error if error == "CL_SUCCESS" else code

    return of(call)


def low_byte(inner: Callable[..., Any]) -> Callable[..., Any]:
    """A constant is set to its lowest byte."""
    return lambda program, spec_id, value: inner(program, spec_id, type(value)(int(value) & 255))


def remembered(*forgotten: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A cache whose key lacks things that a build depends on: these fields of the unit."""

    def wrap(inner: Callable[..., Any]) -> Callable[..., Any]:
        kept: dict[str, Any] = {}

        def answer(device: Any, unit: Any, mark: int, elsewhere: bool) -> Any:
            parts = {"given": unit.given, "defaults": unit.defaults, "ids": unit.ids, "added": unit.added}
            key = f"{mark} {[value for name, value in parts.items() if name not in forgotten]}"
            if key not in kept:
                kept[key] = inner(device, unit, mark, elsewhere)
            return kept[key]

        return answer

    return wrap


def a_word_less(inner: Callable[..., Any]) -> Callable[..., Any]:
    """CL_PROGRAM_IL without its last word."""
    return lambda program: inner(program)[:-4]


MUTANTS = [
    *_at_edges(),
    module("select.first_of_a_struct", "composite/select_struct", r"OpSelect %S %c %a %b", "OpCompositeInsert %S %x %a 0"),
    module("SDiv.unsigned", "integer/SDiv.u*", "OpSDiv", "OpUDiv"),
    module("SRem.unsigned", "integer/SRem.u*", "OpSRem", "OpUMod"),
    module("ShiftRightArithmetic.logical", "integer/ShiftRightArithmetic.*", "RightArithmetic", "RightLogical"),
    module("BitwiseOr.xor", "integer/BitwiseOr.*", "OpBitwiseOr", "OpBitwiseXor"),
    module("UGreaterThan.or_equal", "relation/UGreaterThan.*", "GreaterThan", "GreaterThanEqual"),
    module("SLessThan.unsigned", "relation/SLessThan.*", "OpSLessThan", "OpULessThan"),
    module("FOrdEqual.unordered", "relation/FOrdEqual.*", "FOrdEqual", "FUnordEqual"),
    module("FUnordLessThan.ordered", "relation/FUnordLessThan.*", "FUnordLess", "FOrdLess"),
    module("LessOrGreater.unordered", "relation/LessOrGreater.*", "LessOrGreater", "FUnordNotEqual"),
    module("IsNormal.finite", "relation/IsNormal.*", "IsNormal", "IsFinite"),
    module("SMulExtended.unsigned", "wide/SMulExtended.*", "SMulExtended", "UMulExtended"),
    module("FMod.sign_of_dividend", "float/FMod.*", "OpFMod", "OpFRem"),
    module(
        "ConvertFToS.rounds_to_even", "conversion/ConvertFToS.float.uint.RTP", "FPRoundingMode RTP", "FPRoundingMode RTE"
    ),
    module("FConvert.rounds_up", "conversion/FConvert.float.half.RTN", "FPRoundingMode RTN", "FPRoundingMode RTP"),
    module("ConvertSToF.truncates", "conversion/ConvertSToF.uint.float.RTE", "FPRoundingMode RTE", "FPRoundingMode RTZ"),
    module("SConvert.zero_extends", "conversion/SConvert.uchar.*", "SConvert", "UConvert"),
    module("SatConvertUToS.wraps", "conversion/SatConvertUToS.uint.uchar", "SatConvertUToS", "UConvert"),
    module("switch.other_literal", "control/switch", "3 %three", "4 %three"),
    module("switch.wrong_width", "control/switch_uchar", "200 %l2", "199 %l2"),
    module("loop.once_less", "control/loop", "OpULessThan %bool %k %n", "OpULessThan %bool %k1 %n"),
    module("phi.other_block", "control/if", "%x %entry %t %then", "%t0 %entry %t %then\n%t0 = OpConstant %uint 5"),
    module("shuffle.swapped", "composite/shuffle", "4 0 2 1", "4 0 1 2"),
    module("insert_dynamic.next", "composite/insert_dynamic", r"%uint_5000 %k", "%uint_5000 %uint_0"),
    module("copy_memory_sized.short", "memory/copy_memory_sized", "%size_3", "%size_2"),
    module("dot.signs_exchanged", "dot/*", r"OpSUDot (%\w+) (%\w+) (%\w+)", r"OpSUDot \1 \3 \2"),
    module("dot.unsigned", "dot/packed.ulong", r"OpSDot ", "OpUDot "),
    module("dot.not_saturated", "dot/v4uchar.ushort", r"(%d\d) = OpUDotAccSat (%\w+) (.*) %acc", r"\1 = OpUDot \2 \3"),
    module("dot.signed_saturation", "dot/packed.ushort", r"OpUDotAccSat", "OpSDotAccSat"),
    module("first_trip.always", "control/first_trip", r"%true %entry %false %more", "%true %entry %true %more"),
    module("copy_memory_counted.short", "memory/copy_memory_counted*", "%uint_3", "%uint_1"),
    module("packed_struct.padded", "memory/packed_struct", "OpDecorate %S CPacked", ""),
    module("struct_argument.member", "function/struct_by_value", "%p 1 1", "%p 1 0"),
    module("atomic.relaxed_to_nothing", "atomic/IAdd.*", "OpAtomicIAdd", "OpAtomicOr"),
    module("atomic.signed_minimum", "atomic/SMin.*", "AtomicSMin", "AtomicUMin"),
    module("GlobalOffset.size", "built_in/GlobalOffset", "BuiltIn GlobalOffset", "BuiltIn NumWorkgroups"),
    module("GlobalLinearId.local", "built_in/GlobalLinearId", "BuiltIn GlobalLinearId", "BuiltIn LocalInvocationIndex"),
    module("hadd.rounds_up", "extended/s_hadd.*", "s_hadd", "s_rhadd"),
    module("mul_hi.signed", "extended/u_mul_hi.*", "u_mul_hi", "s_mul_hi"),
    module("fmax.minimum", "extended/fmax.*", "cl fmax", "cl fmin"),
    module("rint.away", "extended/rint.*", "cl rint", "cl round"),
    module("vstore_half.other_mode", "extended/vstore_half.1.RTP", "%ph RTP", "%ph RTN"),
    module("vloada_half.unaligned", "extended/vloada_halfn.3", "vloada_halfn", "vload_halfn"),
    module(
        "spec_operation.other", "specialisation/operation.SDiv", "SpecConstantOp %uint SDiv", "SpecConstantOp %uint UDiv"
    ),
    module("known.remainder", "specialisation/known/integer.*", "OpSRem", "OpSMod"),
    module("known.shift_of_a_constant", "specialisation/known/constant.*", "ShiftRightArithmetic", "ShiftRightLogical"),
    module("known.sign_of_a_constant", "specialisation/known/constant_convert.*", "SConvert", "UConvert"),
    module("known.other_component", "specialisation/known/constant_composed.*", "3 4 1 6", "3 4 1 7"),
    module("known.composed_at_run_time", "specialisation/known/composed.uint", "LogicalNotEqual", "LogicalOr"),
    module("known.float_of_a_constant", "specialisation/known/constant_float.float", "FSub", "FAdd"),
    module("known.hadd", "specialisation/known/extended.*", "u_hadd", "u_rhadd"),
    module("known.widened", "specialisation/known/convert.ushort", "OpSConvert", "OpUConvert"),
    module(
        "known.insertion_in_its_operand",
        "specialisation/known/constant_composed.*",
        r"(%t0_(\d+) = OpSpecConstantOp .*\n%y_\2 = OpSpecConstantOp %\w+ CompositeExtract) %t_\2",
        r"\1 %t0_\2",
    ),
    module(
        "known.shift_of_the_first_component",
        "specialisation/known/constant_vector.*",
        r"(%t0_\d+ = OpSpecConstantComposite %v4\w+ %c) %\w+_1 %\w+_2 %c",
        r"\1 %c %c %c",
    ),
    module(
        "known.insertion_in_an_aggregate",
        "specialisation/known/constant_aggregates.*",
        r"CompositeExtract %t6_(\d+)",
        r"CompositeExtract %t8_\1",
    ),
    module("wrap.taken_for_signed", "decorated/wrap.*", r"(%y\d+) = OpSDiv (%\w+) %qIMul2 %z", r"\1 = OpCopyObject \2 %x"),
    module("wrap.sum_compared", "decorated/wrap.*", r"OpULessThan %bool %qIAdd1 %x", "OpULessThan %bool %x %x"),
    module("fast_math.product_with_zero", "decorated/fast_math.*", r"OpFMul (%\w+) %x2 %k0", r"OpFMul \1 %k1 %k0"),
    module("group.other_mode", "decorated/group.conversion", "%g FPRoundingMode RTP", "%g FPRoundingMode RTZ"),
    module("group.of_the_last", "decorated/group.packed", "OpGroupDecorate %g %S %T", "OpGroupDecorate %g %T"),
    module("arguments.next_component", "module/arguments", "%uint %v 2", "%uint %v 1"),
    module("size.second_twice", "module/mode.LocalSizeId.2x3x4", "%uint_3 %uint_4", "%uint_3 %uint_3"),
    module(
        "size.hint_is_taken",
        "module/mode.LocalSizeHint.2x3x4",
        "OpLoad %v3size %ws",
        "OpCompositeConstruct %v3size %size_2 %size_3 %size_4",
    ),
    module("by_constants.of_the_first_sign", "integer/by_constants.uint", "OpSMod %uint %x", "OpSRem %uint %x"),
    module(
        "by_constants.shifted",
        "integer/by_constants.uchar",
        "OpSDiv %uchar %x %uchar_4",
        "OpShiftRightArithmetic %uchar %x %uchar_2",
    ),
    module("chain.no_sign", "conversion/chain.uchar", "OpSConvert %ushort %x", "OpUConvert %ushort %x"),
    module("chain.sign_of_the_middle", "conversion/chain.uint", "OpUConvert %ulong %m", "OpSConvert %ulong %m"),
    module("known.unordered", "specialisation/known/float.*", "OpFUnordLessThan", "OpFOrdLessThan"),
    module("known.towards_zero", "specialisation/known/float.*", "%cl floor", "%cl trunc"),
    called("known.low_byte", "specialisation/known/integer.*", ".known.specialise", low_byte),
    called("key.values", "specialisation/key/*value*", ".cached._answer", remembered("given")),
    called("key.defaults", "specialisation/key/default*", ".cached._answer", remembered("defaults")),
    called("key.ids", "specialisation/key/exchanged_ids*", ".cached._answer", remembered("ids")),
    called("key.module", "specialisation/key/module*", ".cached._answer", remembered("added")),
    called("specialisation.second_lost_later", "specialisation/kept.later", _SPECIALISE, first_alone),
    called("specialisation.lost", "specialisation/uint.set", _SPECIALISE, ignored),
    called("specialisation.second_lost", "specialisation/two.*", _SPECIALISE, first_alone),
    called(
        "specialisation.error_code", "specialisation/error.*", ".specialisation.call", any_error_is("CL_INVALID_OPERATION")
    ),
    called("il.short", "module/query.il", ".modules._il", a_word_less),
    called("invalid.error_code", "invalid/undefined_id", ".modules.call", any_error_is("CL_OUT_OF_HOST_MEMORY")),
]
