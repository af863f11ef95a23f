"""Compilers and linkers without a symbol, and kernels that are not what was built."""

from __future__ import annotations

from mutation import compiler

_WIDE = "kernels/link/wide/convert/float.uchar"

MUTANTS = [
    compiler("link/symbol_missing", "kernels/link/math/sin.float4", r"\bsin\(", "sin_of_four("),
    compiler("link/one_width_missing", _WIDE, r"= (convert_float)(8?)", r"=  \1\2\2"),
    compiler("link/other_result", "kernels/link/integer/abs.int4", "uint4", "int2"),
    compiler("link/space_missing", "kernels/link/memory/vload4.int4.local", r"local int\*", "image2d_t"),
    compiler(
        "link/kernel_missing",
        "kernels/link/image/read_imagef.image2d.read_only",
        "__kernel void f0",
        "void f0",
    ),
    compiler("link/second_kernel_missing", _WIDE, "__kernel void f1", "void f1"),
    compiler(
        "link/parameter_lost",
        "kernels/link/convert/int4.float4",
        r", __global const float4 \*a0\) \{",
        ") { float4 a0[1];",
    ),
]
