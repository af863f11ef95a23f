"""Bifrost's compiler asserts that a kernel with a barrier is a compute shader of graphics."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "panfrost")
os.environ.setdefault("RUSTICL_FEATURES", "fp16")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
kernel void f(global int *out) {
    local int shared[64];
    int i = get_local_id(0);
    shared[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = shared[63 - i];
}
"""
program = cl.Program(context, SOURCE).build()
print("it builds")
result = np.zeros(64, "i4")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
program.f(queue, (64,), (64,), out)
cl.enqueue_copy(queue, result, out)
print(f"the first is {result[0]}")
sys.exit(bool(result.tolist() != list(range(63, -1, -1))))
