"""A compiler option of one letter, -D with its name as the next word, ends the process."""

import os
import sys

import pyopencl as cl

os.environ.setdefault("RUSTICL_ENABLE", "llvmpipe")
os.environ.setdefault("RUSTICL_FEATURES", "fp16,fp64")
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
try:
    cl.Program(context, "kernel void f(global int *out) { *out = A; }").build("-D A")
    got = "CL_SUCCESS"
except cl.RuntimeError as error:
    got = "CL_" + cl.status_code.to_string(error.code)
print(f"clBuildProgram with -D A: {got}")
sys.exit(got != "CL_SUCCESS")
