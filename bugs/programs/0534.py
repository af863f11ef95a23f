"""Small buffers begin at multiples of 64 bytes; the device says more."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "freedreno")
os.environ.setdefault("RUSTICL_FEATURES", "fp16")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
kernel void f(global ulong *out, global void *in) { *out = (ulong)in; }
"""
kernel = cl.Program(context, SOURCE).build().f
align = context.devices[0].mem_base_addr_align // 8
result, kept, most = np.zeros(1, "u8"), [], 0
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
for _ in range(16):
    kept.append(cl.Buffer(context, cl.mem_flags.READ_WRITE, 64))
    kernel(queue, (1,), None, out, kept[-1])
    cl.enqueue_copy(queue, result, out)
    most = max(most, int(result[0]) % align)
print(f"addresses are multiples of CL_DEVICE_MEM_BASE_ADDR_ALIGN: {most == 0}")
print(f"{align} bytes, and one is {most} behind", file=sys.stderr)
sys.exit(bool(most))
