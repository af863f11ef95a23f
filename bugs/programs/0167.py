"""A private array of vectors with computed values ends the process."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "zink")
os.environ.setdefault("RUSTICL_FEATURES", "fp16,fp64")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
kernel void f(global const int4 *in, global int4 *out, int n) {
    int4 values[] = {in[0] + 3, in[1] + 1};
    int4 sum = 0;
    for (int i = 0; i < n; i++) sum += values[i];
    out[0] = sum;
}
"""
program = cl.Program(context, SOURCE).build()
result = np.zeros(4, "i4")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
source = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=np.arange(8, dtype="i4"))
program.f(queue, (1,), None, source, out, np.int32(2))
cl.enqueue_copy(queue, result, out)
print(f"the sum is {result.tolist()}")
sys.exit(bool(result.tolist() != [8, 10, 12, 14]))
