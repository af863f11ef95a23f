"""A launch in a process that has no file descriptor left ends with an error, or is right."""

import os
import resource
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "panfrost")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
program = cl.Program(context, "kernel void f(global int *out) { *out = 7; }").build()
kernel = cl.Kernel(program, "f")
result = np.zeros(1, "i4")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))
try:
    kernel(queue, (1,), None, out)
    queue.finish()
    cl.enqueue_copy(queue, result, out)
except cl.Error as error:
    print(f"an error: {error}")
    sys.exit(0)
print(f"what the kernel wrote: {result[0]}")
sys.exit(bool(result[0] != 7))
