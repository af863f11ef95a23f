"""A fill with a pattern of two bytes from offset 64 on."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "freedreno")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
result = np.zeros(256, "u1")
buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=result)
cl.enqueue_fill_buffer(queue, buffer, b"\x07\x07", 64, 64)
cl.enqueue_copy(queue, result, buffer)
filled = np.flatnonzero(result)
print(
    f"bytes 64 to 127 are filled: bytes {filled[0]} to {filled[-1]}" if len(filled) else "bytes 64 to 127 are filled: none"
)
sys.exit(not np.array_equal(filled, np.arange(64, 128)))
