"""A launch also prints the output of an earlier one, if its printf buffer is in the same memory."""

import ctypes
import os
import sys
import tempfile

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "freedreno")
os.environ.setdefault("RUSTICL_FEATURES", "fp16")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
kernel = cl.Program(context, 'kernel void f(int n) { printf("%d,%d\\n", n, (int)get_global_id(0)); }').build().f
libc = ctypes.CDLL(None)
stdout = os.dup(1)
counts = []
for launch in range(8):
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 1)
        kernel(queue, (40,), None, np.int32(launch))
        queue.finish()
        libc.fflush(None)
        os.dup2(stdout, 1)
        file.seek(0)
        lines = file.read().splitlines()
    counts.append(f"{len(lines)} lines, {sum(line.startswith(b'%d,' % launch) for line in lines)} its own")
print("each launch of 8 prints its 40 lines:", set(counts) == {"40 lines, 40 its own"})
print("\n".join(counts), file=sys.stderr)
sys.exit(set(counts) != {"40 lines, 40 its own"})
