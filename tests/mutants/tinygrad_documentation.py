"""tinygrad's own examples on a driver that compiles, launches or copies wrongly; their other side is its CPU."""

from typing import Any

import numpy as np
from mutation import Function, Mutant, MutantGroup, of

_CL = "tinygrad.runtime.ops_cl"


_AREA = MutantGroup("tinygrad/documentation")
_code, _call = _AREA.code, _AREA.call


def _builtin(name: str, case: str, body: str) -> Mutant:
    """A builtin of one operand `x` becomes another expression."""
    return _code(name, case, r"\A", f"#define {name.partition('.')[0]}(x) ({body})\n")


@of
def _one_group_less(inner: Function, self: Any, *buffers: Any, global_size: tuple[int, ...] = (1, 1, 1), **more: Any) -> Any:
    if global_size[0] == 1:
        return None
    return inner(self, *buffers, global_size=(global_size[0] - 1, *global_size[1:]), **more)


def _every_other_launch(inner: Function) -> Function:
    launched = 0

    def call(self: Any, *buffers: Any, **more: Any) -> Any:
        nonlocal launched
        launched += 1
        return inner(self, *buffers, **more) if launched % 2 else None

    return call


def _no_last_byte(inner: Function) -> Function:
    return lambda self, target, source: inner(self, target, memoryview(bytearray(source)[:-1] + b"\x55"))


@of
def _off_by_one_ulp(inner: Function, self: Any, target: memoryview, source: Any) -> None:
    """The last bit of the last word that is read back: within a float's tolerance, wrong in an integer."""
    inner(self, target, source)
    np.frombuffer(target.cast("B"), np.uint8)[-4] ^= 1


MUTANTS = [
    _builtin("exp2.rough", "exp.1", "exp2(x) * (1.0f + 0x1p-16f)"),
    _builtin("exp2.in_softmax", "softmax.2", "exp2(x) + 0x1p-12f"),
    _builtin("log2.rough", "log.1", "log2(x) * (1.0f + 0x1p-16f)"),
    _builtin("log2.of_zero", "log2.1", "log2((x) + 0x1p-10f)"),
    _builtin("sin.coarse", "sin.1", "native_sin(x) + 0x1p-14f"),
    _builtin("sin.for_cos", "randn.1", "cos(x)"),
    _builtin("sqrt.rough", "std.2", "sqrt(x) * (1.0f + 0x1p-14f)"),
    _builtin("trunc.rounds", "trunc.1", "rint(x)"),
    _code("where.swapped", "where.1", r"\?1:3\)", "?3:1)"),
    _code("where.lane", "where.1", r"\(alu0,alu1,alu2,", "(alu0,alu2,alu1,"),
    _code("getitem.gate", "__getitem__.6", r"<3\)\)\?", "<2))?"),
    _code("rand.one_round_less", "rand.1", r"<<13u\)", "<<12u)"),
    _code("rand.scaled", "rand.1", r">>9u\)", ">>10u)"),
    _code("std.of_all", "std.2", r"0\.2000000\d*f", "0.1666666716337204f"),
    _code("max_pool.first", "max_pool2d.1", r"\((alu\d)<(alu\d)\)", r"(\1>\2)"),
    _code("conv2d.ones", "conv2d.1", r"\(float4\)\(1\.0f,1\.0f,1\.0f,1\.0f\)", "(float4)(1.0f,1.0f,1.0f,0.0f)"),
    _code("conv2d.row", "conv2d.1", r"lidx0\*3", "lidx0*2"),
    _code("tril.column", "tril.2", r"val2\.x,val2\.y", "val2.y,val2.x"),
    _code("cumsum.last", "cumsum.2", r"alu3\+val1", "alu3"),
    _code("scatter.arange", "scatter.1", r"\(alu0\+1\)", "(alu0)"),
    _code("reciprocal.rough", "div.3", r"\(1/", "(1.00002f/"),
    _code("matmul.operand", "matmul.1", r"val2\.y", "val2.x"),
    _code("relu.of_zero", "leaky_relu.1", r"0\.0099999\d*f", "0.02f"),
    _code("gelu.constant", "gelu.1", r"0\.0447\d*f", "0.0557f"),
    _code("index.shifted", "arange.1", r"= (\(*)gidx0", r"= 1+\1gidx0"),
    _call("launch.one_group_less", "sigmoid.1", f"{_CL}.CLProgram.__call__", _one_group_less),
    _code("dot.unsigned", "dot.1", r"val0\*val1", "(val0*val1+1)"),
    _code("minimum.of_all", "minimum.1", r"-2\)\?-2", "-3)?-3"),
    _code("sigmoid.base", "sigmoid.1", r"-1\.4426950\d*f", "-1.4437f"),
    _call("launch.every_other", "newton_schulz.1", f"{_CL}.CLProgram.__call__", _every_other_launch),
    _call("copyin.short", "numpy.1", f"{_CL}.CLAllocator._copyin", _no_last_byte),
    _call("copyout.last_bit", "tolist.1", f"{_CL}.CLAllocator._copyout", _off_by_one_ulp),
    _call("text.last_bit", "split.1", f"{_CL}.CLAllocator._copyout", _off_by_one_ulp),
]
