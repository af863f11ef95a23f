"""A launch with seventeen buffers ends the process."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "freedreno")
os.environ.setdefault("RUSTICL_FEATURES", "fp16")
COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 17  # with the one that is written
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
read = [f"p{i}" for i in range(COUNT - 1)]
names = ", ".join(f"global const int *{name}" for name in read)
program = cl.Program(context, f"kernel void f(global int *out, {names}) {{ *out = {' + '.join(f'*{n}' for n in read)}; }}")
flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
buffers = [cl.Buffer(context, flags, hostbuf=np.array([i], "i4")) for i in range(COUNT)]
result = np.zeros(1, "i4")
program.build().f(queue, (1,), None, *buffers)
cl.enqueue_copy(queue, result, buffers[0])
want = sum(range(1, COUNT))
print(f"the sum of 1 to {COUNT - 1}: {'right' if result[0] == want else 'wrong'}, {result[0]} and {want}")
sys.exit(bool(result[0] != want))
