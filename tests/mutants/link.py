"""Compilers and linkers without a symbol, and kernels that are not what was built."""

from mutation import compiler, compiler_of

source = compiler_of("link")

_WIDE = "kernels/link/wide/convert/float.uchar"

MUTANTS = [
    source("symbol_missing", "math/sin.float4", r"\bsin\(", "sin_of_four("),
    compiler("link/one_width_missing", _WIDE, r"= (convert_float)(8?)", r"=  \1\2\2"),
    source("other_result", "integer/abs.int4", "uint4", "int2"),
    source("space_missing", "memory/vload4.int4.local", r"local int\*", "image2d_t"),
    source("kernel_missing", "image/read_imagef.image2d.read_only", "__kernel void f0", "void f0"),
    compiler("link/second_kernel_missing", _WIDE, "__kernel void f1", "void f1"),
    source("parameter_lost", "convert/int4.float4", r", __global const float4 \*a0\) \{", ") { float4 a0[1];"),
]
