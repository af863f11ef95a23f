"""A saturated difference of shorts, extended without its sign."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "freedreno")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = "kernel void f(global ulong *out, global const short *in) { *out = (ushort)sub_sat((short)1, *in); }"
result = np.zeros(1, "u8")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
source = cl.Buffer(context, cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR, hostbuf=np.array([-5164], "i2"))
cl.Program(context, SOURCE).build().f(queue, (1,), None, out, source)
cl.enqueue_copy(queue, result, out)
print(f"sub_sat(1, -5164) = {result[0]}")
sys.exit(bool(result[0] != 5165))
