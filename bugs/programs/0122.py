"""fma of double in a kernel: a NULL in LLVMTypeOf at the launch."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "llvmpipe")
os.environ.setdefault("RUSTICL_FEATURES", "fp16,fp64")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
kernel void f(global double *a) { a[0] = fma(a[0], a[1], 1.5); }
"""
program = cl.Program(context, SOURCE).build()
result = np.array([2.0, 3.0])
out = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=result)
program.f(queue, (1,), None, out)
cl.enqueue_copy(queue, result, out)
print(f"fma(2.0, 3.0, 1.5) is {result[0]}")
sys.exit(bool(result[0] != 7.5))
