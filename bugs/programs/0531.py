"""vstore_half_rtz of a constant that becomes a denormal half stores 0."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "freedreno")
os.environ.setdefault("RUSTICL_FEATURES", "fp16")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
kernel void f(global ushort *out) { vstore_half_rtz(0x1p-20f, 0, (global half *)out); }
"""
program = cl.Program(context, SOURCE).build()
result = np.zeros(1, "u2")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
program.f(queue, (1,), None, out)
cl.enqueue_copy(queue, result, out)
print(f"vstore_half_rtz(0x1p-20f): {int(result[0]):#06x}")
sys.exit(bool(result[0] != 0x10))
