"""A copy from an offset that wraps around: the sum in the check of the bounds overflows."""

import os
import sys

import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "llvmpipe")
os.environ.setdefault("RUSTICL_FEATURES", "fp16,fp64")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
source, target = (cl.Buffer(context, cl.mem_flags.READ_WRITE, 4096) for _ in range(2))
offset = 2**64 - 16  # offset + 64 is 48
try:
    cl.enqueue_copy(queue, target, source, src_offset=offset, byte_count=64)
    got = "CL_SUCCESS"
except cl.LogicError as error:
    got = "CL_" + cl.status_code.to_string(error.code)
print(f"clEnqueueCopyBuffer from offset 2**64 - 16: {got}")
sys.exit(got != "CL_INVALID_VALUE")
