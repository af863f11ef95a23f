"""sub_group_ballot, compiled with an option of ir3 that takes repeated instructions apart."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "freedreno")
os.environ.setdefault("IR3_SHADER_DEBUG", "expandrpt")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
#pragma OPENCL EXTENSION cl_khr_subgroup_ballot : enable
kernel void f(global uint4 *out) { out[get_global_id(0)] = sub_group_ballot(get_sub_group_local_id() < 3); }
"""
if "cl_khr_subgroup_ballot" not in context.devices[0].extensions:
    sys.exit(print("bits beyond the third: none, as there is no ballot"))
result = np.zeros(256, "u4")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
cl.Program(context, SOURCE).build("-cl-std=CL3.0").f(queue, (64,), (64,), out)
cl.enqueue_copy(queue, result, out)
print(f"bits beyond the third: {'none' if result[:4].tolist() == [7, 0, 0, 0] else result[:4]}")
sys.exit(result[:4].tolist() != [7, 0, 0, 0])
