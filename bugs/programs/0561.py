"""A sum of two char3 that were stored in private memory."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "panfrost")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
kernel void f(global char *out, global const char *in, int n) {
    char3 y[2] = {vload3(0, in), vload3(1, in)}, x[2];
    for (int k = 0; k < n; k++) x[1 - k] = y[k];
    vstore3(x[0] + x[n - 1], 0, out);
}
"""
program = cl.Program(context, SOURCE).build()
values = np.arange(1, 7, dtype="i1")
result = np.zeros(3, "i1")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
source = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=values)
program.f(queue, (1,), None, out, source, np.int32(2))
cl.enqueue_copy(queue, result, out)
print(f"(1, 2, 3) + (4, 5, 6) = ({', '.join(map(str, result))})")
sys.exit(result.tolist() != [5, 7, 9])
