"""hadd of shorts."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "panfrost")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
kernel void f(global short *out, global const short *in) { *out = hadd(in[0], in[1]); }
"""
program = cl.Program(context, SOURCE).build()
result = np.zeros(1, "i2")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
source = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=np.array([257, 32766], "i2"))
program.f(queue, (1,), None, out, source)
cl.enqueue_copy(queue, result, out)
print(f"hadd of 257 and 32766 = {result[0]}")
sys.exit(result[0] != 16511)
