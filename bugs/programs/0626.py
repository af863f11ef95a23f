"""A memcpy whose size is an argument."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "llvmpipe")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
kernel void f(global int *out, int n) {
    char a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, b[8] = {0};
    __builtin_memcpy(b, a, n);
    for (int i = 0; i < 8; i++) out[i] = b[i];
}
"""
result = np.zeros(8, "i4")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
cl.Program(context, SOURCE).build().f(queue, (1,), None, out, np.int32(5))
cl.enqueue_copy(queue, result, out)
print(*result)
sys.exit(list(result) != [1, 2, 3, 4, 5, 0, 0, 0])
