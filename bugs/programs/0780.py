"""A difference of two shorts, extended with and without its sign: each build chooses again which of the two is right."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "freedreno")
os.environ.setdefault("MESA_SHADER_CACHE_DISABLE", "true")
os.environ.setdefault("PYOPENCL_NO_CACHE", "1")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
kernel void f%d(global uint *out, global const short *in) {
   short difference = in[0] - in[1];
   out[0] = (ushort)difference;
   out[1] = difference;
}
"""
builds, wrong = 16, 0
result = np.zeros(2, "u4")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
source = cl.Buffer(context, cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR, hostbuf=np.array([1, 3], "i2"))
for n in range(builds):
    getattr(cl.Program(context, SOURCE % n).build(), f"f{n}")(queue, (1,), None, out, source)
    cl.enqueue_copy(queue, result, out)
    wrong += result.tolist() != [0xFFFE, 0xFFFFFFFE]
print(f"1 - 3 is 0xfffe, and 0xfffffffe with its sign: {wrong == 0} ({wrong} of {builds} builds are wrong)")
sys.exit(bool(wrong))
