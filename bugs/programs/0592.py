"""What was written through an SVM mapping that discards, after a kernel, does not reach the next kernel."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "iris")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
kernel = cl.Program(context, "kernel void f(global uint *a) { a[get_global_id(0)] += 100; }").build().f
memory = cl.SVM(cl.csvm_empty(context, 16, np.uint32))


def fill(flags: int, value: int) -> None:
    """Through a mapping."""
    with memory.map(queue, flags=flags) as mapped:
        mapped[:] = value


fill(cl.map_flags.WRITE, 1)
kernel(queue, (16,), (16,), memory)
fill(cl.map_flags.WRITE_INVALIDATE_REGION, 2)
kernel(queue, (16,), (16,), memory)
with memory.map_ro(queue) as seen:
    got = int(seen[0])
print(f"2 + 100 = {got}")
sys.exit(got != 102)
