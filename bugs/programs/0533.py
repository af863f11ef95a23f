"""Three parts of local memory that fill it are laid out beyond its end, and the launch is not refused."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "freedreno")
os.environ.setdefault("RUSTICL_FEATURES", "fp16")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
# A third each. Rusticl begins each part at a multiple of 128 bytes, so that the last one ends beyond the memory.
COUNT = context.devices[0].local_mem_size // 3 // 16 * 4
SOURCE = f"""
kernel void f(global uint *out, local uint *a, local uint *b) {{
    local uint c[{COUNT}];
    uint first = get_local_id(0), step = get_local_size(0), wrong = 0;
    for (uint i = first; i < {COUNT}; i += step) {{ a[i] = i; b[i] = i + 1; c[i] = i + 2; }}
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = first; i < {COUNT}; i += step) wrong += a[i] != i || b[i] != i + 1 || c[i] != i + 2;
    out[first] = wrong;
}}
"""
program = cl.Program(context, SOURCE).build()
result = np.full(32, 0xFFFFFFFF, "u4")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=result)
part = cl.LocalMemory(4 * COUNT)
try:
    program.f(queue, (32,), (32,), out, part, part)
    cl.enqueue_copy(queue, result, out)
except cl.Error as error:
    print(f"refused: {error}")
    sys.exit(0)
print(f"launched, and each word keeps its value: {not result.any()}")
sys.exit(bool(result.any()))
