"""cos of double is wrong near pi/2: 4 ulp are allowed."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "llvmpipe")
os.environ.setdefault("RUSTICL_FEATURES", "fp16,fp64")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
kernel void f(global double *out, global const double *in) { *out = cos(in[0]); }
"""
program = cl.Program(context, SOURCE).build()
result = np.zeros(1, "f8")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
source = cl.Buffer(
    context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=np.array([float.fromhex("0x1.921fb54442d17p+0")])
)
program.f(queue, (1,), None, out, source)
cl.enqueue_copy(queue, result, out)
want = 2.8327694488239898e-16  # mpmath, 60 digits
print(f"cos(0x1.921fb54442d17p+0) = {result[0]:.6e}")
sys.exit(bool(abs(result[0] - want) > 4 * np.spacing(want)))
