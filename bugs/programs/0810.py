"""A float between two halves, converted to the nearest and towards zero."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "zink")
os.environ.setdefault("RUSTICL_FEATURES", "fp16")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void f(global ushort *out, global const float *in) {
    size_t i = get_global_id(0);
    float x = in[i];
    out[i] = as_ushort(convert_half_rte(x));
    out[i + 64] = as_ushort(convert_half_rtz(x));
}
"""
result = np.zeros(128, "u2")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
number = np.full(64, 1 + 2**-11 + 2**-12, "f4")
source = cl.Buffer(context, cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR, hostbuf=number)
cl.Program(context, SOURCE).build().f(queue, (64,), None, out, source)
cl.enqueue_copy(queue, result, out)
nearest, zero = (n - 0x3C00 for n in result[::64])
print(f"1 + 3 * 2^-12 to half: the nearest is 1 + {nearest} * 2^-10, towards zero is 1 + {zero} * 2^-10")
sys.exit((nearest, zero) != (1, 0))
