"""A conversion between integers with a rounding mode does not link."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "llvmpipe")
os.environ.setdefault("RUSTICL_FEATURES", "fp16,fp64")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
kernel void f(global char *out, global const int *in) { *out = convert_char_rte(in[0]); }
"""
try:
    program = cl.Program(context, SOURCE).build()
except cl.RuntimeError:
    sys.exit("the build fails")
result = np.zeros(1, "i1")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
source = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=np.array([5], "i4"))
program.f(queue, (1,), None, out, source)
cl.enqueue_copy(queue, result, out)
print(f"convert_char_rte(5) = {result[0]}")
sys.exit(bool(result[0] != 5))
