"""A kernel with a required group size and no local size is launched in other groups."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "llvmpipe")
os.environ.setdefault("RUSTICL_FEATURES", "fp16,fp64")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
kernel __attribute__((reqd_work_group_size(1, 1, 13))) void f(global int *out) {
    if (get_global_id(2) < 26) out[get_global_id(2)] = get_local_size(2);
}
"""
program = cl.Program(context, SOURCE).build()
result = np.zeros(26, "i4")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
cl.enqueue_fill_buffer(queue, out, np.int32(-1), 0, result.nbytes)
try:
    program.f(queue, (1, 1, 26), None, out)
except cl.LogicError:
    print("the launch is refused")
    sys.exit(0)
cl.enqueue_copy(queue, result, out)
print(f"get_local_size(2) of the items: {sorted(set(result.tolist()))}")
sys.exit(set(result.tolist()) != {13})
