"""A packed structure in local memory: an access that is not aligned goes to the aligned address below."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "llvmpipe")
os.environ.setdefault("RUSTICL_FEATURES", "fp16,fp64")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
typedef struct __attribute__((packed)) { char a; uint b; } S;
kernel void f(global uint *out) {
    local S s[1];
    s[0].a = 1;
    s[0].b = 0x01020304;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[0] = s[0].b;
    out[1] = s[0].a;
}
"""
program = cl.Program(context, SOURCE).build()
result = np.zeros(2, "u4")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
program.f(queue, (1,), (1,), out)
cl.enqueue_copy(queue, result, out)
print(f"b = {result[0]:#x}, a = {result[1]}")
sys.exit(bool(result.tolist() != [0x01020304, 1]))
