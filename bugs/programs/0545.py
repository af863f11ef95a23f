"""An array of 65,600 bytes in private memory."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "zink")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
kernel void f(global uint *out, uint n) {
   uchar a[65600];
   for (uint i = 0; i < 65600; i++)
      a[i] = i * n;
   uint sum = 0;
   for (uint i = 0; i < 65600; i += 77)
      sum += a[i * n % 65600];
   *out = sum;
}
"""
result = np.zeros(1, "u4")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
try:
    cl.Program(context, SOURCE).build().f(queue, (1,), None, out, np.uint32(1))
    cl.enqueue_copy(queue, result, out)
except cl.Error as error:
    print(error)
want = sum(i % 256 for i in range(0, 65600, 77))
print(f"the sum is right: {result[0] == want}")
sys.exit(bool(result[0] != want))
