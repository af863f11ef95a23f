"""A structure that is copied loses the members that were set one by one."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "llvmpipe")
os.environ.setdefault("RUSTICL_FEATURES", "fp16,fp64")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
typedef struct { char a; short b; int c; char d[3]; } S;
kernel void f(global int *out, int x) {
    S s;
    s.a = x; s.b = x + 1; s.c = x + 2; s.d[0] = s.d[1] = s.d[2] = x + 3;
    S kept = s;
    s.a = 99; s.b = 99; s.c = 99; s.d[0] = 99;
    out[0] = kept.a; out[1] = kept.b; out[2] = kept.c; out[3] = kept.d[0];
    out[4] = s.a + s.b + s.c + s.d[0];
}
"""
program = cl.Program(context, SOURCE).build()
result = np.zeros(5, "i4")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
program.f(queue, (1,), None, out, np.int32(1))
cl.enqueue_copy(queue, result, out)
print(f"members of the copy: {result[:4].tolist()}")
sys.exit(bool(result[:4].tolist() != [1, 2, 3, 4]))
