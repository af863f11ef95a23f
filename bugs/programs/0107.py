"""A signed char chosen against a constant ends the process."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "llvmpipe")
os.environ.setdefault("RUSTICL_FEATURES", "fp16,fp64")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
kernel void f(global char *out, global const char *in) {
    int i = get_global_id(0);
    char v = in[i];
    out[i] = v < (char)-7 ? (char)-7 : v;
}
"""
program = cl.Program(context, SOURCE).build()
result = np.zeros(4, "i1")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
source = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=np.array([-9, -7, 0, 5], "i1"))
program.f(queue, (4,), None, out, source)
cl.enqueue_copy(queue, result, out)
print(f"the larger of -7 and -9, -7, 0, 5: {result.tolist()}")
sys.exit(bool(result.tolist() != [-7, -7, 0, 5]))
