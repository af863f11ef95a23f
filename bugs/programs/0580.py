"""work_group_size_hint is a limit."""

import os
import sys

import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "radeonsi")
os.environ.setdefault("RUSTICL_FEATURES", "fp16,fp64")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
__attribute__((work_group_size_hint(8, 2, 3)))
kernel void f(global uint *out) { out[get_global_id(0)] = 1; }
"""
kernel = cl.Program(context, SOURCE).build().f
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, 4 * 16)
try:
    kernel(queue, (16, 2, 3), (16, 2, 3), out)
    queue.finish()
    outcome = "taken"
except cl.LogicError:
    outcome = "refused"
print(f"a group of 96 items, twice the hinted size: {outcome}")
sys.exit(outcome != "taken")
