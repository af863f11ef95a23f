"""get_sub_group_size() of the last sub-group is the width of a full one."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "llvmpipe")
os.environ.setdefault("RUSTICL_FEATURES", "fp16,fp64")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void f(global uint *out) { out[get_global_id(0)] = get_sub_group_size(); }
"""
program = cl.Program(context, SOURCE).build("-cl-std=CL3.0")
result = np.zeros(1, "u4")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
program.f(queue, (1,), (1,), out)
cl.enqueue_copy(queue, result, out)
print(f"get_sub_group_size() of a group of 1 item: {result[0]}")
sys.exit(bool(result[0] != 1))
