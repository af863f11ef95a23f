"""Arithmetic with decorations, which must not permit more than they say (SPIR-V 1.6, 3.20).

With NoSignedWrap, only results outside the signed range are undefined; NoUnsignedWrap likewise. NotNaN, NotInf and NSZ let a
compiler ignore NaN, infinities, and the sign of zero. So each decoration is tested with operands that it does not concern,
before an operation that a compiler may simplify if it assumes too much.
"""

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from runner import check
from runner.device import Device

from ..kit.assembler import WIDTHS
from ..kit.spirv import DTYPES, alignment, build, kernel_text, program, stored_rows
from .operators import integers, signed, truncated
from .specialisation import specialise

_ITEMS = 64
_WRAPS = ("", "NoSignedWrap", "NoUnsignedWrap")


@dataclass(frozen=True, slots=True)
class _Wrap:
    """An operation of x and z (or of s, the amount of a shift), in exact integers, and the uses of its result q."""

    operands: str
    exact: Callable[[int, int], int]
    then: dict[str, Callable[[int, int, int, int], int]]


def _of_signs(function: Callable[[int, int], int], left: int = 0, right: int = 2) -> Callable[[int, int, int, int], int]:
    """A signed function of two of the words (q, x, z, number of bits)."""

    def of(*words: int) -> int:
        return int(function(signed(words[left], words[3]), signed(words[right], words[3])))

    return of


_ARITHMETIC: dict[str, _Wrap] = {
    "IMul": _Wrap(
        "%x %z",
        operator.mul,
        {
            "SDiv %z": _of_signs(truncated),
            "UDiv %z": lambda q, x, z, n: q // z,
            "SRem %z": _of_signs(lambda q, z: q - z * truncated(q, z)),
            "UMod %z": lambda q, x, z, n: q % z,
        },
    ),
    "IAdd": _Wrap(
        "%x %z",
        operator.add,
        {
            "SLessThan %x": _of_signs(operator.lt, right=1),
            "ULessThan %x": lambda q, x, z, n: int(q < x),
            "ISub %z": lambda q, x, z, n: q - z,
        },
    ),
    "ISub": _Wrap(
        "%x %z",
        operator.sub,
        {
            "SGreaterThan %x": _of_signs(operator.gt, right=1),
            "UGreaterThan %x": lambda q, x, z, n: int(q > x),
            "IAdd %z": lambda q, x, z, n: q + z,
        },
    ),
    "ShiftLeftLogical": _Wrap(
        "%x %s",
        lambda x, s: x << s,
        {
            "ShiftRightArithmetic %s": lambda q, x, z, n: signed(q, n) >> z % n,
            "ShiftRightLogical %s": lambda q, x, z, n: q >> z % n,
        },
    ),
    "SNegate": _Wrap(
        "%x",
        lambda x, z: -x,
        {"SLessThan %x": _of_signs(operator.lt, right=1), "ULessThan %x": lambda q, x, z, n: int(q < x)},
    ),
}


def check_wrap(device: Device, *, type: str) -> None:
    """Arithmetic with NoSignedWrap and NoUnsignedWrap, on operands that do not wrap."""
    n = WIDTHS[type]
    wanted: list[tuple[str, str, str]] = []
    lines = [f"%s = OpBitwiseAnd %{type} %z %{type}_{n - 1}"]
    for number, flags in enumerate(_WRAPS):
        for op, wrap in _ARITHMETIC.items():
            q = f"%q{op}{number}"
            lines += [f"OpDecorate {q} {flags}"] * bool(flags)
            lines.append(f"{q} = Op{op} %{type} {wrap.operands}")
            for then in wrap.then:
                k, name = len(wanted), then.split()[0]
                if "Than" in name:
                    lines.append(f"%c{k} = Op{name} %bool {q} {then.split()[1]}")
                    lines.append(f"%y{k} = OpSelect %{type} %c{k} %{type}_1 %{type}_0")
                else:
                    lines.append(f"%y{k} = Op{name} %{type} {q} {then.split()[1]}")
                wanted.append((flags, op, then))
    x, z = integers(device, type, _ITEMS), integers(device, type, _ITEMS)
    z = np.where((z == 0) | (z == z.dtype.type(2**n - 1)), z.dtype.type(3), z)  # so that all quotients are defined
    x[:4], z[:4] = [3, 5, 2 ** (n - 2) + 1, 1], [2 ** (n - 2), 2 ** (n - 3) + 1, 3, 2 ** (n - 1)]
    text = kernel_text(type, {"x": type, "z": type}, stored_rows(lines, type, _ITEMS))
    out = device.buffer(np.zeros(_ITEMS * len(wanted), DTYPES[type]))
    device.launch(build(device, text, version=(1, 4)).f, [_ITEMS], None, out, device.buffer(x), device.buffer(z))
    got = device.read(out, DTYPES[type], (len(wanted), _ITEMS)).tolist()
    for (flags, op, then), row in zip(wanted, got, strict=True):
        wrap = _ARITHMETIC[op]
        for a, b, answer in zip(x.tolist(), z.tolist(), row, strict=True):
            amount = b % n if op.startswith("Shift") else b
            plain = wrap.exact(a, amount)
            read = wrap.exact(signed(a, n), amount if op.startswith("Shift") else signed(b, n))
            if ("NoSigned" in flags and not -(2 ** (n - 1)) <= read < 2 ** (n - 1)) or (
                "NoUnsigned" in flags and not 0 <= plain < 2**n
            ):
                continue
            want = wrap.then[then](plain % 2**n, a, b, n) % 2**n
            check.equal(f"Op{op} {flags or 'undecorated'} of {a:#x}, {b:#x}, then Op{then}", answer, want)


# By what is decorated: the body, in which %g is the group, and its result for a word.
_GROUPS: dict[str, tuple[str, Callable[[int], int]]] = {
    "conversion": (
        "OpDecorate %g FPRoundingMode RTP\nOpDecorate %g SaturatedConversion\n%g = OpDecorationGroup\n"
        "OpGroupDecorate %g %b %c\n%f = OpConvertUToF %float %m\n%h = OpFMul %float %f %float_0.5\n"
        "%b = OpConvertFToU %uchar %h\n%c = OpConvertFToS %uchar %h\n"
        "%b1 = OpUConvert %uint %b\n%c1 = OpUConvert %uint %c\n%c2 = OpIMul %uint %c1 %uint_256\n"
        "%y = OpIAdd %uint %b1 %c2",
        lambda m: min((m + 1) // 2, 255) + 256 * min((m + 1) // 2, 127),
    ),
    "constant": (
        "OpDecorate %g SpecId 7\n%g = OpDecorationGroup\nOpGroupDecorate %g %s\n%s = OpSpecConstant %uint 5\n"
        "%y = OpIMul %uint %m %s",
        lambda m: m * 9,
    ),
    "built_in": ("%w = OpUConvert %uint %i\n%y = OpIAdd %uint %w %m", lambda m: 2 * m),
    "packed": (
        "OpDecorate %g CPacked\n%g = OpDecorationGroup\nOpGroupDecorate %g %S %T\n%S = OpTypeStruct %uchar %uint\n"
        "%T = OpTypeStruct %uchar %S\n%v = OpVariable %function_T Function\n"
        "%p = OpInBoundsAccessChain %function_uint %v %uint_1 %uint_1\nOpStore %p %m Aligned 1\n"
        "%b = OpBitcast %function_uchar %v\n%q = OpInBoundsPtrAccessChain %function_uchar %b %size_2\n"
        "%c = OpLoad %uchar %q Aligned 1\n%y = OpUConvert %uint %c",
        lambda m: m & 255,
    ),
}


def check_group(device: Device, *, what: str) -> None:
    """The decorations of a group apply to each of its members (OpGroupDecorate)."""
    body, model = _GROUPS[what]
    text = kernel_text("uint", {"m": "uint"}, body)
    if what == "built_in":
        own = "OpDecorate %gid BuiltIn GlobalInvocationId"
        text = text.replace(own, f"{own.replace('%gid', '%g')}\n%g = OpDecorationGroup\nOpGroupDecorate %g %gid")
        if device.device.address_bits == 32:  # size_t is a uint
            text = text.replace("%w = OpUConvert", "%w = OpCopyObject")
    prog = program(device, text)
    if what == "constant":
        error = specialise(prog, 7, np.uint32(9))
        check.equal("clSetProgramSpecializationConstant of a group's SpecId", error, "CL_SUCCESS", stage="api")
    x = np.arange(600, dtype=np.uint32)
    out = device.buffer(np.zeros(600, np.uint32))
    device.launch(prog.build().f, [600], None, out, device.buffer(x))
    got = device.read(out, np.uint32, 600)
    check.equal(f"OpGroupDecorate, {what}", got, np.array([model(int(m)) for m in x], np.uint32), [x])


_FLAGS = ("NotNaN", "NotInf", "NSZ")
_FLOATING: dict[str, tuple[str, Callable[[float], float]]] = {
    "FAdd x, 0": ("FAdd %x %0", lambda x: x + 0.0),
    "FAdd x, -0": ("FAdd %x %n", lambda x: x - 0.0),
    "FSub x, 0": ("FSub %x %0", lambda x: x - 0.0),
    "FSub 0, x": ("FSub %0 %x", lambda x: 0.0 - x),
    "FMul x, 0": ("FMul %x %0", lambda x: x * 0.0),
    "FMul 0, x": ("FMul %0 %x", lambda x: 0.0 * x),
    "FMul x, 1": ("FMul %x %1", lambda x: x),
    "FMul x, -1": ("FMul %x %m", lambda x: -x),
    "FSub x, x": ("FSub %x %x", lambda x: x - x),
    "FMul x, x": ("FMul %x %x", lambda x: x * x),
}
_CLASSES = (math.nan, math.inf, -math.inf, 0.0, -0.0, 1.5, -2.0, 96.0)


def check_fast_math(device: Device, *, type: str, zeros: bool) -> None:
    """Arithmetic with each flag of FPFastMathMode.

    `zeros`: whether the sign of a zero result is tested, or everything else.
    """
    constants = {"0": "0.0", "n": "-0.0", "1": "1.0", "m": "-1.0"}
    wanted: list[tuple[tuple[str, ...], str]] = []
    lines = [f"%k{k} = OpConstant %{type} {value}" for k, value in constants.items()]
    sets = [flags for count in range(4) for flags in combinations(_FLAGS, count)]
    for number, flags in enumerate(sets):  # each with its own operand, as equal operations may be merged
        lines.append(f"%i{number} = OpIAdd %size %i %size_{number * len(_CLASSES)}")
        lines.append(f"%px{number} = OpInBoundsPtrAccessChain %global_{type} %p_x %i{number}")
        lines.append(f"%x{number} = OpLoad %{type} %px{number} Aligned {alignment(type)}")
        for name, (text, _) in _FLOATING.items():
            op, *operands = text.split()
            k = len(wanted)
            lines.append(f"OpDecorate %y{k} FPFastMathMode {'|'.join(flags) or 'None'}")
            left, right = (f"%x{number}" if o == "%x" else f"%k{o[1:]}" for o in operands)
            lines.append(f"%y{k} = Op{op} %{type} {left} {right}")
            wanted.append((flags, name))
    x = np.tile(np.array(_CLASSES, DTYPES[type]), len(sets))
    text = kernel_text(type, {"x": type}, stored_rows(lines, type, len(_CLASSES)))
    out = device.buffer(np.zeros(len(_CLASSES) * len(wanted), DTYPES[type]))
    device.launch(build(device, text).f, [len(_CLASSES)], None, out, device.buffer(x))
    got = device.read(out, DTYPES[type], (len(wanted), len(_CLASSES))).astype(float).tolist()
    for (flags, name), row in zip(wanted, got, strict=True):
        for value, answer in zip(_CLASSES, row, strict=True):
            want = _FLOATING[name][1](value)
            if ("NotNaN" in flags and math.isnan(want)) or ("NotInf" in flags and (math.isinf(value) or math.isinf(want))):
                continue
            what = f"Op{name} of x = {value}, FPFastMathMode {'|'.join(flags) or 'None'}"
            if not zeros:
                check.equal(what, _word(answer + 0.0), _word(want + 0.0))
            elif want == 0 and "NSZ" not in flags:
                check.equal(what, _word(answer), _word(want))


def _word(value: Any) -> str:
    """A number as a text with its sign; all NaNs are the same."""
    return "nan" if math.isnan(value) else repr(float(value))
