"""Bifrost's packer has no encoding for a sum of vectors of two chars."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "panfrost")
os.environ.setdefault("RUSTICL_FEATURES", "fp16")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = "kernel void f(global char2 *out, global const char2 *a, global const char2 *b) { out[0] = a[0] + b[0]; }"
program = cl.Program(context, SOURCE).build()
print("it builds")
flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
buffers = [cl.Buffer(context, flags, hostbuf=np.array(values, "i1")) for values in ([0, 0], [1, 2], [10, 30])]
program.f(queue, (1,), None, *buffers)
result = np.zeros(2, "i1")
cl.enqueue_copy(queue, result, buffers[0])
print(f"(1, 2) and (10, 30) are {result.tolist()}")
sys.exit(bool(result.tolist() != [11, 32]))
