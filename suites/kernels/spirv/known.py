"""Instructions whose operands are specialisation constants: they are folded in the build, with the values that are set.

One module holds all instructions of a family, each with a word of the result; it is built for each row of operands.
The models are those of the same instructions at run time (operators.py, extended.py).

One file: a family is a list of instructions and its rows of operands, which belong together.
"""

import math
import operator
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyopencl as cl

from runner import check, transfers
from runner.check import Mismatch
from runner.device import Device, error_name

from ..kit import spirv
from ..kit.assembler import WIDTHS
from ..kit.spirv import DTYPES
from . import extended, operators
from .extended_table import INTEGER
from .operators import signed
from .specialisation import specialise
from .table import FLOAT_RELATIONS, INTEGER_OPERATIONS, INTEGER_RELATIONS, INTEGERS

_KERNEL = """
OpEntryPoint Kernel %kernel "f"
%cl = OpExtInstImport "OpenCL.std"
{head}
%type_kernel = OpTypeFunction %void %global_ulong
%kernel = OpFunction %void None %type_kernel
%r = OpFunctionParameter %global_ulong
%entry = OpLabel
{body}
OpReturn
OpFunctionEnd
"""
_WORD_OF_TRUTH = "%y = OpSelect %ulong %t %ulong_1 %ulong_0"
# The instructions that OpSpecConstantOp takes, among those of this file.
_OPERATIONS = (
    *(set(INTEGER_OPERATIONS) - {"BitCount"}),
    *INTEGER_RELATIONS,
    *("SConvert", "UConvert", "FConvert", "ConvertFToS", "ConvertSToF", "ConvertFToU", "ConvertUToF"),
    *("FNegate", "FAdd", "FSub", "FMul", "FDiv"),
    *("Select", "LogicalAnd", "LogicalOr", "LogicalEqual", "LogicalNotEqual", "LogicalNot"),
    *("CompositeExtract", "CompositeInsert", "VectorShuffle"),
)
# Families that test places in composites, for which three rows of different operands are enough.
_PLACES = ("aggregates", "constant_aggregates")
_NAMES = "abc"  # the operands; %c is also the amount of a shift


@dataclass(frozen=True, slots=True)
class Instruction:
    """`text` computes %y, of type `result`, from %a, %b and %c; `want` returns its bits (None if they are undefined)."""

    name: str
    text: str
    result: str
    want: Callable[..., int | None]
    saturated: bool = False
    constant: bool = False  # computed among the constants, by OpSpecConstantOp


def check_spec_known(device: Device, *, family: str, type: str) -> None:
    """A family's instructions on specialisation constants, for each row of values."""
    instructions = list(_FAMILIES[family](type))
    text = _module(type, instructions)
    prog = spirv.program(device, text)
    transfers.tell("values of clSetProgramSpecializationConstant")
    if any(instruction.constant for instruction in instructions):
        transfers.tell("OpSpecConstantOp")
    wrong: dict[str, str] = {}
    rows = _rows(type)
    for row in rows[1:4] if family in _PLACES else rows:
        for number, value in enumerate(row, 1):
            error = specialise(prog, number, DTYPES[type](value))
            check.equal("clSetProgramSpecializationConstant", error, "CL_SUCCESS", stage="api")
        try:
            prog.build()
        except cl.Error as error:
            raise Mismatch(f"build: {error_name(error)}") from error
        target = device.buffer(np.full(len(instructions), 77, np.uint64))
        device.launch(prog.f, [1], [1], target)
        got = device.read(target, np.uint64, len(instructions))
        for instruction, answer in zip(instructions, got.tolist(), strict=True):
            want = instruction.want(*row)
            if want is not None and (had := _quiet(answer, instruction)) != want:
                operands = ", ".join(map(check.show, row))
                wrong.setdefault(instruction.name, f"of {operands}: {had:#x} for {want:#x}")
    first = "".join(f" ({name} {what})" for name, what in list(wrong.items())[:1])
    check.equal(f"instructions that are wrong for constants{first}", ", ".join(wrong), "")


def _quiet(answer: int, instruction: Instruction) -> int:
    """The bits of a result; all NaNs have the same ones."""
    if instruction.result not in ("half", "float", "double"):
        return answer
    value = np.frombuffer(np.uint64(answer).tobytes(), DTYPES[instruction.result], 1)[0]
    return _bits(value) if np.isnan(value) else answer


def _bits(value: Any) -> int:
    return int.from_bytes((np.asarray(math.nan, value.dtype)[()] if np.isnan(value) else value).tobytes(), "little")


def _module(type_name: str, instructions: Sequence[Instruction]) -> str:
    head, body = list[str](), list[str]()
    for number, name in enumerate(_NAMES, 1):
        head.append(f"OpDecorate %{name} SpecId {number}\n%{name} = OpSpecConstant %{type_name} {number}")
    for n, instruction in enumerate(instructions):
        lines = head if instruction.constant else body
        lines.append(re.sub(r"%([yt]\d?)\b", rf"%\1_{n}", instruction.text))
        if instruction.saturated:
            head.append(f"OpDecorate %y_{n} SaturatedConversion")
        word = f"%y_{n}"
        if instruction.result in ("half", "float", "double"):
            integer = {"half": "ushort", "float": "uint", "double": "ulong"}[instruction.result]
            body.append(f"%i{n} = OpBitcast %{integer} {word}")
            word = f"%i{n}"
        if WIDTHS[instruction.result] < 64:
            body.append(f"%w{n} = OpUConvert %ulong {word}")
            word = f"%w{n}"
        body.append(f"%p{n} = OpInBoundsPtrAccessChain %global_ulong %r %size_{n}")
        body.append(f"OpStore %p{n} {word} Aligned 8")
    return _KERNEL.format(head="\n".join(head), body="\n".join(body))


def _rows(type_name: str) -> list[tuple[Any, Any, Any]]:
    """Operands at the edges of the type. For integers, the second is not 0, and the third less than the number of bits."""
    if type_name in INTEGERS:
        n = WIDTHS[type_name]
        top, most = 1 << n - 1, (1 << n) - 1
        return [
            (0, 1, 0),
            (7, 3, 2),
            (most, 1, n - 1),
            (1, most, 1),
            (top, top, n - 2),
            (top - 1, top - 1, 3),
            (top - 1, 1, n - 1),
            (top, 1, n - 1),
            (top, most - 1, 1),
            (most, most, n - 1),
            (most - 1, top + 1, 4),
            (most // 3, 5, n // 2),
            (most - 6, 3, 1),  # different signs, with a remainder
            (7, most - 2, 3),
        ]
    largest = float(np.finfo(DTYPES[type_name]).max)
    return [
        (1.5, -2.25, 0.5),
        (0.0, -0.0, 1.0),
        (-0.0, -0.0, -1.0),
        (math.nan, 1.0, 2.0),
        (1.0, math.nan, 2.0),
        (math.inf, -math.inf, 3.0),
        (-math.inf, 0.0, 1.0),
        (largest, largest, 1.0),
        (-largest, 2.0, 2.5),
        (-2.5, 0.5, 3.5),
        (100.0, 7.0, 9.0),
        (-128.75, 255.5, -3.0),
    ]


def _made(instructions: Iterator[Instruction]) -> Iterator[Instruction]:
    """The instructions that OpSpecConstantOp takes (SPIR-V 1.6, 3.52.7), computed by it."""
    for instruction in instructions:
        operations = set(re.findall(r"= Op(?!Type|SpecConstantComposite)(\w+)", instruction.text))
        if operations <= set(_OPERATIONS):
            text = re.sub(r"= Op(?!Spec|Type)(\w+) (%\w+)", r"= OpSpecConstantOp \2 \1", instruction.text)
            yield replace(instruction, text=text, constant=True)


def _integers(type_name: str) -> Iterator[Instruction]:
    """Arithmetic and relations."""
    n = WIDTHS[type_name]
    for op, count in INTEGER_OPERATIONS.items():
        shift = op.startswith("Shift")

        def want(a: int, b: int, c: int, op: str = op, shift: bool = shift) -> int | None:
            right = c if shift else b
            if op[:1] == "S" and op[1:] in ("Div", "Rem", "Mod") and a == 1 << n - 1 and right == (1 << n) - 1:
                return None  # overflows
            return operators.INTEGER[op](a, right, n) % 2**n

        operands = "%a" if count == 1 else "%a %c" if shift else "%a %b"
        yield Instruction(op, f"%y = Op{op} %{type_name} {operands}", type_name, want)
    for op in INTEGER_RELATIONS:

        def truth(a: int, b: int, c: int, op: str = op) -> int:
            read = (signed(a, n), signed(b, n)) if op.startswith("S") else (a, b)
            return int(operators._ORDER[op[1:]](*read))

        yield Instruction(op, f"%t = Op{op} %bool %a %b\n{_WORD_OF_TRUTH}", "ulong", truth)


def _composed(type_name: str) -> Iterator[Instruction]:
    """Choices, logical operations on two relations, and every part of composites of constants."""
    vector, n = f"v4{type_name}", WIDTHS[type_name]
    whole = f"%t = OpSpecConstantComposite %{vector} %a %b %c %a\n"
    yield Instruction(
        "Select",
        f"%t = OpULessThan %bool %a %b\n%y = OpSelect %{type_name} %t %a %c",
        type_name,
        lambda a, b, c: a if a < b else c,
    )
    truths: dict[str, Callable[[bool, bool], bool]] = {
        "LogicalAnd": operator.and_,
        "LogicalOr": operator.or_,
        "LogicalEqual": operator.eq,
        "LogicalNotEqual": operator.ne,
    }
    for op, function in truths.items():

        def truth(a: int, b: int, c: int, function: Callable[[bool, bool], bool] = function) -> int:
            return int(function(a < b, signed(a, n) < signed(c, n)))

        relations = "%t0 = OpULessThan %bool %a %b\n%t1 = OpSLessThan %bool %a %c\n"
        yield Instruction(op, f"{relations}%t = Op{op} %bool %t0 %t1\n{_WORD_OF_TRUTH}", "ulong", truth)
    negated = f"%t0 = OpULessThan %bool %a %b\n%t = OpLogicalNot %bool %t0\n{_WORD_OF_TRUTH}"
    yield Instruction("LogicalNot", negated, "ulong", lambda a, b, c: int(a >= b))
    for place in range(4):
        part = f"%y = OpCompositeExtract %{type_name} "
        yield Instruction(
            f"CompositeExtract {place}", f"{whole}{part}%t {place}", type_name, lambda *v, i=place: (*v, v[0])[i]
        )
        for at in range(4):

            def inserted(a: int, b: int, c: int, place: int = place, at: int = at) -> int:
                return b if at == place else (a, b, c, a)[at]

            lines = f"{whole}%t0 = OpCompositeInsert %{vector} %b %t {place}\n{part}%t0 {at}"
            yield Instruction(f"CompositeInsert {place}, {at} of it", lines, type_name, inserted)
        lines = f"{whole}%t0 = OpCompositeInsert %{vector} %b %t {place}\n{part}%t {place}"
        yield Instruction(f"CompositeInsert {place} of another", lines, type_name, lambda *v, i=place: (*v, v[0])[i])

        def shuffled(a: int, b: int, c: int, place: int = place) -> int:
            return (a, a, b, c)[place]  # elements 3, 4, 1 and 6 of the two vectors

        lines = f"{whole}%t0 = OpVectorShuffle %{vector} %t %t 3 4 1 6\n{part}%t0 {place}"
        yield Instruction(f"VectorShuffle, {place} of it", lines, type_name, shuffled)


def _vectors(type_name: str) -> Iterator[Instruction]:
    """Arithmetic and choices of vectors of four with different components; two components of each result."""
    n, vector = WIDTHS[type_name], f"v4{type_name}"
    left = f"%t = OpSpecConstantComposite %{vector} %a %b %c %a\n"
    for number, op in enumerate((*INTEGER_OPERATIONS, *INTEGER_RELATIONS)):
        chooses, shift = op in INTEGER_RELATIONS, op.startswith("Shift")
        amount = "%c" if shift else "%b"  # no divisor is 0, which would make the other components undefined, too
        others = "%b %a %a %c" if chooses else f"{amount} %{type_name}_1 %{type_name}_2 {amount}"
        lines = f"{left}%t0 = OpSpecConstantComposite %{vector} {others}\n"
        if chooses:
            lines += f"%t1 = Op{op} %v4bool %t %t0\n%t2 = OpSelect %{vector} %t1 %t %t0\n"
        else:
            lines += f"%t2 = Op{op} %{vector} %t{' %t0' * (INTEGER_OPERATIONS[op] == 2)}\n"
        for place in (number % 4, (number + 1) % 4):

            def want(a: int, b: int, c: int, op: str = op, place: int = place) -> int | None:
                x, amount = (a, b, c, a)[place], c if op.startswith("Shift") else b
                z = ((b, a, a, c) if op in INTEGER_RELATIONS else (amount, 1, 2, amount))[place]
                if op in INTEGER_RELATIONS:
                    read = (signed(x, n), signed(z, n)) if op.startswith("S") else (x, z)
                    return x if operators._ORDER[op[1:]](*read) else z
                if op[:1] == "S" and op[1:] in ("Div", "Rem", "Mod") and x == 1 << n - 1 and z == (1 << n) - 1:
                    return None
                return operators.INTEGER[op](x, z, n) % 2**n

            text = f"{lines}%y = OpCompositeExtract %{type_name} %t2 {place}"
            yield Instruction(f"{op} of v4{type_name}, {place} of it", text, type_name, want)


def _aggregates(type_name: str) -> Iterator[Instruction]:
    """An array of structs with the same vector, and a part of each size inserted into it: its new and its old elements."""
    vector = f"v4{type_name}"
    types = f"%t1 = OpTypeStruct %{type_name} %{vector}\n%t2 = OpTypeArray %t1 %uint_2\n"
    parts = f"%t3 = OpSpecConstantComposite %{vector} %a %b %c %a\n%t4 = OpSpecConstantComposite %t1 %b %t3\n"
    parts += "%t5 = OpSpecConstantComposite %t1 %c %t3\n%t6 = OpSpecConstantComposite %t2 %t4 %t5\n"
    inserted: dict[
        tuple[int, ...], tuple[str, dict[tuple[int, ...], int]]
    ] = {  # by the path: the inserted part, and its leaves by their paths in it
        (0, 0): ("%c", {(): 2}),
        (1, 1, 2): ("%b", {(): 1}),
        (0, 1): (f"%t7\n%t7 = OpSpecConstantComposite %{vector} %c %c %b %b", {(1,): 2, (2,): 1}),
        (1,): ("%t4", {(0,): 1, (1, 1): 1, (1, 2): 2}),
    }
    had: dict[tuple[int, ...], int] = {(0, 0): 1, (0, 1, 1): 1, (0, 1, 2): 2, (1, 0): 2, (1, 1, 1): 1, (1, 1, 2): 2}
    for path, (value, leaves) in inserted.items():
        value, _, made = value.partition("\n")
        has = had | {path + leaf: of for leaf, of in leaves.items()}
        insert = f"{made}\n%t8 = OpCompositeInsert %t2 {value} %t6 {' '.join(map(str, path))}\n"
        for source, what, of in (("%t8", "", has), ("%t6", " of another", had)):
            for leaf, place in of.items():
                lines = f"{types}{parts}{insert}%y = OpCompositeExtract %{type_name} {source} {' '.join(map(str, leaf))}"
                name = f"CompositeInsert {path}{what}, {leaf} of it"
                yield Instruction(name, lines, type_name, lambda *v, i=place: v[i])


def _extended(type_name: str, *, saturating: bool = False) -> Iterator[Instruction]:
    """OpenCL.std's instructions on integers: only those that saturate, or only the others."""
    n = WIDTHS[type_name]
    for op, kinds in INTEGER.items():
        if op.endswith("_sat") != saturating:
            continue

        def want(a: int, b: int, c: int, op: str = op, kinds: str = kinds) -> int | None:
            row = (a, b, c)[: len(kinds)]
            name = op.removeprefix("s_").removeprefix("u_")
            if name == "select":
                return row[1] if row[2] else row[0]
            sign = op.startswith("s_")
            read = [signed(v, n) for v in row] if sign else list(row)
            if name == "clamp" and read[1] > read[2]:
                return None
            return extended._INTEGER[name](n, sign, *read) % 2**n

        operands = " ".join(f"%{name}" for name in _NAMES[: len(kinds)])
        yield Instruction(op, f"%y = OpExtInst %{type_name} %cl {op} {operands}", type_name, want)


def _conversions(type_name: str) -> Iterator[Instruction]:
    """Conversions to every other type: to integers, saturated or not, and to floats, exact or rounded."""
    n = WIDTHS[type_name]
    for target in INTEGERS:
        bits = WIDTHS[target]
        for op in ("UConvert", "SConvert") if target != type_name else ():

            def wrapped(a: int, b: int, c: int, op: str = op, bits: int = bits) -> int:
                return (signed(a, n) if op == "SConvert" else a) % 2**bits

            yield Instruction(f"{op} to {target}", f"%y = Op{op} %{target} %a", target, wrapped)
        for op in ("SatConvertSToU", "SatConvertUToS"):

            def clamped(a: int, b: int, c: int, op: str = op, bits: int = bits) -> int:
                value = signed(a, n) if op == "SatConvertSToU" else a
                low, high = (0, 2**bits - 1) if op == "SatConvertSToU" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
                return min(max(value, low), high) % 2**bits

            yield Instruction(f"{op} to {target}", f"%y = Op{op} %{target} %a", target, clamped)
    for target in ("float", "double"):
        for op in ("ConvertSToF", "ConvertUToF"):

            def rounded(a: int, b: int, c: int, op: str = op, target: str = target) -> int:
                value = signed(a, n) if op == "ConvertSToF" else a
                return _bits((np.int64 if value < 0 else np.uint64)(value).astype(DTYPES[target]))

            yield Instruction(f"{op} to {target}", f"%y = Op{op} %{target} %a", target, rounded)


def _floats(type_name: str) -> Iterator[Instruction]:
    """Operations that round once, also on zeros, infinities and NaN; relations; and exact builtins."""
    dtype = DTYPES[type_name]

    def of(function: Callable[..., Any], count: int) -> Callable[..., int]:
        def want(*row: float) -> int:
            with np.errstate(all="ignore"):
                return _bits(function(*(np.asarray(v, dtype)[()] for v in row[:count])).astype(dtype))

        return want

    exact: dict[str, tuple[Callable[..., Any], int]] = {
        "FNegate": (np.negative, 1),
        "FAdd": (np.add, 2),
        "FSub": (np.subtract, 2),
        "FMul": (np.multiply, 2),
    }
    if type_name == "double":
        exact["FDiv"] = (np.divide, 2)
    for op, (function, count) in exact.items():
        operands = " ".join(f"%{name}" for name in _NAMES[:count])
        yield Instruction(op, f"%y = Op{op} %{type_name} {operands}", type_name, of(function, count))
    builtins: dict[str, tuple[Callable[..., Any], int]] = {
        "fabs": (np.abs, 1),
        "floor": (np.floor, 1),
        "ceil": (np.ceil, 1),
        "trunc": (np.trunc, 1),
        "rint": (np.rint, 1),
        "copysign": (np.copysign, 2),
    }
    for op, (function, count) in builtins.items():
        operands = " ".join(f"%{name}" for name in _NAMES[:count])
        yield Instruction(op, f"%y = OpExtInst %{type_name} %cl {op} {operands}", type_name, of(function, count))
    for op, count in FLOAT_RELATIONS.items():
        if op in ("LessOrGreater", "IsNormal"):
            continue

        def truth(a: float, b: float, c: float, op: str = op) -> int:
            relation = op.removeprefix("FOrd").removeprefix("FUnord")
            if op.startswith("F") and (math.isnan(a) or math.isnan(b)):
                return int(op.startswith("FUnord"))
            return int(operators._ORDER[relation](a, b))

        operands = "%a" if count == 1 else "%a %b"
        yield Instruction(op, f"%t = Op{op} %bool {operands}\n{_WORD_OF_TRUTH}", "ulong", truth)


def _from_floats(type_name: str, *, saturated: bool = False) -> Iterator[Instruction]:
    """Conversions to integers and to the other floating-point types; or saturated ones to integers."""
    for target in INTEGERS:
        bits = WIDTHS[target]
        for op in ("ConvertFToS", "ConvertFToU"):

            def want(a: float, b: float, c: float, op: str = op, bits: int = bits) -> int | None:
                low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if op[-1] == "S" else (0, 2**bits - 1)
                if math.isnan(a) or (not saturated and not low <= a <= high):
                    return None
                return (high if a >= high else low if a <= low else math.trunc(a)) % 2**bits

            yield Instruction(f"{op} to {target}", f"%y = Op{op} %{target} %a", target, want, saturated)
    for target in ("float", "double"):
        if target == type_name or saturated:
            continue

        def narrowed(a: float, b: float, c: float, target: str = target) -> int:
            with np.errstate(all="ignore"):
                return _bits(np.asarray(a, DTYPES[type_name])[()].astype(DTYPES[target]))

        yield Instruction(f"FConvert to {target}", f"%y = OpFConvert %{target} %a", target, narrowed)


_FAMILIES: dict[str, Callable[[str], Iterator[Instruction]]] = {
    "integer": _integers,
    "constant": lambda type_name: _made(_integers(type_name)),
    "composed": _composed,
    "constant_composed": lambda type_name: _made(_composed(type_name)),
    "constant_vector": lambda type_name: _made(_vectors(type_name)),
    "aggregates": _aggregates,
    "constant_aggregates": lambda type_name: _made(_aggregates(type_name)),
    "extended": _extended,
    "saturating": lambda type_name: _extended(type_name, saturating=True),
    "convert": _conversions,
    "constant_convert": lambda type_name: _made(_conversions(type_name)),
    "float": _floats,
    "constant_float": lambda type_name: _made(_floats(type_name)),
    "convert_float": _from_floats,
    "constant_convert_float": lambda type_name: _made(_from_floats(type_name)),
    "saturate_float": lambda type_name: _from_floats(type_name, saturated=True),
}
