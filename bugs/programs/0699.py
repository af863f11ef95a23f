"""A value that is stored as half to nearest and towards zero by the same kernel is stored to nearest twice."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "iris")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """kernel void f(global const float *x, global half *r) {
    size_t i = get_global_id(0);
    float v = x[i];
    vstore_half_rte(v, i, r);
    vstore_half_rtz(v, i + 16, r);
}"""
program = cl.Program(context, SOURCE).build()
value = np.full(16, 1 + 3 / 4096, "f4")  # three quarters of the way from 1 to the next half
given = cl.Buffer(context, cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR, hostbuf=value)
result = np.zeros(32, "u2")
stored = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
program.f(queue, (16,), (16,), given, stored)
cl.enqueue_copy(queue, result, stored)
print(f"to nearest 0x{result[0]:04x}, towards zero 0x{result[16]:04x}")
sys.exit(bool(result[16] != 0x3C00))
