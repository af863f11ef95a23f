"""get_sub_group_size() of a sub-group that is not full is the width of a full one."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "radeonsi")
os.environ.setdefault("RUSTICL_FEATURES", "fp16")
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
print(f"a group of 1 item has a sub-group of {result[0]} items")
sys.exit(bool(result[0] != 1))
