"""mad_sat of long saturates a product that fits: a * b + c with 0 * -1 + 64."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "llvmpipe")
os.environ.setdefault("RUSTICL_FEATURES", "fp16,fp64")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
kernel void f(global long *out, global const long *in) { *out = mad_sat(in[0], in[1], in[2]); }
"""
program = cl.Program(context, SOURCE).build()
result = np.zeros(1, "i8")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
source = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=np.array([0, -1, 64]))
program.f(queue, (1,), None, out, source)
cl.enqueue_copy(queue, result, out)
print(f"mad_sat(0, -1, 64) = {result[0]}")
sys.exit(bool(result[0] != 64))
