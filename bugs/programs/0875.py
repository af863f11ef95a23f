"""A member of a packed structure that is an argument is read at the aligned address below."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "iris")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
typedef struct __attribute__((packed)) { uint first; char a; uint4 b; } S;
kernel void f(S s, global uint *r) { vstore4(s.b, 0, r); }
"""
program = cl.Program(context, SOURCE).build()
given = np.zeros(1, {"names": ["a", "b"], "formats": ["i1", "4u4"], "offsets": [4, 5], "itemsize": 21})
given["a"], given["b"] = 7, range(1, 5)
result = np.zeros(4, "u4")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
program.f(queue, (1,), (1,), given[0], out)
cl.enqueue_copy(queue, result, out)
print("b =", *result)
sys.exit(bool(result.tolist() != [1, 2, 3, 4]))
