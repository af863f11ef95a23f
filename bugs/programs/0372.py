"""atan2 of a number and an infinity that the compiler knows."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "zink")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = "kernel void f(global float *out, global const float *in) { *out = atan2(*in, (float)-INFINITY); }"
result = np.zeros(1, "f4")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
source = cl.Buffer(context, cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR, hostbuf=np.array([3], "f4"))
cl.Program(context, SOURCE).build().f(queue, (1,), None, out, source)
cl.enqueue_copy(queue, result, out)
print(f"atan2(3, -inf) = {result[0]:.6f}")
sys.exit(bool(result[0] != np.float32(np.pi)))
