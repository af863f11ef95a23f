"""A kernel that asks for sub-groups of 16 dies in a launch whose groups have 8 work-items."""

import os

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "iris")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
source = """
__attribute__((intel_reqd_sub_group_size(16)))
kernel void f(global int *out) { out[get_global_id(0)] = 7; }
"""
kernel = cl.Program(context, source).build().f
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, 8 * 4)
kernel(queue, (8,), (8,), out)
got = np.zeros(8, np.int32)
cl.enqueue_copy(queue, got, out)
assert (got == 7).all()
print("right")
