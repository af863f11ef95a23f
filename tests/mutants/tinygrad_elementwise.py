"""Elementwise operations by another builtin, without an edge, at another index, or of other operands."""

from typing import Any

import numpy as np
from mutation import Function, Mutant, MutantGroup, of

_A, _B = r"(val\d[.\w]*)", r"(val\d[.\w]*)"


_AREA = MutantGroup("tinygrad/elementwise", "tinygrad")
_code, _call = _AREA.code, _AREA.call


def _builtin(name: str, case: str, body: str) -> Mutant:
    """A builtin of one operand `x` becomes another expression."""
    builtin = name.partition(".")[0]
    return _code(name, case, r"\A", f"#define {builtin}(x) ({body})\n")


def _half_precision(inner: Function) -> Function:
    return lambda tinygrad, a: inner(tinygrad, a.astype(np.float16).astype(a.dtype))


@of
def _one_group_less(inner: Function, self: Any, *buffers: Any, global_size: tuple[int, ...] = (1, 1, 1), **more: Any) -> Any:
    return inner(self, *buffers, global_size=(global_size[0] - 1, *global_size[1:]), **more)


def _of_ones(inner: Function) -> Function:
    return lambda self, *targets, gradient: inner(self, *targets, gradient=gradient * 0 + 1)


MUTANTS = [
    _builtin("trunc.by_int", "unary/trunc.float32", "(float)(int)(x)"),
    _builtin("trunc.floors", "unary/trunc.float32.noopt", "floor(x)"),
    _builtin("sqrt.rough", "unary/sqrt.float32.noopt", "sqrt(x) * (1.0f + 0x1p-20f)"),
    _builtin("sqrt.of_tiny_is_zero", "unary/sqrt.float32", "fabs(x) < 0x1p-120f ? 0.0f : sqrt(x)"),
    _builtin("exp2.rough", "unary/exp2.float32", "exp2(x) * (1.0f + 0x1p-19f)"),
    _builtin("exp2.underflows", "unary/exp2.float32.noopt", "(x) < -100.0f ? 0.0f : exp2(x)"),
    _builtin("log2.of_zero", "unary/log2.float32", "log2((x) == 0.0f ? 0x1p-126f : (x))"),
    _builtin("log2.near_one", "unary/log.float32", "log2((x) * (1.0f + 0x1p-21f))"),
    _builtin("sin.coarse", "unary/sin.float32", "sin((x) - 6.2831855f * rint((x) * 0.15915494f))"),
    _code("reciprocal.rough", "unary/reciprocal.float32", r"\(1/", "(1.000001f/"),
    _code("reciprocal.in_sigmoid", "unary/sigmoid.float32", r"\(1/", "(1.000002f/"),
    _code("round.half_up", "unary/round.float32", r"\(\(\(0\.0f<.*?\)!=\(.*?\)\)\?", "(1?"),
    _code("isnan.never", "unary/isnan.float32", f"{_A}!={_B}", r"\1<\2"),
    _code("isinf.of_one_sign", "unary/isinf.float32", "-INFINITY", "INFINITY"),
    _code("neg.lane", "unary/neg.float32", r"val0\.w", "val0.z"),
    _code("abs.group", "unary/abs.float32", "gidx0<<7", "gidx0<<6"),
    _code("copysign.of_zero", "binary/copysign.float32", r"\|\(\(1/val\d[.\w]*\)<0\.0f\)", ""),
    _code("maximum.is_fmax", "binary/maximum.float32.nan", rf"\({_A}<{_B}\)\?\2:\1", r"fmax(\1,\2)"),
    _code("minimum.by_unsigned", "binary/minimum.int32", r"\((alu\d+)<(alu\d+)\)", r"((uint)\1<(uint)\2)"),
    _code("add.saturates", "binary/add.uint32", rf"\({_A}\+{_B}\)", r"add_sat(\1,\2)"),
    _code("mul.of_low_words", "binary/mul.int64", rf"\({_A}\*{_B}\)", r"((long)(int)\1*\2)"),
    _code("floordiv.truncates", "binary/floordiv.int32", r"!=0\)&", "!=0)&0&"),
    _code("mod.of_dividend", "binary/mod.int32", r"!=0\)&", "!=0)&0&"),
    _code("mod.in_floats", "binary/mod.uint64", rf"\({_A}%{_B}\)", r"(\1-\2*(ulong)((double)\1/(double)\2))"),
    _code("rshift.logical", "binary/rshift.int32", rf"\({_A}>>{_B}\)", r"((int)((uint)\1>>\2))"),
    _code("lshift.of_int", "binary/lshift.int64", rf"\({_A}<<{_B}\)", r"((long)((int)\1<<(int)\2))"),
    _code("lt.or_equal", "compare/lt.float32", rf"\({_A}<{_B}\)", r"(\1<=\2)"),
    _code("lt.unsigned", "compare/lt.int64", rf"\({_A}<{_B}\)", r"((ulong)\1<(ulong)\2)"),
    _code("eq.of_nan", "compare/eq.float32", rf"\({_A}=={_B}\)", r"(!(\1<\2||\1>\2))"),
    _code("eq.of_bits", "compare/eq.float32.noopt", rf"\({_A}=={_B}\)", r"(as_int(\1)==as_int(\2))"),
    _code("where.swapped", "compare/where.float32", r"\?(val[^:()]*):(val[^:()]*)\)", r"?\2:\1)"),
    _code("where.infinity_is_largest", "compare/where_constant.float32.inf", "INFINITY", "0x1.fffffep127f"),
    _code("threefry.one_round_less", "binary/threefry.uint64", r"<<13u?\)", "<<12)"),
    _call("launch.one_group_less", "unary/square.float32", "tinygrad.runtime.ops_cl.CLProgram.__call__", _one_group_less),
    _call("operand.in_half_precision", "binary/add.float32.broadcast", "suites.tinygrad.run.tensor", _half_precision),
    _call("gradient.of_ones", "unary/tanh.float32.backward", "tinygrad.Tensor.gradient", _of_ones),
    _call("lerp.exchanged", "binary/lerp.float32", "tinygrad.Tensor.lerp", lambda inner: lambda x, y, w: inner(y, x, w)),
    _call(
        "softplus.without_beta",
        "activation/softplus.float32.args",
        "tinygrad.Tensor.softplus",
        lambda inner: lambda x, beta: inner(x),
    ),
    _call("gelu.exact", "unary/gelu.float32", "tinygrad.Tensor.gelu", lambda inner: lambda x: inner(x, "none")),
    _call(
        "elu.without_alpha", "activation/elu.float32.args", "tinygrad.Tensor.elu", lambda inner: lambda x, alpha: inner(x)
    ),
    _call(
        "asin.coefficient",
        "unary/asin.float32",
        "tinygrad.mixin.elementwise.polyN",
        lambda inner: lambda x, p: inner(x, [*p[:-2], p[-2] * 1.00001, p[-1]]),
    ),
    _call(
        "clip.upper_lost", "activation/clip.int32", "tinygrad.Tensor.clamp", lambda inner: lambda x, low, high: inner(x, low)
    ),
    _call(
        "rsub.not_reflected", "operator/__rsub__.int32.scalar", "tinygrad.Tensor.__rsub__", lambda inner: lambda x, y: x - y
    ),
    _call("iadd.of_itself", "operator/__iadd__.int32", "tinygrad.Tensor.__iadd__", lambda inner: lambda x, y: inner(x, x)),
]
