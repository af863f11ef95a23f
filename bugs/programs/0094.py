"""A literal with the suffix ll, which OpenCL C reserves, ends the process; it may fail to build, or be a long."""

import os
import sys

import numpy as np
import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "llvmpipe")
os.environ.setdefault("RUSTICL_FEATURES", "fp16,fp64")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
SOURCE = """
kernel void f(global ulong *out) { *out = 0x123456789abcdefll + get_global_id(0); }
"""
try:
    program = cl.Program(context, SOURCE).build()
except cl.RuntimeError as error:
    print("the build fails")
    sys.exit(error.code != cl.status_code.BUILD_PROGRAM_FAILURE)
result = np.zeros(1, "u8")
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, result.nbytes)
program.f(queue, (1,), None, out)
cl.enqueue_copy(queue, result, out)
print(f"0x123456789abcdefll = {result[0]:#x}")
sys.exit(bool(result[0] != 0x123456789ABCDEF))
