"""A full printf buffer ends the process; printf has to return -1."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "llvmpipe")
os.environ.setdefault("RUSTICL_FEATURES", "fp16,fp64")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
kernel void f(global int *out) {
    int full = 0;
    for (int i = 0; i < 200000; i++) full |= printf("%d %d %d %d %d %d %d\\n", i, i, i, i, i, i, i) == -1;
    *out = full;
}
"""
program = cl.Program(context, SOURCE).build()
result = np.zeros(1, "i4")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
program.f(queue, (1,), None, out)
queue.finish()
cl.enqueue_copy(queue, result, out)
print(f"printf returned -1: {bool(result[0])}", file=sys.stderr)
sys.exit(bool(result[0] != 1))
