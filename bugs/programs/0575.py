"""A negative float saturates to 255 instead of 0."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "radeonsi")
os.environ.setdefault("RUSTICL_FEATURES", "fp16,fp64")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = "kernel void f(global uchar *out, global const float *in) { out[0] = convert_uchar_sat(in[0]); }"
program = cl.Program(context, SOURCE).build()
result = np.zeros(1, "u1")
source = cl.Buffer(context, cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR, hostbuf=np.array([-1], "f4"))
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, 1)
program.f(queue, (1,), None, out, source)
cl.enqueue_copy(queue, result, out)
print(f"convert_uchar_sat(-1.0f) = {result[0]}")
sys.exit(bool(result[0] != 0))
