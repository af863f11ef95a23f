"""The sum of a vector's halves in the other order, and of a constant with two equal ones, has them in the first order."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "panfrost")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """kernel void f(global const short2 *x, global short2 *r) {
    size_t i = get_global_id(0);
    r[i] = x[i].s10 + (short2)(5, 5);
}"""
program = cl.Program(context, SOURCE).build()
value = np.array([[1, 2], [3, 4]], "i2")
given = cl.Buffer(context, cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR, hostbuf=value)
result = np.zeros_like(value)
stored = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
program.f(queue, (2,), None, given, stored)
cl.enqueue_copy(queue, result, stored)
print(f"{value[0]} in the other order and 5: {result[0]}")
sys.exit(bool((result != value[:, ::-1] + 5).any()))
