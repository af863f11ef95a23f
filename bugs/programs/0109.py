"""A store before an atomic is removed as dead, though the atomic reads it."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "llvmpipe")
os.environ.setdefault("RUSTICL_FEATURES", "fp16,fp64")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
kernel void f(global uint *p) {
    *p = 40;
    uint was = atomic_add(p, 1u);
    *p = was + 2;
}
"""
program = cl.Program(context, SOURCE).build()
result = np.array([7], "u4")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=result)
program.f(queue, (1,), None, out)
cl.enqueue_copy(queue, result, out)
print(f"a store of 40, and 2 more than atomic_add has read: {result[0]}")
sys.exit(bool(result[0] != 42))
