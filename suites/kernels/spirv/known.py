"""Instructions whose operands are specialisation constants: folded when the program is built, with the values that are set.

One module holds all instructions of a family, each with a word of the result; it is built again for each row of operands.
The models are those of the same instructions at run time (operators.py, extended.py).

One file: a family is a list of instructions and its rows of operands, which read together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyopencl as cl

from runner import check
from runner.check import Mismatch
from runner.device import Device, error_name
from runner.model import Case

from . import extended, operators, program
from .assembler import WIDTHS
from .extended_table import INTEGER
from .operators import signed
from .program import DTYPES
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
_NAMES = "abc"  # the operands; %c is an amount to shift by, too


@dataclass(frozen=True, slots=True)
class Instruction:
    """`text` makes %y, of type `result`, from %a, %b and %c; `want` gives its bits (None: they are not defined)."""

    name: str
    text: str
    result: str
    want: Callable[..., int | None]
    saturated: bool = False
    constant: bool = False  # made among the constants, by OpSpecConstantOp


def check_known(device: Device, case: Case) -> None:
    """Params: family, type."""
    family, type_name = case.params["family"], case.params["type"]
    instructions = list(_FAMILIES[family](type_name))
    text = _module(type_name, instructions)
    prog = program.program(device, text)
    wrong: dict[str, str] = {}
    for row in _rows(type_name):
        for number, value in enumerate(row, 1):
            error = specialise(prog, number, DTYPES[type_name](value))
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
    check.equal(f"instructions that are wrong of constants{first}", ", ".join(wrong), "")


def _quiet(answer: int, instruction: Instruction) -> int:
    """The bits of a NaN are any that it may have."""
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
        lines.append(instruction.text.replace("%y", f"%y{n}").replace("%t", f"%t{n}"))
        if instruction.saturated:
            head.append(f"OpDecorate %y{n} SaturatedConversion")
        word = f"%y{n}"
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
    """Operands at the edges of the type: of integers the third is below their bits, and the second is never 0."""
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
            (most - 6, 3, 1),  # of either sign, with a remainder
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


def _integers(type_name: str, *, constant: bool = False) -> Iterator[Instruction]:
    """Arithmetic and relations."""
    n = WIDTHS[type_name]

    def text(op: str, operands: str, result: str, name: str) -> str:
        if constant:
            return f"{name} = OpSpecConstantOp %{result} {op} {operands}"
        return f"{name} = Op{op} %{result} {operands}"

    for op, count in INTEGER_OPERATIONS.items():
        if constant and op == "BitCount":
            continue  # none of those that OpSpecConstantOp takes (SPIR-V 1.6, 3.52.7)
        shift = op.startswith("Shift")

        def want(a: int, b: int, c: int, op: str = op, shift: bool = shift) -> int | None:
            right = c if shift else b
            if op[:1] == "S" and op[1:] in ("Div", "Rem", "Mod") and a == 1 << n - 1 and right == (1 << n) - 1:
                return None  # overflows
            return operators._INTEGER[op](a, right, n) % 2**n

        operands = "%a" if count == 1 else "%a %c" if shift else "%a %b"
        yield Instruction(op, text(op, operands, type_name, "%y"), type_name, want, constant=constant)
    for op in INTEGER_RELATIONS:

        def truth(a: int, b: int, c: int, op: str = op) -> int:
            read = (signed(a, n), signed(b, n)) if op.startswith("S") else (a, b)
            return int(operators._ORDER[op[1:]](*read))

        lines = text(op, "%a %b", "bool", "%t") + "\n" + text("Select", "%t %ulong_1 %ulong_0", "ulong", "%y")
        yield Instruction(op, lines, "ulong", truth, constant=constant)


def _extended(type_name: str, *, saturating: bool = False) -> Iterator[Instruction]:
    """OpenCL.std's instructions on integers: those that saturate, or the others."""
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
    """To every other type: integers by their value or saturated, floats that hold it or round it."""
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
    """Operations that are rounded once, on zeros, infinities and NaN too, relations, and exact builtins."""
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
        yield Instruction(op, f"%t = Op{op} %bool {operands}\n%y = OpSelect %ulong %t %ulong_1 %ulong_0", "ulong", truth)


def _from_floats(type_name: str, *, saturated: bool = False) -> Iterator[Instruction]:
    """To integers, and to the other floating-point types; or saturated to integers."""
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
    "constant": lambda type_name: _integers(type_name, constant=True),
    "extended": _extended,
    "saturating": lambda type_name: _extended(type_name, saturating=True),
    "convert": _conversions,
    "float": _floats,
    "convert_float": _from_floats,
    "saturate_float": lambda type_name: _from_floats(type_name, saturated=True),
}
