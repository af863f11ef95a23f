"""A copy into a part of coarse-grained SVM loses what the host had written around it."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "iris")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
memory = cl.SVM(cl.csvm_empty(context, 512, np.uint8))
with memory.map_rw(queue) as mapped:
    mapped[:] = 7
cl.enqueue_copy(queue, cl.SVM(memory.mem[1:302]), cl.SVM(np.full(301, 9, np.uint8)))
queue.finish()
with memory.map_ro(queue) as seen:
    got = int(seen[0])
print(f"the byte before the copy: {got}")
sys.exit(got != 7)
