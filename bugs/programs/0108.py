"""add_sat of 8-bit constants is folded as if the sum had 32 bits."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "llvmpipe")
os.environ.setdefault("RUSTICL_FEATURES", "fp16,fp64")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
kernel void f(global uchar *out) { *out = add_sat((uchar)255, (uchar)55); }
"""
program = cl.Program(context, SOURCE).build()
result = np.zeros(1, "u1")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
program.f(queue, (1,), None, out)
cl.enqueue_copy(queue, result, out)
print(f"add_sat((uchar)255, (uchar)55) = {result[0]}")
sys.exit(bool(result[0] != 255))
