"""One of two numbers, chosen by a comparison of two others, clamped to 0 and 1."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "freedreno")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """kernel void f(global const float2 *a, global const float2 *b, global const float2 *c, global float2 *r) {
    size_t i = get_global_id(0);
    r[i] = clamp(a[i] < b[i] ? c[i] : a[i], (float2)0, (float2)1);
}"""
program = cl.Program(context, SOURCE).build()
a, b, c = (np.full((2, 2), value, "f4") for value in (-1, 1, 1.75))
given = [cl.Buffer(context, cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR, hostbuf=values) for values in (a, b, c)]
result = np.zeros_like(a)
stored = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
program.f(queue, (2,), None, *given, stored)
cl.enqueue_copy(queue, result, stored)
print(f"clamp(-1 < 1 ? 1.75 : -1, 0, 1) = {result[0, 0]:g}")
sys.exit(bool((result != 1).any()))
