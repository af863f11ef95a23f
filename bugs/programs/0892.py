"""A private array of 64 KiB in each of 1,024 work-items."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "radeonsi")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """kernel void f(global uint *r, uint step) {
    uint i = get_global_id(0), a[16400], sum = 0;
    for (uint k = 0; k < 8; k++) a[(i + k * step) % 16400] = i + k;
    for (uint k = 0; k < 8; k++) sum += a[(i + k * step) % 16400];
    r[i] = sum;
}"""
program = cl.Program(context, SOURCE).build()
result = np.zeros(1024, "u4")
stored = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=result)
program.f(queue, result.shape, (256,), stored, np.uint32(1999))
cl.enqueue_copy(queue, result, stored)
wrong = int((result != 8 * np.arange(1024, dtype="u4") + 28).sum())
print(f"work-items that are wrong: {'some' if wrong else 'none'}")
sys.exit(bool(wrong))
