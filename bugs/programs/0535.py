"""The high half of a word loses its high byte if its low byte is stored, too."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "freedreno")
os.environ.setdefault("RUSTICL_FEATURES", "fp16")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
kernel void f(global uchar *low, global ushort *high, global const uint *in) {
    uint x = *in;
    *low = x >> 16;
    *high = x >> 16;
}
"""
program = cl.Program(context, SOURCE).build()
result = np.zeros(1, "u2")
source = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=np.array([0xA7B6C5D4], "u4"))
out = [cl.Buffer(context, cl.mem_flags.READ_WRITE, 4) for _ in range(2)]
program.f(queue, (1,), None, *out, source)
cl.enqueue_copy(queue, result, out[1])
print(f"0xa7b6c5d4 >> 16: {int(result[0]):#x}")
sys.exit(bool(result[0] != 0xA7B6))
