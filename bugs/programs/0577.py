"""A number shifted and masked by 0 is not 0 if its highest bit is set."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "radeonsi")
os.environ.setdefault("RUSTICL_FEATURES", "fp16,fp64")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """kernel void f(global uint *out, global const uint *in)
{ uint i = get_global_id(0); out[i] = (in[i] >> 31 & 0u) == 0; }"""
program = cl.Program(context, SOURCE).build()
numbers, result = np.array([1, 1 << 31], "u4"), np.zeros(2, "u4")
source = cl.Buffer(context, cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR, hostbuf=numbers)
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
program.f(queue, (2,), None, out, source)
cl.enqueue_copy(queue, result, out)
print(f"{result.sum()} of 2 {'is' if result.sum() == 1 else 'are'} true")
sys.exit(bool(result.sum() != 2))
