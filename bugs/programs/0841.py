"""An element at a negative constant distance is read 4 GiB below its place."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "radeonsi")
os.environ.setdefault("AMD_DEBUG", "usellvm")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
program = cl.Program(
    context, "kernel void f(global const uint *p, uint at, global uint *r) { r[0] = (p + at)[-62]; }"
).build()
given = np.arange(1, 129, dtype="u4")
result = np.zeros(1, "u4")
p = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=given)
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
program.f(queue, (1,), (1,), p, np.uint32(100), out)
cl.enqueue_copy(queue, result, out)
print("(p + 100)[-62] =", result[0])
sys.exit(bool(result[0] != given[38]))
